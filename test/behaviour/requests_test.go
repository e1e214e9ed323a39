// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// ofRecords reports whether a request is one of those that Records cause. It excludes events,
// which are sent in the background.
func ofRecords(r request) bool {
	return strings.HasPrefix(r.resource, "records") || r.resource == "providerconfigusages"
}

func ofEvents(r request) bool { return r.resource == "events" }

// looked counts the reconciles of an object so far.
func (w *world) looked(o *dnsv1alpha1.Record) int {
	n := 0
	for _, line := range w.logs.all() {
		if strings.Contains(line, `"msg"="Reconciling"`) && strings.Contains(line, o.Name) {
			n++
		}
	}
	return n
}

// TestRecordRequests counts the requests to the Kubernetes API in the life of one Record.
func TestRecordRequests(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		seen := 0
		expect := func(what string, want ...string) {
			t.Helper()
			got := w.traffic.requests(w.ns, ofRecords)[seen:]
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("requests of %s (-want +got):\n%s", what, diff)
			}
			seen += len(got)
		}
		r := w.made("www", "A", "192.0.2.1")
		w.sweeps(2)
		// The writes are the finalizer with the planned creation, the ID with the
		// late-initialized fields, and the status at the end.
		expect("a creation", "PUT records", "PUT records", "PUT records/status")
		// On a real API server, all tests share the limit of routine events, so there may be
		// none.
		if events := w.traffic.requests(w.ns, ofEvents); len(events) > 1 || (len(events) == 0 && w.bubble != nil) || (len(events) == 1 && events[0] != "POST events") {
			t.Errorf("events of a creation: %v, want one at most", events)
		}
		if n := w.looked(r); n != 1 {
			t.Errorf("a creation took %d reconciles, want 1", n)
		}

		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
		settled(w, r)
		w.sweeps(2)
		expect("an edit", "PUT records/status")

		edit(w, r, func(r *dnsv1alpha1.Record) {
			meta.AddAnnotations(r, map[string]string{meta.AnnotationKeyPollInterval: "200ms"})
		})
		polls := w.looked(r)
		w.eventually(func() error {
			if n := w.looked(r); n < polls+3 {
				return fmt.Errorf("the object was polled %d times", n-polls)
			}
			return nil
		})
		expect("three polls")
		edit(w, r, func(r *dnsv1alpha1.Record) { meta.RemoveAnnotations(r, meta.AnnotationKeyPollInterval) })

		before := r.Status.AtProvider.ModifiedOn
		w.dashboardEdit(w.live("A").ID, map[string]any{"content": "192.0.2.66"})
		w.event(r, "DriftReverted", "192.0.2.66")
		until(w, r, func(r *dnsv1alpha1.Record) error {
			if c := r.GetCondition(xpv2.TypeUpToDate); c.Reason != "RecordSynced" || r.Status.AtProvider.ModifiedOn.Equal(before) {
				return fmt.Errorf("UpToDate is %s", c.Reason)
			}
			return nil
		})
		w.sweeps(2)
		expect("a drift: it is shown, undone and shown to be", "PATCH records/status", "PUT records/status")

		w.delete(r)
		w.gone(r) // There are no sweeps to wait for, as no object uses the zone any more.
		expect("a deletion: a look past the cache, its beginning is shown, the finalizer goes", "GET records", "PUT records/status", "PUT records")
	})
}

// TestAdoptionRequests counts the requests of an adoption.
func TestAdoptionRequests(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		// The zone is in use, so that a sweep has reported the new record before.
		w.made("other", "TXT", "x")
		w.dashboard(map[string]any{"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 1})
		w.sweeps(3)
		from := len(w.traffic.requests(w.ns, ofRecords))
		r := w.made("www", "A", "192.0.2.1")
		w.sweeps(2)
		want := []string{
			"PATCH records/status", // It records that the object owns the record: its name alone would not prove it.
			"PUT records",          // It has the version at which the object was read.
			"PUT records/status",
		}
		if diff := cmp.Diff(want, w.traffic.requests(w.ns, ofRecords)[from:]); diff != "" {
			t.Errorf("requests of an adoption (-want +got):\n%s", diff)
		}
		if n := w.looked(r); n != 1 {
			t.Errorf("an adoption took %d reconciles, want 1", n)
		}
	})
}

// TestBurstRequests counts the requests of a hundred creations at once, including those that
// count the users of their config.
func TestBurstRequests(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		const n = 100
		start := time.Now()
		rs := make([]*dnsv1alpha1.Record, 0, n)
		for i := range n {
			r := w.record(fmt.Sprintf("host-%d", i), "A", fmt.Sprintf("192.0.2.%d", i))
			w.create(r)
			rs = append(rs, r)
		}
		for _, r := range rs {
			settled(w, r)
		}
		if got := len(w.traffic.requests(w.ns, ofRecords)); got != 3*n {
			t.Errorf("%d creations took %d requests, want three each", n, got)
		}
		configs := func(r request) bool { return strings.HasPrefix(r.resource, "providerconfigs") && r.method != "GET" }
		// There is one each second, and some for the config itself at first.
		if got, most := len(w.traffic.requests(w.ns, configs)), int(time.Since(start).Seconds())+5; got > most {
			t.Errorf("counting the users of their config took %d requests in %s", got, time.Since(start))
		}
	})
}
