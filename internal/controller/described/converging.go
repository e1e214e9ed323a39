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

// A resource whose status is on its way to ready is looked at by itself this often, for so long:
// a kind may be swept less often. What takes longer waits for somebody who may never come.
const (
	convergingInterval = time.Minute
	convergingTimeout  = 30 * time.Minute
)

// get is the resource of that ID as it is known, or, while it converges, as it is.
func (a *adapter) get(ctx context.Context, id string) (Live, error) {
	if a.soon(a.mg.GetUID()) {
		return a.coll.Look(ctx, id)
	}
	return a.coll.Get(ctx, id)
}

// soon reports whether an object is to be looked at more often than its kind is swept.
func (k *described) soon(uid types.UID) bool {
	since, converging := k.memory.convergingSince(uid)
	return converging && k.terms.Interval > convergingInterval && k.now().Sub(since) < convergingTimeout
}

// poll spreads polls. The sweep does not report an object that has not found its resource yet,
// so it polls as often as the sweep runs.
func (k *described) poll(mg resource.Managed, poll time.Duration) time.Duration {
	if meta.GetExternalName(mg) == "" {
		poll = min(poll, k.terms.Interval)
	}
	if k.soon(mg.GetUID()) {
		poll = min(poll, convergingInterval)
	}
	return reconciler.Jitter(poll)
}
