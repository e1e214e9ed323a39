// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kindcontroller"
	"github.com/provider-cloudflare/provider-cloudflare/internal/managedmetrics"
	"github.com/provider-cloudflare/provider-cloudflare/internal/recorder"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// Deps are what the controller works with.
type Deps struct {
	Sessions Sessions
	Pool     *dnszone.Pool
	// Drift counts drifts.
	Drift *drift.Metrics
	// Workers reconcile the objects of all kinds.
	Workers *workers.Pool
	// Journal of creations, in which the Pool notes them.
	Journal *journal.Journal
	// DriftInterval is how often a Record that still waits for its record polls.
	DriftInterval time.Duration
	// Settle is how long after a creation without an answer its absence is not
	// believed; creation.DefaultSettleTime is meant.
	Settle time.Duration
}

// Setup adds a controller of Records to mgr.
func Setup(mgr ctrl.Manager, o controller.Options, d Deps) error {
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), &v1alpha1.Record{}, claim.Index, claim.ExternalNames); err != nil {
		return fmt.Errorf("cannot index Records by external name: %w", err)
	}
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), &v1alpha1.Record{}, indexZone, zonesOf); err != nil {
		return fmt.Errorf("cannot index Records by zone: %w", err)
	}
	name := managed.ControllerName(v1alpha1.RecordGroupVersionKind.GroupKind().String())
	log := o.Logger.WithValues("controller", name)
	events := recorder.New(mgr, name, o)
	builder := kindcontroller.NewBuilder(mgr, o, d.Workers, d.Journal)
	d.Drift.Expect(v1alpha1.RecordGroupVersionKind.Kind)
	c := &connector{
		sessions: d.Sessions,
		zones:    d.Pool,
		kube:     builder.Client(),
		api:      mgr.GetAPIReader(),
		claims:   claim.NewRegistry(mgr.GetClient(), claimKind()),
		drift:    drift.Reporter{Kind: v1alpha1.RecordGroupVersionKind.Kind, Events: events, Log: log, Metrics: d.Drift},
		record:   events,
		journal:  d.Journal,
		settle:   d.Settle,
		began:    sync.OnceValue(time.Now),
	}
	d.Journal.Register(v1alpha1.RecordGroupVersionKind.Kind, c.takesBack())
	f := &feed{kube: mgr.GetClient(), log: log}
	if err := mgr.Add(sweep(d.Pool, f)); err != nil {
		return fmt.Errorf("cannot add the sweep of zones: %w", err)
	}
	newList := func() resource.ManagedList { return &v1alpha1.RecordList{} }
	if err := managedmetrics.CountStates(mgr, o, v1alpha1.RecordGroupVersionKind, newList); err != nil {
		return err
	}
	return builder.Add(kindcontroller.Controller{
		Name:    name,
		Kind:    v1alpha1.RecordGroupVersionKind,
		New:     func() resource.Managed { return &v1alpha1.Record{} },
		Notes:   []string{AnnotationPending, annotationObserved},
		Poll:    pollInterval(d.DriftInterval),
		Sources: []source.Source{f.source()},
		Gone:    c.claims.Forget,
		Log:     log,
		Events:  events,
	}, managed.WithTypedExternalConnector[*v1alpha1.Record](c))
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

// sweep looks for drift for as long as this process leads, and lets the calls
// under way end before it returns.
func sweep(p *dnszone.Pool, f *feed) manager.Runnable {
	return manager.RunnableFunc(func(ctx context.Context) error {
		p.Run(ctx, dnszone.ChangeHandler{
			InUse:    func(zoneID string) bool { return f.inUse(ctx, zoneID) },
			OnChange: func(c dnszone.Change) { f.tell(ctx, c) },
		})
		return nil
	})
}

// pollInterval spreads polls. The sweep does not report a Record that has not
// found its record yet, so it polls as often as the sweep runs.
func pollInterval(driftInterval time.Duration) managed.PollIntervalHook {
	return func(mg resource.Managed, poll time.Duration) time.Duration {
		if meta.GetExternalName(mg) == "" {
			poll = min(poll, driftInterval)
		}
		return kindcontroller.Jitter(poll)
	}
}
