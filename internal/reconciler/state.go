// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Timeout bounds one reconcile. The list of a large zone takes long.
const Timeout = 2 * time.Minute

// A State is what one reconcile of one object has found out so far. The runtime calls the finalizer, the client and
// the external client separately, and passes only the context between them. The State is in the context, so it ends
// with the reconcile, and no two reconciles share one.
type State struct {
	Object types.NamespacedName
	// WillCreate is true if the runtime will update the object and then call Create.
	WillCreate bool
	// Complete puts the status of the created resource on the object. It is nil unless everything about the resource
	// is known.
	Complete func()
	// Gone is true once the object is known not to exist any more.
	Gone bool
	// Finished is the object once that status is persisted.
	Finished resource.Managed
	// NotBefore is for how long after a failure it is of no use to try again.
	NotBefore time.Duration
	// Again is the time within which to reconcile the object again, 0 to follow the poll interval.
	Again time.Duration
	// LeadsTo has values of path parameters, by their names. References resolve to these values by the user's wish,
	// but the spec does not have them: the resource is in another place, or an immutable field has to be emptied
	// first.
	LeadsTo map[string]string
	// Stands puts on the object the Synced condition of a failure that it already has. It is nil unless the reconcile
	// fails with that failure.
	Stands func()
}

type stateKey struct{}

// WithState returns a context that carries s.
func WithState(ctx context.Context, s *State) context.Context {
	return context.WithValue(ctx, stateKey{}, s)
}

// StateFrom returns the State that ctx carries. It is never nil: outside of a reconcile it is empty.
func StateFrom(ctx context.Context) *State {
	if s, ok := ctx.Value(stateKey{}).(*State); ok {
		return s
	}
	return &State{}
}

// IsFor reports whether s is the state of a reconcile of o.
func (s *State) IsFor(o client.Object) bool {
	return s.Object != types.NamespacedName{} && s.Object == client.ObjectKeyFromObject(o)
}

// WillCreate records that the object has no external resource, that its policies let one be created and that it is not
// being deleted. Observe calls it, and must then return that the resource does not exist.
func WillCreate(ctx context.Context) { StateFrom(ctx).WillCreate = true }

// NotBefore records that the external client failed because no request can be sent for that long. The object comes
// back after that time, instead of after a backoff that grows meanwhile and ends much later.
func NotBefore(ctx context.Context, d time.Duration) { StateFrom(ctx).NotBefore = d }

// LookAgain records the time within which to reconcile the object again, even if it is healthy. Observe calls it.
func LookAgain(ctx context.Context, within time.Duration) { StateFrom(ctx).Again = within }

// Complete records that the created resource is all that the object declares, so that it need not be observed again.
// Create calls it. Changes that Create makes to the spec are then persisted with the external name. finish is called
// before the status is sent: it puts the whole status on the object except Synced, for the generation the object has
// by then. It is not called if recording the creation met an error; the next reconcile then observes the resource.
func Complete(ctx context.Context, finish func()) { StateFrom(ctx).Complete = finish }

// LeadsTo records that a reference resolves to a value of a path parameter which the spec does not have yet. Resolvers
// of references call it.
func LeadsTo(ctx context.Context, parameter, value string) {
	s := StateFrom(ctx)
	if s.LeadsTo == nil {
		s.LeadsTo = map[string]string{}
	}
	s.LeadsTo[parameter] = value
}

// Stands records that an external client fails with the failure of an earlier call, and makes no call. No event is
// recorded for it again. show is called before the status is sent: it puts on the object the Synced condition of the
// first failure, which the runtime would word differently.
func Stands(ctx context.Context, show func()) { StateFrom(ctx).Stands = show }
