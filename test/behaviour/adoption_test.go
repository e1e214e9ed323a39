// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

func TestRecordAdoptsIdentical(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason    string
		dashboard map[string]any
		name, typ string
		content   string
		change    func(*dnsv1alpha1.RecordParameters)
	}{
		"Same": {"what is the same is taken over", map[string]any{"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 1}, "www", "A", "192.0.2.1", nil},
		"AAAA": {"addresses are compared by value", map[string]any{"type": "AAAA", "name": "www", "content": "2001:db8::1", "ttl": 1}, "WWW", "AAAA", "2001:0DB8:0:0:0:0:0:1", nil},
		"TXT":  {"quotes do not matter", map[string]any{"type": "TXT", "name": "@", "content": "v=spf1 -all", "ttl": 1}, "@", "TXT", `"v=spf1 -all"`, nil},
		"MX":   {"priority is part of it", map[string]any{"type": "MX", "name": "@", "content": "mail.example.net", "priority": 10, "ttl": 1}, "@", "MX", "10 MAIL.example.net.", nil},
		"SRV":  {"data and presentation format are one", map[string]any{"type": "SRV", "name": "_sip._tcp", "ttl": 1, "data": map[string]any{"priority": 10, "weight": 5, "port": 5060, "target": "sip.example.net"}}, "_sip._tcp", "SRV", "10 5 5060 sip.example.net.", nil},
		"OtherTTL": {
			"attributes are no part of the identity: they are corrected",
			map[string]any{"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 600},
			"www", "A", "192.0.2.1",
			func(p *dnsv1alpha1.RecordParameters) { p.TTL = ptr.To[int64](300) },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				live := w.dashboard(tc.dashboard)
				r := w.made(tc.name, tc.typ, tc.content, parameters(func(p *dnsv1alpha1.RecordParameters) {
					if tc.change != nil {
						tc.change(p)
					}
				}))
				if got := meta.GetExternalName(r); got != live.ID {
					t.Errorf("%s: external name is %s, want %s", tc.reason, got, live.ID)
				}
				w.live(tc.typ)
				w.event(r, "AdoptedExternalResource", live.ID)
				wantWrites := 0
				if tc.change != nil {
					wantWrites = 1
				}
				if n := w.writes(); n != wantWrites {
					t.Errorf("%s: adoption took %d writes, want %d", tc.reason, n, wantWrites)
				}
			})
		})
	}
}

func TestRecordAdoptionPolicies(t *testing.T) {
	t.Parallel()
	t.Run("NameAndTypeTakesOverOtherContent", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t)
			live := w.dashboard(map[string]any{"type": "A", "name": "www", "content": "192.0.2.50", "ttl": 1})
			r := w.made("www", "A", "192.0.2.1", adoption(dnsv1alpha1.AdoptNameAndType))
			if got := w.live("A"); got.ID != live.ID || got.Content != "192.0.2.1" || meta.GetExternalName(r) != live.ID {
				t.Errorf("the record was not taken over: %+v", got)
			}
		})
	})
	t.Run("NameAndTypeRefusesToChoose", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t)
			a := w.dashboard(map[string]any{"type": "A", "name": "www", "content": "192.0.2.50", "ttl": 1})
			b := w.dashboard(map[string]any{"type": "A", "name": "www", "content": "192.0.2.51", "ttl": 1})
			r := w.record("www", "A", "192.0.2.1", adoption(dnsv1alpha1.AdoptNameAndType))
			w.create(r)
			refused(w, r, a.ID, b.ID)
			if n := w.writes(); n > 0 {
				t.Errorf("there were %d writes", n)
			}
		})
	})
	t.Run("NeverNamesTheConflict", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t)
			live := w.dashboard(map[string]any{"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 1})
			r := w.record("www", "A", "192.0.2.1", adoption(dnsv1alpha1.AdoptNever))
			w.create(r)
			refused(w, r, live.ID, "adoptionPolicy")
			w.delete(r)
			w.gone(r)
			if _, ok := w.sim.Record(w.zone.ID, live.ID); !ok || w.writes() > 0 {
				t.Error("a record that was never adopted was touched")
			}
		})
	})
	t.Run("IdenticalDoesNotTakeOtherContent", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t)
			live := w.dashboard(map[string]any{"type": "A", "name": "www", "content": "192.0.2.50", "ttl": 1})
			r := w.made("www", "A", "192.0.2.1")
			if got, ok := w.sim.Record(w.zone.ID, live.ID); !ok || got.Content != "192.0.2.50" || meta.GetExternalName(r) == live.ID {
				t.Errorf("a record with other content was taken over: %+v", got)
			}
		})
	})
}

func TestRecordSecondClaimantIsRefused(t *testing.T) {
	t.Parallel()
	t.Run("BySpec", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t)
			first := w.made("www", "A", "192.0.2.1")
			second := w.record("www", "A", "192.0.2.1")
			w.create(second)
			refused(w, second, first.Status.AtProvider.ID, w.ns+"/"+first.Name)
			w.event(second, "ConflictingOwner", w.ns+"/"+first.Name)
			w.delete(second)
			w.gone(second)
			settled(w, first)
			w.live("A")
		})
	})
	t.Run("ByExternalName", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t)
			first := w.made("www", "A", "192.0.2.1")
			writes := w.writes()
			second := w.record("www", "A", "192.0.2.2", externalName(w.live("A").ID), adoption(dnsv1alpha1.AdoptNameAndType))
			w.create(second)
			refused(w, second, w.ns+"/"+first.Name)
			w.delete(second)
			w.gone(second)
			if w.live("A").Content != "192.0.2.1" || w.writes() != writes {
				t.Error("the second claimant changed the first one's record")
			}
		})
	})
	t.Run("AtOnce", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t)
			rs := []*dnsv1alpha1.Record{}
			for range 4 {
				rs = append(rs, w.record("www", "A", "192.0.2.1"))
			}
			var wg sync.WaitGroup
			for _, r := range rs {
				wg.Go(func() { w.create(r) })
			}
			wg.Wait()
			w.eventually(func() error {
				ready, conflicts := 0, 0
				for _, r := range rs {
					if err := w.get(r); err != nil {
						return err
					}
					if r.GetCondition("Ready").Status == corev1.ConditionTrue {
						ready++
					}
					if strings.Contains(r.GetCondition("Synced").Message, "already managed by "+w.ns) {
						conflicts++
					}
				}
				if ready != 1 || conflicts != len(rs)-1 {
					return fmt.Errorf("%d are ready and %d refused, want 1 and %d", ready, conflicts, len(rs)-1)
				}
				return nil
			})
			w.live("A")
		})
	})
	t.Run("FreeAfterTheFirstIsGone", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			w := newWorld(t)
			first := w.made("www", "A", "192.0.2.1", func(r *dnsv1alpha1.Record) { r.Spec.DeletionPolicy = "Orphan" })
			second := w.record("www", "A", "192.0.2.1")
			w.create(second)
			refused(w, second, first.Name)
			w.delete(first)
			w.gone(first)
			settled(w, second)
		})
	})
}

// TestRecordOfAnotherProduct shows that records of Cloudflare's other products
// are not changed.
func TestRecordOfAnotherProduct(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		live := w.dashboard(map[string]any{"type": "MX", "name": "@", "content": "route1.mx.cloudflare.net", "priority": 10, "ttl": 1})
		if err := w.sim.SetRecordMeta(w.zone.ID, live.ID, map[string]any{"email_routing": true, "read_only": true}); err != nil {
			t.Fatal(err)
		}
		r := w.record("@", "MX", "10 route1.mx.cloudflare.net.")
		w.create(r)
		refused(w, r, "Email Routing")
		w.delete(r)
		w.gone(r)
		if w.writes() > 0 {
			t.Error("a record of another product was written to")
		}
	})
}
