// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package safestart

import (
	"context"
	"errors"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/provider-cloudflare/provider-cloudflare/internal/provider"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestAnEndBeforeTheStart asks a process to end before it reviews its rights. This is no
// failure.
func TestAnEndBeforeTheStart(t *testing.T) {
	cfg, endAPIServer, err := harness.StartAPIServer(&envtest.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	cloud, err := harness.StartCloud(simulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(cloud.End(), endAPIServer()); err != nil {
			t.Error(err)
		}
	})
	ended, end := context.WithCancel(t.Context())
	end()
	if err := provider.Run(ended, cfg, harness.Options(cloud.URL)); err != nil {
		t.Errorf("the provider did not end well: %v", err)
	}
}
