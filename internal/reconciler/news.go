// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"slices"
	"sync"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// underWay has the running reconciles of a kind by their objects: the runtime records events without the context
// that carries a State. The zero value is empty. It is safe for concurrent use.
type underWay struct{ states sync.Map }

// begin records a reconcile, and returns the function that ends it.
func (u *underWay) begin(s *State) (end func()) {
	u.states.Store(s.Object, s)
	return func() { u.states.Delete(s.Object) }
}

// of returns the state of the reconcile of an object, or an empty one if no reconcile of it runs.
func (u *underWay) of(o runtime.Object) *State {
	if c, ok := o.(client.Object); ok {
		if s, running := u.states.Load(client.ObjectKeyFromObject(c)); running {
			if state, ok := s.(*State); ok {
				return state
			}
		}
	}
	return &State{}
}

// newsOnly is a recorder that leaves out the runtime's events about a failure that stands (see Stands).
type newsOnly struct {
	event.Recorder

	underWay *underWay
}

// Event records e, unless e is about a failure that stands.
func (r newsOnly) Event(obj runtime.Object, e event.Event) {
	if slices.Contains(failures(), e.Reason) && r.underWay.of(obj).Stands != nil {
		return
	}
	r.Recorder.Event(obj, e)
}

// WithAnnotations returns a recorder that adds annotations.
func (r newsOnly) WithAnnotations(keysAndValues ...string) event.Recorder {
	r.Recorder = r.Recorder.WithAnnotations(keysAndValues...)
	return r
}
