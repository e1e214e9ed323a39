// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
)

// A whereabouts is where a resource is: the values in its path and its headers, and its ID.
type whereabouts struct {
	params, headers map[string]string
	id              string
}

// The functions below return values that distinguish resources, in the form that the API shows.

func hexIDs() []string {
	return []string{"023e105f4ecef8ad9ca31a8372d0c353", "ab3e105f4ecef8ad9ca31a8372d0c353"}
}

func uuids() []string {
	return []string{"f70ff985-a4ef-4643-bbbc-4a0ed4fc8415", "a70ff985-a4ef-4643-bbbc-4a0ed4fc8415"}
}

// ownNames returns names that may differ in case alone.
func ownNames() []string { return []string{"one", "One", "a b"} }

func hostNames() []string { return []string{"a.example.com", "b.example.com"} }

// values returns the values of a parameter.
func values(name string) []string {
	switch {
	case name == "tunnel_id":
		return uuids()
	case strings.HasSuffix(name, "_id") && name != "setting_id":
		return append(uuids(), hexIDs()...)
	}
	return ownNames()
}

// ids returns the IDs of a kind.
func ids(d kind.Description) []string {
	switch {
	case d.Shape == kind.Fragment:
		return ownNames()
	case d.Fields[d.IDPath()].Canonical != nil:
		return hostNames()
	case slices.Contains(d.Natural, d.IDPath()):
		return ownNames()
	}
	return slices.Concat(hexIDs(), uuids(), []string{"42", "0x4AAF00AAAABn0R22HWm-YUc", "0x4AAF00AAAABn0R22HWm-YUC"})
}

// drawWhereabouts draws where a resource of d is.
func drawWhereabouts(t *rapid.T, d kind.Description, label string) whereabouts {
	w := whereabouts{params: map[string]string{}, headers: map[string]string{}}
	for _, s := range []string{d.List, d.Read} {
		op, _ := kind.ParseOperation(s)
		for _, name := range op.Parameters() {
			if _, has := w.params[name]; !has {
				w.params[name] = rapid.SampledFrom(values(name)).Draw(t, label+name)
			}
		}
	}
	account, zone := rapid.SampledFrom(hexIDs()).Draw(t, label+"account"), rapid.SampledFrom(hexIDs()).Draw(t, label+"zone")
	w.params["account_id"], w.params["accounts_or_zones"], w.params["account_or_zone_id"] = account, "accounts", account
	if d.Scope == kind.Zone || d.Scope == kind.Either && rapid.Bool().Draw(t, label+"in a zone") {
		w.params["zone_id"], w.params["accounts_or_zones"], w.params["account_or_zone_id"] = zone, "zones", zone
	}
	for _, header := range slices.Sorted(maps.Keys(d.Headers)) {
		w.headers[header] = rapid.SampledFrom([]string{"", "eu"}).Draw(t, label+header)
	}
	w.id = rapid.SampledFrom(ids(d)).Draw(t, label+"id")
	if d.Shape == kind.Singleton {
		w.id = d.SingletonID(w.params)
	}
	return w
}

// respelled returns another spelling of the same resource.
func (w whereabouts) respelled(t *rapid.T, d kind.Description) whereabouts {
	out := whereabouts{params: map[string]string{}, headers: map[string]string{}, id: w.id}
	for _, name := range slices.Sorted(maps.Keys(w.params)) {
		v := w.params[name]
		choices := []string{v}
		if anID.MatchString(v) {
			choices = append(choices, strings.ToUpper(v))
		}
		if name == "tunnel_id" {
			choices = append(choices, strings.ReplaceAll(v, "-", ""))
		}
		out.params[name] = rapid.SampledFrom(choices).Draw(t, "spelled "+name)
	}
	if z := out.params["zone_id"]; z != "" && d.Scope != kind.Zone {
		out.params["account_or_zone_id"] = z
	}
	if !strings.Contains(d.Read, "zone") && d.Scope == kind.Zone {
		out.params["zone_id"] = rapid.SampledFrom(hexIDs()).Draw(t, "another zone")
	}
	for header, v := range w.headers {
		if none := d.HeaderDefaults[header]; v == "" && none != "" && rapid.Bool().Draw(t, "default of "+header) {
			v = none
		}
		out.headers[header] = v
	}
	switch {
	case d.Shape == kind.Singleton:
		out.id = d.SingletonID(out.params)
	case anID.MatchString(w.id) || slices.Contains(hostNames(), w.id):
		out.id = rapid.SampledFrom([]string{w.id, strings.ToUpper(w.id)}).Draw(t, "spelled id")
	case w.id == "42":
		out.id = "0042"
	}
	return out
}

func (w whereabouts) resources(d kind.Description) kindapi.Resources {
	header := http.Header{}
	for name, v := range w.headers {
		if v != "" {
			header.Set(name, v)
		}
	}
	return kindapi.New(nil, d, w.params, header)
}

// identity returns the identity that claims use.
func (w whereabouts) identity(t *rapid.T, d kind.Description) string {
	key, err := w.resources(d).Key()
	if err != nil {
		t.Fatal(err)
	}
	return kindapi.Identity(d, key, w.id)
}

// call returns the path and the headers of a call about the resource. A resource that an account and its zones share
// is one resource below both if Cloudflare assigns its ID once.
func (w whereabouts) call(t *rapid.T, d kind.Description) string {
	if d.Scope == kind.Either && d.Shape == kind.Collection && anID.MatchString(w.id) {
		w.params = maps.Clone(w.params)
		w.params["accounts_or_zones"], w.params["account_or_zone_id"] = "accounts", hexIDs()[0]
	}
	if d.Read == "" { // A resource that is listed one by one is written to its list.
		d.Read = d.List
	}
	path, err := w.resources(d).Path(w.id)
	if err != nil {
		t.Fatal(err)
	}
	if d.Shape == kind.Fragment {
		path += " " + w.id
	}
	for _, header := range slices.Sorted(maps.Keys(w.headers)) {
		path += " " + w.headers[header]
	}
	return path
}

// TestIdentity checks, for each kind, that two names of a resource have one key, and that two resources have two.
func TestIdentity(t *testing.T) {
	t.Parallel()
	for _, e := range roster() {
		t.Run(e.GVK.Kind, func(t *testing.T) {
			t.Parallel()
			d := e.Description
			rapid.Check(t, func(t *rapid.T) {
				a, b := drawWhereabouts(t, d, "a "), drawWhereabouts(t, d, "b ")
				again := a.respelled(t, d)
				if got, want := again.identity(t, d), a.identity(t, d); got != want {
					t.Errorf("%+v is held under %q, and %+v under %q", again, got, a, want)
				}
				if same := a.call(t, d) == b.call(t, d); (a.identity(t, d) == b.identity(t, d)) != same {
					t.Errorf("%+v and %+v are one resource: %t; held under %q and %q", a, b, same, a.identity(t, d), b.identity(t, d))
				}
			})
		})
	}
}

// TestFeedWakesByIdentity checks that a change of a resource in a list wakes the objects that name it, below any
// parent.
func TestFeedWakesByIdentity(t *testing.T) {
	t.Parallel()
	e := entryOf(t, "OriginCACertificate")
	f := newFeed(nil, e, nil)
	mg := e.New()
	mg.GetSync().Parent = "ssl OriginCACertificate /certificates zone_id=" + hexIDs()[0]
	listed := "ssl OriginCACertificate /certificates zone_id=" + hexIDs()[1]
	if got, want := f.Claimed(listed, hexIDs()[0]), qualified(e.Description, mg, strings.ToUpper(hexIDs()[0])); got != want {
		t.Errorf("a change is about %q, and the object is found by %q", got, want)
	}
}
