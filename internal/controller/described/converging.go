// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// The bounds of the polls of a resource that converges, which means that its status is on its way to ready. The pause
// before a poll is as long as the resource has converged so far, within leastConverging and mostConverging. So the
// object is ready within twice the time that the resource takes. A sweep of the kind may be less frequent. After
// convergingTimeout the polls end, because the resource may never be ready. A resource that waits for a person is not
// polled this way.
const (
	leastConverging   = 5 * time.Second
	mostConverging    = time.Minute
	convergingTimeout = 30 * time.Minute
)

// get returns the resource of that ID as it is known. While the resource converges, get reads it.
func (a *adapter) get(ctx context.Context, id string) (Live, error) {
	if _, soon := a.soon(a.mg.GetUID()); soon {
		return a.coll.Look(ctx, id)
	}
	return a.coll.GetSince(ctx, id, a.seen)
}

// RequireSince makes Get and Find only return resources that were read after t.
func (a *adapter) RequireSince(t time.Time) { a.seen = t }

// soon returns the pause before the next look at an object that converges. It returns false if the object does not
// converge, has converged for too long, or is of a kind that is swept as often.
func (k *described) soon(uid types.UID) (time.Duration, bool) {
	since, converging := k.memory.convergingSince(uid)
	age := k.now().Sub(since)
	pause := min(max(age, leastConverging), mostConverging)
	return pause, converging && age < convergingTimeout && pause < k.terms.Interval
}

// poll returns the time to the next poll of an object, with jitter. An object that has not found its resource yet is
// polled as often as the sweep runs, because the sweep does not report it.
func (k *described) poll(mg resource.Managed, poll time.Duration) time.Duration {
	if meta.GetExternalName(mg) == "" {
		poll = min(poll, k.terms.Interval)
	}
	if pause, soon := k.soon(mg.GetUID()); soon {
		poll = min(poll, pause)
	}
	if at, has := k.memory.readBackAt(mg.GetUID()); has {
		poll = min(poll, max(at.Sub(k.now()), time.Second))
	}
	return reconciler.Jitter(poll)
}
