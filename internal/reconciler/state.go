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

// Timeout bounds one reconcile: a list of a large zone takes a while.
const Timeout = 2 * time.Minute

// A State is what one reconcile of one object has found out so far. The runtime calls
// the finalizer, the client and the external client separately, and passes nothing
// between them but the context. The State is in the context, so it ends with the
// reconcile, and no two reconciles share one.
type State struct {
	Object types.NamespacedName
	// WillCreate is true when the runtime will update the object and then call Create.
	WillCreate bool
	// Complete puts the status of the created resource on the object. It is nil unless
	// nothing is left to find out about the resource.
	Complete func()
	// Gone is true once the object turned out not to exist any more.
	Gone bool
	// Finished is the object once that status is persisted.
	Finished resource.Managed
	// NotBefore is for how long it is of no use to try again after a failure.
	NotBefore time.Duration
	// Again is within what time the object is to be looked at again, 0 where the poll interval says so.
	Again time.Duration
	// LeadsTo has the parameters of paths to which references lead now by the user's wish, and which the spec does not have,
	// for the resource is elsewhere, or for an immutable field has to be emptied first.
	LeadsTo map[string]string
	// Stands puts on the object what its Synced condition says of a failure that it has already. It is nil unless the
	// reconcile fails with that one.
	Stands func()
}

type stateKey struct{}

// WithState returns a context that carries s.
func WithState(ctx context.Context, s *State) context.Context {
	return context.WithValue(ctx, stateKey{}, s)
}

// StateFrom returns the State that ctx carries. It is never nil: outside of a reconcile it
// is empty.
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

// WillCreate is for Observe to say that the object has no external resource, that
// its policies let one be created and that it is not being deleted: Observe must
// then return that the resource does not exist.
func WillCreate(ctx context.Context) { StateFrom(ctx).WillCreate = true }

// NotBefore is for an external client to say that it failed because nothing can be
// asked for that long: the object then comes back when it is over, instead of
// after a back-off that grows meanwhile and ends long after.
func NotBefore(ctx context.Context, d time.Duration) { StateFrom(ctx).NotBefore = d }

// LookAgain is for Observe to say within what time the object is to be looked at again, even if all is well with it.
func LookAgain(ctx context.Context, within time.Duration) { StateFrom(ctx).Again = within }

// Complete is for Create to say that the resource it made is all that the object
// declares, so that nobody has to look at it again. Changes that Create makes to
// the spec are then persisted with the external name, and finish is called just
// before the status is: it puts the whole status on the object but for Synced,
// for the generation the object has by then. It is not called where recording the
// creation met any difficulty; the next reconcile then finds out.
func Complete(ctx context.Context, finish func()) { StateFrom(ctx).Complete = finish }

// LeadsTo is for what resolves references to say that one leads to a parameter of a path which the spec does not have yet.
func LeadsTo(ctx context.Context, parameter, value string) {
	s := StateFrom(ctx)
	if s.LeadsTo == nil {
		s.LeadsTo = map[string]string{}
	}
	s.LeadsTo[parameter] = value
}

// Stands is for an external client to say that it fails with what a call before failed with, and makes no call: no
// event says that once more. show is called just before the status is sent: it puts on the object the Synced condition
// that the first failure left, where the runtime would word it in another way.
func Stands(ctx context.Context, show func()) { StateFrom(ctx).Stands = show }
