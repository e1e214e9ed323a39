// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package controller has the roster of controllers, and starts them.
package controller

import (
	"context"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/config"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/record"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/zone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift/audit"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/reach"
	"github.com/provider-cloudflare/provider-cloudflare/internal/keyed"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// Notifier reports changes of the pace of sweeps, and refusals of credentials, to the
// provider configs.
type Notifier = config.Notifier

// ConfigMetrics show whether Cloudflare accepts the credentials of provider configs.
type ConfigMetrics = config.Metrics

// Deps are the shared dependencies of the controllers.
type Deps struct {
	Connections *connect.Connections
	Pool        *dnszone.Pool
	// Notifier receives changes of the pace of a credential, and refusals.
	Notifier *Notifier
	// Configs shows whether Cloudflare accepts the provider configs' credentials.
	Configs *ConfigMetrics
	Drift   *drift.Metrics
	Warn    drift.Warn
	// Trail finds out who caused a drift. It may be nil.
	Trail *audit.Trail
	// Workers reconcile the managed resources of all kinds.
	Workers       *workers.Pool
	DriftInterval time.Duration
	// Journal records what is created for managed resources.
	Journal *journal.Journal
	// Claims is the ledger of the claims that other processes see. It is nil if there are no
	// other processes.
	Claims *claim.Ledger
	// Scoped is true if the provider watches some namespaces only. There are no
	// ClusterProviderConfigs then.
	Scoped bool
	// Settle is how long the absence of a resource proves nothing after a creation without an
	// answer.
	Settle time.Duration
	// References says where the references of objects may lead.
	References reach.Policy
	// Described has the resources of the described kinds at Cloudflare. ResourceInterval is
	// how often it looks for drift.
	Described        *described.Pool
	ResourceInterval time.Duration
	// Key is the provider's key for hashes of secrets.
	Key keyed.Key
}

// shared returns what the controllers of managed kinds share.
func (d Deps) shared() external.Shared {
	return external.Shared{
		Sessions: d.Connections, Refuses: d.Connections.Refuses, Drift: d.Drift, Warn: d.Warn, Trail: d.Trail, Workers: d.Workers, Journal: d.Journal, Ledger: d.Claims, DriftInterval: d.DriftInterval, Settle: d.Settle,
		References: d.References,
	}
}

// An Entry is one controller: the kind that it reconciles, its setup, and the kinds that must
// be readable before the setup.
type Entry struct {
	Kind  schema.GroupVersionKind
	Needs []schema.GroupVersionKind
	Setup func(ctrl.Manager, controller.Options) error
}

// orphans returns a function that counts the entries of the journal whose objects use a
// config. It is called when no object uses the config any more.
func orphans(j *journal.Journal) func(connect.ConfigRef) (int, bool) {
	return func(ref connect.ConfigRef) (int, bool) {
		return j.Open(func(e journal.Entry) bool {
			return ref.Kind == e.Config.Kind && ref.Name == e.Config.Name && (ref.Namespace == "" || ref.Namespace == e.Namespace)
		})
	}
}

// A managedKind is a kind of managed resources and the setup of its controller.
type managedKind struct {
	config.ManagedKind

	setup func(ctrl.Manager, controller.Options) error
}

// managedKinds returns the kinds of managed resources: Zones, Records, and the described
// kinds in their order.
func managedKinds(d Deps) []managedKind {
	shared := d.shared()
	all := []managedKind{
		{
			ManagedKind: config.ManagedKind{
				GVK:     zonev1alpha1.ZoneGroupVersionKind,
				New:     func() resource.Managed { return &zonev1alpha1.Zone{} },
				NewList: func() resource.ManagedList { return &zonev1alpha1.ZoneList{} },
				Has:     zone.Has,
			},
			setup: func(m ctrl.Manager, o controller.Options) error {
				return zone.Setup(m, o, shared, zone.Deps{Deleted: d.Pool.ZoneDeleted, Seen: d.Pool.Seen, Departing: departing(m)})
			},
		},
		{
			ManagedKind: config.ManagedKind{
				GVK:     dnsv1alpha1.RecordGroupVersionKind,
				New:     func() resource.Managed { return &dnsv1alpha1.Record{} },
				NewList: func() resource.ManagedList { return &dnsv1alpha1.RecordList{} },
				Has:     record.Has,
			},
			setup: func(m ctrl.Manager, o controller.Options) error { return record.Setup(m, o, shared, d.Pool) },
		},
	}
	for _, c := range described.Controllers() {
		all = append(all, managedKind{
			ManagedKind: config.ManagedKind{GVK: c.GVK, New: c.New, NewList: c.NewList, Has: c.Has},
			setup:       describedSetup(c, d),
		})
	}
	return all
}

// Roster returns all controllers.
func Roster(d Deps) []Entry {
	all := managedKinds(d)
	counted := make([]config.ManagedKind, 0, len(all))
	for _, k := range all {
		counted = append(counted, k.ManagedKind)
	}
	users := config.NewUsers(counted...)
	out := configEntries(d, users)
	for _, k := range all {
		out = append(out, Entry{Kind: k.GVK, Needs: append(d.configKinds(), k.GVK), Setup: k.setupCounted(users)})
	}
	return out
}

// configKinds returns the kinds of provider configs, which every controller needs.
func (d Deps) configKinds() []schema.GroupVersionKind {
	if d.Scoped {
		return []schema.GroupVersionKind{cfv1alpha1.ProviderConfigGroupVersionKind}
	}
	return []schema.GroupVersionKind{cfv1alpha1.ProviderConfigGroupVersionKind, cfv1alpha1.ClusterProviderConfigGroupVersionKind}
}

// configEntries returns the controllers of provider configs.
func configEntries(d Deps, users *config.Users) []Entry {
	deps := config.Deps{
		Connections: d.Connections,
		Pace:        pace(d.Pool),
		Notifier:    d.Notifier,
		Metrics:     d.Configs,
		Users:       users,
		Orphans:     orphans(d.Journal),
		Wake:        func(users ...workers.Request) { d.Workers.Wake(reconciler.PriorityDrift, users...) },
		Outdate: func(fingerprint string) {
			d.Pool.Outdate(fingerprint)
			d.Described.Outdate(fingerprint)
		},
	}
	setups := map[string]func(ctrl.Manager, controller.Options) error{
		cfv1alpha1.ProviderConfigKind:        func(m ctrl.Manager, o controller.Options) error { return config.SetupNamespaced(m, o, deps) },
		cfv1alpha1.ClusterProviderConfigKind: func(m ctrl.Manager, o controller.Options) error { return config.SetupCluster(m, o, deps) },
	}
	kinds := d.configKinds()
	out := make([]Entry, 0, len(kinds))
	for _, k := range kinds {
		out = append(out, Entry{Kind: k, Needs: kinds, Setup: setups[k.Kind]})
	}
	return out
}

// departing returns a function that returns the Records of a zone that are being deleted.
func departing(m ctrl.Manager) func(context.Context, string) ([]types.NamespacedName, error) {
	return func(ctx context.Context, zoneID string) ([]types.NamespacedName, error) {
		found, err := record.Departing(ctx, m.GetClient(), zoneID)
		if err != nil || len(found) > 0 {
			return found, err
		}
		// The cache may be behind, and a deleted zone does not come back.
		return record.Departing(ctx, m.GetAPIReader(), zoneID)
	}
}

// describedSetup returns the setup of the controller of a described kind.
func describedSetup(c described.Controller, d Deps) func(ctrl.Manager, controller.Options) error {
	return func(m ctrl.Manager, o controller.Options) error {
		shared := d.shared()
		shared.DriftInterval = d.ResourceInterval
		return c.Setup(m, o, described.Deps{Shared: shared, Pool: d.Described, Zones: d.Pool, Key: d.Key})
	}
}

// setupCounted returns a setup that counts the objects of the kind as users of provider
// configs before the kind's controller starts to reconcile them.
func (k managedKind) setupCounted(users *config.Users) func(ctrl.Manager, controller.Options) error {
	return func(m ctrl.Manager, o controller.Options) error {
		if err := users.Watch(context.Background(), m.GetCache(), k.ManagedKind); err != nil {
			return err
		}
		return k.setup(m, o)
	}
}

// pace returns a function that returns how often a credential's zones are listed, in the type
// of package config.
func pace(p *dnszone.Pool) func(fingerprint string) (config.Pacing, bool) {
	return func(fingerprint string) (config.Pacing, bool) {
		now, ok := p.Pace(fingerprint)
		return config.Pacing{Zones: now.Parents, Calls: now.Calls, Wanted: now.Wanted, Actual: now.Actual, HeldUp: now.HeldUp}, ok
	}
}
