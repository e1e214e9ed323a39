// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift/audit"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/reach"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// Shared is what the controllers of all kinds share.
type Shared struct {
	Sessions Sessions
	// Refuses reports whether the provider config of an object certainly does not allow it. Nil
	// allows all objects.
	Refuses func(ctx context.Context, mg resource.ModernManaged) bool
	// Drift counts drifts, and Warn logs them.
	Drift *drift.Metrics
	Warn  drift.Warn
	// Trail finds out who caused a drift. A nil Trail finds out nothing.
	Trail *audit.Trail
	// Workers reconcile the objects of all kinds.
	Workers *workers.Pool
	// Journal is the journal of creations.
	Journal *journal.Journal
	// Ledger has the claims that other processes see. It may be nil.
	Ledger *claim.Ledger
	// DriftInterval is the time between two looks at an object whose changes no list shows.
	DriftInterval time.Duration
	// References says where the references of objects may lead.
	References reach.Policy
	// Settle is the time after an unanswered creation in which the provider does not believe that
	// the resource is absent. The flag defaults to reconciler.DefaultSettleTime.
	Settle time.Duration
}

// A Builder adds the controller of a kind to a manager. Before it calls Add, the kind may use what
// the Builder has.
type Builder struct {
	mgr    ctrl.Manager
	o      controller.Options
	shared Shared
	gvk    schema.GroupVersionKind
	inner  *reconciler.Builder
	events event.Recorder
	claims *claim.Registry
	barred *Barred
}

// NewBuilder returns the Builder of a kind.
func NewBuilder(mgr ctrl.Manager, o controller.Options, s Shared, gvk schema.GroupVersionKind, claims claim.Kind) *Builder {
	b := &Builder{
		mgr: mgr, o: o, shared: s, gvk: gvk,
		inner: reconciler.NewBuilder(mgr, o, s.Workers, s.Journal), claims: claim.NewRegistry(mgr.GetClient(), claims),
		barred: &Barred{},
	}
	b.claims.Share(s.Ledger, gvk.GroupKind().String())
	b.claims.Bar(func(ctx context.Context, mg resource.Managed) bool {
		modern, ok := mg.(resource.ModernManaged)
		return b.barred.has(client.ObjectKeyFromObject(mg)) || ok && s.Refuses != nil && s.Refuses(ctx, modern)
	})
	b.claims.Trust(s.Journal.Created)
	b.events = reconciler.NewRecorder(mgr, b.name(), o)
	return b
}

func (b *Builder) name() string { return managed.ControllerName(b.gvk.GroupKind().String()) }

// Client returns the client with which the kind writes to its objects.
func (b *Builder) Client() client.Client { return b.inner.Client() }

// Events returns the recorder of events about objects of the kind.
func (b *Builder) Events() event.Recorder { return b.events }

// Claims returns the claims of objects of the kind.
func (b *Builder) Claims() *claim.Registry { return b.claims }

// Barred returns the objects of the kind that their provider configs do not allow.
func (b *Builder) Barred() *Barred { return b.barred }

// Log returns the logger of the kind's controller.
func (b *Builder) Log() logging.Logger { return b.o.Logger.WithValues("controller", b.name()) }

// A Controller is what the controller of a kind has in addition to the Kind.
type Controller struct {
	// Poll returns, from the poll interval, the time until the next look at an object that is well.
	Poll managed.PollIntervalHook
	// Wakes are sources of requests in addition to the objects themselves.
	Wakes []workers.Source
	// Notes are annotations in which the kind keeps notes, in addition to those of the client.
	Notes []string
	// Gone is called for each object that is gone. It may be nil.
	Gone func(client.Object)
	// Resolve resolves the references of an object with what r shows. It is nil for a kind without
	// references.
	Resolve reconciler.Resolve
}

// Add adds the controller of k.
func Add[L any](b *Builder, k Kind[L], own Controller) error {
	if err := b.mgr.GetFieldIndexer().IndexField(context.Background(), k.New(), claim.Index, k.ExternalNames); err != nil {
		return fmt.Errorf("cannot index objects of kind %s by external name: %w", b.gvk.Kind, err)
	}
	if err := reconciler.CountStates(b.mgr, b.o, b.gvk, k.NewList); err != nil {
		return err
	}
	c := connector(b, k)
	b.shared.Drift.Expect(b.gvk.Kind)
	b.shared.Journal.Register(b.gvk.Kind, c.TakesBack())
	return b.inner.Add(reconciler.Controller{
		Name: b.name(), Kind: b.gvk, New: k.New, Notes: append(k.Notes.all(), own.Notes...), Poll: b.pollUnexplained(own.Poll), Wakes: own.Wakes,
		Seen: func(o client.Object) {
			if mg, ok := o.(resource.Managed); ok {
				c.Deps.Sights.See(mg)
			}
		},
		Gone: func(o client.Object) {
			c.Deps.Claims.Forget(o)
			c.Deps.Sights.forget(o.GetUID())
			c.Deps.Refused.Forget(o.GetUID())
			c.Deps.Barred.forget(o)
			if own.Gone != nil {
				own.Gone(o)
			}
		},
		Resolve: c.Resolver(own.Resolve), Log: b.Log(), Events: b.events,
	}, managed.WithExternalConnector(c))
}

func connector[L any](b *Builder, k Kind[L]) *Connector[L] {
	return &Connector[L]{Kind: k, Deps: Deps{
		Sessions:  b.shared.Sessions,
		Kube:      b.Client(),
		API:       b.mgr.GetAPIReader(),
		Claims:    b.claims,
		Drift:     drift.Reporter{Kind: b.gvk.Kind, Events: b.events, Warn: b.shared.Warn, Metrics: b.shared.Drift},
		Trail:     b.shared.Trail,
		Events:    b.events,
		Journal:   b.shared.Journal,
		Sights:    NewSights(time.Now),
		Now:       time.Now,
		Settle:    b.shared.Settle,
		Interval:  b.shared.DriftInterval,
		Refused:   &Refusals{},
		Barred:    b.barred,
		Reach:     b.shared.References,
		Retention: b.shared.Journal.Retention(),
		Began:     sync.OnceValue(time.Now),
	}}
}
