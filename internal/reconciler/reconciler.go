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
	// leastPause is from when on a failure is worth coming back from at its end. The
	// work queue's back-off is better at spreading what is shorter.
	leastPause = 2 * time.Second
	// spread is the time over which objects come back that waited for the same.
	spread = time.Second
)

// A reconciler runs the runtime's and decides when an object's turn is next.
type reconciler struct {
	inner reconcile.Reconciler
	// poll is when an object that is well is looked at again.
	poll func(resource.Managed) time.Duration
	// ready tells the metrics of an object that was created and is ready.
	ready func(context.Context, *State)
	// underWay are the reconciles whose events are recorded.
	underWay *underWay
}

// Reconcile one object. After a complete creation the runtime asks for another
// look, which there is no need for. An object that is well goes behind those that
// somebody waits for, whatever brought it here; one that failed keeps its place.
func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	ctx, end := connect.Begin(ctx)
	defer end()
	state := &State{Object: req.NamespacedName}
	defer r.underWay.begin(state)()
	res, err := r.inner.Reconcile(WithState(ctx, state), req)
	if state.Gone {
		// What the runtime says of an object that is gone is of no interest.
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

// within is d, or less where the object is to be looked at sooner.
func (s *State) within(d time.Duration) time.Duration {
	if s.Again > 0 {
		return min(d, s.Again+rand.N(spread)) //nolint:gosec // No need for secure randomness.
	}
	return d
}

// pollAfter is what the runtime does with a poll interval and its hook.
func pollAfter(interval time.Duration, hook func(resource.Managed, time.Duration) time.Duration) func(resource.Managed) time.Duration {
	return func(mg resource.Managed) time.Duration {
		d := interval
		if own, ok := meta.GetPollInterval(mg); ok {
			d = own
		}
		return hook(mg, d)
	}
}
