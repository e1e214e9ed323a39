// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/internal/provider"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// withMetrics returns a folder with a user's kustomization: cluster/standalone with its component
// metrics.
func withMetrics(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	at, err := filepath.Abs(standalone())
	if err != nil {
		t.Fatal(err)
	}
	base, err := filepath.Rel(dir, at) // kubectl accepts only a relative path
	if err != nil {
		t.Fatal(err)
	}
	raw, err := yaml.Marshal(map[string]any{
		"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization",
		"resources": []string{base}, "components": []string{filepath.Join(base, "metrics")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kustomization.yaml"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestMetricsForReaders runs a provider with the component metrics, and checks that only service
// accounts with the role read metrics over TLS.
func TestMetricsForReaders(t *testing.T) {
	all := rendered(t, withMetrics(t))
	if args := one[appsv1.Deployment](t, all, "Deployment").Spec.Template.Spec.Containers[0].Args; !slices.Contains(args, "--metrics-secure") {
		t.Errorf("the arguments are %q", args)
	}
	w := newWorld(t)
	w.install(all)
	const reader = "reader"
	for _, name := range []string{reader, stranger} {
		w.create(&corev1.ServiceAccount{ObjectMeta: in(tenant, name)})
	}
	w.create(&rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: reader},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "provider-cloudflare-metrics-reader"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: tenant, Name: reader}},
	})
	t.Cleanup(func() { w.notRefusedTo("system:serviceaccount:" + own + ":" + account) })
	at := harness.FreeAddress(t)
	stop := w.runAs(w.identity(own, account), func(o *provider.Options) {
		o.Namespace, o.MetricsBindAddress, o.MetricsSecure = own, at, true
	})
	tokens := map[string]string{reader: w.identity(tenant, reader).BearerToken, stranger: w.identity(tenant, stranger).BearerToken}
	w.eventually(func() error {
		if code, err := scrape(t, at, tokens[reader]); err != nil || code != http.StatusOK {
			return fmt.Errorf("a reader gets %d, %w", code, err)
		}
		return nil
	})
	for _, row := range []struct {
		reason, token string
		code          int
	}{
		{"a token without the right", tokens[stranger], http.StatusForbidden},
		{"no token", "", http.StatusUnauthorized},
		{"a token that the API server did not sign", "eyJhbGciOiJub25lIn0.e30.", http.StatusUnauthorized},
	} {
		if code, err := scrape(t, at, row.token); err != nil || code != row.code {
			t.Errorf("%s: got %d, %v, want %d", row.reason, code, err, row.code)
		}
	}
	stop()
}

// scrape requests the metrics over TLS with a token.
func scrape(t *testing.T, at, token string) (int, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+at+"/metrics", http.NoBody)
	if err != nil {
		return 0, err
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	defer c.CloseIdleConnections()
	resp, err := c.Do(req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}
