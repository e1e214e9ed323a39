// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestRecordBadCredentials expects a clear condition, no creation, and no token
// in any message. The object can be deleted nevertheless.
func TestRecordBadCredentials(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason string
		secret map[string]string // nil for no Secret
		key    string
		says   []string
		never  string // a part of the secret, or "" if there is none
	}{
		"NoSecret":       {"the Secret does not exist", nil, "token", []string{"credentials Secret", "not found"}, ""},
		"NoKey":          {"the Secret has another key", map[string]string{"other": "x"}, "token", []string{`has no key "token"`}, ""},
		"Empty":          {"the key is empty", map[string]string{"token": " \n"}, "token", []string{"the value is empty"}, ""},
		"Prose":          {"the value is no token", map[string]string{"token": "my secret words"}, "token", []string{"white space"}, "secret words"},
		"BrokenJSON":     {"JSON that does not parse is not shown", map[string]string{"token": `{"apiToken": "hunter2"`}, "token", []string{"not a JSON object"}, "hunter2"},
		"KeyNoEmail":     {"a key needs its user", map[string]string{"token": `{"apiKey": "hunter2"}`}, "token", []string{"no email"}, "hunter2"},
		"WrongToken":     {"a token Cloudflare does not know", map[string]string{"token": "cfut_wrongwrongwrongwrongwrongwrongwrongwrong12345678"}, "token", []string{"the credential is not valid"}, "wrongwrong"},
		"MalformedToken": {"a token that cannot be one", map[string]string{"token": "x"}, "token", []string{"credential"}, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				if tc.secret != nil {
					w.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "bad", Namespace: w.ns}, StringData: tc.secret})
				}
				pc := w.providerConfig("bad", "bad", tc.key)
				w.create(pc)
				r := w.record("www", "A", "192.0.2.1", func(r *dnsv1alpha1.Record) { r.Spec.ProviderConfigReference.Name = "bad" })
				w.create(r)
				refused(w, r, tc.says...)
				if m := r.GetCondition("Synced").Message; shows(m, tc.never) {
					t.Errorf("%s: the condition shows the secret: %s", tc.reason, m)
				}
				w.eventually(func() error {
					if err := w.get(pc); err != nil {
						return err
					}
					if c := pc.GetCondition("Ready"); c.Status != corev1.ConditionFalse || shows(c.Message, tc.never) {
						return fmt.Errorf("the ProviderConfig's Ready condition is %+v", c)
					}
					return nil
				})
				w.noRecords()
				w.delete(r)
				w.gone(r)
				for _, line := range w.logged() {
					if shows(line, tc.never) {
						t.Errorf("%s: a log line shows the secret: %s", tc.reason, line)
					}
				}
			})
		})
	}
}

// shows reports whether text contains the secret. It returns false if the
// secret is "".
func shows(text, secret string) bool { return secret != "" && strings.Contains(text, secret) }

// TestRecordBadInput expects for each bad input a clear condition, or a refusal
// by the API server, and no creation.
func TestRecordBadInput(t *testing.T) {
	t.Parallel()
	type params = dnsv1alpha1.RecordParameters
	free, pro := simulator.PlanFree, simulator.PlanPro
	cases := map[string]struct {
		reason string
		plan   simulator.Plan
		typ    string
		value  string
		change func(*params)
		// admission is true if the API server itself refuses the object.
		admission bool
		says      []string
		// alone is true if the spec alone shows the error.
		alone bool
	}{
		"UnknownZone":     {"a zone nobody has", pro, "A", "192.0.2.1", func(p *params) { p.ZoneID = ptr.To(strings.Repeat("0", 32)) }, false, []string{"zone"}, false},
		"UnknownZoneName": {"a zone name nobody has", pro, "A", "192.0.2.1", func(p *params) { p.ZoneID, p.ZoneName = nil, ptr.To("nobody.example") }, false, []string{`no zone "nobody.example"`}, false},
		"BadZoneID":       {"a zone ID that is none", pro, "A", "192.0.2.1", func(p *params) { p.ZoneID = ptr.To("../accounts") }, true, []string{"zoneId"}, false},
		"NoZone":          {"no zone at all", pro, "A", "192.0.2.1", func(p *params) { p.ZoneID = nil }, true, []string{"zoneIdRef", "zoneName"}, false},
		"ProxiedTXT":      {"a type that cannot be proxied", pro, "TXT", "x", func(p *params) { p.Proxied = ptr.To(true) }, true, []string{"only A, AAAA and CNAME"}, false},
		"ProxiedPrivate":  {"the proxy does not reach private addresses", pro, "A", "10.0.0.1", func(p *params) { p.Proxied = ptr.To(true) }, false, []string{"10.0.0.1", "prox"}, true},
		"TTL30OnFree":     {"a ttl that needs Enterprise", free, "A", "192.0.2.1", func(p *params) { p.TTL = ptr.To[int64](30) }, false, []string{"9021"}, false},
		"TTL5":            {"a ttl no plan has", pro, "A", "192.0.2.1", func(p *params) { p.TTL = ptr.To[int64](5) }, true, []string{"ttl must be"}, false},
		"NotAnAddress":    {"content that is no address", pro, "A", "300.1.1.1", func(*params) {}, false, []string{"content", "300.1.1.1", "IPv4"}, true},
		"AAAAasA":         {"an address of the other family", pro, "A", "2001:db8::1", func(*params) {}, false, []string{"content", "IPv4"}, true},
		"ContentAndData":  {"content and data at once", pro, "SRV", "10 5 5060 sip.example.net.", func(p *params) { p.Data = &dnsv1alpha1.RecordData{Port: ptr.To[int64](1)} }, true, []string{"content or data, not both"}, false},
		"NoContent":       {"neither content nor data", pro, "A", "", func(p *params) { p.Content = nil }, true, []string{"content, data or tunnelIdRef is required"}, false},
		"OutsideZone":     {"a name of another zone", pro, "A", "192.0.2.1", func(p *params) { p.Name = ptr.To("www.elsewhere.test.") }, false, []string{"name", "www.elsewhere.test"}, false},
		"MXNoPriority":    {"an MX record without priority", pro, "MX", "mail.example.net", func(*params) {}, true, []string{"priority"}, false},
		"WrongDataField": {"a data field of another type", pro, "CAA", "", func(p *params) {
			p.Content, p.Data = nil, &dnsv1alpha1.RecordData{Port: ptr.To[int64](1)}
		}, false, []string{"port"}, true},
		"TagsOnFree":     {"tags on a plan without", free, "A", "192.0.2.1", func(p *params) { p.Tags = &[]string{"a:1"} }, false, []string{"9300"}, false},
		"TwoLineComment": {"a comment of two lines", pro, "A", "192.0.2.1", func(p *params) { p.Comment = ptr.To("a\nb") }, true, []string{"single line"}, false},
		"PriorityOfA":    {"a priority on a type without one", pro, "A", "192.0.2.1", func(p *params) { p.Priority = ptr.To[int64](1) }, true, []string{"have a priority"}, false},
		"UnknownType":    {"a type that does not exist", pro, "BOGUS", "x", func(*params) {}, true, []string{"type"}, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t, onPlan(tc.plan))
				r := w.record("www", tc.typ, tc.value, parameters(tc.change))
				if tc.admission {
					err := w.kube.Create(t.Context(), r)
					for _, s := range tc.says {
						if err == nil || !strings.Contains(err.Error(), s) {
							t.Errorf("%s: the API server says %v, want it to say %q", tc.reason, err, s)
						}
					}
					return
				}
				w.create(r)
				refused(w, r, tc.says...)
				if r.GetCondition("Ready").Status == corev1.ConditionTrue {
					t.Errorf("%s: the object is Ready", tc.reason)
				}
				w.noRecords()
				if calls := w.calls(0); tc.alone && len(calls) > 0 {
					t.Errorf("%s: what the spec alone shows to be wrong was asked of Cloudflare: %q", tc.reason, calls)
				}
				w.delete(r)
				w.gone(r)
			})
		})
	}
}

func TestRecordBadExternalName(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.record("www", "A", "192.0.2.1", externalName("www.example.com/A"))
		w.create(r)
		refused(w, r, "crossplane.io/external-name", "www.example.com/A")
		w.noRecords()
		w.delete(r)
		w.gone(r)
	})
}

func TestRecordQuota(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, withZone(simulator.ZoneOptions{Plan: simulator.PlanFree, RecordQuota: 1}))
		w.made("one", "A", "192.0.2.1")
		r := w.record("two", "A", "192.0.2.2")
		w.create(r)
		refused(w, r, "81045", "as many records as its plan allows")
		if n := len(w.sim.Records(w.zone.ID)); n != 1 {
			t.Errorf("there are %d records", n)
		}
	})
}

func TestRecordBesideCNAME(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		w.made("www", "A", "192.0.2.1")
		r := w.record("www", "CNAME", "target.example.net")
		w.create(r)
		refused(w, r, "81053", "a CNAME cannot share its name")
	})
}

// TestRecordScopes expects clear conditions for tokens that lack a permission.
func TestRecordScopes(t *testing.T) {
	t.Parallel()
	t.Run("NoPermissionAtAll", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t, withPermissions())
			r := w.record("www."+w.zone.Name, "A", "192.0.2.1")
			w.create(r)
			refused(w, r, "lacks a permission")
			w.noRecords()
		})
	})
	t.Run("ReadOnly", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t, withPermissions(simulator.ZoneRead, simulator.DNSRead))
			r := w.record("www", "A", "192.0.2.1")
			w.create(r)
			refused(w, r, "cannot create the DNS record", "lacks a permission")
			w.noRecords()
		})
	})
	t.Run("NoZoneReadWithFQDN", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t, withPermissions(simulator.DNSWrite))
			r := w.made("www."+w.zone.Name, "A", "192.0.2.1")
			w.delete(r)
			w.gone(r)
			w.noRecords()
		})
	})
	t.Run("NoZoneReadWithRelativeName", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t, withPermissions(simulator.DNSWrite))
			r := w.record("www", "A", "192.0.2.1")
			w.create(r)
			refused(w, r, "name", "www", "cannot read the zone")
			w.noRecords()
		})
	})
}
