// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"context"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/ratelimiter"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/providerconfig"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// Deps are the dependencies of the controllers.
type Deps struct {
	Connections *connect.Connections
	// Users are the managed resources that name each config.
	Users *Users
	// Orphans returns how many creations with a config may have to be removed although their
	// objects are gone, and whether that is known. If it is nil, there are none.
	Orphans func(connect.ConfigRef) (n int, known bool)
	// Pace returns how often the zones of the credential of that fingerprint are listed, and false
	// if none are. If it is nil, none ever are.
	Pace func(fingerprint string) (Pacing, bool)
	// Wake enqueues the users of a config after its credential was refused or is valid again, and
	// after its limits changed. Outdate ends the validity of everything that was seen with the
	// credential of that fingerprint. Each may be nil.
	Wake    func(...workers.Request)
	Outdate func(fingerprint string)
	// Notifier receives changes of the pace, and refusals. It may be nil.
	Notifier *Notifier
	// Metrics shows the results of verifications. It may be nil.
	Metrics *Metrics
}

// reverify is how often good credentials are verified again.
const reverify = 10 * time.Minute

// indexSecret is the cache index of configs by the Secret they read.
const indexSecret = "spec.credentials.secretRef"

// SetupNamespaced adds a controller of ProviderConfigs to mgr.
func SetupNamespaced(mgr ctrl.Manager, o controller.Options, d Deps) error {
	return add(mgr, o, d, kind{
		gvk:     v1alpha1.ProviderConfigGroupVersionKind,
		new:     func() resource.ProviderConfig { return &v1alpha1.ProviderConfig{} },
		newList: func() client.ObjectList { return &v1alpha1.ProviderConfigList{} },
		config: func(pc resource.ProviderConfig) connect.Config {
			if c, ok := pc.(*v1alpha1.ProviderConfig); ok {
				return connect.FromProviderConfig(c)
			}
			return connect.Config{}
		},
	})
}

// SetupCluster adds a controller of ClusterProviderConfigs to mgr.
func SetupCluster(mgr ctrl.Manager, o controller.Options, d Deps) error {
	return add(mgr, o, d, kind{
		gvk:     v1alpha1.ClusterProviderConfigGroupVersionKind,
		new:     func() resource.ProviderConfig { return &v1alpha1.ClusterProviderConfig{} },
		newList: func() client.ObjectList { return &v1alpha1.ClusterProviderConfigList{} },
		config: func(pc resource.ProviderConfig) connect.Config {
			if c, ok := pc.(*v1alpha1.ClusterProviderConfig); ok {
				return connect.FromClusterProviderConfig(c)
			}
			return connect.Config{}
		},
	})
}

// kind has the differences between the two kinds of config.
type kind struct {
	gvk     schema.GroupVersionKind
	new     func() resource.ProviderConfig
	newList func() client.ObjectList
	config  func(resource.ProviderConfig) connect.Config
}

func add(mgr ctrl.Manager, o controller.Options, d Deps, k kind) error {
	err := mgr.GetFieldIndexer().IndexField(context.Background(), k.new(), indexSecret, func(obj client.Object) []string {
		pc, ok := obj.(resource.ProviderConfig)
		if !ok {
			return nil
		}
		return []string{k.config(pc).Secret.String()}
	})
	if err != nil {
		return fmt.Errorf("cannot index %ss by Secret: %w", k.gvk.Kind, err)
	}
	name := providerconfig.ControllerName(k.gvk.GroupKind().String())
	log := o.Logger.WithValues("controller", name)
	events := reconciler.NewRecorder(mgr, name, o)
	r := &configReconciler{
		kube:     mgr.GetClient(),
		api:      mgr.GetAPIReader(),
		users:    d.Users,
		orphans:  d.Orphans,
		mapper:   mgr.GetRESTMapper(),
		sessions: d.Connections,
		log:      log,
		record:   events,
		reverify: reverify,
		now:      time.Now,
		new:      k.new,
		config:   k.config,
		pace:     d.Pace,
		wake:     d.Wake,
		outdate:  d.Outdate,
		kind:     k.gvk.Kind,
		metrics:  d.Metrics,
		verdicts: map[string]verdict{},
		using:    map[types.NamespacedName]string{},
		limits:   map[types.NamespacedName]string{},
	}
	b := ctrl.NewControllerManagedBy(mgr).
		Named(name).
		WithOptions(o.ForControllerRuntime()).
		For(k.new(), builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		WatchesRawSource(d.Users.source(k.gvk.Kind)).
		WatchesMetadata(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(k.readers(mgr.GetClient(), d.Connections)))
	if d.Notifier != nil {
		b = b.WatchesRawSource(d.Notifier.source(r.configsOf, r.doubt))
	}
	if err := b.Complete(ratelimiter.NewReconciler(name, r, o.GlobalRateLimiter)); err != nil {
		return fmt.Errorf("cannot set up the controller of %ss: %w", k.gvk.Kind, err)
	}
	return nil
}

// readers returns a function that returns the configs that read a changed Secret, and makes the
// next use of the Secret read it again.
func (k kind) readers(kube client.Reader, c *connect.Connections) handler.MapFunc {
	return func(ctx context.Context, secret client.Object) []reconcile.Request {
		l := k.newList()
		if err := kube.List(ctx, l, client.MatchingFields{indexSecret: client.ObjectKeyFromObject(secret).String()}); err != nil {
			return nil
		}
		var out []reconcile.Request
		for _, pc := range items(l) {
			out = append(out, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(pc)})
		}
		if len(out) > 0 {
			c.Forget(client.ObjectKeyFromObject(secret))
		}
		return out
	}
}

func items(l client.ObjectList) []client.Object {
	var out []client.Object
	switch l := l.(type) {
	case *v1alpha1.ProviderConfigList:
		for i := range l.Items {
			out = append(out, &l.Items[i])
		}
	case *v1alpha1.ClusterProviderConfigList:
		for i := range l.Items {
			out = append(out, &l.Items[i])
		}
	}
	return out
}
