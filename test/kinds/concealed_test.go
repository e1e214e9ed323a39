// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"encoding/json"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	accessv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/access/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/access"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestConcealedSecretStays shows that a secret that Cloudflare masks in its answers
// is no drift, and stays unchanged when another field is updated.
func TestConcealedSecretStays(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ path, authentication string }{
		{"scim_config.authentication.password", `{"scheme":"httpbasic","user":"u","passwordSecretRef":{"name":"value","key":"value"}}`},
		{"scim_config.authentication.token", `{"scheme":"oauthbearertoken","tokenSecretRef":{"name":"value","key":"value"}}`},
		{
			"scim_config.authentication.client_secret",
			`{"scheme":"oauth2","clientId":"c","authorizationUrl":"https://a.example/a","tokenUrl":"https://a.example/t","clientSecretRef":{"name":"value","key":"value"}}`,
		},
	} {
		t.Run(row.path, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				const secret = "cOnCeAlEd-5f1d9c37-8a1e0b42"
				w := newWorld(t, access.AccessApplication())
				mg, ok := w.example.(*accessv1alpha1.AccessApplication)
				if !ok {
					t.Fatalf("the example is %T", w.example)
				}
				w.Create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: "value"}, StringData: map[string]string{"value": secret}})
				scim := `{"remoteUri":"https://a.example/scim","idpUid":"an-idp","authentication":` + row.authentication + `}`
				if err := json.Unmarshal([]byte(scim), &mg.Spec.ForProvider.SCIMConfig); err != nil {
					t.Fatal(err)
				}
				w.apply()
				trap := w.trap(simulator.Trap{Kind: simulator.TrapConcealedSecret, Field: row.path})
				from := w.writes()
				w.lists(2)
				w.Settled(mg)
				if n := w.writes() - from; n > 0 {
					t.Errorf("there were %d writes without a change", n)
				}
				w.edit("name", func(any) any { return "another name" })
				w.Settled(mg)
				raw := parsed(w.raw(meta.GetExternalName(mg)))
				if got := kind.Text(raw, row.path); got != secret || kind.Text(raw, "name") != "another name" {
					t.Errorf("%s is %q after the name was changed to %q", row.path, got, kind.Text(raw, "name"))
				}
				if w.sim.Sprung(trap) == 0 {
					t.Error("the trap was not sprung")
				}
			})
		})
	}
}
