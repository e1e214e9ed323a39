// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

//go:build bench

// Command baseline is the provider that the benchmark compares this one with: a plain
// connector of Records that does what hand-written providers usually do. It observes each
// record with one GET and creates each with one POST. It polls every minute, has no
// budget of requests, and leaves everything else to a stock reconciler of
// crossplane-runtime. A throttled request fails, and the queue retries it with its usual
// backoff.
//
// It is for benchmarks only, and is built with the tag bench.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/alecthomas/kong"
	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/feature"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/ratelimiter"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

type flags struct {
	CloudflareAPIURL       string        `name:"cloudflare-api-url" required:"" help:"Base URL of the Cloudflare API."`
	Poll                   time.Duration `default:"1m" help:"How often each object is reconciled."`
	MaxReconcileRate       int           `default:"100" help:"The most reconciles a second, and at the same time."`
	FindByName             bool          `help:"List the records of that name before a creation, as connectors do that adopt."`
	MetricsBindAddress     string        `default:":8080" help:"Address to serve metrics on."`
	HealthProbeBindAddress string        `default:":8081" help:"Address to serve probes on."`
}

func main() {
	f := &flags{}
	kong.Parse(f, kong.Name("baseline"), kong.Description("A plain connector, for comparison."))
	zl := zap.New()
	ctrl.SetLogger(zl)
	logging.SetFilteredKlogLogger(zl)
	if err := run(f, logging.NewLogrLogger(zl)); err != nil {
		zl.Error(err, "Cannot go on")
		os.Exit(1)
	}
}

func run(f *flags, log logging.Logger) error {
	cfg, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("cannot find a cluster: %w", err)
	}
	s := runtime.NewScheme()
	b := runtime.NewSchemeBuilder(clientgoscheme.AddToScheme, apis.AddToScheme)
	if err := b.AddToScheme(s); err != nil {
		return fmt.Errorf("cannot register the kinds: %w", err)
	}
	mgr, err := ctrl.NewManager(ratelimiter.LimitRESTConfig(cfg, f.MaxReconcileRate), ctrl.Options{
		Scheme:                 s,
		Metrics:                server.Options{BindAddress: f.MetricsBindAddress},
		HealthProbeBindAddress: f.HealthProbeBindAddress,
	})
	if err != nil {
		return fmt.Errorf("cannot make the controller manager: %w", err)
	}
	if err := mgr.AddReadyzCheck("readyz", healthz.Ping); err != nil {
		return fmt.Errorf("cannot add the readiness probe: %w", err)
	}
	o := controller.Options{
		Logger:                  log,
		MaxConcurrentReconciles: f.MaxReconcileRate,
		PollInterval:            f.Poll,
		GlobalRateLimiter:       ratelimiter.NewGlobal(f.MaxReconcileRate),
		Features:                &feature.Flags{},
	}
	if err := setup(mgr, o, f); err != nil {
		return err
	}
	return mgr.Start(ctrl.SetupSignalHandler())
}

// setup adds the controller of Records, with the options that provider-template has.
func setup(mgr ctrl.Manager, o controller.Options, f *flags) error {
	name := managed.ControllerName(v1alpha1.RecordGroupVersionKind.GroupKind().String())
	c := &connector{
		kube:       mgr.GetClient(),
		usage:      resource.NewProviderConfigUsageTracker(mgr.GetClient(), &cfv1alpha1.ProviderConfigUsage{}),
		url:        f.CloudflareAPIURL,
		findByName: f.FindByName,
	}
	r := managed.NewReconciler(mgr, resource.ManagedKind(v1alpha1.RecordGroupVersionKind),
		managed.WithTypedExternalConnector[*v1alpha1.Record](c),
		managed.WithInitializers(), // An external name is an ID.
		managed.WithLogger(o.Logger.WithValues("controller", name)),
		managed.WithPollInterval(o.PollInterval),
		managed.WithRecorder(event.NewAPIRecorder(mgr.GetEventRecorderFor(name))),
		managed.WithManagementPolicies())
	return ctrl.NewControllerManagedBy(mgr).
		Named(name).
		WithOptions(o.ForControllerRuntime()).
		WithEventFilter(resource.DesiredStateChanged()).
		For(&v1alpha1.Record{}).
		Complete(ratelimiter.NewReconciler(name, r, o.GlobalRateLimiter))
}
