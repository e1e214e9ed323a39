// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"slices"
	"strings"
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"

	sslv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ssl/v1alpha1"
	tunnelv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/tunnel"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

func TestReadiness(t *testing.T) {
	d := kind.Description{Noun: "hostname", Status: []kind.Status{{
		Path: "ssl.status", Unknown: "unknown", Converging: []string{"initializing", "pending"}, Failed: []string{"failed"},
		Human: map[string]string{"pending_validation": "create the TXT record"},
	}, {Path: "second", Failed: []string{"failed"}}}}
	cases := map[string]struct {
		reason string
		d      kind.Description
		status any
		ready  corev1.ConditionStatus
		says   string
	}{
		"NoStatus":   {"a kind without a status is ready when it exists", kind.Description{}, "failed", corev1.ConditionTrue, ""},
		"Active":     {"a value in no list is ready", d, "active", corev1.ConditionTrue, ""},
		"Missing":    {"an answer without the status says nothing against it", d, nil, corev1.ConditionTrue, ""},
		"Converging": {"what passes by itself is not ready yet", d, "pending", corev1.ConditionFalse, "passes by itself"},
		"Failed":     {"what does not pass needs a change", d, "failed", corev1.ConditionFalse, "correct its spec"},
		"Second":     {"each status has to be ready", kind.Description{Status: []kind.Status{{Path: "first", Failed: []string{"failed"}}, d.Status[0]}}, "failed", corev1.ConditionFalse, "correct its spec"},
		"Unknown":    {"what Cloudflare does not know is not ready, where nothing else is known", d, "unknown", corev1.ConditionFalse, "unknown at Cloudflare, which passes by itself"},
		"Human":      {"the message says what the person has to do", d, "pending_validation", corev1.ConditionFalse, "create the TXT record"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			doc := kind.Document{}
			if tc.status != nil {
				kind.Put(doc, "ssl.status", tc.status)
			}
			got, _ := readiness(tc.d, doc)
			if got.Status != tc.ready || !strings.Contains(got.Message, tc.says) {
				t.Errorf("%s: got %s %q, want %s and %q", tc.reason, got.Status, got.Message, tc.ready, tc.says)
			}
		})
	}
}

// TestReadyStays checks that an incomplete answer does not change what was known.
func TestReadyStays(t *testing.T) {
	d := kind.Description{Status: []kind.Status{{Path: "status", Unknown: "unknown"}}}
	for _, was := range []xpv2.Condition{xpv2.Available(), xpv2.Unavailable().WithMessage("it waits")} {
		mg := &zonev1alpha1.ZoneSetting{}
		mg.SetConditions(was)
		a := &adapter{described: &described{entry: entry{Description: d}}, mg: mg}
		if got := a.Ready(newLive(d, "x", kind.Document{"status": "unknown"})); !got.Equal(was) {
			t.Errorf("Ready is %v, want %v", got, was)
		}
	}
}

func TestLive(t *testing.T) {
	d := kind.Description{Natural: []string{"name", "type"}}
	cases := map[string]struct {
		reason string
		doc    kind.Document
		keys   []string
	}{
		"Named":   {"it is found by its name, and among all", kind.Document{"name": "a", "type": "b"}, []string{keyAny, "a\x00b"}},
		"Unnamed": {"without a part of its name only among all", kind.Document{"name": "a"}, []string{keyAny}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			l := newLive(d, "id", tc.doc)
			if l.ID() != "id" || !slices.Equal(l.Keys(), tc.keys) {
				t.Errorf("%s: got %q with keys %q, want %q", tc.reason, l.ID(), l.Keys(), tc.keys)
			}
			if !l.Modified().IsZero() {
				t.Errorf("the time of the last change is %s, and no answer has it", l.Modified())
			}
		})
	}
	one, same, other := newLive(d, "id", kind.Document{"a": "1", "b": "2"}), newLive(d, "id", kind.Document{"b": "2", "a": "1"}), newLive(d, "id", kind.Document{"a": "1"})
	if !one.Same(same) || one.Same(other) {
		t.Errorf("the same answer is the same: %t; another answer is: %t", one.Same(same), one.Same(other))
	}
}

func TestMade(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	cases := map[string]struct {
		reason string
		doc    kind.Document
		want   time.Time
	}{
		"CreatedAt":    {"Zero Trust says it so", kind.Document{"created_at": "2026-01-02T03:04:05Z"}, at},
		"CreatedOn":    {"most others so", kind.Document{"created_on": "2026-01-02T03:04:05.000000Z"}, at},
		"CreationDate": {"R2 so", kind.Document{"creation_date": "2026-01-02T03:04:05Z"}, at},
		"IssuedOn":     {"tokens so", kind.Document{"issued_on": "2026-01-02T03:04:05Z"}, at},
		"None":         {"some say nothing", kind.Document{}, time.Time{}},
		"Unreadable":   {"another form is no time, and nothing is concluded of it", kind.Document{"created_at": "yesterday"}, time.Time{}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := newLive(kind.Description{}, "id", tc.doc).made(); !got.Equal(tc.want) {
				t.Errorf("%s: got %s, want %s", tc.reason, got, tc.want)
			}
		})
	}
}

func TestTerms(t *testing.T) {
	const list = "GET /accounts/{account_id}/things"
	cases := map[string]struct {
		reason  string
		d       kind.Description
		every   time.Duration
		listing parent.ListDetail
		sweep   time.Duration
		names   bool
	}{
		"Listed":    {"a list is believed", kind.Description{List: list}, time.Hour, parent.Complete, time.Hour, false},
		"Partial":   {"a list that leaves something out is not enough", kind.Description{List: list, ListOmits: []string{"a"}}, time.Hour, parent.Partial, time.Hour, false},
		"Unlisted":  {"there is no list", kind.Description{}, time.Hour, parent.None, time.Hour, false},
		"Singleton": {"the list of a singleton is of other things", kind.Description{List: list, Shape: kind.Singleton}, time.Hour, parent.None, time.Hour, false},
		"Sooner":    {"a kind is looked at more often", kind.Description{List: list, Sweep: time.Minute}, time.Hour, parent.Complete, time.Minute, false},
		"NotLater":  {"and never less often than the operator says", kind.Description{List: list, Sweep: time.Minute}, time.Second, parent.Complete, time.Second, false},
		"Names":     {"the identity is a name, which another resource may get", kind.Description{List: list, ID: "name"}, time.Hour, parent.Complete, time.Hour, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tc.d.Noun = "thing"
			got := terms(tc.d, tc.every)
			if got.Listing != tc.listing || got.Interval != tc.sweep || got.Names != tc.names || got.What != "things" {
				t.Errorf("%s: got %+v", tc.reason, got)
			}
		})
	}
}

func TestSingletonID(t *testing.T) {
	cases := map[string]struct {
		reason string
		d      kind.Description
		params map[string]string
		want   string
	}{
		"Setting": {
			"settings of two zones are two",
			kind.Description{Shape: kind.Singleton, Read: "GET /zones/{zone_id}/settings/{setting_id}"},
			map[string]string{"zone_id": "z", "setting_id": "ssl"},
			"z/ssl",
		},
		"Configuration": {
			"there is one, and what it belongs to names it",
			kind.Description{Shape: kind.Singleton, Read: "GET /accounts/{account_id}/cfd_tunnel/{tunnel_id}/configurations", ID: "tunnel_id"},
			map[string]string{"account_id": "a", "tunnel_id": "t"},
			"a/t",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := singleton{&adapter{described: &described{entry: entry{Description: tc.d}}, params: tc.params}}
			if got := s.id(); got != tc.want {
				t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
			}
		})
	}
}

func TestSeenID(t *testing.T) {
	mg := &tunnelv1alpha1.Tunnel{}
	if got := seenID(mg); got != "" {
		t.Errorf("an object that saw nothing saw %q", got)
	}
	setID(mg.GetAtProvider(), "t1")
	if got := seenID(mg); got != "t1" || mg.Status.AtProvider.ID != "t1" {
		t.Errorf("got %q, and the status has %q", got, mg.Status.AtProvider.ID)
	}
	setID(&struct{ Name string }{}, "t1") // A type without an ID is left as it is.
}

func TestNotes(t *testing.T) {
	if n := notes(kind.Description{}); n.Pending == "" || n.Deleting != "" {
		t.Errorf("the notes of a kind whose deletions end with absence: %+v", n)
	}
	if n := notes(kind.Description{Shape: kind.Singleton}); n.Deleting == "" || n.Deleted == "" {
		t.Errorf("a singleton is there after its deletion: %+v", n)
	}
}

func TestQualified(t *testing.T) {
	a, b := &tunnelv1alpha1.Tunnel{}, &tunnelv1alpha1.Tunnel{}
	a.GetSync().Parent, b.GetSync().Parent = "accounts/a", "accounts/b"
	d := tunnel.Tunnel()
	if qualified(d, a, "id") == qualified(d, b, "id") {
		t.Error("the same ID below two parents is one")
	}
}

func TestSaltedHash(t *testing.T) {
	in := input{path: "a", value: "a-secret-value"}
	if saltedHash("s", in) == saltedHash("t", in) || saltedHash("s", in) == saltedHash("s", input{path: "b", value: "a-secret-value"}) {
		t.Error("the hash of a value is the same under another salt, or for another field")
	}
	if strings.Contains(saltedHash("s", in), in.value) {
		t.Error("the hash has the value in it")
	}
}

// TestUnreadable checks durations that match the pattern of the CRD and are too long to parse.
func TestUnreadable(t *testing.T) {
	d := kind.Description{Options: []kind.ProviderField{{Name: "renewBefore"}, {Name: "revokeAfter"}, {Name: "preset", Enum: []string{"r2"}}}}
	for before, fails := range map[string]bool{"720h": false, "1.5h30m": false, "9999999999h": true} {
		mg := &sslv1alpha1.OriginCACertificate{}
		mg.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
		mg.Spec.RenewBefore = &before
		a := &adapter{described: &described{entry: entry{Description: d}}, mg: mg}
		err := a.misfit()
		if (err != nil) != fails || fails && !strings.Contains(err.Error(), "spec.renewBefore is not usable") {
			t.Errorf("%s: %v", before, err)
		}
	}
}

// TestMisfit checks values of any type, which no rule of a CRD can require.
func TestMisfit(t *testing.T) {
	d := kind.Description{Fields: map[string]kind.Field{"value": {Required: true, Variant: "any"}, "name": {Required: true}, "free": {Variant: "any"}}}
	all := xpv2.ManagementPolicies{xpv2.ManagementActionAll}
	tests := []struct {
		reason   string
		want     kind.Document
		policies xpv2.ManagementPolicies
		missing  bool
	}{
		{"it is there", kind.Document{"value": "on"}, all, false},
		{"it is false, which is a value", kind.Document{"value": false}, all, false},
		{"it is left out", kind.Document{}, all, true},
		{"who only observes needs none", kind.Document{}, xpv2.ManagementPolicies{xpv2.ManagementActionObserve}, false},
	}
	for _, tc := range tests {
		mg := &zonev1alpha1.ZoneSetting{}
		mg.Spec.ManagementPolicies = tc.policies
		a := &adapter{described: &described{entry: entry{Description: d}, names: map[string]string{"value": "value"}}, mg: mg, want: tc.want}
		err := a.misfit()
		if (err != nil) != tc.missing || tc.missing && !strings.Contains(err.Error(), "spec.forProvider.value is required") {
			t.Errorf("%s: %v", tc.reason, err)
		}
	}
}
