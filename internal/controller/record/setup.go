// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/feature"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/ratelimiter"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/crossplane/crossplane-runtime/v2/pkg/statemetrics"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
)

// Timeout of one reconcile: a list of a large zone takes a while.
const reconcileTimeout = 2 * time.Minute

// Deps are what the controller works with.
type Deps struct {
	Sessions Sessions
	Pool     *dnszone.Pool
	// DriftInterval is how often a Record that still waits for its record polls.
	DriftInterval time.Duration
}

// Setup adds a controller of Records to mgr.
func Setup(mgr ctrl.Manager, o controller.Options, d Deps) error {
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), &v1alpha1.Record{}, claim.Index, claim.ExternalNames); err != nil {
		return fmt.Errorf("cannot index Records by external name: %w", err)
	}
	name := managed.ControllerName(v1alpha1.RecordGroupVersionKind.GroupKind().String())
	recorder := event.NewAPIRecorder(mgr.GetEventRecorderFor(name), o.EventFilterFunctions...) //nolint:staticcheck // The RBAC manager grants core events only, not events.k8s.io.
	log := o.Logger.WithValues("controller", name)

	r := managed.NewReconciler(mgr, resource.ManagedKind(v1alpha1.RecordGroupVersionKind),
		append(reconcilerOptions(o, d), managed.WithLogger(log), managed.WithRecorder(recorder),
			managed.WithTypedExternalConnector[*v1alpha1.Record](&connector{
				sessions: d.Sessions, zones: d.Pool, kube: mgr.GetClient(), claims: claim.NewRegistry(mgr.GetClient(), claimKind()), log: log, record: recorder,
			}))...)

	f := &feed{kube: mgr.GetClient(), log: log}
	if err := mgr.Add(manager.RunnableFunc(func(ctx context.Context) error {
		d.Pool.Run(ctx, func(c dnszone.Change) { f.tell(ctx, c) })
		return nil
	})); err != nil {
		return fmt.Errorf("cannot add the sweep of zones: %w", err)
	}
	if err := addStateMetrics(mgr, o); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		Named(name).
		WithOptions(o.ForControllerRuntime()).
		WithEventFilter(resource.DesiredStateChanged()).
		For(&v1alpha1.Record{}).
		WatchesRawSource(f.source()).
		Complete(ratelimiter.NewReconciler(name, r, o.GlobalRateLimiter))
}

func claimKind() claim.Kind {
	return claim.Kind{
		New:     func() resource.Managed { return &v1alpha1.Record{} },
		NewList: func() resource.ManagedList { return &v1alpha1.RecordList{} },
		SeenID: func(mg resource.Managed) string {
			if r, ok := mg.(*v1alpha1.Record); ok {
				return r.Status.AtProvider.ID
			}
			return ""
		},
	}
}

func reconcilerOptions(o controller.Options, d Deps) []managed.ReconcilerOption {
	opts := []managed.ReconcilerOption{
		managed.WithInitializers(),
		// Safe because the key of what is about to be created is persisted with the
		// create-pending annotation, and Observe finds our own record by it.
		managed.WithDeterministicExternalName(true),
		managed.WithManagementPolicies(),
		managed.WithTimeout(reconcileTimeout),
		// Absence is always proven, so there is nothing to wait for after a creation.
		managed.WithCreationGracePeriod(0),
		managed.WithPollInterval(o.PollInterval),
		managed.WithPollIntervalHook(pollInterval(d.DriftInterval)),
	}
	if o.MetricOptions != nil && o.MetricOptions.MRMetrics != nil {
		opts = append(opts, managed.WithMetricRecorder(o.MetricOptions.MRMetrics))
	}
	if o.Features.Enabled(feature.EnableAlphaChangeLogs) && o.ChangeLogOptions != nil {
		opts = append(opts, managed.WithChangeLogger(o.ChangeLogOptions.ChangeLogger))
	}
	return opts
}

// pollInterval spreads polls over a tenth of their interval. A Record that has
// not found its record yet is not told by the sweep, so it polls itself.
func pollInterval(drift time.Duration) managed.PollIntervalHook {
	return func(mg resource.Managed, poll time.Duration) time.Duration {
		if meta.GetExternalName(mg) == "" {
			poll = min(poll, drift)
		}
		return jitter(poll)
	}
}

// jitter is d give or take a tenth.
func jitter(d time.Duration) time.Duration {
	return d + time.Duration((rand.Float64()-0.5)*0.2*float64(d)) //nolint:gosec // No need for secure randomness.
}

func addStateMetrics(mgr ctrl.Manager, o controller.Options) error {
	if o.MetricOptions == nil || o.MetricOptions.MRStateMetrics == nil {
		return nil
	}
	rec := statemetrics.NewMRStateRecorder(mgr.GetClient(), o.Logger, o.MetricOptions.MRStateMetrics,
		&v1alpha1.RecordList{}, o.MetricOptions.PollStateMetricInterval)
	if err := mgr.Add(rec); err != nil {
		return fmt.Errorf("cannot add the state metrics of Records: %w", err)
	}
	return nil
}
