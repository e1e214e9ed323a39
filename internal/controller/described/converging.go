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

// A resource whose status is on its way to ready is looked at by itself: after as long as it has
// been on its way, within these bounds, so that it is ready here within twice the time that it
// takes. A kind may be swept less often. What takes longer than the timeout may never be ready. What waits for a
// person is not looked at by itself.
const (
	leastConverging   = 5 * time.Second
	mostConverging    = time.Minute
	convergingTimeout = 30 * time.Minute
)

// get is the resource of that ID as it is known, or, while it converges, as it is.
func (a *adapter) get(ctx context.Context, id string) (Live, error) {
	if _, soon := a.soon(a.mg.GetUID()); soon {
		return a.coll.Look(ctx, id)
	}
	return a.coll.GetSince(ctx, id, a.seen)
}

// ViewSince has what is found be seen after that time.
func (a *adapter) ViewSince(t time.Time) { a.seen = t }

// soon is the pause before the next look at an object that converges. It is false where the kind
// is swept as soon as that.
func (k *described) soon(uid types.UID) (time.Duration, bool) {
	since, converging := k.memory.convergingSince(uid)
	age := k.now().Sub(since)
	pause := min(max(age, leastConverging), mostConverging)
	return pause, converging && age < convergingTimeout && pause < k.terms.Interval
}

// poll spreads polls. The sweep does not report an object that has not found its resource yet,
// so it polls as often as the sweep runs.
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
