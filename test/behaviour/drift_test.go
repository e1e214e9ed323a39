// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestRecordDrift changes each field outside the provider. A watch of the object must show
// UpToDate False with the exact difference before the provider reverts it.
func TestRecordDrift(t *testing.T) {
	t.Parallel()
	type params = dnsv1alpha1.RecordParameters
	cases := map[string]struct {
		reason    string
		typ       string
		declare   func(*params)
		dashboard map[string]any
		says      string
	}{
		"Content": {"an address that was changed", "A", func(*params) {}, map[string]any{"content": "1.0.0.1"}, "content: live 1.0.0.1, desired 192.0.2.1"},
		"TTL":     {"a ttl that was changed", "A", func(p *params) { p.TTL = ptr.To[int64](300) }, map[string]any{"ttl": 600}, "ttl: live 600, desired 300"},
		"Proxied": {"a record that was put behind the proxy", "A", func(p *params) { p.Proxied = ptr.To(false) }, map[string]any{"proxied": true}, "proxied: live true, desired false"},
		"Name":    {"a record that was renamed", "A", func(*params) {}, map[string]any{"name": "renamed"}, "name: live renamed."},
		"Comment": {"a comment that was changed", "A", func(p *params) { p.Comment = ptr.To("ours") }, map[string]any{"comment": "theirs"}, "comment: live"},
		"Tags":    {"a tag that was added", "A", func(p *params) { p.Tags = &[]string{"a:1"} }, map[string]any{"tags": []string{"a:1", "b:2"}}, "tags: live"},
		"Settings": {
			"a setting that was switched on", "CNAME",
			func(p *params) {
				p.Content, p.Settings = ptr.To("target.example.net"), &dnsv1alpha1.RecordSettings{FlattenCNAME: ptr.To(false)}
			},
			map[string]any{"settings": map[string]any{"flatten_cname": true}},
			"flattenCname",
		},
		"Priority": {
			"a priority that was changed", "MX",
			func(p *params) { p.Content, p.Priority = ptr.To("mail.example.net"), ptr.To[int64](10) },
			map[string]any{"priority": 50},
			"priority: live 50, desired 10",
		},
		"Data": {
			"a port that was changed", "SRV",
			func(p *params) { p.Name, p.Content = ptr.To("_sip._tcp"), ptr.To("10 5 5060 sip.example.net.") },
			map[string]any{"data": map[string]any{"priority": 10, "weight": 5, "port": 9999, "target": "sip.example.net"}},
			"data.port: live 9999, desired 5060",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				r := w.made("www", tc.typ, "192.0.2.1", parameters(tc.declare))
				w.sweeps(2)
				before := w.live(tc.typ)
				seen := w.watchUpToDate(r)

				w.dashboardEdit(before.ID, tc.dashboard)
				drifted := <-seen
				if drifted.Reason != "DriftDetected" || !strings.Contains(drifted.Message, tc.says) {
					t.Errorf("%s: UpToDate says %s %q, want DriftDetected with %q", tc.reason, drifted.Reason, drifted.Message, tc.says)
				}
				w.event(r, "DriftDetected", tc.says)
				settled(w, r)
				w.event(r, "DriftReverted", tc.says)
				if c := r.GetCondition(xpv2.TypeUpToDate); c.Reason != "RecordSynced" {
					t.Errorf("%s: after the revert UpToDate says %s", tc.reason, c.Reason)
				}
				after := w.live(tc.typ)
				if diff := cmp.Diff(before, after, cmpopts.IgnoreFields(simulator.Record{}, "ModifiedOn"), cmp.Transformer("switchedOn", switchedOn)); diff != "" {
					t.Errorf("%s: the live record is not what it was (-was +is):\n%s", tc.reason, diff)
				}
				w.loggedDrift(r, drifted.Message, map[string]string{"kind": "Record", "id": before.ID, "zone": w.zone.Name, "zoneId": w.zone.ID})
			})
		})
	}
}

// loggedDrift expects one log line about the drift of an object. The line has its namespace,
// name and UID, these fields, and each clause of message: a field with its live and its
// desired value.
func (w *world) loggedDrift(o client.Object, message string, fields map[string]string) {
	w.t.Helper()
	var about []string
	for _, line := range w.logs.all() {
		if strings.Contains(line, `"msg"="DriftDetected"`) && strings.Contains(line, string(o.GetUID())) {
			about = append(about, line)
		}
	}
	if len(about) != 1 {
		w.t.Errorf("the drift was logged %d times, want once: %q", len(about), about)
		return
	}
	want := []string{`"undone"=true`}
	for k, v := range map[string]string{"namespace": o.GetNamespace(), "name": o.GetName(), "uid": string(o.GetUID())} {
		want = append(want, fmt.Sprintf("%q=%q", k, v))
	}
	for k, v := range fields {
		want = append(want, fmt.Sprintf("%q=%q", k, v))
	}
	for clause := range strings.SplitSeq(message, "; ") {
		field, values, _ := strings.Cut(clause, ": live ")
		live, desired, _ := strings.Cut(values, ", desired ")
		want = append(want, fmt.Sprintf(`{"field"=%q "live"=%q "desired"=%q}`, field, live, desired))
	}
	for _, s := range want {
		if !strings.Contains(about[0], s) {
			w.t.Errorf("the line lacks %s: %s", s, about[0])
		}
	}
}

// switchedOn returns the settings that are on. A setting that is off equals an absent one.
func switchedOn(settings map[string]bool) []string {
	var on []string
	for k, v := range settings {
		if v {
			on = append(on, k)
		}
	}
	slices.Sort(on)
	return on
}

// watchUpToDate returns a channel with the first UpToDate condition that is False from now on.
func (w *world) watchUpToDate(r *dnsv1alpha1.Record) <-chan xpv2.Condition {
	w.t.Helper()
	wc, err := client.NewWithWatch(w.cfg, client.Options{Scheme: w.kube.Scheme()})
	if err != nil {
		w.t.Fatal(err)
	}
	wi, err := wc.Watch(w.t.Context(), &dnsv1alpha1.RecordList{}, client.InNamespace(w.ns), client.MatchingFields{"metadata.name": r.Name})
	if err != nil {
		w.t.Fatal(err)
	}
	out := make(chan xpv2.Condition, 1)
	go func() {
		defer close(out)
		defer wi.Stop()
		for e := range wi.ResultChan() {
			o, ok := e.Object.(*dnsv1alpha1.Record)
			if !ok || e.Type == watch.Deleted {
				return
			}
			if c := o.GetCondition(xpv2.TypeUpToDate); c.Status == corev1.ConditionFalse {
				out <- c
				return
			}
		}
	}()
	return out
}

// TestRecordDeletedOutside expects a record that was deleted in the dashboard to be created
// again, once.
func TestRecordDeletedOutside(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		old := w.live("A").ID
		if err := w.sim.DeleteRecord(w.zone.ID, old); err != nil {
			t.Fatal(err)
		}
		until(w, r, func(r *dnsv1alpha1.Record) error {
			if id := meta.GetExternalName(r); id == old || r.Status.AtProvider.ID != id {
				return fmt.Errorf("external name is %s, atProvider.id %s, the old record was %s", id, r.Status.AtProvider.ID, old)
			}
			return nil
		})
		settled(w, r)
		w.event(r, "DriftDetected", "live none, desired "+old)
		if live := w.live("A"); live.ID != meta.GetExternalName(r) || live.Content != "192.0.2.1" {
			t.Errorf("the record that came back is %+v", live)
		}
	})
}

// TestRecordReplacedOutside expects a record that was deleted and created again outside the
// provider to be adopted instead of duplicated.
func TestRecordReplacedOutside(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		edit(w, r, func(r *dnsv1alpha1.Record) {
			meta.AddAnnotations(r, map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
		})
		until(w, r, func(r *dnsv1alpha1.Record) error {
			if c := r.GetCondition(xpv2.TypeSynced); c.Reason != xpv2.ReasonReconcilePaused {
				return fmt.Errorf("Synced is %s", c.Reason)
			}
			return nil
		})
		if err := w.sim.DeleteRecord(w.zone.ID, w.live("A").ID); err != nil {
			t.Fatal(err)
		}
		made := w.dashboard(map[string]any{"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 1})
		edit(w, r, func(r *dnsv1alpha1.Record) { delete(r.Annotations, meta.AnnotationKeyReconciliationPaused) })
		until(w, r, func(r *dnsv1alpha1.Record) error {
			if id := meta.GetExternalName(r); id != made.ID {
				return fmt.Errorf("external name is %s, want the new record %s", id, made.ID)
			}
			return nil
		})
		settled(w, r)
		w.live("A")
	})
}

// TestRecordGoneWhileDeleting expects the deletion of an object to end if its record is gone
// already.
func TestRecordGoneWhileDeleting(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		if err := w.sim.DeleteRecord(w.zone.ID, w.live("A").ID); err != nil {
			t.Fatal(err)
		}
		w.delete(r)
		w.gone(r)
	})
}
