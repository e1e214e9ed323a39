// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	accessv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/access/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/access"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// appWorld returns a world with an application that has a connection secret.
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

// saasWorld returns a world with a SaaS application that uses OIDC.
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
	inParallel(t, func(t *testing.T) {
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
	})
}

func TestSaaSApplication(t *testing.T) {
	inParallel(t, func(t *testing.T) {
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
	})
}

func TestLostAnswerOfASaaSApplication(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := saasWorld(t)
		w.prepare()
		w.sim.AddFault(simulator.Fault{Kind: simulator.FaultResetAfter, Method: http.MethodPost, Path: w.collection(), Token: w.token})
		w.Create(mg)
		w.Says(mg, xpv2.TypeReady, "clientSecret of the application only once", "delete this object and create another")
		w.is(1)
	})
}

func TestLostSecretOfASaaSApplication(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := saasWorld(t)
		w.apply()
		first := w.secret("application")
		w.Delete(first)
		w.Says(mg, xpv2.TypeReady, "clientSecret of the application only once", "delete this object and create another")
		w.publishesLive(mg) // The part that is not lost is there.
		harness.Edit(w.Objects, w.secret("application"), func(s *corev1.Secret) { s.Data["clientSecret"] = first.Data["clientSecret"] })
		w.Settled(mg)
		if got := w.secret("application").Data["clientSecret"]; !bytes.Equal(got, first.Data["clientSecret"]) {
			t.Error("what somebody put back is not there")
		}
	})
}

// TestAccessByReference shows that Access rules and applications can refer to objects
// instead of naming their IDs.
func TestAccessByReference(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, app := appWorld(t)
		idp := &accessv1alpha1.AccessIdentityProvider{
			ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: "pin"},
			Spec: accessv1alpha1.AccessIdentityProviderSpec{ForProvider: accessv1alpha1.AccessIdentityProviderParameters{
				Name: ptr.To("PIN"), Type: ptr.To("onetimepin"), Config: &accessv1alpha1.AccessIdentityProviderConfig{},
			}},
		}
		token := &accessv1alpha1.AccessServiceToken{
			ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: "robot", Labels: map[string]string{"robot": "yes"}},
			Spec:       accessv1alpha1.AccessServiceTokenSpec{ForProvider: accessv1alpha1.AccessServiceTokenParameters{Name: ptr.To("robot")}},
		}
		group := &accessv1alpha1.AccessGroup{
			ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: "all"},
			Spec: accessv1alpha1.AccessGroupSpec{ForProvider: accessv1alpha1.AccessGroupParameters{
				Name: ptr.To("all"),
				Include: []accessv1alpha1.AccessGroupExclude{
					{LoginMethod: &accessv1alpha1.AccessGroupExcludeLoginMethod{IDRef: &xpv2.NamespacedReference{Name: "pin"}}},
					{ServiceToken: &accessv1alpha1.AccessGroupExcludeServiceToken{
						TokenIDSelector: &xpv2.NamespacedSelector{MatchLabels: map[string]string{"robot": "yes"}},
					}},
				},
			}},
		}
		policy := &accessv1alpha1.AccessPolicy{
			ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: "group"},
			Spec: accessv1alpha1.AccessPolicySpec{ForProvider: accessv1alpha1.AccessPolicyParameters{
				Name: ptr.To("group"), Decision: ptr.To("allow"),
				Include: []accessv1alpha1.AccessPolicyExclude{{Group: &accessv1alpha1.AccessPolicyExcludeGroup{IDRef: &xpv2.NamespacedReference{Name: "all"}}}},
			}},
		}
		for _, o := range []described.Object{idp, token, group, policy} {
			o.SetProviderConfigReference(app.GetProviderConfigReference())
			w.Create(o)
			w.Settled(o)
		}
		app.Spec.ForProvider.AllowedIDPRefs = []xpv2.NamespacedReference{{Name: "pin"}}
		w.apply()

		for path, want := range map[string][]string{
			"groups/" + meta.GetExternalName(group):    {meta.GetExternalName(idp), meta.GetExternalName(token)},
			"policies/" + meta.GetExternalName(policy): {meta.GetExternalName(group)},
			"apps/" + meta.GetExternalName(app):        {meta.GetExternalName(idp)},
		} {
			doc, err := w.sim.Resource("/accounts/" + w.account.ID + "/access/" + path)
			if err != nil {
				t.Fatal(err)
			}
			said := fmt.Sprint(doc["include"], doc["allowed_idps"])
			for _, id := range want {
				if !strings.Contains(said, id) {
					t.Errorf("%s has %s, want %s in it", path, said, id)
				}
			}
		}
		harness.Edit(w.Objects, policy, func(p *accessv1alpha1.AccessPolicy) {
			p.Spec.ForProvider.Include = []accessv1alpha1.AccessPolicyExclude{{Group: &accessv1alpha1.AccessPolicyExcludeGroup{}}}
		})
		w.Says(policy, xpv2.TypeSynced, "spec.forProvider.include[0].group.id: the value is empty: set it")
	})
}
