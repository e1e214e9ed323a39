// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"strings"
	"testing"
)

// TestInstalled is the life of an installation, in order. Each step depends on the steps before
// it.
func TestInstalled(t *testing.T) {
	c := newCluster(t)
	steps := []struct {
		name string
		do   func(*cluster)
	}{
		{"Node", startNode},
		{"Packages", (*cluster).pushPackages},
		{"Standalone", standaloneWithContainers},
		{"Crossplane", (*cluster).installCrossplane},
		{"Install", installProvider},
		{"Activate", activate},
		{"FirstRecords", firstRecords},
		{"Upgrade", upgrade},
		{"NewKinds", newKinds},
		{"Examples", examples},
		{"GetManaged", getManaged},
		{"Conformance", conformance},
		{"Compositions", compositions},
		{"Drift", driftReverted},
		{"Restart", restart},
		{"Downgrade", downgrade},
		{"UninstallWithOrphan", uninstall},
		{"EveryPage", everyPage},
	}
	for _, s := range steps {
		ok := t.Run(s.name, func(t *testing.T) {
			outer := c.t
			c.t = t
			defer func() { c.t = outer }()
			s.do(c)
		})
		if !ok {
			t.Fatalf("the rest needs %s; logs are in %s", s.name, c.dir)
		}
	}
	t.Logf("figures:\n%s", strings.Join(c.said, "\n"))
}

// standaloneWithContainers does nothing if pods are processes, because only those in
// Crossplane's namespace run.
func standaloneWithContainers(c *cluster) {
	if *full {
		standalone(c)
	}
}

func startNode(c *cluster) {
	if *full {
		c.startFullNode()
		return
	}
	c.startLightNode()
}
