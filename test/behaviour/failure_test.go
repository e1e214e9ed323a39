// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestRecordSurvivesFaults creates, changes and deletes a record, with one fault
// of the API in each step. It expects exactly one record at every stage.
func TestRecordSurvivesFaults(t *testing.T) {
	t.Parallel()
	kinds := []simulator.FaultKind{
		simulator.FaultHTML502, simulator.Fault500AfterCommit, simulator.FaultThrottle, simulator.FaultFalseSuccess,
		simulator.FaultYoungZone, simulator.FaultResetBefore, simulator.FaultResetAfter,
	}
	for _, kind := range kinds {
		t.Run(string(kind), func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				fault := func(method string) {
					w.sim.AddFault(simulator.Fault{Kind: kind, Method: method, Zone: w.zone.ID, RetryAfter: time.Second})
				}
				fault("POST")
				r := w.made("www", "A", "192.0.2.1")
				w.live("A")

				fault("PATCH")
				edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
				settled(w, r)
				if got := w.live("A").Content; got != "192.0.2.2" {
					t.Errorf("after the change the content is %s", got)
				}

				fault("DELETE")
				w.delete(r)
				w.gone(r)
				w.noRecords()
			})
		})
	}
}

// TestRecordRenderings expects no drift if the API returns a value in another form
// than it was sent in.
func TestRecordRenderings(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		for _, kind := range []simulator.FaultKind{
			simulator.FaultTXTQuoted, simulator.FaultLOCRendering, simulator.FaultPriorityInData, simulator.FaultLooseNumbers, simulator.FaultUnknownFields,
			simulator.FaultFloatNumbers,
		} {
			w.sim.AddFault(simulator.Fault{Kind: kind, Zone: w.zone.ID, Times: -1})
		}
		// The provider sends texts in quotes, and other clients do not.
		w.dashboard(map[string]any{"type": "TXT", "name": "adopted", "content": "plain words", "ttl": 1})
		rs := []*dnsv1alpha1.Record{
			w.made("adopted", "TXT", "plain words"),
			w.made("txt", "TXT", "plain text"),
			w.made("long", "TXT", strings.Repeat("0123456789", 60)),
			w.made("loc", "LOC", "52 22 23.000 N 4 53 32.000 E -2.00m 1m 10000m 10m"),
			w.made("@", "MX", "10 mail.example.net."),
			w.made("_sip._tcp", "SRV", "10 5 5060 sip.example.net."),
			w.made("_uri", "URI", `10 1 "https://example.net/"`),
		}
		writes := w.writes()
		w.sweeps(3)
		for _, r := range rs {
			settled(w, r)
		}
		if n := w.writes(); n != writes {
			t.Errorf("there were %d more writes: something looks like drift that is none", n-writes)
		}
	})
}

// TestRestart has the tests that stop the provider.
func TestRestart(t *testing.T) {
	t.Run("WritesNothing", func(t *testing.T) {
		undisturbed(t, func(t *testing.T) {
			w := newWorld(t)
			rs := []*dnsv1alpha1.Record{
				w.made("www", "A", "192.0.2.1"),
				w.made("@", "TXT", "v=spf1 -all"),
				w.made("@", "MX", "10 mail.example.net."),
				w.made("_sip._tcp", "SRV", "10 5 5060 sip.example.net."),
			}
			writes, ids := w.writes(), map[string]string{}
			for _, r := range rs {
				ids[r.Name] = r.Status.AtProvider.ID
			}
			w.restart(t, func() {})
			w.sweeps(2)
			for _, r := range rs {
				settled(w, r)
				if got := r.Status.AtProvider.ID; got != ids[r.Name] {
					t.Errorf("atProvider.id of %s became %s, was %s", r.Name, got, ids[r.Name])
				}
			}
			if n := w.writes(); n != writes {
				t.Errorf("a restart made %d writes to Cloudflare", n-writes)
			}
		})
	})
	t.Run("DriftWhileDownIsUndone", func(t *testing.T) {
		undisturbed(t, func(t *testing.T) {
			w := newWorld(t)
			r := w.made("www", "A", "192.0.2.1")
			w.restart(t, func() { w.dashboardEdit(w.live("A").ID, map[string]any{"content": "192.0.2.66"}) })
			w.event(r, "DriftDetected", "content: live 192.0.2.66, desired 192.0.2.1")
			w.event(r, "DriftReverted", "content: live 192.0.2.66, desired 192.0.2.1")
			settled(w, r)
			if got := w.live("A").Content; got != "192.0.2.1" {
				t.Errorf("the content is %s", got)
			}
		})
	})
	t.Run("DeletedWhileDown", func(t *testing.T) {
		undisturbed(t, func(t *testing.T) {
			w := newWorld(t)
			r := w.made("www", "A", "192.0.2.1")
			w.restart(t, func() { w.delete(r) })
			w.gone(r)
			w.noRecords()
		})
	})
	// A process that dies between the answer of the API and the update that
	// records the ID leaves an object without an external name. The object has the
	// key of its record.
	t.Run("CreationThatWasNotRecorded", func(t *testing.T) {
		undisturbed(t, func(t *testing.T) {
			w := newWorld(t)
			r := w.made("www", "A", "192.0.2.1", adoption(dnsv1alpha1.AdoptNever))
			id := w.live("A").ID
			w.restart(t, func() {
				edit(w, r, func(r *dnsv1alpha1.Record) {
					meta.RemoveAnnotations(r, meta.AnnotationKeyExternalName, meta.AnnotationKeyExternalCreateSucceeded)
					meta.SetExternalCreatePending(r, time.Now())
					meta.AddAnnotations(r, map[string]string{
						"dns.cloudflare.m.crossplane.io/pending-record": `{"Name":"www.` + w.zone.Name + `","Type":"A","Rdata":"192.0.2.1"}`,
					})
					// The user edits the spec meanwhile.
					r.Spec.ForProvider.Content = ptr.To("192.0.2.2")
				})
			})
			settled(w, r)
			if live := w.live("A"); live.ID != id || live.Content != "192.0.2.2" {
				t.Errorf("the live record is %+v, want record %s with the new content", live, id)
			}
		})
	})
	// The answer to the creation comes long after the provider was asked to stop.
	t.Run("StoppedDuringACreation", func(t *testing.T) {
		undisturbed(t, func(t *testing.T) {
			w := newWorld(t)
			w.sim.AddFault(simulator.Fault{Kind: simulator.FaultSlow, Method: http.MethodPost, Zone: w.zone.ID, Delay: 15 * time.Second})
			r := w.record("www", "A", "192.0.2.1", adoption(dnsv1alpha1.AdoptNever))
			w.create(r)
			w.eventually(func() error {
				if n := len(w.sim.Records(w.zone.ID)); n != 1 {
					return fmt.Errorf("there are %d records", n)
				}
				return nil
			})
			w.restart(t, func() {})
			settled(w, r)
			if live := w.live("A"); live.ID != meta.GetExternalName(r) {
				t.Errorf("the external name is %s, want the ID of the record that was made, %s", meta.GetExternalName(r), live.ID)
			}
		})
	})
	t.Run("SecondClaimantStaysRefused", func(t *testing.T) {
		undisturbed(t, func(t *testing.T) {
			w := newWorld(t)
			first := w.made("www", "A", "192.0.2.1")
			second := w.record("www", "A", "192.0.2.1", externalName(w.live("A").ID))
			second.Name = "a-comes-first-by-name"
			w.create(second)
			refused(w, second, first.Name)
			w.restart(t, func() {})
			w.sweeps(2)
			refused(w, second, first.Name)
			settled(w, first)
		})
	})
}
