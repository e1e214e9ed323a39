// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/libdns/cloudflare"
	"github.com/libdns/libdns"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// rows formats records as "name ttl TYPE data".
func rows(records []libdns.Record) []string {
	var out []string
	for _, r := range records {
		rr := r.RR()
		out = append(out, fmt.Sprintf("%s %d %s %s", rr.Name, int(rr.TTL.Seconds()), rr.Type, rr.Data))
	}
	slices.Sort(out)
	return out
}

// TestLibdns runs all operations of libdns, which Caddy and its plugins use.
func TestLibdns(t *testing.T) {
	c := newCloud(t, simulator.PlanFree)
	ctx := t.Context()
	provider := &cloudflare.Provider{APIToken: c.token, HTTPClient: c.client}

	zones, err := provider.ListZones(ctx)
	must(t, "ListZones()", err)
	if diff := cmp.Diff([]libdns.Zone{{Name: "example.com."}}, zones); diff != "" {
		t.Errorf("ListZones(): -want, +got:\n%s", diff)
	}

	first := []libdns.Record{
		libdns.Address{Name: "www", TTL: 5 * time.Minute, IP: netip.MustParseAddr("192.0.2.1")},
		libdns.Address{Name: "www", TTL: 5 * time.Minute, IP: netip.MustParseAddr("2001:db8::1")},
		libdns.CNAME{Name: "blog", TTL: 2 * time.Minute, Target: "www.example.com."},
		libdns.MX{Name: "@", TTL: time.Hour, Preference: 10, Target: "mx.example.com."},
		libdns.TXT{Name: "_acme-challenge", TTL: time.Minute, Text: "a b=c;d"},
		libdns.NS{Name: "sub", TTL: time.Hour, Target: "ns.example.net."},
	}
	added, err := provider.AppendRecords(ctx, "example.com.", first)
	must(t, "AppendRecords()", err)
	if diff := cmp.Diff(rows(first), rows(added)); diff != "" {
		t.Errorf("AppendRecords() answers what was asked for: -want, +got:\n%s", diff)
	}
	c.wantRecords(t, "after they were added",
		"A www.example.com 192.0.2.1", "AAAA www.example.com 2001:db8::1", "CNAME blog.example.com www.example.com",
		"MX example.com mx.example.com", `TXT _acme-challenge.example.com "a b=c;d"`, "NS sub.example.com ns.example.net")

	listed, err := provider.GetRecords(ctx, "example.com.")
	must(t, "GetRecords()", err)
	if diff := cmp.Diff(rows(first), rows(listed)); diff != "" {
		t.Errorf("GetRecords(): -want, +got:\n%s", diff)
	}

	// One is changed, one is new.
	_, err = provider.SetRecords(ctx, "example.com.", []libdns.Record{
		libdns.Address{Name: "www", TTL: 10 * time.Minute, IP: netip.MustParseAddr("192.0.2.2")},
		libdns.TXT{Name: "new", Text: "new"}, // without a ttl, which libdns then omits
	})
	must(t, "SetRecords()", err)
	c.wantRecords(t, "after one was changed and one added",
		"A www.example.com 192.0.2.2", "AAAA www.example.com 2001:db8::1", "CNAME blog.example.com www.example.com",
		"MX example.com mx.example.com", `TXT _acme-challenge.example.com "a b=c;d"`, "NS sub.example.com ns.example.net", `TXT new.example.com "new"`)

	for _, r := range c.sim.Records(c.zone.ID) {
		if r.Name == "new.example.com" && r.TTL != 1 {
			t.Errorf("a record without ttl has the automatic one, got %d", r.TTL)
		}
	}

	last, err := provider.GetRecords(ctx, "example.com.")
	must(t, "GetRecords()", err)
	_, err = provider.DeleteRecords(ctx, "example.com.", last)
	must(t, "DeleteRecords()", err)
	c.wantRecords(t, "after all were deleted")
}

// TestLibdnsStructured documents the only disagreement between a client and the simulator: for
// structured types, libdns sends content beside data. Content is read-only there according to
// the document, so the simulator refuses it. Old reports say that the API ignored it. If the
// real behavior becomes known, the simulator and this test have to change.
func TestLibdnsStructured(t *testing.T) {
	c := newCloud(t, simulator.PlanFree)
	provider := &cloudflare.Provider{APIToken: c.token, HTTPClient: c.client}
	for _, record := range []libdns.Record{
		libdns.CAA{Name: "caa", TTL: time.Minute, Tag: "issue", Value: "letsencrypt.org"},
		libdns.SRV{Name: "@", Service: "sip", Transport: "tcp", TTL: time.Minute, Priority: 1, Weight: 2, Port: 5060, Target: "sip.example.com."},
		libdns.ServiceBinding{Name: "@", Scheme: "https", TTL: time.Minute, Priority: 1, Target: ".", Params: libdns.SvcParams{"alpn": {"h2"}}},
	} {
		_, err := provider.AppendRecords(t.Context(), "example.com.", []libdns.Record{record})
		if err == nil || !strings.Contains(err.Error(), "9101") {
			t.Errorf("%s: content of a structured type is refused (9101), got %v", record.RR().Type, err)
		}
	}
	c.wantRecords(t, "after the refusals")
}

// TestLibdnsPaging lists more records than fit on a page.
func TestLibdnsPaging(t *testing.T) {
	const total = 150
	c := newCloud(t, simulator.PlanFree)
	provider := &cloudflare.Provider{APIToken: c.token, HTTPClient: c.client}
	var want []string
	for i := range total {
		name := fmt.Sprintf("host-%03d", i)
		_, err := c.sim.CreateRecord(c.zone.ID, map[string]any{"type": "A", "name": name, "content": "192.0.2.1", "ttl": 300})
		must(t, "CreateRecord()", err)
		want = append(want, name+" 300 A 192.0.2.1")
	}
	got, err := provider.GetRecords(t.Context(), "example.com.")
	must(t, "GetRecords()", err)
	if diff := cmp.Diff(want, rows(got)); diff != "" {
		t.Errorf("every record is listed once: -want, +got:\n%s", diff)
	}
}
