// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package safestart

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const patience = 3 * time.Minute

// install installs the CRDs of those files.
func install(t *testing.T, cfg *rest.Config, files ...string) {
	t.Helper()
	var paths []string
	for _, f := range files {
		paths = append(paths, filepath.Join(harness.Kinds(), f))
	}
	if err := harness.InstallCRDs(cfg, paths...); err != nil {
		t.Fatalf("cannot install %v: %v", files, err)
	}
}

func body(t *testing.T, url string) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", resp.Status, raw)
	}
	return string(raw), err
}

// TestSafeStart starts the provider without any of its kinds served, then
// serves only the kinds that Records need. The kinds that are not activated
// must not disturb the others.
//
// No output shows the token.
func TestSafeStart(t *testing.T) {
	env := &envtest.Environment{}
	cfg, endAPIServer, err := harness.StartAPIServer(env)
	if err != nil {
		t.Fatal(err)
	}
	cloud, err := harness.StartCloud(simulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sim := cloud.Sim
	probes, metricsAt := harness.FreeAddress(t), harness.FreeAddress(t)
	o := harness.Options(cloud.URL)
	o.MaxReconcileRate, o.LeaderElection, o.Namespace, o.Embedded = 10, true, "default", false
	o.MetricsBindAddress, o.HealthProbeBindAddress = metricsAt, probes
	o.Log, o.Registry = logging.NewLogrLogger(logged.Logger()), metrics.Registry
	stop := harness.StartProvider(cfg, o)
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("the provider did not end well: %v", err)
		}
		if err := errors.Join(cloud.End(), endAPIServer()); err != nil {
			t.Error(err)
		}
	})
	for _, path := range []string{"/healthz", "/readyz"} {
		harness.Eventually(t, patience, func() error {
			_, err := body(t, "http://"+probes+path)
			return err
		})
	}

	install(t, cfg,
		"cloudflare.m.crossplane.io_providerconfigs.yaml",
		"cloudflare.m.crossplane.io_clusterproviderconfigs.yaml",
		"dns.cloudflare.m.crossplane.io_records.yaml")
	kube, err := harness.Client(cfg)
	if err != nil {
		t.Fatal(err)
	}
	r, pc, token := objects(t, kube, sim)
	harness.Eventually(t, patience, func() error {
		if err := kube.Get(t.Context(), client.ObjectKeyFromObject(r), r); err != nil {
			return err
		}
		if c := r.GetCondition(xpv2.TypeReady); c.Status != corev1.ConditionTrue {
			return fmt.Errorf("Ready is %+v, Synced %+v", c, r.GetCondition(xpv2.TypeSynced))
		}
		return nil
	})

	// The kind of the zone is not served. This must not block the deletion of
	// the config.
	for _, o := range []client.Object{r, pc} {
		if err := kube.Delete(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	harness.Eventually(t, patience, func() error {
		if err := kube.Get(t.Context(), client.ObjectKeyFromObject(pc), pc); client.IgnoreNotFound(err) != nil || err == nil {
			return fmt.Errorf("the config is still there (%w): %+v", err, pc.Status)
		}
		return nil
	})

	text, err := body(t, "http://"+metricsAt+"/metrics")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		`cloudflare_api_requests_total{method="POST",route="/zones/{zone}/dns_records",status="200",zone="` + sim.Zones()[0].ID + `"} 1`,
		"cloudflare_api_budget_requests_left{", "cloudflare_api_budget_requests_limit{", "cloudflare_api_paused_seconds{", "cloudflare_api_throttled_total{",
		"cloudflare_api_request_duration_seconds_bucket", "crossplane_managed_resource_first_time_to_readiness_seconds", "leader_election_master_status",
	} {
		if !strings.Contains(text, name) {
			t.Errorf("the metrics do not show %s", name)
		}
	}
	logged.Keep("metrics", text)
	events := &corev1.EventList{}
	if err := kube.List(t.Context(), events); err != nil {
		t.Fatal(err)
	}
	logged.Keep("events", events.String())
	secrets := &leak.Secrets{}
	secrets.Add(token)
	for _, f := range logged.Search(secrets) {
		t.Error(f)
	}
	for place, n := range logged.Size() {
		if n == 0 {
			t.Errorf("nothing came out at %s, so nothing was searched", place)
		}
	}
}

// objects creates a Record of a zone at the simulator, and its config.
func objects(t *testing.T, kube client.Client, sim *simulator.Server) (r *dnsv1alpha1.Record, pc *cfv1alpha1.ProviderConfig, token string) {
	t.Helper()
	z, err := sim.AddZone(sim.AddAccount("Example Inc").ID, "example.com", simulator.ZoneOptions{})
	if err != nil {
		t.Fatal(err)
	}
	token = sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Permission: simulator.DNSWrite}, {Permission: simulator.ZoneRead}}})
	in := metav1.ObjectMeta{Name: "default", Namespace: "default"}
	pc = &cfv1alpha1.ProviderConfig{ObjectMeta: in, Spec: cfv1alpha1.ProviderConfigSpec{Credentials: cfv1alpha1.Credentials{
		SecretRef: cfv1alpha1.LocalSecretKeySelector{Name: "default", Key: "token"},
	}}}
	r = &dnsv1alpha1.Record{ObjectMeta: in, Spec: dnsv1alpha1.RecordSpec{ForProvider: dnsv1alpha1.RecordParameters{
		ZoneID: ptr.To(z.ID), Name: ptr.To("@"), Type: ptr.To("A"), Content: ptr.To("192.0.2.1"),
	}}}
	r.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: "ProviderConfig", Name: "default"}
	for _, o := range []client.Object{&corev1.Secret{ObjectMeta: in, StringData: map[string]string{"token": token}}, pc, r} {
		if err := kube.Create(t.Context(), o); err != nil {
			t.Fatalf("cannot create %T: %v", o, err)
		}
	}
	return r, pc, token
}
