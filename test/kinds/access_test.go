// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"bytes"
	"errors"
	"net/http"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	accessv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/access/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cfsim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/access"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// appWorld is a world for an application with a connection secret.
func appWorld(t *testing.T) (*world, *accessv1alpha1.AccessApplication) {
	t.Helper()
	w := newWorld(t, access.AccessApplication())
	mg, ok := w.example.(*accessv1alpha1.AccessApplication)
	if !ok {
		t.Fatalf("the example is %T", w.example)
	}
	mg.Spec.WriteConnectionSecretToReference = &xpv2.LocalSecretReference{Name: "application"}
	return w, mg
}

// saasWorld is one for a SaaS application with OIDC.
func saasWorld(t *testing.T) (*world, *accessv1alpha1.AccessApplication) {
	t.Helper()
	w, mg := appWorld(t)
	p := &mg.Spec.ForProvider
	p.Domain, p.Type = nil, ptr.To("saas")
	p.SAASApp = &accessv1alpha1.AccessApplicationSAASApp{
		AuthType: ptr.To("oidc"), RedirectURIs: []string{"https://tool.example/callback"}, GrantTypes: []string{"authorization_code"}, Scopes: []string{"openid"},
	}
	return w, mg
}

func TestApplicationWithoutAClient(t *testing.T) {
	t.Parallel()
	w, mg := appWorld(t)
	w.apply()
	w.publishesLive(mg)
	have := w.secret("application").Data
	if len(have["aud"]) == 0 || len(have["clientSecret"]) > 0 {
		t.Errorf("the connection secret has %d keys, want the audience and no client", len(have))
	}
	w.editStored(meta.GetExternalName(mg), nil)
	w.Eventually(func() error {
		if bytes.Equal(w.secret("application").Data["aud"], have["aud"]) {
			return errors.New("the audience is that of the application that was deleted")
		}
		return nil
	})
	w.Settled(mg)
	w.publishesLive(mg)
}

func TestSaaSApplication(t *testing.T) {
	t.Parallel()
	w, mg := saasWorld(t)
	w.apply()
	w.is(1)
	live := w.raw(meta.GetExternalName(mg))
	have := w.secret("application").Data
	for key, path := range map[string]string{"aud": "aud", "clientId": "saas_app.client_id", "clientSecret": "saas_app.client_secret"} {
		if want := kind.Text(live, path); want == "" || string(have[key]) != want {
			t.Errorf("%s has %d bytes and is not what Cloudflare has", key, len(have[key]))
		}
	}
	writes := w.writes()
	w.lists(4)
	if n := w.writes() - writes; n > 0 {
		t.Errorf("what is as declared was written %d times", n)
	}
	w.nowhere(string(have["clientSecret"]))
	w.Delete(mg)
	w.Gone(mg, func() string { return harness.Conditions(mg) })
	w.is(0)
}

func TestLostAnswerOfASaaSApplication(t *testing.T) {
	t.Parallel()
	w, mg := saasWorld(t)
	w.prepare()
	w.sim.AddFault(cfsim.Fault{Kind: cfsim.FaultResetAfter, Method: http.MethodPost, Path: w.collection(), Token: w.token})
	w.Create(mg)
	w.Says(mg, xpv2.TypeReady, "clientSecret of the application only once", "delete this object and create another")
	w.is(1)
}

func TestLostSecretOfASaaSApplication(t *testing.T) {
	t.Parallel()
	w, mg := saasWorld(t)
	w.apply()
	first := w.secret("application")
	w.Delete(first)
	w.Says(mg, xpv2.TypeReady, "clientSecret of the application only once", "delete this object and create another")
	w.publishesLive(mg) // What is not lost is there.
	harness.Edit(w.Objects, w.secret("application"), func(s *corev1.Secret) { s.Data["clientSecret"] = first.Data["clientSecret"] })
	w.Settled(mg)
	if got := w.secret("application").Data["clientSecret"]; !bytes.Equal(got, first.Data["clientSecret"]) {
		t.Error("what somebody put back is not there")
	}
}
