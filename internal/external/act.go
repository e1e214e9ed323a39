// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// Update reverts the differences.
func (c *Client[L]) Update(ctx context.Context, mg resource.Managed) (managed.ExternalUpdate, error) {
	if err := c.decided.holds(mg, decision.Update); err != nil {
		return managed.ExternalUpdate{}, err
	}
	was := c.lives[c.decided.step.Live.ID]
	drifted := mg.GetCondition(xpv2.TypeUpToDate).Reason == drift.ReasonDetected
	if err := c.showBefore(ctx, mg, c.decided.step.Live.ID, drifted); err != nil {
		return managed.ExternalUpdate{}, err
	}
	if err := c.change(ctx, mg, was, drifted); err != nil {
		var stands *standingError
		if errors.As(err, &stands) {
			reconciler.Stands(ctx, func() {}) // The runtime reports the error in the same words as before.
		} else {
			reconciler.NotBefore(ctx, pause(err))
		}
		return managed.ExternalUpdate{}, cloudflare.Explain(err)
	}
	mg.SetConditions(drift.UpToDate(mg, c.kind.GVK.Kind))
	if drifted {
		diff, _ := c.adapter.Compare(was)
		c.deps.Drift.Reverted(mg, diff.String())
	}
	return managed.ExternalUpdate{}, nil
}

// showBefore persists what has to be visible before the resource of that ID is changed. A drift has to be visible,
// because `kubectl wait` and watchers would never see it otherwise. Ownership has to be visible as well. Until the status
// has it, only the journal's entry of the creation proves it, and a changed resource does not match that entry any more.
func (c *Client[L]) showBefore(ctx context.Context, mg resource.Managed, id string, drifted bool) error {
	switch {
	case !slices.Contains(c.origin.stored, id):
		return c.store(ctx, mg)
	case drifted:
		return drift.Show(ctx, c.deps.Kube, mg)
	}
	return nil
}

// change writes until nothing differs. Before each write but the first it checks whether mg is still the latest version,
// because a user may have edited it. Each write has to reduce the differences, with two exceptions that are allowed once
// each. A field may differ that did not differ before: a change outside this object happened before the write. A write
// may also change nothing: the answer may come from a stale copy. Then change looks once more, and writes once more.
func (c *Client[L]) change(ctx context.Context, mg resource.Managed, live L, drifted bool) error {
	diff, _ := c.adapter.Compare(live)
	shifted, again := false, false
	for first := true; len(diff) > 0; first = false {
		if !first {
			if err := reconciler.EnsureCurrent(ctx, c.deps.API, mg); err != nil {
				return err
			}
		}
		if err := c.refusedBefore(mg); err != nil {
			return err
		}
		sends := c.sends(mg)
		now, err := c.adapter.Update(ctx, live, drifted)
		c.deps.Refused.note(mg.GetUID(), sends, err, c.deps.Now())
		if err != nil {
			return err
		}
		// It may be another resource, which replaces the former one.
		c.origin.own = append(c.origin.own, c.adapter.Facts(now).ID)
		c.show(mg, now, ptr.To(metav1.NewTime(c.deps.Now())))
		left, _ := c.adapter.Compare(now)
		if len(left) >= len(diff) && !anyGone(diff, left) {
			if now, left, err = c.lookAgain(ctx, mg, now); err != nil {
				return err
			}
		}
		switch {
		case len(left) < len(diff):
		case !shifted && anyGone(diff, left):
			shifted = true
		case !again:
			again = true
		default:
			return &UpdateIneffectiveError{Fields: left}
		}
		if err := c.adapter.Facts(now).Foreign; err != nil {
			return err // It became part of another product since the last look.
		}
		live, diff = now, left
	}
	return nil
}

// lookAgain returns the external resource as another look shows it, and what differs.
func (c *Client[L]) lookAgain(ctx context.Context, mg resource.Managed, live L) (L, drift.Differences, error) {
	if a, ok := c.adapter.(UncachedReader[L]); ok {
		now, err := a.GetUncached(ctx, live)
		if err != nil {
			return live, nil, fmt.Errorf("cannot look whether the change was made: %w", err)
		}
		live = now
		c.show(mg, live, ptr.To(metav1.NewTime(c.deps.Now())))
	}
	left, _ := c.adapter.Compare(live)
	return live, left, nil
}

// anyGone reports whether any field that differed before does not differ after.
func anyGone(before, after drift.Differences) bool {
	return slices.ContainsFunc(before, func(was drift.Difference) bool {
		return !slices.ContainsFunc(after, func(is drift.Difference) bool { return is.Field == was.Field })
	})
}

// Delete deletes the external resource.
func (c *Client[L]) Delete(ctx context.Context, mg resource.Managed) (managed.ExternalDelete, error) {
	if err := c.decided.holds(mg, decision.Delete); err != nil {
		return managed.ExternalDelete{}, err
	}
	live := c.lives[c.decided.step.Live.ID]
	if a, ok := c.adapter.(DeletionGuard[L]); ok {
		if err := a.ValidateDelete(ctx, live); err != nil {
			reconciler.NotBefore(ctx, pause(err))
			return managed.ExternalDelete{}, err
		}
	}
	mg.SetConditions(xpv2.Deleting())
	err := c.remove(ctx, mg, live)
	reconciler.NotBefore(ctx, pause(err))
	return managed.ExternalDelete{}, cloudflare.Explain(err)
}

// remove deletes live. A deletion cannot be undone, and the object may have changed since the cache was filled. So before
// the call, the API server confirms that mg is the latest version, in the answer to a read or to the write of a note.
func (c *Client[L]) remove(ctx context.Context, mg resource.Managed, live L) error {
	a, ok := c.adapter.(DeletionTracker[L])
	if !ok {
		if err := reconciler.EnsureCurrent(ctx, c.deps.API, mg); err != nil {
			return err
		}
		return c.adapter.Delete(ctx, live)
	}
	name := c.kind.Noun.Name
	if err := c.note(ctx, mg, c.kind.Notes.Deleting, a.DeletionRecord(live)); err != nil {
		return fmt.Errorf("cannot record that the %s is about to be deleted: %w", name, err)
	}
	if err := c.adapter.Delete(ctx, live); err != nil {
		// If the deletion was refused, a later absence is not its result.
		if !a.DeletionRejected(err) {
			return err
		}
		if noteErr := c.note(ctx, mg, c.kind.Notes.Deleting, ""); noteErr != nil {
			return fmt.Errorf("cannot record that the %s was not deleted: %w", name, noteErr)
		}
		return err
	}
	if err := c.note(ctx, mg, c.kind.Notes.Deleted, c.adapter.Facts(live).ID); err != nil {
		// The next observation finds it out by a look.
		return fmt.Errorf("cannot record that the %s was deleted: %w", name, err)
	}
	return nil
}
