// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
)

// A MovedError says that the resource of an object is not in the place that the object names now.
type MovedError struct {
	Noun, From, To string
	// Gone is true if it is proven that nothing exists at From any more. The object then drops what it had there, and
	// begins again at To.
	Gone bool
}

func (e *MovedError) Error() string {
	return fmt.Sprintf("the %s of this object is in %s, and the spec or its provider config names %s now: it cannot move. Set that back; or, to keep the live resource, set spec.deletionPolicy to Orphan first, then delete this object and create another",
		e.Noun, e.From, e.To)
}

// EventFollowed is the reason of an event about an object that continues in another place, because the former one is
// gone.
const EventFollowed event.Reason = "FollowedParent"

// A ParentChangeHandler drops what its object had in a place that is gone.
type ParentChangeHandler interface {
	// ClearState clears all that is known of it, on the object and elsewhere.
	ClearState()
}

// follow makes mg begin again in the place that it names now, because the former place is gone, and the resource with
// it. It clears the external name, the notes and the status, releases the claims, and ends the creations of unknown
// outcome. All that is persisted before anything is created in the new place, so that no later creation is taken for
// one of the old ones.
func (c *Client[L]) follow(ctx context.Context, mg resource.Managed, moved *MovedError) error {
	had := slices.Clone(c.origin.own)
	if name := meta.GetExternalName(mg); name != "" && !c.origin.owns(name) {
		had = append(had, name)
	}
	err := c.write(ctx, mg, func(next resource.Managed) {
		meta.RemoveAnnotations(next, append(c.kind.Notes.all(), journal.Annotation, meta.AnnotationKeyExternalName, meta.AnnotationKeyExternalCreatePending)...)
	})
	if err == nil {
		for _, id := range had {
			c.deps.Claims.Release(mg, id) // The key needs the parent, which the status still shows.
		}
		err = c.letGo(ctx, mg)
	}
	if err != nil {
		return fmt.Errorf("cannot record that the %s went with %s: %w", c.kind.Noun.Name, moved.From, err)
	}
	for _, e := range c.origin.open {
		c.deps.Journal.Void(e)
	}
	c.deps.Events.Event(mg, event.Normal(EventFollowed, fmt.Sprintf("The %s %s was in %s, which is gone: this object goes on in %s", c.kind.Noun.Name, strings.Join(had, ", "), moved.From, moved.To)))
	if a, ok := c.adapter.(Closer); ok {
		a.Close()
	}
	c.adapter, err = c.adapt(mg)
	return err
}

// letGo clears what the status of mg shows of its former resource.
func (c *Client[L]) letGo(ctx context.Context, mg resource.Managed) error {
	before, err := copyOf(mg)
	if err != nil {
		return err
	}
	c.adapter.ClearStatus()
	if a, ok := c.adapter.(ParentChangeHandler); ok {
		a.ClearState()
	}
	c.origin.setOwnership(mg, "")
	next, err := copyOf(mg)
	if err != nil {
		return err
	}
	if err := c.deps.Kube.Status().Patch(ctx, next, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})); err != nil {
		return err
	}
	mg.SetResourceVersion(next.GetResourceVersion())
	return nil
}
