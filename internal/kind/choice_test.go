// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

func TestChoiceFits(t *testing.T) {
	c := kind.OneOf{Members: []string{"ip", "url_host"}, Parents: "GET /lists", Parameter: "list_id", By: "kind", Noun: "list"}
	parents := []any{doc(t, `{"id":"a","kind":"ip"}`), doc(t, `{"id":"b","kind":"url_host"}`), doc(t, `{"id":"c","kind":"new"}`)}
	names := map[string]string{"ip": "ip", "url_host": "urlHost"}
	for _, tc := range []struct {
		reason, want, id, says string
	}{
		{"what fits", `{"ip":"192.0.2.1"}`, "a", ""},
		{"another member", `{"ip":"192.0.2.1"}`, "b", "spec.forProvider.ip does not fit the list, whose kind is url_host: name another list; or, to keep what is live, set spec.deletionPolicy to Orphan first, then delete this object and create another with urlHost"},
		{"another member beside the one that fits", `{"ip":"192.0.2.1","url_host":{}}`, "a", "spec.forProvider.urlHost does not fit"},
		{"null is no member", `{"ip":"192.0.2.1","url_host":null}`, "a", ""},
		{"nothing is for others to refuse", `{}`, "a", ""},
		{"a parent that nobody knows", `{"ip":"192.0.2.1"}`, "d", ""},
		{"a kind of parent that nobody knows", `{"ip":"192.0.2.1"}`, "c", ""},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			err := c.Fits(doc(t, tc.want), parents, tc.id, names)
			var misfit *kind.OneOfMismatchError
			switch {
			case tc.says == "" && err == nil:
			case tc.says == "" || !errors.As(err, &misfit) || !strings.Contains(err.Error(), tc.says):
				t.Errorf("Fits(%s) in %s: got %v, want %q", tc.want, tc.id, err, tc.says)
			}
		})
	}
}

// TestChoiceIsSentAlone expects only the chosen member to be sent (trap 10). Answers have the
// others, too, with empty values, which Cloudflare would refuse.
func TestChoiceIsSentAlone(t *testing.T) {
	d := kind.Description{Shape: kind.Fragment, Choice: &kind.OneOf{Members: []string{"ip", "host"}}}
	live := doc(t, `{"ip":"192.0.2.1","host":{},"comment":"x","new":1}`)
	for text, want := range map[string]string{
		`{"ip":"192.0.2.1"}`: `{"ip":"192.0.2.1","comment":"x","new":1}`,
		`{"comment":"y"}`:    `{"ip":"192.0.2.1","host":{},"comment":"y","new":1}`,
	} {
		if diff := cmp.Diff(doc(t, want), d.Element(doc(t, text), live)); diff != "" {
			t.Errorf("what is sent of %s: -want, +got:\n%s", text, diff)
		}
	}
}

// TestChoiceTakesWhatGoesWithIt expects that a member that belongs to another one is not kept without it.
func TestChoiceTakesWhatGoesWithIt(t *testing.T) {
	d := kind.Description{Choice: &kind.OneOf{Members: []string{"direct", "dns"}, With: map[string][]string{"dns": {"port"}}}}
	live := doc(t, `{"dns":{"name":"a"},"port":22,"tls":"off"}`)
	for text, want := range map[string]string{
		`{"direct":["b"]}`:     `{"direct":["b"],"tls":"off"}`,
		`{"dns":{"name":"b"}}`: `{"dns":{"name":"b"},"port":22,"tls":"off"}`,
		`{"tls":"full"}`:       `{"dns":{"name":"a"},"port":22,"tls":"full"}`,
	} {
		if diff := cmp.Diff(doc(t, want), d.UpdateBody(doc(t, text), live)); diff != "" {
			t.Errorf("what is sent of %s: -want, +got:\n%s", text, diff)
		}
	}
	if d.NamedByChoice() {
		t.Error("there is no natural key")
	}
	if d.Natural = []string{"dns"}; !d.NamedByChoice() {
		t.Error("the natural key is what is chosen")
	}
}

// TestKeyOfAFragment expects the key of a fragment to be the canonical form of the values of its
// natural key that it has.
func TestKeyOfAFragment(t *testing.T) {
	d := kind.Description{Shape: kind.Fragment, Natural: []string{"host.name", "asn"}, Fields: map[string]kind.Field{"host.name": {Canonical: strings.ToLower}}}
	for text, want := range map[string]string{`{"host":{"name":"A.example"}}`: "a.example", `{"asn":64496}`: "64496", `{"comment":"x"}`: "", `{"host":{}}`: ""} {
		key, named := d.NaturalKey(doc(t, text))
		if got := d.FragmentKey(doc(t, text)); got != want || key != want || named != (want != "") {
			t.Errorf("the keys of %s are %q and %q, %t, want %q", text, got, key, named, want)
		}
	}
}

// TestChoiceIsDeclaredOnce expects that a spec has only one of several members that an answer shows.
func TestChoiceIsDeclaredOnce(t *testing.T) {
	d := kind.Description{Choice: &kind.OneOf{Members: []string{"roles", "policies"}}}
	for text, want := range map[string]string{
		`{"a":1,"roles":["x"],"policies":["y"]}`: `{"a":1,"roles":["x"]}`,
		`{"a":1,"roles":[],"policies":["y"]}`:    `{"a":1,"policies":["y"]}`,
		`{"a":1}`:                                `{"a":1}`,
	} {
		if diff := cmp.Diff(doc(t, want), d.Declared(doc(t, text))); diff != "" {
			t.Errorf("what is declared of %s: -want, +got:\n%s", text, diff)
		}
	}
}
