// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

func TestEdits(t *testing.T) {
	live := cloudflare.Zone{Type: "full", Paused: false, VanityNameServers: []string{"ns1.example.com", "ns2.example.com"}}
	hosts := func(h ...string) *[]string { return ptr.To(append([]string{}, h...)) }
	type sent struct {
		Property string
		Value    any
	}
	tests := []struct {
		reason string
		p      v1alpha1.ZoneParameters
		live   cloudflare.Zone
		want   []sent
		words  string
	}{
		{"nothing declared is nothing managed", v1alpha1.ZoneParameters{}, live, nil, ""},
		{"all as declared", v1alpha1.ZoneParameters{Type: ptr.To("full"), Paused: ptr.To(false), VanityNameServers: hosts("ns1.example.com", "ns2.example.com")}, live, nil, ""},
		{"paused outside the provider", v1alpha1.ZoneParameters{Paused: ptr.To(false)}, cloudflare.Zone{Paused: true}, []sent{{"paused", false}}, "paused: live true, desired false"},
		{"another type", v1alpha1.ZoneParameters{Type: ptr.To("partial")}, live, []sent{{"type", "partial"}}, "type: live full, desired partial"},
		{"name servers are a set, in any case, with or without a dot", v1alpha1.ZoneParameters{VanityNameServers: hosts("NS2.example.com.", "ns1.Example.com", "ns1.example.com")}, live, nil, ""},
		{"another name server", v1alpha1.ZoneParameters{VanityNameServers: hosts("ns9.example.com", "ns1.example.com")}, live, []sent{{"vanity_name_servers", []string{"ns1.example.com", "ns9.example.com"}}}, "vanityNameServers: live ns1.example.com, ns2.example.com, desired ns1.example.com, ns9.example.com"},
		{"an empty list removes them", v1alpha1.ZoneParameters{VanityNameServers: hosts()}, live, []sent{{"vanity_name_servers", []string{}}}, "vanityNameServers: live ns1.example.com, ns2.example.com, desired none"},
		{"an empty list where there are none", v1alpha1.ZoneParameters{VanityNameServers: hosts()}, cloudflare.Zone{}, nil, ""},
		{"the first name servers", v1alpha1.ZoneParameters{VanityNameServers: hosts("ns1.example.com")}, cloudflare.Zone{}, []sent{{"vanity_name_servers", []string{"ns1.example.com"}}}, "vanityNameServers: live none, desired ns1.example.com"},
		{
			"all at once, one property a call",
			v1alpha1.ZoneParameters{Type: ptr.To("partial"), Paused: ptr.To(true), VanityNameServers: hosts()},
			live,
			[]sent{{"type", "partial"}, {"paused", true}, {"vanity_name_servers", []string{}}},
			"type: live full, desired partial; paused: live false, desired true; vanityNameServers: live ns1.example.com, ns2.example.com, desired none",
		},
		{"the name and the account are not edited", v1alpha1.ZoneParameters{Name: ptr.To("other.example"), AccountID: ptr.To("x")}, live, nil, ""},
	}
	for _, tc := range tests {
		var got []sent
		es := edits(tc.p, tc.live)
		for _, e := range es {
			got = append(got, sent{e.property, e.value})
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: edits (-want +got):\n%s", tc.reason, diff)
		}
		if words := differences(es).String(); words != tc.words {
			t.Errorf("%s: in words %q, want %q", tc.reason, words, tc.words)
		}
	}
}

func TestNotReady(t *testing.T) {
	ns := []string{"a.ns.cloudflare.com", "b.ns.cloudflare.com"}
	tests := []struct {
		reason string
		zone   cloudflare.Zone
		want   string
	}{
		{"active", cloudflare.Zone{Status: "active", NameServers: ns}, ""},
		{"pending: what to do is said", cloudflare.Zone{Status: "pending", NameServers: ns}, "the zone is pending: set the domain's name servers at its registrar to a.ns.cloudflare.com and b.ns.cloudflare.com"},
		{"initializing, without name servers", cloudflare.Zone{Status: "initializing"}, "the zone is initializing: Cloudflare has not assigned name servers yet"},
		{"a partial zone is proven by a TXT record", cloudflare.Zone{Status: "pending", Type: "partial", Name: "example.com", VerificationKey: "12-34", NameServers: ns}, `the zone is pending: publish the TXT record cloudflare-verify.example.com with the value "12-34" in the domain's own DNS`},
		{"moved away", cloudflare.Zone{Status: "moved", NameServers: ns[:1]}, "the zone has moved away from Cloudflare's name servers: set the domain's name servers at its registrar to a.ns.cloudflare.com"},
		{"a status of tomorrow", cloudflare.Zone{Status: "frozen"}, `the zone's status is "frozen"`},
		{"no status", cloudflare.Zone{}, `the zone's status is ""`},
	}
	for _, tc := range tests {
		if got := notReady(tc.zone); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
		}
	}
}

func TestObservation(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	z := cloudflare.Zone{
		ID: "z", Name: "example.com", Type: "full", Status: "active", Paused: true, NameServers: []string{"a"}, OriginalNameServers: []string{"b"},
		OriginalRegistrar: "r", VanityNameServers: []string{"c"}, VerificationKey: "k", Account: cloudflare.Named{ID: "acc", Name: "Acme"},
		Plan: cloudflare.Plan{ID: "p", Name: "Free"}, CreatedOn: &at, ModifiedOn: &at, ActivatedOn: &at,
	}
	mt := ptr.To(metav1.NewTime(at))
	want := v1alpha1.ZoneObservation{
		ID: "z", Name: "example.com", AccountID: "acc", Type: "full", Status: "active",
		Paused: ptr.To(true), NameServers: []string{"a"}, OriginalNameServers: []string{"b"}, OriginalRegistrar: "r", VanityNameServers: []string{"c"},
		VerificationKey: "k", Plan: "Free", CreatedOn: mt, ModifiedOn: mt, ActivatedOn: mt,
	}
	if diff := cmp.Diff(want, observation(z)); diff != "" {
		t.Errorf("observation (-want +got):\n%s", diff)
	}
	fraction := at.Add(123456 * time.Microsecond)
	z.CreatedOn, z.ModifiedOn, z.ActivatedOn = &fraction, &fraction, &fraction
	if diff := cmp.Diff(want, observation(z)); diff != "" {
		t.Errorf("the API server keeps no part of a second (-want +got):\n%s", diff)
	}
	if got := observation(cloudflare.Zone{}); got.CreatedOn != nil || got.ModifiedOn != nil || got.ActivatedOn != nil {
		t.Errorf("a zone without dates shows some: %+v", got)
	}
}

func TestCheckName(t *testing.T) {
	tests := []struct {
		reason  string
		name    *string
		deleted bool
		fails   bool
	}{
		{"no name declared", nil, false, false},
		{"the same, however written", ptr.To("Bücher.Example."), false, false},
		{"another zone's ID", ptr.To("other.example"), false, true},
		{"another zone's ID, while being deleted: the ID is what it had", ptr.To("other.example"), true, false},
		{"what is no name", ptr.To("a..b"), false, true},
		{"what is no name, while being deleted", ptr.To("a..b"), true, false},
	}
	for _, tc := range tests {
		mg := &v1alpha1.Zone{}
		mg.Spec.ForProvider.Name = tc.name
		if tc.deleted {
			mg.DeletionTimestamp = ptr.To(metav1.Now())
		}
		a := &adapter{mg: mg}
		if err := a.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := a.checkName(cloudflare.Zone{ID: "z", Name: "xn--bcher-kva.example"}); (err != nil) != tc.fails {
			t.Errorf("%s: got %v, fails should be %t", tc.reason, err, tc.fails)
		}
	}
}

// TestShownZonesAreSeen: a zone that a Zone shows is reported, so that it can be
// recognised as the successor of another zone with its name.
func TestShownZonesAreSeen(t *testing.T) {
	var seen []cloudflare.Zone
	a := &adapter{mg: &v1alpha1.Zone{}, seen: func(z cloudflare.Zone) { seen = append(seen, z) }}
	a.SetStatus(cloudflare.Zone{ID: "z", Name: "example.com"}, nil)
	if len(seen) != 1 || seen[0].ID != "z" || a.mg.Status.AtProvider.ID != "z" {
		t.Errorf("seen is %v", seen)
	}
}
