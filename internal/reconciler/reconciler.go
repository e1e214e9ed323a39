// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
)

const (
	// leastPause is the shortest pause at whose end a failed object comes back. The
	// work queue's backoff spreads shorter ones better.
	leastPause = 2 * time.Second
	// spread is the time over which objects that waited for the same pause come back.
	spread = time.Second
)

// A reconciler runs the runtime's reconciler and decides when to reconcile an object
// next.
type reconciler struct {
	inner reconcile.Reconciler
	// poll returns after what time to reconcile a healthy object again.
	poll func(resource.Managed) time.Duration
	// ready reports to the metrics that an object was created and is ready.
	ready func(context.Context, *State)
	// underWay has the running reconciles, for the recorder of events.
	underWay *underWay
}

// Reconcile reconciles one object. After a complete creation the runtime asks for
// another reconcile, which Reconcile leaves out. A healthy object comes back at the
// priority of polls, regardless of what enqueued it; a failed one keeps its priority.
func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	ctx, end := connect.Begin(ctx)
	defer end()
	state := &State{Object: req.NamespacedName}
	defer r.underWay.begin(state)()
	res, err := r.inner.Reconcile(WithState(ctx, state), req)
	if state.Gone {
		// The runtime's result for an object that is gone does not matter.
		return reconcile.Result{}, nil
	}
	if err != nil {
		return res, err
	}
	if res.Requeue && state.NotBefore >= leastPause { //nolint:staticcheck // It is how the runtime says that it failed.
		return reconcile.Result{RequeueAfter: state.NotBefore + rand.N(spread)}, nil //nolint:gosec // No need for secure randomness.
	}
	if state.Finished != nil {
		r.ready(ctx, state)
		res = reconcile.Result{RequeueAfter: r.poll(state.Finished)}
	}
	if res.RequeueAfter > 0 {
		res.RequeueAfter = state.within(res.RequeueAfter)
		res.Priority = ptr.To(PriorityPoll)
	}
	return res, nil
}

// within returns d, or less if the object is to be reconciled sooner.
func (s *State) within(d time.Duration) time.Duration {
	if s.Again > 0 {
		return min(d, s.Again+rand.N(spread)) //nolint:gosec // No need for secure randomness.
	}
	return d
}

// pollAfter returns a function that applies a poll interval and its hook as the runtime
// does.
func pollAfter(interval time.Duration, hook func(resource.Managed, time.Duration) time.Duration) func(resource.Managed) time.Duration {
	return func(mg resource.Managed) time.Duration {
		d := interval
		if own, ok := meta.GetPollInterval(mg); ok {
			d = own
		}
		return hook(mg, d)
	}
}
