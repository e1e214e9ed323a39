// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
)

// TestGatedSetupThatFails brings the process down while it is to run, and not when
// it has been asked to end: a manager that stops takes no more controllers.
func TestGatedSetupThatFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason string
		ended  bool
	}{
		{"a process without this controller would look well", false},
		{"the process ends in any case", true},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		g := &heldGate{}
		refuse := func(ctrl.Manager, controller.Options) error { return errors.New("no more controllers") }
		if err := Setup(ctx, unmapped{}, controller.Options{Gate: g}, []Entry{{Setup: refuse}}); err != nil {
			t.Fatal(err)
		}
		if c.ended {
			cancel()
		}
		if panicked := panics(g.open); panicked == c.ended {
			t.Errorf("%s: panics is %t", c.reason, panicked)
		}
		cancel()
	}
}

func panics(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}

// heldGate opens when the test says so.
type heldGate struct{ open func() }

func (g *heldGate) Register(f func(), _ ...schema.GroupVersionKind) { g.open = f }

func (g *heldGate) Set(schema.GroupVersionKind, bool) bool { return false }

// unmapped is a manager that is asked for nothing but its mapper.
type unmapped struct{ ctrl.Manager }

func (unmapped) GetRESTMapper() meta.RESTMapper { return nil }
