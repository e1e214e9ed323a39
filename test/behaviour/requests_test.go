// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// ofRecords picks the requests that Records cost, without events, which are sent
// in the background.
func ofRecords(r request) bool {
	return strings.HasPrefix(r.resource, "records") || r.resource == "providerconfigusages"
}

func ofEvents(r request) bool { return r.resource == "events" }

// TestRecordRequests is what one Record's life costs the Kubernetes API.
func TestRecordRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	requests := func(from int) []string { return w.traffic.requests(w.ns, ofRecords)[from:] }
	expect := func(what string, from int, want ...string) int {
		t.Helper()
		got := requests(from)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("requests of %s (-want +got):\n%s", what, diff)
		}
		return from + len(got)
	}
	r := w.made("www", "A", "192.0.2.1")
	w.sweeps(2)
	n := expect("a creation", 0, "POST providerconfigusages", "PUT records", "PUT records", "PUT records/status")
	t.Logf("events: %q", w.traffic.requests(w.ns, ofEvents))

	edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
	settled(w, r)
	w.sweeps(2)
	expect("an edit", n, "PUT records/status")
}
