// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestWipedZone deletes every record of a zone outside the provider. All of them are
// created again in a few batches, without a call for each that checks whether it is really
// gone.
func TestWipedZone(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		rs := []*dnsv1alpha1.Record{
			w.record("mail", "MX", "10 mx.example.net."),
			w.record("text", "TXT", `"v=spf1 -all"`),
			w.record("_sip._tcp", "SRV", "10 5 5060 sip.example.net."),
			w.record("caa", "CAA", `0 issue "ca.example.net"`),
			w.record("uri", "URI", `10 1 "https://example.net/"`),
			w.record("https", "HTTPS", `1 . alpn="h2"`),
			w.record("alias", "CNAME", "example.net"),
			w.record("six", "AAAA", "2001:DB8::1"),
		}
		for i := range 40 {
			rs = append(rs, w.record(fmt.Sprintf("host-%d", i), "A", fmt.Sprintf("192.0.2.%d", i)))
		}
		for _, r := range rs {
			w.create(r)
		}
		was := map[string]string{}
		for _, r := range rs {
			settled(w, r)
			was[r.Name] = meta.GetExternalName(r)
		}
		// The provider does not trust a list about young records.
		w.eventually(func() error {
			for _, r := range rs {
				if age := w.sim.Now().Sub(r.Status.AtProvider.CreatedOn.Time); age < settle+time.Second {
					return fmt.Errorf("%s is only %s old", r.Name, age)
				}
			}
			return nil
		})
		from := len(w.calls(0))
		for _, l := range w.sim.Records(w.zone.ID) {
			if err := w.sim.DeleteRecord(w.zone.ID, l.ID); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range rs {
			until(w, r, func(r *dnsv1alpha1.Record) error {
				id := meta.GetExternalName(r)
				if _, live := w.sim.Record(w.zone.ID, id); !live || id == was[r.Name] {
					return fmt.Errorf("%s has the record %s, which is live: %t", r.Name, id, live)
				}
				return nil
			})
			settled(w, r)
		}
		calls := otherThanLists(w.calls(from))
		if len(calls) > len(rs)/2 {
			t.Errorf("%d records came back with %d calls beside the lists: %q", len(rs), len(calls), calls)
		}
		for _, c := range w.calls(from) {
			if c == goneCall {
				t.Errorf("a record that the list lacked was asked for")
			}
		}
		if n := len(w.sim.Records(w.zone.ID)); n != len(rs) {
			t.Errorf("there are %d records, want %d", n, len(rs))
		}
	})
}

// TestListThatLacksARecord has a list lack an existing record. The API refuses to create
// the record again, and the object keeps it.
func TestListThatLacksARecord(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		before := w.made("before", "A", "192.0.2.9") // so that the zone is listed
		r := w.made("www", "A", "192.0.2.1")
		id := meta.GetExternalName(r)
		// The list is from before the creation of the record, and younger than a list may
		// lag behind.
		w.eventually(func() error {
			if age := w.sim.Now().Sub(r.Status.AtProvider.CreatedOn.Time); age < listLag {
				return fmt.Errorf("the record is only %s old", age)
			}
			return nil
		})
		stale := w.sim.AddFault(simulator.Fault{Kind: simulator.FaultStaleList, Zone: w.zone.ID, Times: -1, Delay: 10 * patience})
		from := len(w.calls(0))
		w.event(r, "CannotCreateExternalResource", "81058")
		w.sim.RemoveFault(stale)
		settled(w, r)
		settled(w, before)
		if got := meta.GetExternalName(r); got != id {
			t.Errorf("the external name is %s, was %s", got, id)
		}
		if n := len(w.sim.Records(w.zone.ID)); n != 2 {
			t.Errorf("there are %d records, want 2; calls: %q", n, w.calls(from))
		}
	})
}
