// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const heritage = `heritage=external-dns,external-dns/owner=cluster-1,external-dns/resource=service/default/shop`

// marked creates a record, and the TXT record of external-dns for it, in the dashboard.
func (w *world) marked(name, typ, content, txt string) (live, mark simulator.Record) {
	live = w.dashboard(map[string]any{"name": name, "type": typ, "content": content, "ttl": 1})
	mark = w.dashboard(map[string]any{"name": txt, "type": "TXT", "content": `"` + heritage + `"`, "ttl": 1})
	return live, mark
}

// TestRecordOfExternalDNS shows that a record with a mark of external-dns is neither adopted nor
// deleted.
func TestRecordOfExternalDNS(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason                 string
		typ, content, txt      string
		declared, declaredName string
		adoption               dnsv1alpha1.AdoptionPolicy
	}{
		"NewFormat":        {"what external-dns writes since 0.18", "A", "192.0.2.80", "a-shop", "192.0.2.80", "shop", dnsv1alpha1.AdoptIdentical},
		"OldFormat":        {"what it wrote first", "A", "192.0.2.80", "shop", "192.0.2.80", "shop", dnsv1alpha1.AdoptIdentical},
		"Prefix":           {"with --txt-prefix=externaldns.", "CNAME", "lb.example.net", "externaldns.cname-shop", "lb.example.net", "shop", dnsv1alpha1.AdoptIdentical},
		"OtherContent":     {"a record that would be changed", "A", "192.0.2.80", "a-shop", "192.0.2.81", "shop", dnsv1alpha1.AdoptNameAndType},
		"OldOtherContent":  {"the same in the old format", "A", "192.0.2.80", "shop", "192.0.2.81", "shop", dnsv1alpha1.AdoptNameAndType},
		"TemplatedContent": {"with --txt-suffix=-%{record_type}", "A", "192.0.2.80", "shop-a", "192.0.2.81", "shop", dnsv1alpha1.AdoptNameAndType},
		"TheMark":          {"the TXT record of the registry is external-dns' own", "A", "192.0.2.80", "a-shop", heritage, "a-shop", dnsv1alpha1.AdoptIdentical},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				live, mark := w.marked("shop", tc.typ, tc.content, tc.txt)
				typ, id := tc.typ, live.ID
				if tc.declaredName == tc.txt && tc.declared == heritage {
					typ, id = "TXT", mark.ID
				}
				r := w.record(tc.declaredName, typ, tc.declared, adoption(tc.adoption))
				w.create(r)
				refused(w, r, id, "external-dns", `"cluster-1"`, `"service/default/shop"`, "or add ExternalDNS to spec.adoptFrom")
				w.event(r, "ConflictingOwner", "external-dns")
				w.delete(r)
				w.gone(r)
				if n := w.writes(); n > 0 {
					t.Errorf("%s: there were %d writes", tc.reason, n)
				}
				for _, want := range []simulator.Record{live, mark} {
					if got, ok := w.sim.Record(w.zone.ID, want.ID); !ok || got.Content != want.Content {
						t.Errorf("%s: the %s record %s is %+v now", tc.reason, want.Type, want.Name, got)
					}
				}
			})
		})
	}
}

// TestRecordBesideExternalDNS shows that records without a mark are adopted in a zone of
// external-dns.
func TestRecordBesideExternalDNS(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		w.marked("shop", "A", "192.0.2.80", "a-shop")
		w.marked("blog", "CNAME", "lb.example.net", "cname-blog")
		unmarked := []struct{ name, typ, content string }{
			{"@", "A", "192.0.2.1"}, {"shop", "TXT", "v=1"}, {"op", "A", "192.0.2.2"}, {"my.shop", "A", "192.0.2.3"},
		}
		ids := map[string]string{}
		for _, l := range unmarked {
			ids[l.name] = w.dashboard(map[string]any{"name": l.name, "type": l.typ, "content": l.content, "ttl": 1}).ID
		}
		for _, l := range unmarked {
			r := w.made(l.name, l.typ, l.content)
			if got := meta.GetExternalName(r); got != ids[l.name] {
				t.Errorf("%s %s: external name is %s, want %s", l.name, l.typ, got, ids[l.name])
			}
		}
		if n := w.writes(); n > 0 {
			t.Errorf("there were %d writes", n)
		}
	})
}

// TestRecordTakenFromExternalDNS shows that an object that names a record by its ID gets it, if
// the object also names the owner in spec.adoptFrom.
func TestRecordTakenFromExternalDNS(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		live, mark := w.marked("shop", "A", "192.0.2.80", "a-shop")
		r := w.record("shop", "A", "192.0.2.81", adoption(dnsv1alpha1.AdoptNameAndType))
		w.create(r)
		refused(w, r, "external-dns")
		edit(w, r, func(r *dnsv1alpha1.Record) { meta.SetExternalName(r, live.ID) })
		refused(w, r, "external-dns")
		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.AdoptFrom = []dnsv1alpha1.RecordOwner{"ExternalDNS"} })
		settled(w, r)
		w.event(r, "AdoptedExternalResource", live.ID)
		if got := w.live("A"); got.ID != live.ID || got.Content != "192.0.2.81" {
			t.Errorf("the record that was named is %+v", got)
		}
		w.delete(r)
		w.gone(r)
		if _, ok := w.sim.Record(w.zone.ID, live.ID); ok {
			t.Error("the record that was taken over is still there")
		}
		if _, ok := w.sim.Record(w.zone.ID, mark.ID); !ok {
			t.Error("the record of external-dns' registry is gone")
		}
	})
}

// TestRecordFreedByExternalDNS shows that a record is adopted once its mark is gone.
func TestRecordFreedByExternalDNS(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		live, mark := w.marked("shop", "A", "192.0.2.80", "a-shop")
		r := w.record("shop", "A", "192.0.2.80")
		w.create(r)
		refused(w, r, "external-dns")
		if err := w.sim.DeleteRecord(w.zone.ID, mark.ID); err != nil {
			t.Fatal(err)
		}
		settled(w, r)
		if got := meta.GetExternalName(r); got != live.ID {
			t.Errorf("external name is %s, want %s", got, live.ID)
		}
	})
}

// TestRecordOfExternalDNSObserved shows that an object may observe a record of external-dns, and
// is refused when it begins to manage it.
func TestRecordOfExternalDNSObserved(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		live, _ := w.marked("shop", "A", "192.0.2.80", "a-shop")
		r := w.made("shop", "A", "192.0.2.80", policies(xpv2.ManagementActionObserve))
		edit(w, r, func(r *dnsv1alpha1.Record) {
			r.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
		})
		refused(w, r, live.ID, "external-dns")
		edit(w, r, func(r *dnsv1alpha1.Record) {
			r.Spec.AdoptionPolicy, r.Spec.ForProvider.Content = dnsv1alpha1.AdoptNameAndType, ptr.To("192.0.2.81")
		})
		refused(w, r, live.ID, "external-dns")
		w.delete(r)
		w.gone(r)
		w.event(r, "LeftExternalResource", live.ID)
		if _, ok := w.sim.Record(w.zone.ID, live.ID); !ok || w.writes() > 0 {
			t.Errorf("a record that was only observed was touched: %d writes", w.writes())
		}
	})
}

// TestRecordOfACME shows that the answer to an ACME challenge is left to the client that created
// it, and that an object may declare one itself.
func TestRecordOfACME(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		live := w.dashboard(map[string]any{"name": "_acme-challenge.shop", "type": "TXT", "content": `"LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0"`, "ttl": 120})
		for _, l := range []struct {
			content string
			policy  dnsv1alpha1.AdoptionPolicy
		}{
			{"LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0", dnsv1alpha1.AdoptIdentical},
			{"another", dnsv1alpha1.AdoptNameAndType},
		} {
			r := w.record("_acme-challenge.shop", "TXT", l.content, adoption(l.policy))
			w.create(r)
			refused(w, r, live.ID, "an ACME client such as cert-manager")
			w.delete(r)
			w.gone(r)
		}
		if _, ok := w.sim.Record(w.zone.ID, live.ID); !ok || w.writes() > 0 {
			t.Errorf("the challenge's record was touched: %d writes", w.writes())
		}
		own := w.made("_acme-challenge.blog", "TXT", "mine")
		w.delete(own)
		w.gone(own)
	})
}

// TestRecordAdoptedFromItsOwner shows for each controller that marks records: its record is
// adopted only if spec.adoptFrom names the controller. It also shows how the refusal names the
// owner.
func TestRecordAdoptedFromItsOwner(t *testing.T) {
	t.Parallel()
	const tunnel = "c1744f8b-faa1-48a4-9e5c-02ac921467fa"
	sealed := strings.Repeat("Zm9v", 32)
	cases := map[string]struct {
		reason             string
		name, typ, content string
		// mark is the content of the TXT record a-NAME, or "".
		mark   string
		from   dnsv1alpha1.RecordOwner
		others []dnsv1alpha1.RecordOwner
		says   string
	}{
		"ExternalDNS": {"what a mark says whose it is", "shop", "A", "192.0.2.80", heritage, dnsv1alpha1.OwnerExternalDNS, []dnsv1alpha1.RecordOwner{dnsv1alpha1.OwnerACME, dnsv1alpha1.OwnerTunnel}, `external-dns (owner "cluster-1", resource "service/default/shop"`},
		"Encrypted":   {"a mark that only external-dns can read", "shop", "A", "192.0.2.80", sealed, dnsv1alpha1.OwnerExternalDNS, nil, "its mark is encrypted"},
		"ACME":        {"a challenge", "_acme-challenge.shop", "TXT", "LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0", "", dnsv1alpha1.OwnerACME, []dnsv1alpha1.RecordOwner{dnsv1alpha1.OwnerExternalDNS}, "an ACME client such as cert-manager"},
		"Tunnel":      {"a public hostname of a tunnel", "app", "CNAME", tunnel + ".cfargotunnel.com", "", dnsv1alpha1.OwnerTunnel, nil, "Cloudflare Tunnel (tunnel " + tunnel},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				live := w.dashboard(map[string]any{"name": tc.name, "type": tc.typ, "content": tc.content, "ttl": 1})
				if tc.mark != "" {
					w.dashboard(map[string]any{"name": "a-" + tc.name, "type": "TXT", "content": `"` + tc.mark + `"`, "ttl": 1})
				}
				r := w.record(tc.name, tc.typ, tc.content, func(r *dnsv1alpha1.Record) { r.Spec.AdoptFrom = tc.others })
				w.create(r)
				refused(w, r, live.ID, tc.says, "add "+string(tc.from)+" to spec.adoptFrom")
				w.event(r, "ConflictingOwner", tc.says)
				if n := w.writes(); n > 0 {
					t.Errorf("%s: there were %d writes", tc.reason, n)
				}
				edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.AdoptFrom = append(r.Spec.AdoptFrom, tc.from) })
				settled(w, r)
				if got := meta.GetExternalName(r); got != live.ID {
					t.Errorf("%s: external name is %s, want %s", tc.reason, got, live.ID)
				}
			})
		})
	}
}

// TestRecordOfEmailRouting shows that a record that Cloudflare itself manages is refused for any
// spec, as only Cloudflare can change it.
func TestRecordOfEmailRouting(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		live := w.dashboard(map[string]any{"name": "@", "type": "MX", "content": "route1.mx.cloudflare.net", "priority": 10, "ttl": 1})
		if err := w.sim.SetRecordMeta(w.zone.ID, live.ID, map[string]any{"email_routing": true, "read_only": true}); err != nil {
			t.Fatal(err)
		}
		r := w.record("@", "MX", "10 route1.mx.cloudflare.net", func(r *dnsv1alpha1.Record) {
			r.Spec.AdoptFrom = []dnsv1alpha1.RecordOwner{dnsv1alpha1.OwnerExternalDNS, dnsv1alpha1.OwnerACME, dnsv1alpha1.OwnerTunnel}
		})
		w.create(r)
		refused(w, r, live.ID, "belongs to Email Routing and cannot be managed here")
		if n := w.writes(); n > 0 {
			t.Errorf("there were %d writes", n)
		}
	})
}
