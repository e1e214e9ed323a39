// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// verified waits for the Ready condition of a config.
func verified(w *world, pc resource.ProviderConfig, want corev1.ConditionStatus, says string) {
	w.t.Helper()
	w.eventually(func() error {
		if err := w.get(pc); err != nil {
			return err
		}
		if c := pc.GetCondition(xpv2.TypeReady); c.Status != want || !strings.Contains(c.Message, says) {
			return fmt.Errorf("Ready is %+v, want %s with %q", c, want, says)
		}
		return nil
	})
}

func TestProviderConfigIsVerified(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		key := w.sim.AddGlobalKey("ops@" + w.zone.Name)
		account := w.sim.AddToken(simulator.TokenOptions{Account: w.account.ID, Grants: []simulator.Grant{{Account: w.account.ID, Permission: simulator.DNSWrite}}})
		disabled := w.sim.AddToken(simulator.TokenOptions{Status: simulator.TokenDisabled})
		cases := map[string]struct {
			reason, value string
			want          corev1.ConditionStatus
			says          string
		}{
			"user-token":    {"a user's token", w.token, corev1.ConditionTrue, ""},
			"json-token":    {"a token in JSON", fmt.Sprintf(`{"apiToken": %q}`, w.token), corev1.ConditionTrue, ""},
			"account-token": {"an account's token", account, corev1.ConditionTrue, ""},
			"api-key":       {"a global API key", fmt.Sprintf(`{"apiKey": %q, "email": %q}`, key, "ops@"+w.zone.Name), corev1.ConditionTrue, ""},
			"disabled":      {"a token that was disabled", disabled, corev1.ConditionFalse, "not"},
		}
		for name, tc := range cases {
			w.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.ns}, StringData: map[string]string{"v": tc.value}})
			pc := w.providerConfig(name, name, "v")
			w.create(pc)
			verified(w, pc, tc.want, tc.says)
		}
	})
}

// TestTokensOfConfigsWithoutAccountID shows that a token counts as valid only after
// an answer that Cloudflare does not also return for an unknown token.
func TestTokensOfConfigsWithoutAccountID(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		of := func(account string, p ...simulator.Permission) string {
			o := simulator.TokenOptions{Account: account}
			for _, p := range p {
				o.Grants = append(o.Grants, simulator.Grant{Account: w.account.ID, Permission: p})
			}
			return w.sim.AddToken(o)
		}
		revoked := of("", simulator.ZoneRead, simulator.DNSWrite)
		w.sim.RevokeToken(revoked)
		unverified := []string{"cannot be verified", "is not a user's API token", "set spec.accountId", "put a valid API token into the Secret"}
		cases := map[string]struct {
			reason, value string
			says          []string // empty if it is verified
		}{
			"unknown":       {"a token with a typing error", "cfut_" + strings.Repeat("x", 40) + "12345678", unverified},
			"revoked":       {"a token that was deleted", revoked, unverified},
			"user":          {"a user's token needs no account", of(""), nil},
			"account":       {"an account's token that may list zones", of(w.account.ID, simulator.ZoneRead), nil},
			"account-dns":   {"an account's token that may not: nobody can know", of(w.account.ID, simulator.DNSWrite), unverified},
			"account-other": {"an account's token that may do nothing", of(w.account.ID), unverified},
		}
		for name, tc := range cases {
			w.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.ns}, StringData: map[string]string{"v": tc.value}})
			pc := w.providerConfig(name, name, "v")
			pc.Spec.AccountID = nil
			w.create(pc)
			if tc.says == nil {
				verified(w, pc, corev1.ConditionTrue, "")
				continue
			}
			w.eventually(func() error {
				if err := w.get(pc); err != nil {
					return err
				}
				if pc.GetCondition(xpv2.TypeReady).Status == corev1.ConditionUnknown {
					return errors.New("it was not verified yet")
				}
				return nil
			})
			c := pc.GetCondition(xpv2.TypeReady)
			if c.Status != corev1.ConditionFalse || c.Reason != "CredentialsNotVerified" {
				t.Errorf("%s: Ready is %+v, want False", tc.reason, c)
			}
			for _, s := range tc.says {
				if !strings.Contains(c.Message, s) {
					t.Errorf("%s: Ready does not say %q: %s", tc.reason, s, c.Message)
				}
			}
		}
		pc := w.providerConfig("account-dns", "", "")
		edit(w, pc, func(pc *cfv1alpha1.ProviderConfig) { pc.Spec.AccountID = ptr.To(w.account.ID) })
		verified(w, pc, corev1.ConditionTrue, "")
	})
}

// TestSecretRotation shows that the config and the waiting objects notice a corrected
// Secret, and that a new token is used.
func TestSecretRotation(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "rotated", Namespace: w.ns}, StringData: map[string]string{"token": "cfut_not-a-known-token"}}
		w.create(s)
		pc := w.providerConfig("rotated", "rotated", "token")
		w.create(pc)
		verified(w, pc, corev1.ConditionFalse, "credential")
		r := w.record("www", "A", "192.0.2.1", func(r *dnsv1alpha1.Record) { r.Spec.ProviderConfigReference.Name = "rotated" })
		w.create(r)
		refused(w, r)
		edit(w, s, func(s *corev1.Secret) { s.Data["token"] = []byte(w.token) })
		verified(w, pc, corev1.ConditionTrue, "")
		settled(w, r)

		next := w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: w.account.ID, Permission: simulator.DNSWrite}, {Account: w.account.ID, Permission: simulator.ZoneRead}}})
		edit(w, s, func(s *corev1.Secret) { s.Data["token"] = []byte(next) })
		w.sim.RevokeToken(w.token)
		w.dashboardEdit(w.live("A").ID, map[string]any{"content": "192.0.2.66"})
		w.event(r, "DriftReverted", "content: live 192.0.2.66")
		if got := w.live("A").Content; got != "192.0.2.1" {
			t.Errorf("after the rotation the content is %s", got)
		}
	})
}

// TestClusterProviderConfig shows that a ClusterProviderConfig serves all namespaces,
// and is the default.
func TestClusterProviderConfig(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		pc := &cfv1alpha1.ClusterProviderConfig{
			ObjectMeta: metav1.ObjectMeta{Name: "default"},
			Spec: cfv1alpha1.ClusterProviderConfigSpec{Credentials: cfv1alpha1.ClusterCredentials{
				SecretRef: cfv1alpha1.SecretKeySelector{
					LocalSecretKeySelector: cfv1alpha1.LocalSecretKeySelector{Name: "cloudflare", Key: "token"}, Namespace: w.ns,
				},
			}},
		}
		w.create(pc)
		verified(w, pc, corev1.ConditionTrue, "")
		r := w.made("www", "A", "192.0.2.1", func(r *dnsv1alpha1.Record) { r.Spec.ProviderConfigReference = nil })
		if ref := r.Spec.ProviderConfigReference; ref == nil || ref.Kind != "ClusterProviderConfig" || ref.Name != "default" {
			t.Errorf("the default providerConfigRef is %+v", ref)
		}
		until(w, pc, func(pc *cfv1alpha1.ClusterProviderConfig) error {
			if pc.Status.Users != 1 {
				return fmt.Errorf("it has %d users, want 1", pc.Status.Users)
			}
			return nil
		})
		w.delete(pc)
		until(w, pc, func(pc *cfv1alpha1.ClusterProviderConfig) error {
			if c := pc.GetCondition(xpv2.TypeReady); !strings.Contains(c.Message, r.Name) {
				return fmt.Errorf("Ready does not name the user %s: %+v", r.Name, c)
			}
			return nil
		})
		w.delete(r)
		w.gone(r)
		w.gone(pc)
		w.noRecords()
	})
}

// TestProviderConfigOfAnotherNamespace shows that a namespaced config serves its own
// namespace only.
func TestProviderConfigOfAnotherNamespace(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, other := newWorld(t), newWorld(t)
		other.create(other.providerConfig("theirs", "cloudflare", "token"))
		r := w.record("www", "A", "192.0.2.1", func(r *dnsv1alpha1.Record) { r.Spec.ProviderConfigReference.Name = "theirs" })
		w.create(r)
		refused(w, r, "ProviderConfig theirs", "namespace "+w.ns)
	})
}

// TestConfigAndSecretGoFirst deletes everything in an order that the namespace
// controller of a cluster may use: Secret and config first.
func TestConfigAndSecretGoFirst(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		pc := w.providerConfig("default", "", "")
		w.delete(pc)
		w.delete(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "cloudflare", Namespace: w.ns}})
		w.delete(r)
		w.gone(r)
		w.gone(pc)
		w.noRecords()
	})
}
