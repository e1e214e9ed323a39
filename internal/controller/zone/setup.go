// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/claim"
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
	// Drift counts drifts.
	Drift *drift.Metrics
	// Deleted is called with each zone whose deletion the API confirmed.
	Deleted func(zoneID string)
	// Departing gives the objects that are being deleted and have yet to delete
	// something in the zone of that ID. Nil is that there are none.
	Departing func(ctx context.Context, zoneID string) ([]types.NamespacedName, error)
	// Workers reconcile the objects of all kinds.
	Workers *workers.Pool
	// Journal of creations.
	Journal *journal.Journal
	// DriftInterval is how often each Zone is looked at.
	DriftInterval time.Duration
	// Settle is how long after a creation without an answer its absence is not
	// believed; creation.DefaultSettleTime is meant.
	Settle time.Duration
}

// Setup adds a controller of Zones to mgr. Zones are few and nothing else tells
// of their changes, so each is polled once a drift interval.
func Setup(mgr ctrl.Manager, o controller.Options, d Deps) error {
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), &v1alpha1.Zone{}, claim.Index, claim.ExternalNames); err != nil {
		return fmt.Errorf("cannot index Zones by external name: %w", err)
	}
	name := managed.ControllerName(v1alpha1.ZoneGroupVersionKind.GroupKind().String())
	log := o.Logger.WithValues("controller", name)
	events := recorder.New(mgr, name, o)
	builder := kindcontroller.NewBuilder(mgr, o, d.Workers, d.Journal)
	d.Drift.Expect(v1alpha1.ZoneGroupVersionKind.Kind)
	c := &connector{
		sessions:  d.Sessions,
		kube:      builder.Client(),
		reader:    mgr.GetAPIReader(),
		claims:    claim.NewRegistry(mgr.GetClient(), claimKind()),
		deleted:   d.Deleted,
		departing: d.Departing,
		drift:     drift.Reporter{Kind: v1alpha1.ZoneGroupVersionKind.Kind, Events: events, Log: log, Metrics: d.Drift},
		record:    events,
		journal:   d.Journal,
		settle:    d.Settle,
		began:     sync.OnceValue(time.Now),
	}
	d.Journal.Register(v1alpha1.ZoneGroupVersionKind.Kind, c.takesBack())
	newList := func() resource.ManagedList { return &v1alpha1.ZoneList{} }
	if err := managedmetrics.CountStates(mgr, o, v1alpha1.ZoneGroupVersionKind, newList); err != nil {
		return err
	}
	return builder.Add(kindcontroller.Controller{
		Name:  name,
		Kind:  v1alpha1.ZoneGroupVersionKind,
		New:   func() resource.Managed { return &v1alpha1.Zone{} },
		Notes: []string{AnnotationPending, annotationDeleting, annotationDeleted},
		Poll: func(_ resource.Managed, poll time.Duration) time.Duration {
			return kindcontroller.Jitter(min(poll, d.DriftInterval))
		},
		Gone:   c.claims.Forget,
		Log:    log,
		Events: events,
	}, managed.WithTypedExternalConnector[*v1alpha1.Zone](c))
}

func claimKind() claim.Kind {
	return claim.Kind{
		New:     func() resource.Managed { return &v1alpha1.Zone{} },
		NewList: func() resource.ManagedList { return &v1alpha1.ZoneList{} },
		SeenID: func(mg resource.Managed) string {
			if z, ok := mg.(*v1alpha1.Zone); ok {
				return z.Status.AtProvider.ID
			}
			return ""
		},
	}
}
