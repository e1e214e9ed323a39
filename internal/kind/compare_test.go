// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// doc parses JSON in the way that an answer is parsed.
func doc(t *testing.T, s string) kind.Document {
	t.Helper()
	v, err := kind.Parse([]byte(s))
	if err != nil {
		t.Fatalf("cannot read %s: %v", s, err)
	}
	out, ok := v.(kind.Document)
	if !ok {
		t.Fatalf("%s is not an object", s)
	}
	return out
}

func TestDifferences(t *testing.T) {
	origins := kind.Description{Fields: map[string]kind.Field{"origins": {Set: true, Key: "name"}, "origins[].enabled": {KeepZero: true, Default: true}}}
	oneOf := kind.Description{Fields: map[string]kind.Field{"a": {Set: true}, "a[]": {OneOf: true}}}
	partial := kind.Description{Status: []kind.Status{{Path: "status.ssl", Unknown: "unknown"}}, Fields: map[string]kind.Field{"b": {Default: "z"}}}
	exact := kind.Description{Fields: map[string]kind.Field{"r": {Set: true, Key: "id"}, "r[]": {Exact: true}}}
	ordinal := kind.Description{Fields: map[string]kind.Field{"p[].n": {Ordinal: true}}}
	tests := []struct {
		reason     string
		d          kind.Description
		want, live string
		diff       string
	}{
		{"ordinals of the same order", ordinal, `{"p":[{"id":"x","n":7},{"id":"y","n":9}]}`, `{"p":[{"id":"x","n":1},{"id":"y","n":2}]}`, ``},
		{"an ordinal that is not declared is the position", ordinal, `{"p":[{"id":"x"},{"id":"y"}]}`, `{"p":[{"id":"y","n":2},{"id":"x","n":1}]}`, ``},
		{"ordinals make another order", ordinal, `{"p":[{"id":"x"},{"id":"y"}]}`, `{"p":[{"id":"x","n":2},{"id":"y","n":1}]}`, `p[0].id: live y, desired x; p[1].id: live x, desired y`},
		{"what is not declared is not compared", kind.Description{}, `{"a":1}`, `{"a":1,"b":2}`, ``},
		{"a declared value that differs", kind.Description{}, `{"a":"x"}`, `{"a":"y"}`, `a: live y, desired x`},
		{"an exact object has more", exact, `{"r":[{"id":"x"}]}`, `{"r":[{"id":"x","expire":{"days":1}}]}`, `r[x].expire: live {"days":1}, desired none`},
		{"an object in an exact one has more", exact, `{"r":[{"id":"x","expire":{"days":1}}]}`, `{"r":[{"id":"x","expire":{"days":1,"all":true}}]}`, `r[x].expire.all: live true, desired none`},
		{"an exact object has more, of which nothing is set", exact, `{"r":[{"id":"x"}]}`, `{"r":[{"id":"x","expire":{},"on":false}]}`, ``},
		{"what is beside an exact object is not compared", exact, `{"r":[{"id":"x"}]}`, `{"r":[{"id":"x"}],"more":1}`, ``},
		{"trap 11: false and nothing", kind.Description{}, `{"a":false}`, `{}`, ``},
		{"trap 10: an empty list and null", kind.Description{}, `{"a":[]}`, `{"a":null}`, ``},
		{"an empty text and nothing", kind.Description{}, `{"a":""}`, `{}`, ``},
		{"an object of nothing and nothing", kind.Description{}, `{"a":{"b":{"c":0}}}`, `{}`, ``},
		{"nothing declared and an object of nothing answered", kind.Description{}, `{"a":{}}`, `{"a":{"common_name":{"common_name":null}}}`, ``},
		{"zero is not something", kind.Description{}, `{"a":0}`, `{"a":5}`, `a: live 5, desired 0`},
		{"false that the API takes for true where it is absent", origins, `{"origins":[{"name":"x","enabled":false}]}`, `{"origins":[{"name":"x"}]}`, `origins[x].enabled: live true, desired false`},
		{"true that the API does not repeat", origins, `{"origins":[{"name":"x","enabled":true}]}`, `{"origins":[{"name":"x"}]}`, ``},
		{"trap 9: a set in another order", origins, `{"origins":[{"name":"x","weight":1},{"name":"y"}]}`, `{"origins":[{"name":"y"},{"name":"x","weight":1}]}`, ``},
		{"an element of a set that differs is named by its key", origins, `{"origins":[{"name":"x","weight":1},{"name":"y"}]}`, `{"origins":[{"name":"y"},{"name":"x","weight":0.5}]}`, `origins[x].weight: live 0.5, desired 1`},
		{"an element too many", origins, `{"origins":[{"name":"x"}]}`, `{"origins":[{"name":"x"},{"name":"y"}]}`, `origins: live [{"name":"x"},{"name":"y"}], desired [{"name":"x"}]`},
		{"an element too few", origins, `{"origins":[{"name":"x"},{"name":"y"}]}`, `{"origins":[{"name":"x"}]}`, `origins: live [{"name":"x"}], desired [{"name":"x"},{"name":"y"}]`},
		{"a set of texts", kind.Description{Fields: map[string]kind.Field{"a": {Set: true}}}, `{"a":["x","y"]}`, `{"a":["y","x"]}`, ``},
		{"a set counts how often", kind.Description{Fields: map[string]kind.Field{"a": {Set: true}}}, `{"a":["x","x"]}`, `{"a":["x","y"]}`, `a: live ["x","y"], desired ["x","x"]`},
		{"a set of objects without a key, of which parts are declared", kind.Description{Fields: map[string]kind.Field{"a": {Set: true}}}, `{"a":[{"b":1},{"b":2}]}`, `{"a":[{"b":2,"id":"q"},{"b":1,"id":"p"}]}`, ``},
		{"a set of objects of which one has all that another declares", kind.Description{Fields: map[string]kind.Field{"a": {Set: true}}}, `{"a":[{"o":"x"},{"o":"x","t":1}]}`, `{"a":[{"o":"x","t":1},{"o":"x"}]}`, ``},
		{"a set in which one element has to make room for another", kind.Description{Fields: map[string]kind.Field{"a": {Set: true}}}, `{"a":[{"o":"x"},{"o":"x","t":1}]}`, `{"a":[{"o":"x","t":1,"id":"p"},{"o":"x","t":2,"id":"q"}]}`, ``},
		{"a set with one key twice, in another order", kind.Description{Fields: map[string]kind.Field{"a": {Set: true, Key: "n"}}}, `{"a":[{"n":"x","t":1},{"n":"x","t":2}]}`, `{"a":[{"n":"x","t":2},{"n":"x","t":1}]}`, ``},
		{"another one of members that exclude each other, and both are empty", oneOf, `{"a":[{"everyone":{}}]}`, `{"a":[{"certificate":{}}]}`, `a: live [{"certificate":{}}], desired [{"everyone":{}}]`},
		{"an empty one of members that exclude each other, in place of one that is not", oneOf, `{"a":[{"everyone":{}}]}`, `{"a":[{"email":{"email":"x"}}]}`, `a: live [{"email":{"email":"x"}}], desired [{"everyone":{}}]`},
		{"the same one of members that exclude each other", oneOf, `{"a":[{"everyone":{}}]}`, `{"a":[{"everyone":{},"email":{"email":null}}]}`, ``},
		{"a list keeps its order", kind.Description{}, `{"a":["x","y"]}`, `{"a":["y","x"]}`, `a[0]: live y, desired x; a[1]: live x, desired y`},
		{"numbers by value", kind.Description{}, `{"a":1.0,"b":100}`, `{"a":1,"b":1e2}`, ``},
		{"trap 26: a number that arrives as text", kind.Description{}, `{"a":3600}`, `{"a":"3600"}`, ``},
		{"texts of digits are texts", kind.Description{}, `{"a":"010"}`, `{"a":"10"}`, `a: live 10, desired 010`},
		{"trap 15: a text in another form", kind.Description{Fields: map[string]kind.Field{"a": {Canonical: strings.ToLower}}}, `{"a":"X"}`, `{"a":"x"}`, ``},
		{"trap 13: expanded references", kind.Description{Fields: map[string]kind.Field{"a": {Expanded: "id"}}}, `{"a":["p","q"]}`, `{"a":[{"id":"p","n":1},{"id":"q"}]}`, ``},
		{"expanded references in another order", kind.Description{Fields: map[string]kind.Field{"a": {Expanded: "id"}}}, `{"a":["p","q"]}`, `{"a":[{"id":"q"},{"id":"p"}]}`, `a[0]: live q, desired p; a[1]: live p, desired q`},
		{"trap 2: a concealed value", kind.Description{Fields: map[string]kind.Field{"a": {Concealed: true}}}, `{"a":"x"}`, `{"a":"****"}`, ``},
		{"trap 1: a value that is never answered", kind.Description{Fields: map[string]kind.Field{"a": {WriteOnly: true}}}, `{"a":"x"}`, `{}`, ``},
		{"a field that the answer calls otherwise in one version of the API", kind.Description{Fields: map[string]kind.Field{"a": {Answer: "b"}}}, `{"a":"x"}`, `{"a":"y"}`, `a: live y, desired x`},
		{"a field that the answer calls otherwise", kind.Description{Fields: map[string]kind.Field{"a": {Answer: "b.c"}}}, `{"a":"x"}`, `{"b":{"c":"y"}}`, `a: live y, desired x`},
		{"an answer that does not say all", partial, `{"a":"x","b":"x","c":"x"}`, `{"status":{"ssl":"unknown"},"c":"y"}`, `c: live y, desired x`},
		{"an answer that says all", partial, `{"a":"x"}`, `{"status":{"ssl":"active"}}`, `a: live none, desired x`},
		{"a value of another type", kind.Description{}, `{"a":{"b":1}}`, `{"a":"x"}`, `a: live x, desired {"b":1}`},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			var said []string
			for _, d := range tc.d.Differences(doc(t, tc.want), doc(t, tc.live)) {
				said = append(said, d.Describe(nil))
			}
			if diff := cmp.Diff(tc.diff, strings.Join(said, "; ")); diff != "" {
				t.Errorf("Differences(%s, %s): -want, +got:\n%s", tc.want, tc.live, diff)
			}
		})
	}
}

func TestFreeMap(t *testing.T) {
	var d kind.Description
	want := kind.Document{"headers": kind.FreeFormMap{"Host": []any{"a"}}}
	got := d.Differences(want, doc(t, `{"headers":{"Host":["a"],"X":["b"]}}`))
	if len(got) != 1 || got[0].Path != "headers{X}" || got[0].Want != nil {
		t.Errorf("Differences(...) = %v, want the name that nobody declares", got)
	}
	if said := got[0].Name(map[string]string{"headers": "header"}); said != "header.X" {
		t.Errorf("a value of a map is called %s", said)
	}
	for _, tc := range []struct{ reason, want, live, differs string }{
		{"an empty object is there or is not", `{"x":{}}`, `{}`, "m{x}"},
		{"an empty object that nobody declares", `{}`, `{"x":{}}`, "m{x}"},
		{"a member of an object", `{"a.b":{"v":1}}`, `{"a.b":{"v":2}}`, "m{a.b}.v"},
		{"null is nothing", `{}`, `{"x":null}`, ""},
	} {
		paths := ""
		for _, diff := range d.Differences(kind.Document{"m": kind.FreeFormMap(doc(t, tc.want))}, kind.Document{"m": doc(t, tc.live)}) {
			paths += diff.Path
		}
		if paths != tc.differs {
			t.Errorf("%s: %q differs, want %q", tc.reason, paths, tc.differs)
		}
	}
}

func TestSends(t *testing.T) {
	d := kind.Description{UpdateHeaders: map[string]string{"x-class": "class"}}
	body := doc(t, `{"a":1,"list":[{"x":1}],"object":{"b":null,"list":[]}}`)
	body["map"] = kind.FreeFormMap{"X.Y": "z"}
	for path, want := range map[string]bool{
		"a":               true,
		"class":           true, // In a header.
		"b":               false,
		"list[0].x":       true, // A list is sent as a whole.
		"list":            true,
		"object.b":        true, // To empty it.
		"object.c":        false,
		"object.list[k]":  true,
		"object.c.d":      false,
		"map{X.Y}":        true,
		"other{X.Y}.more": false,
		"a.within":        true, // A value that is sent in the place of an object covers all of it.
	} {
		if got := d.Sends(body, path); got != want {
			t.Errorf("Sends(body, %q) = %v, want %v", path, got, want)
		}
	}
}

func TestEchoes(t *testing.T) {
	var d kind.Description
	want := doc(t, `{"a":"(x)","b":1}`)
	known := d.Echoes(want, nil, doc(t, `{"a":"( x )","b":1}`), nil)
	tests := []struct {
		reason     string
		want, live string
		left       int
	}{
		{"as it was answered to our own write", `{"a":"(x)","b":1}`, `{"a":"( x )","b":1}`, 0},
		{"changed by somebody else", `{"a":"(x)","b":1}`, `{"a":"( y )","b":1}`, 1},
		{"another value is declared now", `{"a":"(z)","b":1}`, `{"a":"( x )","b":1}`, 1},
		{"another field", `{"a":"(x)","b":1}`, `{"a":"( x )","b":2}`, 1},
	}
	for _, tc := range tests {
		if left := kind.WithoutEchoes(d.Differences(doc(t, tc.want), doc(t, tc.live)), known); len(left) != tc.left {
			t.Errorf("%s: %d differences are left, want %d: %v", tc.reason, len(left), tc.left, left)
		}
	}
}
