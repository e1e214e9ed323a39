// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/discovery"
)

// controllersPause is the time before a controller manager that ended by itself is restarted,
// as a kubelet does.
const controllersPause = time.Second

// controllers runs kube-controller-manager and restarts it. It ends by itself if the API server
// is down for too long.
type controllers struct {
	start func(ended func(error)) (*Process, error)
	fail  func(error)

	mu      sync.Mutex
	process *Process
	stopped bool
}

// kindsServed returns nil if discovery shows all installed kinds.
//
// An API server that has started is ready before it serves CRDs. The namespace controller
// assumes that kinds which discovery does not show have no objects. So a namespace that is
// being deleted at that moment is removed, and its objects stay forever. Kubernetes behaves in
// this way, so the controllers run only while all kinds are served.
func (c *ControlPlane) kindsServed() error {
	d, err := discovery.NewDiscoveryClientForConfig(c.Config)
	if err != nil {
		return fmt.Errorf("cannot make a client: %w", err)
	}
	lists, err := d.ServerPreferredResources()
	if err != nil {
		return fmt.Errorf("cannot discover what is served: %w", err)
	}
	served := map[string]bool{}
	for _, l := range lists {
		for _, r := range l.APIResources {
			group, _, _ := strings.Cut(l.GroupVersion, "/")
			served[r.Name+"."+group] = true
		}
	}
	for _, k := range c.kinds {
		if !served[k.Name] {
			return fmt.Errorf("%s is not served yet", k.Name)
		}
	}
	return nil
}

// startControllers starts the controllers of the spec, if there are any.
func (c *ControlPlane) startControllers(ctx context.Context) error {
	if len(c.spec.Controllers) == 0 {
		return nil
	}
	args := []string{
		"--kubeconfig", c.Kubeconfig, "--controllers", strings.Join(c.spec.Controllers, ","), "--leader-elect=false", "--secure-port=0",
		"--kube-api-qps=200", "--kube-api-burst=400",
	}
	c.controllers = &controllers{fail: c.ended, start: func(ended func(error)) (*Process, error) {
		return c.start(ctx, "kube-controller-manager", args, ended)
	}}
	return c.controllers.run()
}

// run starts the process, also after stop.
func (c *controllers) run() error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = false
	return c.begin()
}

// begin starts the process. The caller holds the lock.
func (c *controllers) begin() error {
	var err error
	c.process, err = c.start(func(error) { time.AfterFunc(controllersPause, c.again) })
	return err
}

// again restarts the process after it has ended by itself.
func (c *controllers) again() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return
	}
	select {
	case <-c.process.Done():
	default:
		return // It was stopped and started in the meantime.
	}
	if err := c.begin(); err != nil {
		c.fail(err)
	}
}

// stop kills the process, which runs again after run. The process has no state to lose.
func (c *controllers) stop() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	if c.process != nil {
		c.process.Kill()
	}
}
