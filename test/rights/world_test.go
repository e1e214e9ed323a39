// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/prometheus/client_golang/prometheus"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/provider-cloudflare/provider-cloudflare/internal/provider"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
	"github.com/provider-cloudflare/provider-cloudflare/test/manifest"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const (
	patience = 3 * time.Minute
	// namespace and account are those of the manifests.
	namespace, account = "crossplane-system", "provider-cloudflare"
	user               = "system:serviceaccount:" + namespace + ":" + account
)

// A world is an API server that authorizes with roles and logs every request, a simulator, and an
// administrator's client.
type world struct {
	harness.Objects

	t    *testing.T
	cfg  *rest.Config
	kube client.Client
	sim  *simulator.Server
	url  string
	log  string
	// out collects the output of the provider, which must contain no secret.
	out *leak.Output
}

// A setting is a flag of the API server.
type setting struct{ name, value string }

// newWorld starts a world.
func newWorld(t *testing.T, settings ...setting) *world {
	t.Helper()
	out := &leak.Output{}
	ctrl.SetLogger(out.Logger())
	policy, err := filepath.Abs(filepath.Join("testdata", "audit-policy.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, log: filepath.Join(t.TempDir(), "audit.log"), out: out}
	env := &envtest.Environment{}
	args := env.ControlPlane.GetAPIServer().Configure()
	args.Set("authorization-mode", "RBAC").Set("audit-policy-file", policy).Set("audit-log-path", w.log).Set("audit-log-mode", "blocking")
	for _, s := range settings {
		args.Append(s.name, s.value)
	}
	var end func() error
	if w.cfg, end, err = harness.StartAPIServer(env); err != nil {
		t.Fatal(err)
	}
	if w.kube, err = harness.Client(w.cfg); err != nil {
		t.Fatal(err)
	}
	cloud, err := harness.StartCloud(simulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.sim, w.url = cloud.Sim, cloud.URL
	w.Objects = harness.Objects{T: t, Kube: w.kube, Patience: patience}
	t.Cleanup(func() {
		out.Asked(w.sim.Requests())
		if err := errors.Join(out.End(), cloud.End(), end()); err != nil {
			t.Error(err)
		}
	})
	w.create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}})
	return w
}

// partOf returns the same world for a subtest.
func (w *world) partOf(t *testing.T) *world {
	t.Helper()
	part := *w
	part.t, part.T = t, t
	return &part
}

// serve installs the CRDs.
func (w *world) serve() {
	w.t.Helper()
	if err := harness.InstallCRDs(w.cfg, harness.Kinds()); err != nil {
		w.t.Fatalf("cannot install the CRDs: %v", err)
	}
	if err := w.out.Watch(w.cfg); err != nil {
		w.t.Fatalf("cannot watch what the provider writes: %v", err)
	}
}

// apply creates the objects of a manifest.
func (w *world) apply(file string) {
	w.t.Helper()
	for _, o := range manifests(w.t, file) {
		w.create(o)
	}
}

func manifests(t *testing.T, file string) []*unstructured.Unstructured {
	t.Helper()
	out, err := manifest.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// rules returns the rules of the roles in a manifest.
func rules(t *testing.T, file string) []rbacv1.PolicyRule {
	t.Helper()
	var out []rbacv1.PolicyRule
	for _, o := range manifests(t, file) {
		var role rbacv1.ClusterRole // A Role has its rules in the same field.
		if k := o.GetKind(); k != "ClusterRole" && k != "Role" {
			continue
		}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &role); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out = append(out, role.Rules...)
	}
	return out
}

// serviceAccount returns the identity of the manifests' service account, with a token like a pod's.
func (w *world) serviceAccount() *rest.Config { return w.identity(namespace, account) }

// identity returns the identity of a service account, with a token like a pod's.
func (w *world) identity(namespace, account string) *rest.Config {
	w.t.Helper()
	r := &authenticationv1.TokenRequest{}
	sa := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: account}}
	if err := w.kube.SubResource("token").Create(w.t.Context(), sa, r); err != nil {
		w.t.Fatalf("cannot get a token of the service account: %v", err)
	}
	cfg := rest.AnonymousClientConfig(w.cfg)
	cfg.BearerToken = r.Status.Token
	cfg.Wrap(w.onlyMetadata)
	return cfg
}

// onlyMetadata fails the test if Secrets are listed or watched with their content. An audit log
// does not show that.
func (w *world) onlyMetadata(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/secrets") && !strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata") {
			w.t.Errorf("the provider asks for whole Secrets: %s %s", r.Method, r.URL)
		}
		return next.RoundTrip(r)
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// run runs a provider with the rights of cfg until stop is called.
func (w *world) run(cfg *rest.Config) (stop func()) {
	w.t.Helper()
	return w.runAs(cfg, func(o *provider.Options) { o.Namespace = namespace })
}

// runAs runs a provider like run, with other options.
func (w *world) runAs(cfg *rest.Config, as func(*provider.Options)) (stop func()) {
	w.t.Helper()
	o := harness.Options(w.url)
	registry := prometheus.NewRegistry()
	o.LeaderElection, o.Log, o.Registry = true, logging.NewLogrLogger(w.out.Logger()), registry
	as(&o)
	end := harness.StartProvider(cfg, o)
	stop = sync.OnceFunc(func() {
		w.out.Measure(registry, metrics.Registry)
		if err := end(); err != nil {
			w.t.Errorf("the provider did not end well: %v", err)
		}
	})
	w.t.Cleanup(stop)
	return stop
}

func (w *world) create(o client.Object) {
	w.t.Helper()
	w.Create(o)
}

func (w *world) delete(o client.Object) {
	w.t.Helper()
	w.Delete(o)
}

// edit changes the current version of an object.
func edit[T client.Object](w *world, o T, f func(T)) {
	w.t.Helper()
	harness.Edit(w.Objects, o, f)
}

func (w *world) eventually(f func() error) {
	w.t.Helper()
	w.Eventually(f)
}

func (w *world) gone(o client.Object) {
	w.t.Helper()
	w.Gone(o, func() string { return harness.Conditions(o) })
}

func (w *world) settled(mg resource.Managed) {
	w.t.Helper()
	w.Settled(mg)
}
