// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"path/filepath"
	"runtime"

	"k8s.io/client-go/kubernetes"

	"github.com/provider-cloudflare/provider-cloudflare/test/e2e/node"
	"github.com/provider-cloudflare/provider-cloudflare/test/e2e/sandbox"
)

// startLightNode adds a node. kwok reports that the node and all its pods are ready. The pods
// in Crossplane's namespace run as processes.
func (c *cluster) startLightNode() {
	c.apply(map[string]any{
		"apiVersion": "v1", "kind": "Node",
		"metadata": map[string]any{
			"name":        "node",
			"annotations": map[string]any{"kwok.x-k8s.io/node": "fake"},
			"labels":      map[string]any{"kubernetes.io/arch": runtime.GOARCH, "kubernetes.io/os": "linux", "kubernetes.io/hostname": "node"},
		},
		"status": map[string]any{"allocatable": map[string]any{"cpu": "32", "memory": "256Gi", "pods": "110"}},
	})
	c.start("kwok", "--kubeconfig", c.kubeconfig, "--manage-all-nodes", "--node-ip", sandbox.Address, "--node-lease-duration-seconds", "40")
	kube, err := kubernetes.NewForConfig(c.config)
	c.must(err)
	n := &node.Processes{Client: kube, Namespace: system, APIHost: sandbox.Address, APIPort: apiPort, Dir: filepath.Join(c.dir, "node")}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := n.Run(c.ctx); err != nil {
			c.ended(err)
		}
	}()
	c.suite.Cleanup(func() { <-done })
	c.logs = n.Log
}
