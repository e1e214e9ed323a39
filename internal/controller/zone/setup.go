// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"context"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/ratelimiter"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/setup"
)

// Deps are what the controller works with.
type Deps struct {
	Sessions Sessions
	// Deleted is told of each zone whose deletion the API confirmed.
	Deleted func(zoneID string)
	// DriftInterval is how often each Zone is looked at.
	DriftInterval time.Duration
}

// Setup adds a controller of Zones to mgr. Zones are few and nothing else tells
// of their changes, so each is polled once a drift interval.
func Setup(mgr ctrl.Manager, o controller.Options, d Deps) error {
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), &v1alpha1.Zone{}, claim.Index, claim.ExternalNames); err != nil {
		return fmt.Errorf("cannot index Zones by external name: %w", err)
	}
	name := managed.ControllerName(v1alpha1.ZoneGroupVersionKind.GroupKind().String())
	log := o.Logger.WithValues("controller", name)
	recorder := setup.Recorder(mgr, name, o)
	c := &connector{
		sessions: d.Sessions,
		kube:     mgr.GetClient(),
		reader:   mgr.GetAPIReader(),
		claims:   claim.NewRegistry(mgr.GetClient(), claimKind()),
		deleted:  d.Deleted,
		log:      log,
		record:   recorder,
	}
	r := managed.NewReconciler(mgr, resource.ManagedKind(v1alpha1.ZoneGroupVersionKind),
		append(setup.ReconcilerOptions(mgr, o),
			managed.WithLogger(log),
			managed.WithRecorder(recorder),
			managed.WithPollIntervalHook(func(_ resource.Managed, poll time.Duration) time.Duration {
				return setup.Jitter(min(poll, d.DriftInterval))
			}),
			managed.WithTypedExternalConnector[*v1alpha1.Zone](c))...)

	if err := setup.StateMetrics(mgr, o, &v1alpha1.ZoneList{}); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		Named(name).
		WithOptions(o.ForControllerRuntime()).
		WithEventFilter(setup.DesiredStateChanged(AnnotationPending, AnnotationDeleted)).
		For(&v1alpha1.Zone{}).
		Complete(ratelimiter.NewReconciler(name, r, o.GlobalRateLimiter))
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
