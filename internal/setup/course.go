// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A course is what one reconcile of one object has come to by now, for the seams
// of the runtime that learn nothing of each other. It goes with the context, so
// it ends with the reconcile, and no two share one.
type course struct {
	object types.NamespacedName
	// creates is true when the runtime will update the object and then call Create.
	creates bool
	// finish puts the status of the created resource on the object. It is nil unless
	// nothing is left to find out about it.
	finish func()
	// gone is true once the object turned out not to exist any more.
	gone bool
	// finished is the object once that status is persisted.
	finished resource.Managed
	// notBefore is for how long it is of no use to try again after a failure.
	notBefore time.Duration
}

type courseKey struct{}

func withCourse(ctx context.Context, c *course) context.Context {
	return context.WithValue(ctx, courseKey{}, c)
}

// courseOf is never nil: what is not called by a reconcile gets an empty one.
func courseOf(ctx context.Context) *course {
	if c, ok := ctx.Value(courseKey{}).(*course); ok {
		return c
	}
	return &course{}
}

// of reports whether the course is about that object.
func (c *course) of(o client.Object) bool {
	return c.object != types.NamespacedName{} && c.object == client.ObjectKeyFromObject(o)
}

// WillCreate is for Observe to say that the object has no external resource, that
// its policies let one be created and that it is not being deleted: Observe must
// then return that the resource does not exist.
func WillCreate(ctx context.Context) { courseOf(ctx).creates = true }

// NotBefore is for an external client to say that it failed because nothing can be
// asked for that long: the object then comes back when it is over, instead of
// after a back-off that grows meanwhile and ends long after.
func NotBefore(ctx context.Context, d time.Duration) { courseOf(ctx).notBefore = d }

// Complete is for Create to say that the resource it made is all that the object
// declares, so that nobody has to look at it again. Changes that Create makes to
// the spec are then persisted with the external name, and finish is called just
// before the status is: it puts the whole status on the object but for Synced,
// for the generation the object has by then. It is not called where recording the
// creation met any difficulty; the next reconcile then finds out.
func Complete(ctx context.Context, finish func()) { courseOf(ctx).finish = finish }
