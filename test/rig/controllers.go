// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"strings"
	"sync"
	"time"
)

// controllersPause is how long a controller manager that ended by itself is left
// alone, as a kubelet does.
const controllersPause = time.Second

// controllers run kube-controller-manager, which ends by itself where the API server
// is away for too long, and start it again.
type controllers struct {
	start func(ended func(error)) (*Process, error)
	fail  func(error)

	mu      sync.Mutex
	process *Process
	stopped bool
}

// startControllers starts the controllers that the spec names, if it names any.
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

// run starts the process, unless stop was called.
func (c *controllers) run() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return nil
	}
	var err error
	c.process, err = c.start(func(error) { time.AfterFunc(controllersPause, c.again) })
	return err
}

func (c *controllers) again() {
	if err := c.run(); err != nil {
		c.fail(err)
	}
}

// stop ends the process. It holds no state: to kill it loses nothing.
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
