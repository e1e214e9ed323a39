// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func TestRecordIsCreatedAndShown(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1", parameters(func(p *dnsv1alpha1.RecordParameters) {
			p.TTL, p.Proxied, p.Comment = ptr.To[int64](300), ptr.To(false), ptr.To("made by a test")
			p.Tags = &[]string{"team:dns", "tier:1"}
		}))

		live := w.live("A")
		if diff := cmp.Diff([]any{"www." + w.zone.Name, "192.0.2.1", 300, false, "made by a test", []string{"team:dns", "tier:1"}},
			[]any{live.Name, live.Content, live.TTL, live.Proxied, live.Comment, live.Tags}); diff != "" {
			t.Errorf("live record (-want +got):\n%s", diff)
		}
		if got := meta.GetExternalName(r); got != live.ID {
			t.Errorf("external name is %q, want the record's ID %q", got, live.ID)
		}
		at := r.Status.AtProvider
		if diff := cmp.Diff([]any{live.ID, w.zone.ID, live.Name, "A", "192.0.2.1", int64(300), false, true, "made by a test"},
			[]any{at.ID, at.ZoneID, at.FQDN, at.Type, at.Content, *at.TTL, *at.Proxied, *at.Proxiable, *at.Comment}); diff != "" {
			t.Errorf("status.atProvider (-want +got):\n%s", diff)
		}
		if r.Status.AtProvider.LastSyncedAt == nil {
			t.Error("status.atProvider.lastSyncedAt is not set after a write")
		}
		if _, pending := r.Annotations["dns.cloudflare.m.crossplane.io/pending-record"]; pending && r.Annotations["dns.cloudflare.m.crossplane.io/pending-record"] != "" {
			t.Error("the key of the pending record is still there after the creation was recorded")
		}
	})
}

// TestRecordUpdate changes each field that can change, and expects one PATCH
// with only that field.
func TestRecordUpdate(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason string
		typ    string
		start  func(*dnsv1alpha1.RecordParameters)
		change func(*dnsv1alpha1.RecordParameters)
		want   func(simulator.Record) (got, want any)
	}{
		"Name":    {"a record can be renamed in place", "A", nil, func(p *dnsv1alpha1.RecordParameters) { p.Name = ptr.To("other") }, func(r simulator.Record) (any, any) { return strings.HasPrefix(r.Name, "other."), true }},
		"Content": {"the content follows the spec", "A", nil, func(p *dnsv1alpha1.RecordParameters) { p.Content = ptr.To("192.0.2.99") }, func(r simulator.Record) (any, any) { return r.Content, "192.0.2.99" }},
		"TTL":     {"ttl follows the spec", "A", nil, func(p *dnsv1alpha1.RecordParameters) { p.TTL = ptr.To[int64](120) }, func(r simulator.Record) (any, any) { return r.TTL, 120 }},
		"Proxied": {"a record can be put behind the proxy", "A", nil, func(p *dnsv1alpha1.RecordParameters) { p.Proxied = ptr.To(true) }, func(r simulator.Record) (any, any) { return r.Proxied, true }},
		"Comment": {"the comment follows the spec", "A", nil, func(p *dnsv1alpha1.RecordParameters) { p.Comment = ptr.To("new") }, func(r simulator.Record) (any, any) { return r.Comment, "new" }},
		"NoComment": {
			"an empty comment removes it", "A",
			func(p *dnsv1alpha1.RecordParameters) { p.Comment = ptr.To("old") },
			func(p *dnsv1alpha1.RecordParameters) { p.Comment = ptr.To("") }, func(r simulator.Record) (any, any) { return r.Comment, "" },
		},
		"Tags": {
			"tags are replaced as a set", "A",
			func(p *dnsv1alpha1.RecordParameters) { p.Tags = &[]string{"a:1", "b:2"} },
			func(p *dnsv1alpha1.RecordParameters) { p.Tags = &[]string{"b:2", "c:3"} }, func(r simulator.Record) (any, any) { return fmt.Sprint(r.Tags), "[b:2 c:3]" },
		},
		"NoTags": {
			"an empty list removes all tags", "A",
			func(p *dnsv1alpha1.RecordParameters) { p.Tags = &[]string{"a:1"} },
			func(p *dnsv1alpha1.RecordParameters) { p.Tags = &[]string{} }, func(r simulator.Record) (any, any) { return len(r.Tags), 0 },
		},
		"Settings": {
			"settings follow the spec", "CNAME",
			func(p *dnsv1alpha1.RecordParameters) { p.Content = ptr.To("target.example.net") },
			func(p *dnsv1alpha1.RecordParameters) {
				p.Settings = &dnsv1alpha1.RecordSettings{FlattenCNAME: ptr.To(true)}
			}, func(r simulator.Record) (any, any) { return r.Settings["flatten_cname"], true },
		},
		"Priority": {
			"an MX record's priority follows the spec", "MX",
			func(p *dnsv1alpha1.RecordParameters) {
				p.Content, p.Priority = ptr.To("mail.example.net"), ptr.To[int64](10)
			},
			func(p *dnsv1alpha1.RecordParameters) { p.Priority = ptr.To[int64](20) }, func(r simulator.Record) (any, any) { return *r.Priority, 20 },
		},
		"Data": {
			"structured content follows the spec", "SRV",
			func(p *dnsv1alpha1.RecordParameters) {
				p.Name, p.Content = ptr.To("_sip._tcp"), ptr.To("10 5 5060 sip.example.net.")
			},
			func(p *dnsv1alpha1.RecordParameters) { p.Content = ptr.To("10 5 5061 sip.example.net.") }, func(r simulator.Record) (any, any) { return fmt.Sprint(r.Data["port"]), "5061" },
		},
		"ContentToData": {
			"content may become data", "SRV",
			func(p *dnsv1alpha1.RecordParameters) {
				p.Name, p.Content = ptr.To("_sip._tcp"), ptr.To("10 5 5060 sip.example.net.")
			},
			func(p *dnsv1alpha1.RecordParameters) {
				p.Content = nil
				p.Data = &dnsv1alpha1.RecordData{Priority: ptr.To[int64](10), Weight: ptr.To[int64](7), Port: ptr.To[int64](5060), Target: ptr.To("sip.example.net")}
			}, func(r simulator.Record) (any, any) { return fmt.Sprint(r.Data["weight"]), "7" },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				r := w.record("www", tc.typ, "192.0.2.1", parameters(func(p *dnsv1alpha1.RecordParameters) {
					if tc.start != nil {
						tc.start(p)
					}
				}))
				w.create(r)
				settled(w, r)
				id, writes := w.live(tc.typ).ID, w.writes()

				edit(w, r, func(r *dnsv1alpha1.Record) { tc.change(&r.Spec.ForProvider) })
				settled(w, r)
				live := w.live(tc.typ)
				if got, want := tc.want(live); got != want {
					t.Errorf("%s: got %v, want %v", tc.reason, got, want)
				}
				if live.ID != id {
					t.Errorf("%s: the record was replaced rather than changed", tc.reason)
				}
				if n := w.writes() - writes; n != 1 {
					t.Errorf("%s: it took %d writes, want 1", tc.reason, n)
				}
			})
		})
	}
}

func TestRecordImmutableFields(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		for field, f := range map[string]func(*dnsv1alpha1.RecordParameters){
			"type is immutable":   func(p *dnsv1alpha1.RecordParameters) { p.Type, p.Content = ptr.To("AAAA"), ptr.To("2001:db8::1") },
			"zoneId is immutable": func(p *dnsv1alpha1.RecordParameters) { p.ZoneID = ptr.To(strings.Repeat("a", 32)) },
		} {
			c := r.DeepCopy()
			f(&c.Spec.ForProvider)
			if err := w.kube.Update(t.Context(), c); err == nil || !strings.Contains(err.Error(), field) {
				t.Errorf("the API server says %v, want it to say %q", err, field)
			}
		}
	})
}

func TestRecordDelete(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		w.delete(r)
		w.gone(r)
		w.noRecords()
	})
}

func TestRecordOrphan(t *testing.T) {
	t.Parallel()
	for name, keep := range map[string]recordOption{
		"DeletionPolicy": func(r *dnsv1alpha1.Record) { r.Spec.DeletionPolicy = xpv2.DeletionOrphan },
		"ManagementPolicies": policies(xpv2.ManagementActionObserve, xpv2.ManagementActionCreate,
			xpv2.ManagementActionUpdate, xpv2.ManagementActionLateInitialize),
	} {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				r := w.made("www", "A", "192.0.2.1", keep)
				writes := w.writes()
				w.delete(r)
				w.gone(r)
				if w.live("A").Content != "192.0.2.1" || w.writes() != writes {
					t.Error("an orphaned record was touched")
				}

				again := w.made("www", "A", "192.0.2.1")
				if meta.GetExternalName(again) != w.live("A").ID {
					t.Error("an orphaned record cannot be taken over by a new object")
				}
			})
		})
	}
}

func TestRecordObserveOnly(t *testing.T) {
	t.Parallel()
	only := policies(xpv2.ManagementActionObserve)
	cases := map[string]struct {
		reason string
		byID   bool
		change func(*dnsv1alpha1.RecordParameters, string)
	}{
		"ByID":              {"the ID is enough", true, func(p *dnsv1alpha1.RecordParameters, _ string) { p.Name, p.Type, p.Content = nil, nil, nil }},
		"ByNameAndType":     {"a name and type with one record are enough", false, func(p *dnsv1alpha1.RecordParameters, _ string) { p.Content = nil }},
		"ByWholeNaturalKey": {"the content tells records of one name apart", false, func(*dnsv1alpha1.RecordParameters, string) {}},
		"ByAnotherSpelling": {"a name is found however it is written", false, func(p *dnsv1alpha1.RecordParameters, zone string) {
			p.Name = ptr.To("WWW." + strings.ToUpper(zone) + ".")
		}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				live := w.dashboard(map[string]any{"type": "A", "name": "www", "content": "192.0.2.7", "ttl": 120})
				if name == "ByWholeNaturalKey" {
					w.dashboard(map[string]any{"type": "A", "name": "www", "content": "192.0.2.8", "ttl": 120})
				}
				r := w.record("www", "A", "192.0.2.7", only)
				tc.change(&r.Spec.ForProvider, w.zone.Name)
				if tc.byID {
					meta.SetExternalName(r, live.ID)
				}
				w.create(r)
				settled(w, r)
				if r.Status.AtProvider.ID != live.ID || r.Status.AtProvider.Content != "192.0.2.7" {
					t.Errorf("%s: status.atProvider is %+v, want record %s", tc.reason, r.Status.AtProvider, live.ID)
				}
				w.delete(r)
				w.gone(r)
				if _, ok := w.sim.Record(w.zone.ID, live.ID); !ok || w.writes() > 0 {
					t.Errorf("%s: an object that only observes wrote to Cloudflare", tc.reason)
				}
			})
		})
	}
}

func TestRecordObserveOnlyFindsNothing(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.record("www", "A", "192.0.2.1", policies(xpv2.ManagementActionObserve))
		w.create(r)
		refused(w, r, "does not exist")
		w.noWrites()
		live := w.dashboard(map[string]any{"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 60})
		settled(w, r)
		if r.Status.AtProvider.ID != live.ID {
			t.Errorf("the record that came later was not found: %+v", r.Status.AtProvider)
		}
	})
}

func TestRecordObserveOnlyIsAmbiguous(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		a := w.dashboard(map[string]any{"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 60})
		b := w.dashboard(map[string]any{"type": "A", "name": "www", "content": "192.0.2.2", "ttl": 60})
		r := w.record("www", "A", "", policies(xpv2.ManagementActionObserve), parameters(func(p *dnsv1alpha1.RecordParameters) { p.Content = nil }))
		w.create(r)
		refused(w, r, a.ID, b.ID, "crossplane.io/external-name")
		w.noWrites()
	})
}

// TestRecordWithoutUpdate shows that drift is reported and not reverted if the
// policies do not include Update.
func TestRecordWithoutUpdate(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1", policies(xpv2.ManagementActionObserve, xpv2.ManagementActionCreate, xpv2.ManagementActionDelete))
		writes := w.writes()
		w.dashboardEdit(w.live("A").ID, map[string]any{"content": "192.0.2.66"})
		until(w, r, func(r *dnsv1alpha1.Record) error {
			c := r.GetCondition(xpv2.TypeUpToDate)
			if c.Status != corev1.ConditionFalse || c.Reason != "DriftDetected" || !strings.Contains(c.Message, "content: live 192.0.2.66, desired 192.0.2.1") {
				return fmt.Errorf("UpToDate is %+v", c)
			}
			return nil
		})
		w.sweeps(2)
		if w.live("A").Content != "192.0.2.66" || w.writes() != writes {
			t.Error("drift was undone without the Update policy")
		}
	})
}

func TestRecordPause(t *testing.T) {
	t.Parallel()
	for name, pause := range map[string]func(*world, *dnsv1alpha1.Record, bool){
		"Annotation": func(w *world, r *dnsv1alpha1.Record, on bool) {
			edit(w, r, func(r *dnsv1alpha1.Record) {
				meta.AddAnnotations(r, map[string]string{meta.AnnotationKeyReconciliationPaused: fmt.Sprint(on)})
			})
		},
		// No typed client can send an empty list.
		"NoPolicies": func(w *world, r *dnsv1alpha1.Record, on bool) {
			patch := `{"spec":{"managementPolicies":["*"]}}`
			if on {
				patch = `{"spec":{"managementPolicies":[]}}`
			}
			if err := w.kube.Patch(w.t.Context(), r, client.RawPatch(types.MergePatchType, []byte(patch))); err != nil {
				w.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				r := w.made("www", "A", "192.0.2.1")
				pause(w, r, true)
				until(w, r, func(r *dnsv1alpha1.Record) error {
					if c := r.GetCondition(xpv2.TypeSynced); c.Reason != xpv2.ReasonReconcilePaused {
						return fmt.Errorf("Synced is %s", c.Reason)
					}
					return nil
				})
				writes := w.writes()
				patch := client.RawPatch(types.MergePatchType, []byte(`{"spec":{"forProvider":{"content":"192.0.2.2"}}}`))
				if err := w.kube.Patch(t.Context(), r, patch); err != nil {
					t.Fatal(err)
				}
				w.sweeps(2)
				if w.live("A").Content != "192.0.2.1" || w.writes() != writes {
					t.Error("a paused object changed its record")
				}
				pause(w, r, false)
				settled(w, r)
				if got := w.live("A").Content; got != "192.0.2.2" {
					t.Errorf("after the pause the content is %s, want 192.0.2.2", got)
				}
			})
		})
	}
}

// TestRecordsOfOneName is round robin: two objects and two records have one
// name.
func TestRecordsOfOneName(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		a, b := w.made("www", "A", "192.0.2.1"), w.made("www", "A", "192.0.2.2")
		if a.Status.AtProvider.ID == b.Status.AtProvider.ID || len(w.sim.Records(w.zone.ID)) != 2 {
			t.Errorf("two objects of one name share a record: %+v", w.sim.Records(w.zone.ID))
		}
		w.delete(a)
		w.gone(a)
		settled(w, b)
		if got := w.live("A").Content; got != "192.0.2.2" {
			t.Errorf("deleting one of two records of a name left %s", got)
		}
	})
}

func TestRecordLateInitialisation(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		plain := w.made("plain", "A", "192.0.2.1")
		if p := plain.Spec.ForProvider; p.TTL == nil || *p.TTL != 1 || p.Proxied == nil || *p.Proxied {
			t.Errorf("ttl and proxied were not filled in: %+v", p)
		}
		if p := plain.Spec.ForProvider; p.Comment != nil || p.Tags != nil || p.Settings != nil {
			t.Errorf("comment, tags or settings were filled in: %+v", p)
		}
		proxied := w.made("proxied", "A", "192.0.2.2", parameters(func(p *dnsv1alpha1.RecordParameters) { p.Proxied = ptr.To(true) }))
		if p := proxied.Spec.ForProvider; p.TTL != nil {
			t.Errorf("ttl was filled in under proxied: %d", *p.TTL)
		}
		without := w.made("without", "A", "192.0.2.3", policies(xpv2.ManagementActionObserve, xpv2.ManagementActionCreate,
			xpv2.ManagementActionUpdate, xpv2.ManagementActionDelete))
		if p := without.Spec.ForProvider; p.TTL != nil || p.Proxied != nil {
			t.Errorf("fields were filled in without the LateInitialize policy: %+v", p)
		}
		text := w.made("text", "TXT", "hello")
		if p := text.Spec.ForProvider; p.Proxied != nil || p.TTL == nil {
			t.Errorf("a TXT record has a ttl to fill in, and cannot be proxied: %+v", p)
		}
	})
}

// TestRecordUnmanagedFields shows that undeclared fields keep the values of the
// dashboard, through drift of other fields and updates.
func TestRecordUnmanagedFields(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "CNAME", "target.example.net")
		id := w.live("CNAME").ID
		w.dashboardEdit(id, map[string]any{"comment": "by hand", "tags": []string{"by:hand"}, "settings": map[string]any{"flatten_cname": true}})
		writes := w.writes()
		until(w, r, func(r *dnsv1alpha1.Record) error {
			if c := r.Status.AtProvider.Comment; c == nil || *c != "by hand" {
				return fmt.Errorf("status.atProvider.comment is %v", c)
			}
			return nil
		})
		settled(w, r)
		if w.writes() != writes {
			t.Error("a change of fields the spec leaves out was undone")
		}
		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("other.example.net") })
		settled(w, r)
		live := w.live("CNAME")
		if diff := cmp.Diff([]any{"other.example.net", "by hand", []string{"by:hand"}, true},
			[]any{live.Content, live.Comment, live.Tags, live.Settings["flatten_cname"]}); diff != "" {
			t.Errorf("after an update (-want +got):\n%s", diff)
		}
	})
}

// TestRecordReconcileRequest shows that a reconcile can be requested, and that
// the object shows which request was handled.
func TestRecordReconcileRequest(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		edit(w, r, func(r *dnsv1alpha1.Record) {
			meta.AddAnnotations(r, map[string]string{meta.AnnotationKeyReconcileRequestedAt: "now-please"})
		})
		until(w, r, func(r *dnsv1alpha1.Record) error {
			if got := r.GetLastHandledReconcileAt(); got != "now-please" {
				return fmt.Errorf("lastHandledReconcileAt is %q", got)
			}
			return nil
		})
	})
}
