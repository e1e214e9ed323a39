// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package setup holds what the controllers of all kinds are set up with.
package setup

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/feature"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kubeclient"
	"github.com/provider-cloudflare/provider-cloudflare/internal/managedmetrics"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconcilestate"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// Seams are what the controller of one kind is set up with: the runtime's
// reconciler, led through its own seams so that it asks as little of the
// Kubernetes API as it can.
type Seams struct {
	mgr  ctrl.Manager
	o    controller.Options
	pool *workers.Pool
	kube kubeclient.Client
	// creations is the journal of what is created for objects of all kinds.
	creations Creations
}

// Creations is what the controllers need of the journal of creations.
type Creations interface {
	// Lost notes that the object of that UID may not exist any more.
	Lost(uid types.UID)
	// Forget returns when nothing is created for the object of that UID any more as far
	// as the journal goes.
	Forget(ctx context.Context, uid types.UID) error
}

// NewSeams makes the Seams of one kind. The pool and the journal are shared by all kinds.
func NewSeams(mgr ctrl.Manager, o controller.Options, pool *workers.Pool, creations Creations) *Seams {
	return &Seams{mgr: mgr, o: o, pool: pool, kube: kubeclient.New(mgr.GetClient()), creations: creations}
}

// Client is what the kind writes to its objects with.
func (s *Seams) Client() client.Client { return s.kube }

// A Controller is what is particular to the controller of a kind.
type Controller struct {
	Name string
	Kind schema.GroupVersionKind
	New  func() resource.Managed
	// Notes are the annotations that the controller keeps notes in.
	Notes []string
	// Poll makes of the poll interval when an object that is well is looked at again.
	Poll managed.PollIntervalHook
	// Sources of wakes beside the objects themselves.
	Sources []source.Source
	// Gone is called for each object that is gone. It may be nil.
	Gone   func(client.Object)
	Log    logging.Logger
	Events event.Recorder
}

// Add has the pool reconcile the objects of the kind.
func (s *Seams) Add(c Controller, opts ...managed.ReconcilerOption) error {
	var metrics managed.MetricRecorder = managed.NewNopMetricRecorder()
	if s.o.MetricOptions != nil && s.o.MetricOptions.MRMetrics != nil {
		metrics = s.o.MetricOptions.MRMetrics
	}
	of := resource.ManagedKind(c.Kind)
	r := &reconciler{
		inner: managed.NewReconciler(kubeclient.WithClient(s.mgr, s.kube), of, append(s.options(c, metrics), opts...)...),
		poll:  pollAfter(s.o.PollInterval, c.Poll),
		ready: managedmetrics.ReadinessRecorder(s.mgr, of, metrics),
	}
	objects := source.Kind[client.Object](s.mgr.GetCache(), c.New(), events{desired: DesiredStateChanged(c.Notes...), writes: s.kube.Writes(), creations: s.creations, gone: c.Gone})
	return s.pool.Add(s.mgr, workers.Kind{
		GroupKind:  c.Kind.GroupKind(),
		Name:       c.Name,
		Reconciler: r,
		Config:     workers.ConfigOf(s.mgr.GetClient(), c.New),
		Sources:    append([]source.Source{objects}, c.Sources...),
	})
}

// options are the options every kind's reconciler has.
//
// There are no initializers: an external name is an ID that Cloudflare gives,
// never the object's own name. Names count as deterministic, so that a creation
// that was interrupted does not stop the object for ever; each kind must
// therefore find what it created by a natural key that is persisted before the
// call. There is no grace period after a creation, because absence is proven
// before it is reported.
func (s *Seams) options(c Controller, metrics managed.MetricRecorder) []managed.ReconcilerOption {
	opts := []managed.ReconcilerOption{
		managed.WithInitializers(),
		managed.WithDeterministicExternalName(true),
		managed.WithManagementPolicies(),
		managed.WithFinalizer(kubeclient.NewFinalizer(s.kube, s.creations)),
		managed.WithReferenceResolver(kubeclient.NewReferenceResolver(s.kube)),
		managed.WithCriticalAnnotationUpdater(kubeclient.NewAnnotationUpdater(s.kube, s.mgr.GetAPIReader(), c.Notes, s.creations.Lost)),
		managed.WithTimeout(reconcilestate.Timeout),
		managed.WithCreationGracePeriod(0),
		managed.WithPollInterval(s.o.PollInterval),
		managed.WithPollIntervalHook(c.Poll),
		managed.WithMetricRecorder(metrics),
		managed.WithLogger(c.Log),
		managed.WithRecorder(c.Events),
	}
	if s.o.Features.Enabled(feature.EnableAlphaChangeLogs) && s.o.ChangeLogOptions != nil {
		opts = append(opts, managed.WithChangeLogger(s.o.ChangeLogOptions.ChangeLogger))
	}
	return opts
}

// Jitter is d give or take a tenth, so that polls do not come all at once.
func Jitter(d time.Duration) time.Duration {
	return d + time.Duration((rand.Float64()-0.5)*0.2*float64(d)) //nolint:gosec // No need for secure randomness.
}
