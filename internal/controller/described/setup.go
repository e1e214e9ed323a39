// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described/connectionsecret"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described/kindref"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/zonefield"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/keyed"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// Deps are the dependencies of the controllers of described kinds. The drift interval is for kinds that do not look
// more often.
type Deps struct {
	external.Shared

	Pool  *Pool
	Zones Zones
	// Key is the provider's key for the hashes of secrets.
	Key keyed.Key
}

// A Controller is the controller of one described kind.
type Controller struct {
	GVK     schema.GroupVersionKind
	New     func() resource.Managed
	NewList func() resource.ManagedList
	// Has reports whether an object has a resource at Cloudflare, by its status.
	Has func(resource.Managed) bool
	// Setup adds the controller to a manager.
	Setup func(mgr ctrl.Manager, o controller.Options, d Deps) error
}

// Controllers returns the controllers of all described kinds.
func Controllers() []Controller {
	var out []Controller
	all := roster()
	targets := targets(all)
	kinds := byName(all)
	for _, e := range all {
		out = append(out, Controller{
			GVK: e.GVK, New: func() resource.Managed { return e.New() }, NewList: e.NewList, Has: claimKind(e).HasAny,
			Setup: func(mgr ctrl.Manager, o controller.Options, d Deps) error {
				learned := e // The types are read only if the kind is served.
				learned.Description = e.Description.Of(e.New().GetForProvider())
				return setup(mgr, o, d, learned, rivals(learned.Description, all), targets, kinds)
			},
		})
	}
	return out
}

// namedKinds are kinds by their group and name, as references name them. The types of a kind are read when it is
// first asked for: few are.
type namedKinds map[string]func() entry

func byName(all []entry) namedKinds {
	out := namedKinds{}
	for _, e := range all {
		out[e.Description.Group+"."+e.Description.Name] = sync.OnceValue(func() entry {
			e.Description = e.Description.Of(e.New().GetForProvider())
			return e
		})
	}
	return out
}

// named returns the kind of that name, false if there is none.
func (k namedKinds) named(name string) (entry, bool) {
	learned, ok := k[name]
	if !ok {
		return entry{}, false
	}
	return learned(), true
}

// targets returns the kinds that references can name.
func targets(all []entry) kindref.Targets {
	out := kindref.Targets{"zone.Zone": {
		New:     func() resource.Managed { return &zonev1alpha1.Zone{} },
		NewList: func() resource.ManagedList { return &zonev1alpha1.ZoneList{} },
	}}
	for _, e := range all {
		out[e.Description.Group+"."+e.Description.Name] = kindref.Target{New: func() resource.Managed { return e.New() }, NewList: e.NewList}
	}
	return out
}

func setup(mgr ctrl.Manager, o controller.Options, d Deps, e entry, rivals []entry, targets kindref.Targets, kinds namedKinds) error {
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), e.New(), indexParent, parentsOf); err != nil {
		return fmt.Errorf("cannot index objects of kind %s by parent: %w", e.GVK.Kind, err)
	}
	keys, err := watches(mgr, e)
	if err != nil {
		return err
	}
	b := external.NewBuilder(mgr, o, d.Shared, e.GVK, claimKind(e))
	f := newFeed(mgr.GetClient(), e, b.Log())
	f.Barred = b.Barred()
	k := &described{
		entry: e, names: kind.Names(e.New().GetForProvider()), createOnly: kind.CreateOnly(e.New().GetForProvider()), rivals: rivals,
		terms: terms(e.Description, d.DriftInterval), pool: d.Pool, zones: d.Zones, api: mgr.GetAPIReader(), events: b.Events(), claims: b.Claims(),
		publish: connectionsecret.Publisher{Kube: mgr.GetClient(), API: mgr.GetAPIReader()},
		memory:  newMemory(), key: d.Key, lookups: newLookups(time.Now), fetches: newFetches(), kube: b.Client(), now: time.Now,
		waiting: &f.Waiting, targets: targets, reach: d.References, kinds: kinds, every: d.DriftInterval,
	}
	d.Pool.follow(e.Description, f)
	return external.Add(b, k.externalKind(), external.Controller{
		Poll:  k.poll,
		Wakes: append([]workers.Source{f.Source()}, keys...),
		Gone: func(o client.Object) {
			k.memory.forget(o.GetUID())
			k.fetches.forget(o.GetUID())
			f.Gone(o)
		},
		Resolve: func(ctx context.Context, r client.Reader, mg resource.Managed) error {
			o, err := external.As[Object](mg)
			if err != nil {
				return err
			}
			return resolve(ctx, r, o, e.Description, targets)
		},
	})
}

// resolve resolves the references of an object. It keeps a parameter of a path out of the spec if it would lead to
// another place than that of the object's resource.
func resolve(ctx context.Context, r client.Reader, o Object, d kind.Description, targets kindref.Targets) error {
	before := kind.Parameters(o.GetForProvider())
	if err := targets.Resolve(ctx, r, o, o.GetForProvider()); err != nil {
		return err
	}
	place := o.GetSync().Parent
	held, _ := kindapi.Parameters(d, listed(place))
	for name, now := range kind.Parameters(o.GetForProvider()) {
		ref := zonefield.Reference{Held: held[name], Before: before[name], Now: now}
		if name == "zone_id" {
			ref.Held = zoneIn(place)
		}
		if value, elsewhere := ref.Field(); elsewhere {
			kind.SetParameter(o.GetForProvider(), name, value)
			reconciler.LeadsTo(ctx, name, now)
		}
	}
	return nil
}

// externalKind returns the kind in the terms of the external client.
func (k *described) externalKind() external.Kind[Live] {
	return external.Kind[Live]{
		Kind: claimKind(k.entry), GVK: k.GVK, Noun: noun(k.Description), Notes: notes(k.Description),
		LooksAlone: k.terms.Listing == parent.None,
		Adapt: func(mg resource.Managed, s connect.Session) (external.Adapter[Live], error) {
			o, err := external.As[Object](mg)
			if err != nil {
				return nil, err
			}
			a := &adapter{described: k, mg: o, session: s, made: map[string]bool{}}
			switch k.Description.Shape {
			case kind.Singleton:
				return singleton{a}, nil
			case kind.Fragment:
				return fragment{a}, nil
			}
			return a, nil
		},
		Revive: func(mg resource.Managed, raw json.RawMessage) error {
			o, err := external.As[Object](mg)
			if err != nil {
				return err
			}
			return json.Unmarshal(raw, &subject{Spec: o.GetForProvider()})
		},
	}
}

func notes(d kind.Description) external.Notes {
	n := external.Notes{Pending: annotationPending}
	if d.Shape == kind.Singleton {
		n.Deleting, n.Deleted = annotationDeleting, annotationDeleted
	}
	return n
}

// noun returns the words for the resources of a kind.
func noun(d kind.Description) decision.Noun {
	return decision.Noun{
		Name: d.Noun, Short: d.Noun, Alike: ", with the same name", Only: ", with the same name", Natural: "name",
		Allow: "set spec.adoptionPolicy to " + decision.AdoptIdentical,
		Stuck: "if it is gone for good, set spec.deletionPolicy to Orphan to let this object go",
	}
}

func claimKind(e entry) claim.Kind {
	k := claim.KindOf(e.New, e.NewList, seenID)
	k.Replaced = replaced
	k.Qualify = func(mg resource.Managed, id string) string { return qualified(e.Description, mg, id) }
	return k
}

// qualified returns an ID that differs from the same ID below another parent. It is the same for all objects that
// lead to one resource.
func qualified(d kind.Description, mg resource.Managed, id string) string {
	if o, ok := mg.(Object); ok {
		return kindapi.Identity(d, listed(o.GetSync().Parent), id)
	}
	return id
}
