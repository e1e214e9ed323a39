// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package setup holds what the controllers of all kinds are set up with.
package setup

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/feature"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/crossplane/crossplane-runtime/v2/pkg/statemetrics"
	ctrl "sigs.k8s.io/controller-runtime"
)

// reconcileTimeout bounds one reconcile: a list of a large zone takes a while.
const reconcileTimeout = 2 * time.Minute

// ReconcilerOptions are the options every kind's reconciler has.
//
// There are no initializers: an external name is an ID that Cloudflare gives,
// never the object's own name. Names count as deterministic, so that a creation
// that was interrupted does not stop the object for ever; each kind must
// therefore find what it created by a natural key that is persisted before the
// call. There is no grace period after a creation, because absence is proven
// before it is reported.
func ReconcilerOptions(mgr ctrl.Manager, o controller.Options) []managed.ReconcilerOption {
	opts := []managed.ReconcilerOption{
		managed.WithInitializers(),
		managed.WithDeterministicExternalName(true),
		managed.WithManagementPolicies(),
		managed.WithFinalizer(newFinalizer(mgr.GetClient())),
		managed.WithTimeout(reconcileTimeout),
		managed.WithCreationGracePeriod(0),
		managed.WithPollInterval(o.PollInterval),
	}
	if o.MetricOptions != nil && o.MetricOptions.MRMetrics != nil {
		opts = append(opts, managed.WithMetricRecorder(o.MetricOptions.MRMetrics))
	}
	if o.Features.Enabled(feature.EnableAlphaChangeLogs) && o.ChangeLogOptions != nil {
		opts = append(opts, managed.WithChangeLogger(o.ChangeLogOptions.ChangeLogger))
	}
	return opts
}

// Jitter is d give or take a tenth, so that polls do not come all at once.
func Jitter(d time.Duration) time.Duration {
	return d + time.Duration((rand.Float64()-0.5)*0.2*float64(d)) //nolint:gosec // No need for secure randomness.
}

// Recorder makes the recorder of a controller's events. The RBAC manager grants
// core events, not those of events.k8s.io.
func Recorder(mgr ctrl.Manager, name string, o controller.Options) event.Recorder {
	return event.NewAPIRecorder(mgr.GetEventRecorderFor(name), o.EventFilterFunctions...)
}

// StateMetrics counts the objects of a kind by their state.
func StateMetrics(mgr ctrl.Manager, o controller.Options, list resource.ManagedList) error {
	if o.MetricOptions == nil || o.MetricOptions.MRStateMetrics == nil {
		return nil
	}
	rec := statemetrics.NewMRStateRecorder(mgr.GetClient(), o.Logger, o.MetricOptions.MRStateMetrics,
		list, o.MetricOptions.PollStateMetricInterval)
	if err := mgr.Add(rec); err != nil {
		return fmt.Errorf("cannot add state metrics of %T: %w", list, err)
	}
	return nil
}
