// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
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

	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// A Builder builds the controller of one kind. The controller's client, finalizer, updater of
// annotations and resolver of references send as few requests to the Kubernetes API as possible.
type Builder struct {
	mgr  ctrl.Manager
	o    controller.Options
	pool *workers.Pool
	kube Client
	// journal records what is created for objects of all kinds.
	journal Journal
}

// Journal is the part of the journal of creations that the controllers use.
type Journal interface {
	Forgetter
	// Lost records that the object with that UID may not exist any more.
	Lost(uid types.UID)
}

// NewBuilder returns the Builder of one kind. All kinds share the pool and the journal.
func NewBuilder(mgr ctrl.Manager, o controller.Options, pool *workers.Pool, journal Journal) *Builder {
	return &Builder{mgr: mgr, o: o, pool: pool, kube: NewClient(mgr.GetClient()), journal: journal}
}

// Client returns the client with which the kind writes to its objects.
func (b *Builder) Client() client.Client { return b.kube }

// A Controller has the settings of the controller of one kind.
type Controller struct {
	Name string
	Kind schema.GroupVersionKind
	New  func() resource.Managed
	// Notes are the annotations in which the controller keeps notes.
	Notes []string
	// Poll returns when to reconcile a healthy object again, for the poll interval.
	Poll managed.PollIntervalHook
	// Wakes are sources of requests other than the objects themselves.
	Wakes []workers.Source
	// Seen is called with each object that the cache shows, before it is reconciled. It may be nil.
	Seen func(client.Object)
	// Gone is called with each object that is gone. It may be nil.
	Gone func(client.Object)
	// Resolve resolves the references of an object.
	Resolve Resolve
	Log     logging.Logger
	Events  event.Recorder
}

// Add makes the pool reconcile the objects of the kind.
func (b *Builder) Add(c Controller, opts ...managed.ReconcilerOption) error {
	var metrics managed.MetricRecorder = managed.NewNopMetricRecorder()
	if b.o.MetricOptions != nil && b.o.MetricOptions.MRMetrics != nil {
		metrics = b.o.MetricOptions.MRMetrics
	}
	of, running := resource.ManagedKind(c.Kind), &underWay{}
	c.Events = newsOnly{Recorder: c.Events, underWay: running}
	r := &reconciler{
		underWay: running,
		inner:    managed.NewReconciler(WithClient(b.mgr, b.kube), of, append(b.options(c, metrics), opts...)...),
		poll:     pollAfter(b.o.PollInterval, c.Poll),
		ready:    ReadinessRecorder(b.mgr, of, metrics),
	}
	objects := source.TypedKind[client.Object, workers.Request](b.mgr.GetCache(), c.New(), EventHandler{
		Kind: c.Kind.GroupKind(), Desired: DesiredStateChanged(c.Notes...), Writes: b.kube.Writes(), Lost: b.journal.Lost, Seen: c.Seen, Gone: c.Gone,
	})
	return b.pool.Add(b.mgr, workers.Kind{
		GroupKind:  c.Kind.GroupKind(),
		Name:       c.Name,
		Reconciler: r,
		Config:     workers.ConfigOf(b.mgr.GetClient(), c.New),
		Objects:    objects,
		Wakes:      c.Wakes,
	})
}

// options returns the options that the reconcilers of all kinds share.
//
// There are no initializers: an external name is an ID that Cloudflare chooses, never the object's
// own name. Names count as deterministic, so that an interrupted creation does not stop the object
// for ever. Each kind must therefore find what it created by a natural key that is persisted before
// the call. There is no grace period after a creation, because absence is proven before it is
// reported.
func (b *Builder) options(c Controller, metrics managed.MetricRecorder) []managed.ReconcilerOption {
	opts := []managed.ReconcilerOption{
		managed.WithInitializers(),
		managed.WithDeterministicExternalName(true),
		managed.WithManagementPolicies(),
		managed.WithFinalizer(NewFinalizer(b.kube, b.journal)),
		managed.WithReferenceResolver(NewReferenceResolver(b.kube, c.Resolve)),
		managed.WithCriticalAnnotationUpdater(NewAnnotationUpdater(b.kube, b.mgr.GetAPIReader(), c.Notes, b.journal.Lost)),
		managed.WithTimeout(Timeout),
		managed.WithCreationGracePeriod(0),
		managed.WithPollInterval(b.o.PollInterval),
		managed.WithPollIntervalHook(c.Poll),
		managed.WithMetricRecorder(metrics),
		managed.WithLogger(c.Log),
		managed.WithRecorder(c.Events),
	}
	if b.o.Features.Enabled(feature.EnableAlphaChangeLogs) && b.o.ChangeLogOptions != nil {
		opts = append(opts, managed.WithChangeLogger(b.o.ChangeLogOptions.ChangeLogger))
	}
	return opts
}

// Jitter returns d plus or minus up to a tenth, so that polls do not all come at once.
func Jitter(d time.Duration) time.Duration {
	return d + time.Duration((rand.Float64()-0.5)*0.2*float64(d)) //nolint:gosec // No need for secure randomness.
}
