// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// calls returns the requests about the zone of the world in the log of the
// simulator, without the first ones.
func (w *world) calls(from int) []string {
	var out []string
	for _, r := range w.sim.RequestsAbout(w.zone.ID) {
		out = append(out, r.String())
	}
	return out[from:]
}

const (
	listCall = "GET /zones/{zone_id}/dns_records -> 200"
	// goneCall confirms a deletion after a list in between, which is usual at the
	// drift interval of these tests.
	goneCall = "GET /zones/{zone_id}/dns_records/{dns_record_id} -> 404 81044"
)

// otherThanLists removes the calls that a sweep makes in each interval.
func otherThanLists(calls []string) []string {
	var out []string
	for _, c := range calls {
		if c != listCall && c != goneCall {
			out = append(out, c)
		}
	}
	return out
}

// TestRecordCalls counts the calls in the life of one record, beside the lists of
// sweeps.
func TestRecordCalls(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
		settled(w, r)
		w.delete(r)
		w.gone(r)
		want := []string{
			"GET /zones/{zone_id} -> 200",
			"POST /zones/{zone_id}/dns_records -> 200",
			"PATCH /zones/{zone_id}/dns_records/{dns_record_id} -> 200",
			"DELETE /zones/{zone_id}/dns_records/{dns_record_id} -> 200",
		}
		if diff := cmp.Diff(want, otherThanLists(w.calls(0))); diff != "" {
			t.Errorf("calls of one record's life (-want +got):\n%s", diff)
		}
	})
}

// TestSteadyState shows that unchanged records cause one list in each interval,
// for any number of records, and no write to the Kubernetes API.
func TestSteadyState(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		const n = 40
		rs := make([]*dnsv1alpha1.Record, 0, n)
		for i := range n {
			r := w.record(fmt.Sprintf("host-%d", i), "A", fmt.Sprintf("192.0.2.%d", i))
			w.create(r)
			rs = append(rs, r)
		}
		versions := map[string]string{}
		for _, r := range rs {
			settled(w, r)
			versions[r.Name] = r.ResourceVersion
		}
		from, began := len(w.calls(0)), time.Now()
		w.sweeps(3)
		calls := w.calls(from)
		// There is one list in each interval, and one for the interval that had
		// begun.
		if most := int(time.Since(began)/driftInterval) + 2; len(calls) > most {
			t.Errorf("%d records cost %d calls in the time of three sweeps, want %d at most", n, len(calls), most)
		}
		if diff := cmp.Diff([]string(nil), otherThanLists(calls)); diff != "" {
			t.Errorf("calls of untouched records (-want +got):\n%s", diff)
		}
		for _, r := range rs {
			if err := w.get(r); err != nil {
				t.Fatal(err)
			}
			if r.ResourceVersion != versions[r.Name] {
				t.Errorf("%s was written to although nothing changed", r.Name)
			}
		}
		for _, q := range w.sim.RequestsAbout(w.zone.ID) {
			if q.Method == http.MethodGet && strings.HasSuffix(q.Path, w.zone.ID+"/dns_records") && !strings.HasPrefix(q.UserAgent, "provider-cloudflare/") {
				t.Errorf("the user agent is %q", q.UserAgent)
			}
		}
	})
}
