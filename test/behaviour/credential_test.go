// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// A plight is a problem of a credential.
type plight struct {
	reason string
	// value returns the value for the key "token" of the Secret. It may contain the
	// token of the world.
	value func(w *world) string
	// spoil changes the Secret or the config before their creation.
	spoil func(*corev1.Secret, *cfv1alpha1.ProviderConfig)
	// config and object are what the Ready condition of the config and the Synced
	// condition of the object say. They are empty if the condition is True.
	config, object []string
	// local is true if the provider finds the problem without a call.
	local bool
}

func plights() map[string]plight {
	token := func(change func(w *world, o *simulator.TokenOptions)) func(*world) string {
		return func(w *world) string {
			o := simulator.TokenOptions{}
			for _, p := range permissions() {
				o.Grants = append(o.Grants, simulator.Grant{Account: w.account.ID, Permission: p})
			}
			change(w, &o)
			return w.sim.AddToken(o)
		}
	}
	with := func(p ...simulator.Permission) func(*world) string {
		return token(func(w *world, o *simulator.TokenOptions) {
			o.Grants = nil
			for _, p := range p {
				o.Grants = append(o.Grants, simulator.Grant{Account: w.account.ID, Permission: p})
			}
		})
	}
	text := func(format string) func(*world) string {
		return func(w *world) string { return strings.ReplaceAll(format, "TOKEN", w.token) }
	}
	good := func(w *world) string { return w.token }
	unusable := []string{"credential is not usable", "white space or characters no API token has", "put the bare token there"}
	unknown := []string{"does not know this credential", "put a valid API token into the Secret"}
	refused := []string{"Invalid access token (code 9109)", "the credential is not valid", "see the Ready condition of its provider config", "lacks a permission"}
	return map[string]plight{
		// These need a call.
		"Revoked": {reason: "deleted at Cloudflare: 401/1000 where tokens are verified, 403/9109 elsewhere", config: unknown, object: refused, value: func(w *world) string {
			gone := w.another()
			w.sim.RevokeToken(gone)
			return gone
		}},
		"RevokedWithoutAccount": {
			reason: "the same, of a config that names no account: that it is refused is no proof of a permission that it lacks",
			value: func(w *world) string {
				gone := w.another()
				w.sim.RevokeToken(gone)
				return gone
			},
			spoil:  func(_ *corev1.Secret, pc *cfv1alpha1.ProviderConfig) { pc.Spec.AccountID = nil },
			config: []string{"the API token cannot be verified", "set spec.accountId", "put a valid API token into the Secret"}, object: refused,
		},
		"AccountsTokenWithoutAccount": {
			reason: "an account's token that may not list zones cannot be distinguished from one that nobody knows", value: func(w *world) string {
				return w.sim.AddToken(simulator.TokenOptions{Account: w.account.ID, Grants: []simulator.Grant{{Account: w.account.ID, Permission: simulator.DNSRead}}})
			},
			spoil:  func(_ *corev1.Secret, pc *cfv1alpha1.ProviderConfig) { pc.Spec.AccountID = nil },
			config: []string{"the API token cannot be verified", "set spec.accountId"}, object: []string{"lacks a permission"},
		},
		"Disabled": {
			reason: "switched off in the dashboard", value: token(func(_ *world, o *simulator.TokenOptions) { o.Status = simulator.TokenDisabled }),
			config: []string{"not active", `"disabled"`, "enable or renew it"}, object: refused,
		},
		"Expired": {
			reason: "its time is over", value: token(func(_ *world, o *simulator.TokenOptions) { o.ExpiresOn = time.Now().Add(-time.Hour) }),
			config: []string{"not active", `"expired"`, "enable or renew it"}, object: refused,
		},
		"NotYet": {
			reason: "its time has not come: verified, its status is active", value: token(func(_ *world, o *simulator.TokenOptions) { o.NotBefore = time.Now().Add(24 * time.Hour) }),
			config: []string{"not active", "not valid before 2"}, object: refused,
		},
		"Elsewhere": {
			reason: "a client address filter: 403/9109", value: token(func(_ *world, o *simulator.TokenOptions) {
				o.From = []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")}
			}),
			config: []string{"Cannot use the access token from location", "its client IP address filter"},
			object: []string{"Cannot use the access token from location", "the addresses it may be used from"},
		},
		"ElsewhereWithoutAccount": {
			reason: "the same, of a config that names no account", value: token(func(_ *world, o *simulator.TokenOptions) {
				o.From = []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")}
			}),
			spoil:  func(_ *corev1.Secret, pc *cfv1alpha1.ProviderConfig) { pc.Spec.AccountID = nil },
			config: []string{"Cannot use the access token from location", "its client IP address filter"},
			object: []string{"the addresses it may be used from"},
		},
		"NoPermission":   {reason: "a token that may do nothing is a good token", value: with(), object: []string{"lacks a permission", "needs Zone: Read"}},
		"NoZoneRead":     {reason: "a relative name needs the zone's", value: with(simulator.DNSWrite), object: []string{"name", "is relative to a zone whose name is not known", "needs Zone: Read"}},
		"NoDNS":          {reason: "zones alone", value: with(simulator.ZoneRead), object: []string{"lacks a permission", "needs DNS: Read (DNS: Edit to change records)"}},
		"ReadOnly":       {reason: "to read is not to write", value: with(simulator.ZoneRead, simulator.DNSRead), object: []string{"cannot create the DNS record", "needs DNS: Edit on the zone"}},
		"AnotherAccount": {reason: "a user's token for the zones of another account", value: func(w *world) string { return newWorld(w.t).token }, object: []string{"9109", "lacks a permission"}},
		"AnotherAccountsToken": {
			reason: "a token that belongs to another account than the config names", value: func(w *world) string {
				other := w.sim.AddAccount("other")
				return w.sim.AddToken(simulator.TokenOptions{Account: other.ID, Grants: []simulator.Grant{{Account: other.ID, Permission: simulator.DNSWrite}}})
			},
			config: []string{"no user's API token, nor one of the account", "accountId"}, object: []string{"9109", "lacks a permission"},
		},
		"UnknownKey": {
			reason: "an API key of nobody: 403/9103", value: func(w *world) string {
				return fmt.Sprintf(`{"apiKey":%q,"email":"nobody@%s"}`, strings.Repeat("k", 37), w.zone.Name)
			},
			config: unknown, object: unknown,
		},
		"KeyOfAnother": {
			reason: "the right key with the wrong email", value: func(w *world) string {
				return fmt.Sprintf(`{"apiKey":%q,"email":"other@%s"}`, w.sim.AddGlobalKey("ops@"+w.zone.Name), w.zone.Name)
			},
			config: unknown, object: unknown,
		},
		"TokenAsKey": {reason: "a token where the key belongs", value: text(`{"apiKey":"TOKEN","email":"ops@example.com"}`), config: unknown, object: unknown},

		// These have no problem.
		"Spaces":      {reason: "white space around it", value: text(" \t\r\nTOKEN \r\n")},
		"MoreMembers": {reason: "JSON with more in it", value: text(`{"apiToken":"TOKEN","comment":"made by hand","zones":["a","b"],"nested":{"apiToken":1}}`)},
		"Key": {reason: "a key and its email", value: func(w *world) string {
			return fmt.Sprintf(`{"apiKey":%q,"email":"ops@%s"}`, w.sim.AddGlobalKey("ops@"+w.zone.Name), w.zone.Name)
		}},
		"AnotherTypeOfSecret": {reason: "the type of the Secret does not matter", value: good, spoil: func(s *corev1.Secret, _ *cfv1alpha1.ProviderConfig) { s.Type = "example.com/cloudflare" }},
		"ImmutableSecret":     {reason: "a Secret that cannot change", value: good, spoil: func(s *corev1.Secret, _ *cfv1alpha1.ProviderConfig) { s.Immutable = ptr.To(true) }},

		// These need no call.
		"ByteOrderMark": {reason: "an editor's mark", value: text("\ufeffTOKEN"), config: unusable, object: unusable, local: true},
		"CRInside":      {reason: "a carriage return ends a header", value: text("TOKEN\rX-Evil: 1"), config: unusable, object: unusable, local: true},
		"LFInside":      {reason: "a line feed ends a header", value: text("TOKEN\nX-Evil: 1"), config: unusable, object: unusable, local: true},
		"NUL":           {reason: "no header carries it", value: text("TOKEN\x00"), config: unusable, object: unusable, local: true},
		"NonASCII":      {reason: "no token has it", value: text("TOKÉNTOKEN"), config: unusable, object: unusable, local: true},
		"NoText":        {reason: "bytes that are no text", value: text("\xff\xfeTOKEN"), config: unusable, object: unusable, local: true},
		"Header":        {reason: "the whole header", value: text("Bearer TOKEN"), config: unusable, object: unusable, local: true},
		"Huge": {
			reason: "as large as a Secret can be", value: func(*world) string { return strings.Repeat("huge-value-0123456789", 45_000) },
			config: []string{"longer than any API token", "put the bare token there"}, object: []string{"longer than any API token"}, local: true,
		},
		"HugeJSON": {
			reason: "the same in JSON", value: func(*world) string { return `{"apiToken":"` + strings.Repeat("huge-value-0123456789", 45_000) + `"}` },
			config: []string{"longer than any credential"}, object: []string{"longer than any credential"}, local: true,
		},
		"CRInEmail": {
			reason: "a header more", value: text(`{"apiKey":"TOKEN","email":"ops@example.com\r\nX-Evil: 1"}`),
			config: []string{"a value in the JSON has white space"}, object: []string{"a value in the JSON has white space"}, local: true,
		},
		"NoEmailAddress": {
			reason: "a user is no email address", value: text(`{"apiKey":"TOKEN","email":"admin"}`),
			config: []string{"no email address"}, object: []string{"no email address"}, local: true,
		},
		"JSONArray": {reason: "JSON, but no object", value: text(`["TOKEN"]`), object: unknown, config: unknown},
		"WrongKey": {
			reason: "the config names another key", value: good, spoil: func(_ *corev1.Secret, pc *cfv1alpha1.ProviderConfig) { pc.Spec.Credentials.SecretRef.Key = "api-token" },
			config: []string{`has no key "api-token"`}, object: []string{`has no key "api-token"`}, local: true,
		},
		"NoData": {
			reason: "a Secret without anything", value: good, spoil: func(s *corev1.Secret, _ *cfv1alpha1.ProviderConfig) { s.StringData = nil },
			config: []string{`has no key "token"`}, object: []string{`has no key "token"`}, local: true,
		},
	}
}

// TestPlights expects each plight on the config and on an object, without the value.
// Then it corrects the Secret, and everything recovers.
func TestPlights(t *testing.T) {
	t.Parallel()
	for name, tc := range plights() {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				pc := w.providerConfig("plight", "plight", "token")
				s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "plight", Namespace: w.ns}, StringData: map[string]string{"token": tc.value(w)}}
				if tc.spoil != nil {
					tc.spoil(s, pc)
				}
				if raw := s.StringData["token"]; !utf8.ValidString(raw) { // JSON can contain only text.
					s.StringData, s.Data = nil, map[string][]byte{"token": []byte(raw)}
				}
				w.create(s)
				r := w.record("www", "A", "192.0.2.1", func(r *dnsv1alpha1.Record) { r.Spec.ProviderConfigReference.Name = "plight" })
				w.create(r)
				w.create(pc)
				if tc.object == nil {
					verified(w, pc, corev1.ConditionTrue, "")
					settled(w, r)
					return
				}
				w.suffers(tc, pc, r)
				if n := len(w.calls(0)); tc.local && n > 0 {
					t.Errorf("%s: Cloudflare was asked %d times", tc.reason, n)
				}
				w.noRecords()
				w.correct(s, pc)
				verified(w, pc, corev1.ConditionTrue, "")
				settled(w, r)
			})
		})
	}
}

// suffers waits for the conditions of a plight, and searches them for its value.
func (w *world) suffers(tc plight, pc *cfv1alpha1.ProviderConfig, r *dnsv1alpha1.Record) {
	w.t.Helper()
	want := corev1.ConditionFalse
	if tc.config == nil {
		want = corev1.ConditionTrue
	}
	verified(w, pc, want, "")
	ready := pc.GetCondition(xpv2.TypeReady)
	reason := xpv2.ConditionReason("CredentialsNotVerified")
	if tc.config == nil {
		reason = "CredentialsVerified"
	}
	if ready.Reason != reason {
		w.t.Errorf("%s: Ready has the reason %s, want %s", tc.reason, ready.Reason, reason)
	}
	for _, s := range tc.config {
		if !strings.Contains(ready.Message, s) {
			w.t.Errorf("%s: Ready does not say %q: %s", tc.reason, s, ready.Message)
		}
	}
	refused(w, r, tc.object...)
	if tc.local {
		for _, m := range []string{ready.Message, r.GetCondition(xpv2.TypeSynced).Message} {
			if !strings.Contains(m, "Secret "+w.ns+"/plight") || strings.Contains(m, "huge-value") || strings.Contains(m, "X-Evil") {
				w.t.Errorf("%s: it should name the Secret, and show nothing of its value: %s", tc.reason, m)
			}
		}
	}
}

// correct writes the token of the world into the key that the config names.
func (w *world) correct(s *corev1.Secret, pc *cfv1alpha1.ProviderConfig) {
	w.t.Helper()
	edit(w, s, func(s *corev1.Secret) {
		s.Data = map[string][]byte{pc.Spec.Credentials.SecretRef.Key: []byte(w.token)}
	})
}
