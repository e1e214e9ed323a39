// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
)

// TestAbout checks the facts that decide about a record that was found.
func TestAbout(t *testing.T) {
	type facts struct{ alike, foreign, mismatch, open bool }
	declares := func(content string) dnsrecord.Input {
		return dnsrecord.Input{Name: "www", Type: "A", Content: &content}
	}
	tests := []struct {
		reason   string
		want     dnsrecord.Input
		observes bool
		ttl      *int64
		live     dnsrecord.Live
		facts    facts
	}{
		{"the very one that is declared", declares("192.0.2.1"), false, ptr.To[int64](1), liveA("x", "192.0.2.1").Live, facts{alike: true}},
		{"other content is another record", declares("192.0.2.9"), false, ptr.To[int64](1), liveA("x", "192.0.2.1").Live, facts{}},
		{"nothing declared is like nothing", dnsrecord.Input{}, true, ptr.To[int64](1), liveA("x", "192.0.2.1").Live, facts{}},
		{"the spec leaves its ttl open", declares("192.0.2.1"), false, nil, liveA("x", "192.0.2.1").Live, facts{alike: true, open: true}},
		{"a record of another type can never be it", declares("192.0.2.1"), false, ptr.To[int64](1), dnsrecord.Live{ID: "x", Name: "www.example.com", Type: "TXT", Content: "a"}, facts{mismatch: true}},
		{"an observer may look at it", declares("192.0.2.1"), true, ptr.To[int64](1), dnsrecord.Live{ID: "x", Name: "www.example.com", Type: "TXT", Content: "a"}, facts{}},
		{"another product's", declares("192.0.2.1"), false, ptr.To[int64](1), dnsrecord.Live{ID: "x", Name: "www.example.com", Type: "A", Content: "192.0.2.1", Meta: map[string]any{"email_routing": true}}, facts{alike: true, foreign: true}},
	}
	for _, tc := range tests {
		mg := &v1alpha1.Record{}
		mg.Spec.ForProvider.TTL, mg.Spec.ForProvider.Proxied = tc.ttl, ptr.To(false)
		if !tc.observes {
			mg.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
		}
		a := &adapter{mg: mg}
		if tc.want.Type != "" {
			r, err := dnsrecord.Parse("example.com", tc.want)
			if err != nil {
				t.Fatal(err)
			}
			a.want = &r
		}
		l := a.Facts(entry(tc.live))
		if got := (facts{l.Alike, l.Foreign != nil, l.Mismatch != nil, l.Open}); got != tc.facts {
			t.Errorf("%s: got %+v, want %+v", tc.reason, got, tc.facts)
		}
		if l.ID != "x" {
			t.Errorf("%s: its ID is %q", tc.reason, l.ID)
		}
	}
}

// TestMarkedByItself has a CNAME to a tunnel, which any client may have created, and an
// attempt to create one.
func TestMarkedByItself(t *testing.T) {
	const tunnel = "c1744f8b-faa1-48a4-9e5c-02ac921467fa.cfargotunnel.com"
	begun := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	live := entry(dnsrecord.Live{ID: "x", Name: "www.example.com", Type: "CNAME", Content: tunnel, CreatedOn: begun.Add(time.Second)})
	tests := []struct {
		reason string
		tried  string // rdata, "" for no attempt
		begun  time.Time
		marked bool
	}{
		{"nothing was tried: the tunnel's owner may have made it", "", begun, true},
		{"this object tried to make the very same", live.Record.Key().Rdata, begun, false},
		{"this object tried to make another one", "elsewhere.example.net", begun, true},
		{"it is older than the attempt", live.Record.Key().Rdata, begun.Add(time.Hour), true},
	}
	for _, tc := range tests {
		a := &adapter{mg: &v1alpha1.Record{}, zone: dnszone.NewPool(dnszone.Options{}).Zone(cloudflare.New(cloudflare.NewToken("x"), cloudflare.Options{}), testZone)}
		if tc.tried != "" {
			about := subject{Zone: testZone, Key: live.Record.Key()}
			about.Key.Rdata = tc.tried
			raw, err := json.Marshal(about)
			if err := errors.Join(err, a.ResumeCreate(raw, tc.begun)); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.CheckOwnership(live); (err != nil) != tc.marked {
			t.Errorf("%s: got %v", tc.reason, err)
		}
	}
}
