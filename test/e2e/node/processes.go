// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// Processes runs the pods of one namespace as processes of this machine. Each has the files of
// its image as its root, the arguments and the environment of its containers, their Secrets and
// ConfigMaps, and the token of its service account. So a program works here only with the
// content of its package and the rights that Crossplane grants.
//
// kwok writes the status of pods. There are no limits, no probes and no network of a pod. The
// ports are the machine's, so moved changes those that would conflict.
type Processes struct {
	Client    kubernetes.Interface
	Namespace string
	// APIHost and APIPort are the address of the API server for pods.
	APIHost, APIPort string
	// Dir has the files of the pods, and their logs.
	Dir string

	informer informers.SharedInformerFactory

	mu      sync.Mutex
	running map[types.UID]*pod
	number  int // of all pods so far
	wait    sync.WaitGroup
}

// Run runs the pods until ctx ends, and returns when the last process has ended.
func (n *Processes) Run(ctx context.Context) error {
	n.running = map[types.UID]*pod{}
	n.informer = informers.NewSharedInformerFactoryWithOptions(n.Client, 0, informers.WithNamespace(n.Namespace))
	handler := cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { n.sync(ctx) },
		UpdateFunc: func(any, any) { n.sync(ctx) },
		DeleteFunc: func(any) { n.sync(ctx) },
	}
	for _, i := range []cache.SharedIndexInformer{n.informer.Core().V1().Pods().Informer(), n.informer.Core().V1().Services().Informer()} {
		if _, err := i.AddEventHandler(handler); err != nil {
			return fmt.Errorf("cannot watch the namespace: %w", err)
		}
	}
	n.informer.Start(ctx.Done())
	<-ctx.Done()
	n.wait.Wait()
	return nil
}

// sync starts pods with a node, ends deleted pods, and updates the hosts of all.
func (n *Processes) sync(ctx context.Context) {
	n.mu.Lock()
	defer n.mu.Unlock()
	wanted := map[types.UID]bool{}
	for _, o := range n.informer.Core().V1().Pods().Informer().GetStore().List() {
		p, ok := o.(*corev1.Pod)
		if !ok || p.Spec.NodeName == "" || p.DeletionTimestamp != nil {
			continue
		}
		wanted[p.UID] = true
		if n.running[p.UID] == nil && ctx.Err() == nil {
			n.running[p.UID] = n.start(ctx, p)
		}
	}
	for uid, p := range n.running {
		if !wanted[uid] {
			p.end()
			delete(n.running, uid)
		}
	}
	n.tellHosts()
}

// start starts a pod. The caller holds the lock.
func (n *Processes) start(ctx context.Context, spec *corev1.Pod) *pod {
	n.number++
	ctx, end := context.WithCancel(ctx)
	p := &pod{
		node: n, spec: spec, end: end,
		dir:     filepath.Join(n.Dir, "pods", spec.Name),
		address: fmt.Sprintf("127.0.1.%d", n.number),
	}
	n.wait.Go(func() { p.run(ctx) })
	return p
}

// Log returns the logs of the pods whose names have that prefix.
func (n *Processes) Log(prefix string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(n.Dir, "pods", prefix+"*", "*.log"))
	if err != nil {
		return nil, fmt.Errorf("cannot find logs: %w", err)
	}
	var out []byte
	for _, f := range files {
		raw, err := os.ReadFile(f) //nolint:gosec // Our own.
		if err != nil {
			return nil, fmt.Errorf("cannot read a log: %w", err)
		}
		out = append(out, raw...)
	}
	return out, nil
}

// restartDelay is the time before a container that has ended is restarted.
const restartDelay = time.Second
