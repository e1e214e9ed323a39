// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

//go:build bench

// Command minimal is the reference for the rate of creations. It sends the fewest
// requests to the Kubernetes API that a crash-safe Crossplane controller of Records can
// send, and does nothing else. It is not a usable controller: it makes no record, and it
// reconciles each object once.
//
// It sends three writes for each object, and reads only from the watch. Fewer writes
// would lose a guarantee:
//
//  1. Before the call, the object gets its finalizer and the note of what is about
//     to be created. Without the finalizer, a deletion during the call leaves the
//     record with no object. Without the note, a process that dies during the call
//     cannot tell its own record from a foreign one. The user creates the object,
//     so the note cannot be part of that request.
//  2. After the call, the object gets the external name, which Cloudflare chooses in
//     its answer, and what the spec leaves open. Crossplane keeps the external name
//     in an annotation. Annotations and spec are not part of the status: the API
//     server ignores them in an update of the status.
//  3. The status makes the object Ready. It is a subresource: the API server ignores
//     it in an update of the object.
//
// There is no event, no usage of the provider config, no lease and no call to Cloudflare.
// That is as if the answer came at once.
//
// It is for benchmarks only, and is built with the tag bench.
package main

import (
	"fmt"
	"os"

	"github.com/alecthomas/kong"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

type flags struct {
	CloudflareAPIURL       string `name:"cloudflare-api-url" help:"Not used: there are no calls."`
	Workers                int    `default:"64" help:"How many objects are worked on at the same time. The default is the provider's."`
	MetricsBindAddress     string `default:":8080" help:"Address to serve metrics on."`
	HealthProbeBindAddress string `default:":8081" help:"Address to serve probes on."`
}

func main() {
	f := &flags{}
	kong.Parse(f, kong.Name("minimal"), kong.Description("The fewest requests a creation takes, for comparison."))
	zl := zap.New()
	ctrl.SetLogger(zl)
	logging.SetFilteredKlogLogger(zl)
	if err := run(f); err != nil {
		zl.Error(err, "Cannot go on")
		os.Exit(1)
	}
}

func run(f *flags) error {
	cfg, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("cannot find a cluster: %w", err)
	}
	mgr, err := newManager(cfg, f)
	if err != nil {
		return err
	}
	if err := mgr.AddReadyzCheck("readyz", healthz.Ping); err != nil {
		return fmt.Errorf("cannot add the readiness probe: %w", err)
	}
	if err := setup(mgr, f); err != nil {
		return fmt.Errorf("cannot add the controller: %w", err)
	}
	return mgr.Start(ctrl.SetupSignalHandler())
}

// newManager returns a manager with the provider's kinds of client, cache and queue. Its
// client has no limit; the provider's own limit is far above what a burst reaches.
func newManager(cfg *rest.Config, f *flags) (ctrl.Manager, error) {
	cfg = rest.CopyConfig(cfg)
	cfg.QPS, cfg.WarningHandler = -1, rest.NoWarnings{}
	s := runtime.NewScheme()
	b := runtime.NewSchemeBuilder(clientgoscheme.AddToScheme, apis.AddToScheme)
	if err := b.AddToScheme(s); err != nil {
		return nil, fmt.Errorf("cannot register the kinds: %w", err)
	}
	mgr, err := ctrl.NewManager(cfg, ctrl.Options{
		Scheme:                 s,
		Cache:                  cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
		Metrics:                server.Options{BindAddress: f.MetricsBindAddress},
		HealthProbeBindAddress: f.HealthProbeBindAddress,
		Controller:             config.Controller{UsePriorityQueue: ptr.To(true)},
	})
	if err != nil {
		return nil, fmt.Errorf("cannot make the controller manager: %w", err)
	}
	return mgr, nil
}

// setup adds the controller. Its own writes do not trigger a reconcile.
func setup(mgr ctrl.Manager, f *flags) error {
	created := predicate.Funcs{
		UpdateFunc:  func(event.UpdateEvent) bool { return false },
		DeleteFunc:  func(event.DeleteEvent) bool { return false },
		GenericFunc: func(event.GenericEvent) bool { return false },
	}
	return ctrl.NewControllerManagedBy(mgr).
		Named(managed.ControllerName(v1alpha1.RecordGroupVersionKind.GroupKind().String())).
		WithOptions(controller.Options{MaxConcurrentReconciles: f.Workers}).
		For(&v1alpha1.Record{}, builder.WithPredicates(created)).
		Complete(reconcile.AsReconciler(mgr.GetClient(), creator{mgr.GetClient()}))
}
