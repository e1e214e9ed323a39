// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/feature"
	"github.com/crossplane/crossplane-runtime/v2/pkg/gate"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/ratelimiter"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/customresourcesgate"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/statemetrics"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/healthz"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	controllers "github.com/provider-cloudflare/provider-cloudflare/internal/controller"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/scope"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift/audit"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/reach"
	"github.com/provider-cloudflare/provider-cloudflare/internal/keyed"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

const (
	// leaderElectionID is the name of the lease. A shard appends its name.
	leaderElectionID = "crossplane-leader-election-provider-cloudflare"
	// stateMetricsInterval is how often objects are counted by their state.
	stateMetricsInterval = 60 * time.Second
	// maxConcurrentReconciles bounds the concurrent reconciles of objects of a provider config,
	// or of a credential. Each waits for calls to Cloudflare most of its time, and a batch holds
	// the changes of as many objects as there are workers that wait for it. With far more, the
	// informer lags behind and conflicts cancel the gain.
	maxConcurrentReconciles = 64
	// requestsPerReconcile sizes the client's own limit on requests to the Kubernetes API. A
	// creation makes three requests about its object and one about an event. With more than twice
	// that, only the limit on reconciles sets the pace.
	requestsPerReconcile = 10
	// minIdle is the shortest time for which unused clients and credentials are kept.
	minIdle = 2 * time.Hour
)

// Run runs the provider against the cluster of cfg until ctx ends.
func Run(ctx context.Context, cfg *rest.Config, o Options) error {
	cfg = rest.CopyConfig(cfg)
	// The API server answers with a warning about the name of Crossplane's finalizer for each
	// object that has it.
	cfg.WarningHandler = rest.NoWarnings{}
	mgr, err := newManager(cfg, o)
	if err != nil {
		return err
	}
	kinds := controllers.NewKinds(o.WatchNamespaces)
	mgr = kinds.Apart(mgr)
	notifier := &controllers.Notifier{}
	own, err := newKept(ctx, mgr, o)
	if err != nil {
		return unlessEnded(ctx, err)
	}
	pool, resources, last, err := addPools(mgr, o, notifier, own.creations)
	if err != nil {
		return err
	}
	connections := newConnections(mgr, o, notifier, own.key)
	work := workers.New(workers.Options{
		PerSecond:  o.MaxReconcileRate,
		PerConfig:  min(o.MaxReconcileRate, maxConcurrentReconciles),
		Credential: connections.Fingerprint,
	})
	configs := &controllers.ConfigMetrics{}
	o.Registry.MustRegister(work, configs, kinds, buildInfo(o.Version))
	co, err := controllerOptions(ctx, mgr, o)
	if err != nil {
		return unlessEnded(ctx, err)
	}
	roster := controllers.Roster(controllers.Deps{
		Connections:   connections,
		Pool:          pool,
		Notifier:      notifier,
		Configs:       configs,
		Drift:         drift.NewMetrics(o.Registry),
		Warn:          o.warn(),
		Trail:         newTrail(o),
		Workers:       work,
		DriftInterval: o.DriftInterval,
		Journal:       own.creations,
		Claims:        own.claims,
		Scoped:        !o.WatchNamespaces.All(),
		Settle:        cmp.Or(o.Settle, reconciler.DefaultSettleTime),
		References:    reach.Policy{Anywhere: o.AllowCrossNamespaceReferences},

		Described:        resources,
		Key:              own.key,
		ResourceInterval: cmp.Or(o.ResourceInterval, DefaultResourceInterval),
	})
	if err := controllers.Setup(ctx, mgr, co, kinds, roster); err != nil {
		return fmt.Errorf("cannot set up the controllers: %w", err)
	}
	o.Log.Info("Starting", "version", o.Version, "safe-start", co.Gate != nil)
	if err := runToTheEnd(ctx, mgr.Start, last.stopping, cmp.Or(o.ShutdownGrace, DefaultShutdownGrace)); err != nil {
		return fmt.Errorf("cannot run the controllers: %w", err)
	}
	drain(ctx, o.Log, pool.Drain, resources.Drain)
	return nil
}

// addPools returns the pools of the zones and of the described kinds' resources. The manager runs
// the sweeps of the latter, and waits for the last writes of both.
func addPools(mgr ctrl.Manager, o Options, notifier *controllers.Notifier, creations *journal.Journal) (*dnszone.Pool, *described.Pool, *lastWrites, error) {
	load := parent.NewLoad() // All lists share one budget.
	pool := newPool(o, notifier, creations, load)
	resources := newDescribedPool(o, notifier, load)
	if err := mgr.Add(resources); err != nil {
		return nil, nil, nil, fmt.Errorf("cannot add the sweep of resources: %w", err)
	}
	last := newLastWrites(pool.DrainWrites, resources.DrainWrites)
	if err := mgr.Add(last); err != nil {
		return nil, nil, nil, fmt.Errorf("cannot have the manager wait for writes: %w", err)
	}
	return pool, resources, last, nil
}

// newTrail returns the Trail that finds the causes of drifts, or nil if that is switched off.
func newTrail(o Options) *audit.Trail {
	if !o.AuditLogs {
		return nil
	}
	return audit.NewTrail(time.Now)
}

// newConnections returns the connections and registers the metrics of their calls and budgets.
func newConnections(mgr ctrl.Manager, o Options, notifier *controllers.Notifier, key keyed.Key) *connect.Connections {
	c := connect.New(connect.Options{
		Kube:    mgr.GetClient(),
		Secrets: mgr.GetAPIReader(),
		Client: cloudflare.Options{
			BaseURL:   o.CloudflareAPIURL,
			Transport: o.CloudflareTransport,
			UserAgent: "provider-cloudflare/" + o.Version,
			Observe:   cloudflare.NewMetrics(o.Registry).Observe,
			Refused:   notifier.Refused,

			Fingerprint: func(secret string) string { return key.Hex("credential", secret) },
		},
		Idle:   max(minIdle, 2*o.Poll, 2*o.DriftInterval),
		Scoped: !o.WatchNamespaces.All(),
	})
	o.Registry.MustRegister(cloudflare.NewBudgetMetrics(c.Clients))
	return c
}

// defaultNamespace is the namespace of the journal, the ledger and the key outside a cluster.
const defaultNamespace = "default"

// newJournal returns the journal of creations and registers its metrics.
func newJournal(mgr ctrl.Manager, o Options) (*journal.Journal, error) {
	j := journal.New(journal.Options{
		Kube: mgr.GetClient(), API: mgr.GetAPIReader(),
		Namespace: cmp.Or(o.Namespace, defaultNamespace), Covers: o.WatchNamespaces.Cover, Retention: o.JournalRetention, Log: o.Log,
	})
	if err := mgr.Add(j); err != nil {
		return nil, fmt.Errorf("cannot add the journal of creations: %w", err)
	}
	o.Registry.MustRegister(j)
	return j, nil
}

// entries returns the journal entries among the intents of creations.
func entries(intents []any) []journal.Entry {
	var out []journal.Entry
	for _, i := range intents {
		if e, ok := i.(journal.Entry); ok {
			out = append(out, e)
		}
	}
	return out
}

// newPool returns the pool of zones and registers its metrics.
func newPool(o Options, notifier *controllers.Notifier, creations *journal.Journal, load *parent.SweepLoad) *dnszone.Pool {
	pool := dnszone.NewPool(dnszone.Options{
		Interval: o.DriftInterval,
		Idle:     2 * o.Poll,
		MaxBatch: o.MaxBatch,
		Metrics:  dnszone.NewMetrics(o.Registry),
		BeforeCreate: func(ctx context.Context, intents []any) error {
			return creations.Begin(ctx, entries(intents)...)
		},
		Unsent: func(intents []any) {
			for _, e := range entries(intents) {
				creations.Void(e)
			}
		},
		Load: load,
		OnPace: func(fingerprint string, p dnszone.Pace) {
			logPace(o.Log, "zones", p)
			notifier.SweepsChanged(fingerprint)
		},
	})
	o.Registry.MustRegister(dnszone.NewCollector(pool))
	return pool
}

// newDescribedPool returns the pool of the described kinds' resources, and registers its metrics.
func newDescribedPool(o Options, notifier *controllers.Notifier, load *parent.SweepLoad) *described.Pool {
	pool := described.NewPool(parent.Options{
		Idle:    2 * o.Poll,
		Load:    load,
		OnSwept: described.NewMetrics(o.Registry).Swept,
		OnPace: func(fingerprint string, p parent.Pace) {
			logPace(o.Log, "resources", p)
			notifier.SweepsChanged(fingerprint)
		},
	})
	o.Registry.MustRegister(described.NewCollector(pool))
	return pool
}

// logPace logs how often the lists with a credential are made.
func logPace(log logging.Logger, what string, p parent.Pace) {
	log = log.WithValues("what", what, "lists", p.Parents, "calls", p.Calls, "interval", p.Actual)
	if p.HeldUp {
		log.Info("A sweep with a credential takes much longer than its interval: users' calls leave it too little of the budget, or Cloudflare is slow")
		return
	}
	if p.Stretched() {
		log.Info("The budget of a credential does not allow for the drift interval: lists are made less often", "wanted", p.Wanted)
		return
	}
	log.Debug("Lists with a credential are made once an interval")
}

// limitRequests returns cfg with limits that a burst of creations at the maximum rate of
// reconciles does not reach.
func limitRequests(cfg *rest.Config, reconciles int) *rest.Config {
	out := rest.CopyConfig(cfg)
	out.QPS = float32(requestsPerReconcile * reconciles)
	out.Burst = 2 * requestsPerReconcile * reconciles
	return out
}

func newManager(cfg *rest.Config, o Options) (ctrl.Manager, error) {
	s, err := apiTypes()
	if err != nil {
		return nil, err
	}
	lease := cmp.Or(o.Lease, DefaultLease())
	mgr, err := ctrl.NewManager(limitRequests(cfg, o.MaxReconcileRate), ctrl.Options{
		Scheme: s,
		Cache: cache.Options{
			DefaultTransform:  stripMetadata,
			DefaultNamespaces: o.WatchNamespaces.Cache(),
			ByObject: map[client.Object]cache.ByObject{
				&apiextensionsv1.CustomResourceDefinition{}: {Transform: customresourcesgate.TransformStripCRDSchema},
			},
		},
		// Secrets are read past the cache: the first read through the cache would fill it with
		// the Secrets of all namespaces.
		Client:                        client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}}}},
		Metrics:                       metricsOptions(o),
		HealthProbeBindAddress:        o.HealthProbeBindAddress,
		LeaderElection:                o.LeaderElection,
		LeaderElectionID:              leaseName(o.Shard),
		LeaderElectionNamespace:       o.Namespace,
		LeaderElectionResourceLock:    resourcelock.LeasesResourceLock,
		LeaderElectionReleaseOnCancel: true,
		// The lease is released after all runnables have ended, and never before: runToTheEnd
		// bounds the wait.
		GracefulShutdownTimeout: ptr.To(time.Duration(-1)),
		LeaseDuration:           ptr.To(lease.Duration),
		RenewDeadline:           ptr.To(lease.RenewDeadline),
		RetryPeriod:             ptr.To(lease.RetryPeriod),
		Controller:              config.Controller{SkipNameValidation: ptr.To(o.Embedded)},
	})
	if err != nil {
		return nil, fmt.Errorf("cannot make the controller manager: %w", err)
	}
	if err := mgr.AddHealthzCheck("healthz", healthz.Ping); err != nil {
		return nil, fmt.Errorf("cannot add the liveness probe: %w", err)
	}
	if err := mgr.AddReadyzCheck("readyz", healthz.Ping); err != nil {
		return nil, fmt.Errorf("cannot add the readiness probe: %w", err)
	}
	return scope.Manager(mgr, o.WatchNamespaces), nil
}

// leaseName returns the name of the leader election's lease. It depends on the shard's name and
// not on its namespaces: a replica with one more namespace must not lead beside one without it.
func leaseName(shard string) string {
	if shard == "" {
		return leaderElectionID
	}
	return leaderElectionID + "-" + shard
}

// apiTypes returns the scheme of all providers of a process, of which a suite of tests has
// thousands.
//
//nolint:gochecknoglobals // It is made once, and never changes.
var apiTypes = sync.OnceValues(func() (*runtime.Scheme, error) {
	s := runtime.NewScheme()
	b := runtime.NewSchemeBuilder(clientgoscheme.AddToScheme, apiextensionsv1.AddToScheme, apis.AddToScheme)
	if err := b.AddToScheme(s); err != nil {
		return nil, fmt.Errorf("cannot register the API types: %w", err)
	}
	return s, nil
})

func controllerOptions(ctx context.Context, mgr ctrl.Manager, o Options) (controller.Options, error) {
	recorder := managed.NewMRMetricRecorder()
	states := statemetrics.NewMRStateMetrics()
	o.Registry.MustRegister(recorder, states)

	co := controller.Options{
		Logger:                  o.Log,
		MaxConcurrentReconciles: min(o.MaxReconcileRate, maxConcurrentReconciles),
		PollInterval:            o.Poll,
		// This limit is only for the controllers of provider configs: changes of a tenant to its
		// configs take nothing from the reconciles of managed resources.
		GlobalRateLimiter: ratelimiter.NewGlobal(o.MaxReconcileRate),
		Features:          &feature.Flags{},
		MetricOptions: &controller.MetricOptions{
			PollStateMetricInterval: stateMetricsInterval,
			MRMetrics:               recorder,
			MRStateMetrics:          states,
		},
	}
	if o.ChangeLogsSocket != "" {
		cl, err := changeLogger(o.ChangeLogsSocket, o.Version)
		if err != nil {
			return co, err
		}
		co.Features.Enable(feature.EnableAlphaChangeLogs)
		co.ChangeLogOptions = &controller.ChangeLogOptions{ChangeLogger: cl}
	}
	safe, err := canWatchCRDs(ctx, mgr)
	if err != nil {
		return co, err
	}
	if !safe {
		o.Log.Info("Starting all controllers at once: this process may not watch CustomResourceDefinitions")
		return co, nil
	}
	co.Gate = new(gate.Gate[schema.GroupVersionKind])
	return co, addGate(mgr, co.Gate)
}
