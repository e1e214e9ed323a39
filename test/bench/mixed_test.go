// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	workersv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/workers/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
)

func TestLooksAt(t *testing.T) {
	i := intervals{drift: time.Minute, resource: 10 * time.Minute}
	list := kind.Description{Name: "Thing", List: "GET /accounts/{account_id}/things", Read: "GET /accounts/{account_id}/things/{thing_id}"}
	either := kind.Description{Name: "Thing", List: "GET /{accounts_or_zones}/{account_or_zone_id}/things"}
	changed := func(d kind.Description, change func(*kind.Description)) kind.Description {
		change(&d)
		return d
	}
	e := example{kind: "Thing", name: "one", account: "a", params: map[string]string{"zone_id": "z", "of": "x"}}
	const below, own = "Thing a of=x zone_id=z", "Thing a of=x zone_id=z one"
	tests := []struct {
		reason string
		d      kind.Description
		zoned  bool
		want   []look
	}{
		{"a list for all below a parent", list, false, []look{{"GET /accounts/{}/things", below, i.resource, i.resource}}},
		{
			"more often where the description says so",
			changed(list, func(d *kind.Description) { d.Sweep = time.Minute }), false,
			[]look{{"GET /accounts/{}/things", below, time.Minute, time.Minute}},
		},
		{
			"never less often than the flag says",
			changed(list, func(d *kind.Description) { d.Sweep = time.Hour }), false,
			[]look{{"GET /accounts/{}/things", below, i.resource, i.resource}},
		},
		{
			"each alone where the list leaves out something",
			changed(list, func(d *kind.Description) { d.ListOmits = []string{"rules"} }), false,
			[]look{{"GET /accounts/{}/things/{}", own, i.resource, i.resource}},
		},
		{
			"the list where it shows which of them moved",
			changed(list, func(d *kind.Description) { d.ListOmits, d.Revision = []string{"rules"}, "version" }), false,
			[]look{{"GET /accounts/{}/things", below, i.resource, i.resource}},
		},
		{"each alone where there is no list", changed(list, func(d *kind.Description) { d.List = "" }), false, []look{{"GET /accounts/{}/things/{}", own, i.resource, i.resource}}},
		{
			"a singleton alone although there is a list",
			changed(list, func(d *kind.Description) { d.Shape = kind.Singleton }), false,
			[]look{{"GET /accounts/{}/things/{}", own, i.resource, i.resource}},
		},
		{
			"the parts of a document with the document",
			kind.Description{Name: "Thing", Shape: kind.Fragment, Read: "GET /zones/{zone_id}/doc/{of}"},
			true,
			[]look{{"GET /zones/{}/doc/{}", below, i.resource, i.resource}},
		},
		{
			"the list alone of parts that are listed one by one",
			changed(list, func(d *kind.Description) { d.Shape, d.Bulk, d.Read = kind.Fragment, "GET /operations/{id}", "" }), false,
			[]look{{"GET /accounts/{}/things", below, i.resource, i.resource}},
		},
		{
			"the list and each alone where each shows a part",
			changed(list, func(d *kind.Description) { d.ReadLacks = []string{"etag"} }), false,
			[]look{{"GET /accounts/{}/things", below, i.resource, i.resource}, {"GET /accounts/{}/things/{}", own, i.resource, i.resource}},
		},
		{
			"each alone, and what is listed apart",
			changed(list, func(d *kind.Description) {
				d.ListOmits, d.Apart = []string{"rules"}, map[string]kind.SubList{"rules": {Operation: "GET /accounts/{account_id}/things/{thing_id}/rules"}}
			}), false,
			[]look{{"GET /accounts/{}/things/{}", own, i.resource, i.resource}, {"GET /accounts/{}/things/{}/rules", own, i.resource, i.resource}},
		},
		{"in an account", either, false, []look{{"GET /accounts/{}/things", below, i.resource, i.resource}}},
		{"in a zone", either, true, []look{{"GET /zones/{}/things", below, i.resource, i.resource}}},
	}
	for _, tc := range tests {
		e.zoned = tc.zoned
		got, err := looksAt(tc.d, e, i)
		if err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("%s: %+v (%v), want %+v", tc.reason, got, err, tc.want)
		}
	}
	if _, err := looksAt(kind.Description{Name: "Thing"}, e, i); err == nil || !strings.Contains(err.Error(), "Thing") {
		t.Errorf("a kind that is not read: error %v does not name it", err)
	}
}

func TestLooks(t *testing.T) {
	i := intervals{drift: time.Minute, resource: 2 * time.Minute}
	d := kind.Description{Name: "Thing", List: "GET /accounts/{account_id}/things"}
	all := []example{
		{kind: "Thing", name: "one", account: "a"},
		{kind: "Thing", name: "two", account: "a"},
		{kind: "Thing", name: "one", account: "b"},
		{kind: "Zone", name: "one", account: "a"},
		{kind: "Zone", name: "two", account: "a"},
		{kind: "Record", name: "one", account: "a", params: map[string]string{"zone_id": "z"}},
		{kind: "Record", name: "two", account: "a", params: map[string]string{"zone_id": "z"}},
	}
	got, err := looks([]kind.Description{d}, all, i)
	if err != nil {
		t.Fatal(err)
	}
	want := []look{
		{"GET /accounts/{}/things", "Thing a", 2 * time.Minute, 2 * time.Minute},
		{"GET /accounts/{}/things", "Thing b", 2 * time.Minute, 2 * time.Minute},
		{"GET /zones/{}", "Zone a one", 54 * time.Second, 66 * time.Second},
		{"GET /zones/{}", "Zone a two", 54 * time.Second, 66 * time.Second},
		{"GET /zones/{}/dns_records", "Record a zone_id=z", time.Minute, time.Minute},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(look{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if n := perInterval(got[:2], 4*time.Minute); n != 4 {
		t.Errorf("two lists each 2 min are %v calls in 4 min, want 4", n)
	}
	if _, err := looks(nil, all, i); err == nil || !strings.Contains(err.Error(), "Thing") {
		t.Errorf("a kind that nothing is known of: error %v does not name it", err)
	}
}

// TestLooksOfAllKinds checks that the description of every kind says which calls look for
// drift, and that each example is part of the case.
func TestLooksOfAllKinds(t *testing.T) {
	var (
		all    []example
		served []schema.GroupVersionKind
	)
	for _, name := range everyKind() {
		all = append(all, example{kind: name, name: "one", account: "a"})
		served = append(served, schema.GroupVersionKind{Kind: name})
	}
	if got, err := looks(kinds.All(), all, quickSize().intervals()); err != nil || len(got) < len(all) {
		t.Errorf("there are %d looks at %d kinds (%v)", len(got), len(all), err)
	}
	m, err := newMixture(filepath.Join("..", "..", "examples"), served, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, objects := range m.objects {
		have := map[string]bool{}
		for _, o := range objects {
			have[o.GetKind()] = true
			if o.GetNamespace() != accountName(i) {
				t.Errorf("%s %s is in namespace %s", o.GetKind(), o.GetName(), o.GetNamespace())
			}
		}
		for _, name := range everyKind() {
			if !have[name] {
				t.Errorf("namespace %d has no %s", i, name)
			}
		}
	}
}

// everyKind returns the kinds of managed resources, those with a description and those
// without one.
func everyKind() []string {
	out := []string{"Record", "Zone"}
	for _, d := range kinds.All() {
		out = append(out, d.Name)
	}
	return out
}

func TestMixtureCounts(t *testing.T) {
	tunnel := schema.GroupVersionKind{Group: "tunnel.cloudflare.m.crossplane.io", Version: "v1alpha1", Kind: "Tunnel"}
	config := tunnel.GroupVersion().WithKind("TunnelConfiguration")
	m, err := newMixture(filepath.Join("..", "..", "examples"), []schema.GroupVersionKind{tunnel, config}, 3)
	if err != nil {
		t.Fatal(err)
	}
	// A configuration has a tunnel of its own.
	if m.of(tunnel) != 2 || m.of(config) != 1 || m.managed() != 3 || len(m.objects) != 3 {
		t.Errorf("there are %d tunnels, %d configurations, %d managed resources in each of %d namespaces", m.of(tunnel), m.of(config), m.managed(), len(m.objects))
	}
	if _, err := newMixture(filepath.Join("..", "..", "examples"), []schema.GroupVersionKind{{Kind: "Nonsense"}}, 1); err == nil || !strings.Contains(err.Error(), "Nonsense") {
		t.Errorf("a kind without an example: error %v does not name it", err)
	}
}

func TestBounds(t *testing.T) {
	one := look{route: "GET /x", at: "a", every: time.Minute, latest: time.Minute}
	two := look{route: "GET /x", at: "b", every: time.Minute, latest: time.Minute}
	slow := look{route: "GET /y", at: "a", every: time.Hour, latest: time.Hour}
	least, most := bounds([]look{one, two, slow}, 10*time.Minute)
	if diff := cmp.Diff([]map[string]int{{"GET /x": 18, "GET /y": 0}, {"GET /x": 22, "GET /y": 1}}, []map[string]int{least, most}); diff != "" {
		t.Errorf("ten minutes (-want +got):\n%s", diff)
	}
	poll := look{route: "GET /z", at: "a", every: 54 * time.Second, latest: 66 * time.Second}
	if least, most := bounds([]look{poll}, 10*time.Minute); least["GET /z"] != 9 || most["GET /z"] != 12 {
		t.Errorf("a poll comes %d to %d times, want 9 to 12", least["GET /z"], most["GET /z"])
	}
	least, most = bounds([]look{one}, 10*time.Minute+time.Second)
	if least["GET /x"] != 10 || most["GET /x"] != 11 {
		t.Errorf("a window that is no multiple has %d to %d calls, want 10 to 11", least["GET /x"], most["GET /x"])
	}
}

func TestBeyond(t *testing.T) {
	x := call{method: "GET", route: "/zones/{zone_id}/x"}
	write := call{method: "PUT", route: "/zones/{zone_id}/x"}
	least, most := map[string]int{"GET /zones/{}/x": 2}, map[string]int{"GET /zones/{}/x": 3}
	tests := []struct {
		reason        string
		calls         calls
		more, missing int
	}{
		{"as many as there should be", calls{x, x}, 0, 0},
		{"one more than the interval goes into the window", calls{x, x, x}, 0, 0},
		{"too many", calls{x, x, x, x, x}, 2, 0},
		{"too few", calls{x}, 0, 1},
		{"none", nil, 0, 2},
		{"what no description says", calls{x, x, write}, 1, 0},
	}
	for _, tc := range tests {
		more, missing := beyond(tc.calls, least, most)
		if total(more) != tc.more || total(missing) != tc.missing {
			t.Errorf("%s: %v too many and %v too few, want %d and %d", tc.reason, more, missing, tc.more, tc.missing)
		}
	}
}

func TestUnsettled(t *testing.T) {
	object := func(name string, conditions ...xpv2.Condition) resource.Managed {
		o := &workersv1alpha1.KVNamespace{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
		o.SetConditions(conditions...)
		return o
	}
	upToDate := xpv2.Condition{Type: xpv2.TypeUpToDate, Status: "True"}
	settled := object("fine", xpv2.Available(), xpv2.ReconcileSuccess(), upToDate)
	tests := []struct {
		reason string
		all    []resource.Managed
		want   int
		says   []string
	}{
		{"all are", []resource.Managed{settled, settled}, 2, nil},
		{"one does not exist", []resource.Managed{settled}, 2, []string{"1 of 2", "KVNamespace"}},
		{"one has no conditions yet", []resource.Managed{settled, object("new")}, 2, []string{"1 of 2", "ns/new"}},
		{
			"one is refused",
			[]resource.Managed{object("bad", xpv2.Available(), xpv2.ReconcileError(errPlain("no such script"))), settled},
			2,
			[]string{"1 of 2", "ns/bad", "Synced", "no such script"},
		},
		{
			"one is not as declared",
			[]resource.Managed{object("old", xpv2.Available(), xpv2.ReconcileSuccess(), xpv2.Condition{Type: xpv2.TypeUpToDate, Status: "False"})},
			1,
			[]string{"0 of 1", "UpToDate"},
		},
	}
	for _, tc := range tests {
		err := unsettled("KVNamespace", tc.all, tc.want)
		if (err == nil) != (tc.says == nil) {
			t.Errorf("%s: %v", tc.reason, err)
		}
		for _, s := range tc.says {
			if err != nil && !strings.Contains(err.Error(), s) {
				t.Errorf("%s: %v does not say %q", tc.reason, err, s)
			}
		}
	}
}

type errPlain string

func (e errPlain) Error() string { return string(e) }

// TestMixedSeed checks that each namespace has a token for its account only, and an
// active zone there.
func TestMixedSeed(t *testing.T) {
	seed := mixedSeed(3)
	if len(seed.Accounts) != 3 || len(seed.Tokens) != 3 {
		t.Fatalf("the seed has %d accounts and %d tokens", len(seed.Accounts), len(seed.Tokens))
	}
	for i, a := range seed.Accounts {
		if len(a.Zones) != 1 || a.Zones[0].Name != mixedZone(i) || seed.Tokens[i].Grants[0].Account != a.ID {
			t.Errorf("account %d has the zones %+v and the grants %+v", i, a.Zones, seed.Tokens[i].Grants)
		}
	}
	for _, s := range []size{fullSize(), quickSize()} {
		if i := s.intervals(); i.drift >= i.resource || s.mixedWindow() < 2*i.resource {
			t.Errorf("a window of %s, with intervals of %+v, does not tell kinds apart", s.mixedWindow(), i)
		}
	}
	if !slices.Contains(caseNames(), caseMixed) {
		t.Error("the case is not among all cases")
	}
}
