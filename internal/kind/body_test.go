// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

func TestUpdateBody(t *testing.T) {
	rules := kind.Description{Fields: map[string]kind.Field{"r": {Key: "ref"}, "r[].p": {By: "r[].action"}}}
	uri := kind.Description{Fields: map[string]kind.Field{"p": {By: "action"}, "p.uri": {OneOf: true}}}
	tests := []struct {
		reason           string
		d                kind.Description
		want, live, body string
	}{
		{
			"an ordinal that nobody declares is the position: elements that change places leave it",
			kind.Description{Fields: map[string]kind.Field{"p[].n": {Ordinal: true}}},
			`{"p":[{"id":"b"},{"id":"a"}]}`, `{"p":[{"id":"a","n":1,"more":1},{"id":"b","n":2}]}`, `{"p":[{"id":"b"},{"id":"a","more":1}]}`,
		},
		{"trap 7: what is not declared is kept", kind.Description{ReadOnly: []string{"id"}}, `{"a":1}`, `{"id":"x","a":2,"new":{"b":[1.50]}}`, `{"a":1,"new":{"b":[1.50]}}`},
		{"members of an object that are not declared are kept", kind.Description{}, `{"o":{"a":1}}`, `{"o":{"a":2,"b":3}}`, `{"o":{"a":1,"b":3}}`},
		{"of an exact object nothing is kept", kind.Description{Fields: map[string]kind.Field{"s": {Set: true, Key: "n"}, "s[]": {Exact: true}}}, `{"s":[{"n":"x","o":{"a":1}}]}`, `{"s":[{"n":"x","o":{"a":1,"b":2},"p":{}}],"q":1}`, `{"q":1,"s":[{"n":"x","o":{"a":1}}]}`},
		{"elements of a set are found by their key", kind.Description{Fields: map[string]kind.Field{"s": {Set: true, Key: "n"}}}, `{"s":[{"n":"x","a":1}]}`, `{"s":[{"n":"y"},{"n":"x","a":2,"b":3}]}`, `{"s":[{"a":1,"b":3,"n":"x"}]}`},
		{"an element of a set that is found by its key may differ", kind.Description{Fields: map[string]kind.Field{"s": {Set: true, Key: "n"}}}, `{"s":[{"n":"z"},{"n":"x","a":1}]}`, `{"s":[{"n":"x","a":2,"b":3}]}`, `{"s":[{"n":"z"},{"a":1,"b":3,"n":"x"}]}`},
		{"elements with one key are nobody's", kind.Description{Fields: map[string]kind.Field{"s": {Set: true, Key: "n"}}}, `{"s":[{"n":"x","a":1}]}`, `{"s":[{"n":"x","a":2,"b":3},{"n":"x","a":3,"b":4}]}`, `{"s":[{"a":1,"n":"x"}]}`},
		{
			"elements of a list that change places take their own members along",
			kind.Description{},
			`{"s":[{"h":"b"},{"h":"a","p":"/x"},{"h":"z"}]}`, `{"s":[{"h":"a","p":"/x","tls":false,"o":{"t":1}},{"h":"b","new":1.50},{"h":"z"}]}`,
			`{"s":[{"h":"b","new":1.50},{"h":"a","o":{"t":1},"p":"/x","tls":false},{"h":"z"}]}`,
		},
		{"an element in the place of another inherits nothing", kind.Description{}, `{"s":[{"h":"c"},{"h":"b"}]}`, `{"s":[{"h":"a","p":"/x"},{"h":"b","q":1}]}`, `{"s":[{"h":"c"},{"h":"b","q":1}]}`},
		{"an element that changes loses what nobody declares", kind.Description{}, `{"s":[{"h":"a","v":2}]}`, `{"s":[{"h":"a","v":1,"p":"/x"}]}`, `{"s":[{"h":"a","v":2}]}`},
		{"a list that is as declared is kept in its places", kind.Description{}, `{"a":1,"s":[{"h":"a"},{"h":"a"}]}`, `{"a":2,"s":[{"h":"a","p":1},{"h":"a","p":2}]}`, `{"a":1,"s":[{"h":"a","p":1},{"h":"a","p":2}]}`},
		{"an element that could be either of two is ambiguous", kind.Description{}, `{"s":[{"h":"a"}]}`, `{"s":[{"h":"a","p":1},{"h":"a","p":2}]}`, `{"s":[{"h":"a"}]}`},
		{"two that could be the same element are ambiguous", kind.Description{}, `{"s":[{"h":"a"},{"h":"a","p":1}]}`, `{"s":[{"h":"a","p":1,"q":1}]}`, `{"s":[{"h":"a"},{"h":"a","p":1}]}`},
		{"an equal element is no rival", kind.Description{}, `{"s":[{"h":"a"},{"h":"a","p":1}]}`, `{"s":[{"h":"a","p":1}]}`, `{"s":[{"h":"a"},{"h":"a","p":1}]}`},
		{
			"the more specific element of a set stays what it is",
			kind.Description{Fields: map[string]kind.Field{"s": {Set: true}}},
			`{"s":[{"org":{"n":"acme"}},{"org":{"n":"acme","team":"ops"}}],"a":1}`, `{"s":[{"org":{"n":"acme","team":"ops"}},{"org":{"n":"acme"}}]}`,
			`{"a":1,"s":[{"org":{"n":"acme"}},{"org":{"n":"acme","team":"ops"}}]}`,
		},
		{"only what differs has no read-only members", kind.Description{Mode: kind.DeclaredOnly, ReadOnly: []string{"o.id"}}, `{"o":{"b":2}}`, `{"o":{"b":3,"id":"x","c":4}}`, `{"o":{"b":2,"c":4}}`},
		{"trap 12: the last element goes", kind.Description{}, `{"s":[]}`, `{"s":["x"]}`, `{"s":[]}`},
		{"what has to be sent to empty a field", kind.Description{Fields: map[string]kind.Field{"s": {Clear: map[string]any{}}}}, `{"s":""}`, `{"s":"x"}`, `{"s":{}}`},
		{"trap 2: a concealed value is not sent back", kind.Description{Fields: map[string]kind.Field{"c.secret": {Concealed: true}}}, `{"a":1}`, `{"a":2,"c":{"secret":"***","id":"x"}}`, `{"a":1,"c":{"id":"x"}}`},
		{"an expanded reference is sent as it was declared", kind.Description{Fields: map[string]kind.Field{"p": {Expanded: "id"}}}, `{"a":1}`, `{"a":2,"p":[{"id":"x","name":"y"}]}`, `{"a":1,"p":["x"]}`},
		{"read-only members of elements", kind.Description{ReadOnly: []string{"s[].health"}}, `{"a":1}`, `{"a":2,"s":[{"n":"x","health":true}]}`, `{"a":1,"s":[{"n":"x"}]}`},
		{"expanded references that an update sends as objects", kind.Description{Fields: map[string]kind.Field{"p": {Expanded: "id", Set: true, Wrapped: true}}}, `{"p":["z","x"]}`, `{"p":[{"id":"x","name":"y"}]}`, `{"p":[{"id":"z"},{"id":"x"}]}`},
		{"such that nobody declares", kind.Description{Fields: map[string]kind.Field{"p": {Expanded: "id", Wrapped: true}}}, `{"a":1}`, `{"a":2,"p":[{"id":"x","name":"y"}]}`, `{"a":1,"p":[{"id":"x"}]}`},
		{"a concealed value that is declared is sent", kind.Description{Fields: map[string]kind.Field{"c.secret": {Concealed: true}}}, `{"c":{"secret":"x"}}`, `{"a":2,"c":{"secret":"***","id":"x"}}`, `{"a":2,"c":{"id":"x","secret":"x"}}`},
		{"a concealed value in a list", kind.Description{Fields: map[string]kind.Field{"s[].secret": {Concealed: true}}}, `{"a":1}`, `{"s":[{"secret":"***","id":"x"}]}`, `{"a":1,"s":[{"id":"x"}]}`},
		{"a concealed value in a list that is declared", kind.Description{Fields: map[string]kind.Field{"s[].secret": {Concealed: true}}}, `{"s":[{"id":"x","secret":"y"}]}`, `{"s":[{"secret":"***","id":"x","b":1}]}`, `{"s":[{"b":1,"id":"x","secret":"y"}]}`},
		{"a concealed value in a map", kind.Description{Fields: map[string]kind.Field{"m{}.secret": {Concealed: true}}}, `{"a":1}`, `{"m":{"q":{"secret":"***","id":"x"}}}`, `{"a":1,"m":{"q":{"id":"x"}}}`},
		{"a concealed value in a list where there may be an object", kind.Description{Fields: map[string]kind.Field{"o.secret": {Concealed: true}}}, `{"a":1}`, `{"o":[{"secret":"***"},{"id":"x"}]}`, `{"a":1,"o":[{},{"id":"x"}]}`},
		{"a secret is sent where nothing else differs", kind.Description{Mode: kind.DeclaredOnly, Fields: map[string]kind.Field{"c.secret": {Concealed: true}}}, `{"a":1,"c":{"secret":"x"}}`, `{"a":1,"c":{"secret":"***","id":"x"}}`, `{"c":{"id":"x","secret":"x"}}`},
		{"another variant keeps nothing of the one before", uri, `{"action":"challenge","b":1}`, `{"action":"block","p":{"response":{"code":403}},"c":1}`, `{"action":"challenge","b":1,"c":1}`},
		{"another variant is what is declared of it", uri, `{"action":"rewrite","p":{"uri":{"value":"/"}}}`, `{"action":"block","p":{"response":{"code":403}}}`, `{"action":"rewrite","p":{"uri":{"value":"/"}}}`},
		{"the same variant keeps what nobody declares", uri, `{"action":"block","p":{"a":1}}`, `{"action":"block","p":{"a":2,"response":{"code":403}}}`, `{"action":"block","p":{"a":1,"response":{"code":403}}}`},
		{"an element of another variant keeps nothing of the one before", rules, `{"r":[{"ref":"a","action":"rewrite"}]}`, `{"r":[{"ref":"a","action":"block","p":{"code":403},"id":"1"}]}`, `{"r":[{"action":"rewrite","id":"1","ref":"a"}]}`},
		{"an element of the same variant keeps what nobody declares", rules, `{"r":[{"ref":"a","action":"block","p":{"b":1}}]}`, `{"r":[{"ref":"b"},{"ref":"a","action":"block","p":{"code":403}}]}`, `{"r":[{"action":"block","p":{"b":1,"code":403},"ref":"a"}]}`},
		{"a member that decides about its own object", kind.Description{Fields: map[string]kind.Field{"l": {By: "l.type"}}}, `{"l":{"type":"b"}}`, `{"l":{"type":"a","x":1}}`, `{"l":{"type":"b"}}`},
		{"a member of an element that decides about it", kind.Description{Fields: map[string]kind.Field{"l": {Key: "n"}, "l[]": {By: "l[].type"}}}, `{"l":[{"n":"1","type":"b"}]}`, `{"l":[{"n":"1","type":"a","x":1}]}`, `{"l":[{"n":"1","type":"b"}]}`},
		{"what decides is not declared", uri, `{"p":{"a":1}}`, `{"action":"block","p":{"a":2,"b":3}}`, `{"action":"block","p":{"a":1,"b":3}}`},
		{"another one of members that exclude each other", uri, `{"p":{"uri":{"expression":"lower(x)"}}}`, `{"p":{"c":1,"uri":{"value":"/"}}}`, `{"p":{"c":1,"uri":{"expression":"lower(x)"}}}`},
		{"the same one of members that exclude each other", uri, `{"p":{"uri":{"value":{"a":1}}}}`, `{"p":{"uri":{"value":{"a":2,"b":3},"expression":null}}}`, `{"p":{"uri":{"value":{"a":1,"b":3}}}}`},
		{"only what differs", kind.Description{Mode: kind.DeclaredOnly}, `{"a":1,"b":2}`, `{"a":1,"b":3,"c":4}`, `{"b":2}`},
		{"trap 28: nothing differs, nothing is sent", kind.Description{Mode: kind.DeclaredOnly}, `{"a":1}`, `{"a":1,"c":4}`, `{}`},
		{"what no update sets", kind.Description{Mode: kind.DeclaredOnly, Fields: map[string]kind.Field{"a": {On: "POST /a", Off: "DELETE /a"}}}, `{"a":true,"b":2}`, `{"a":false,"b":3}`, `{"b":2}`},
		{"all that is declared and no more", kind.Description{Mode: kind.Replace}, `{"a":1}`, `{"a":2,"c":4}`, `{"a":1}`},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			live := doc(t, tc.live)
			got, err := json.Marshal(tc.d.UpdateBody(doc(t, tc.want), live))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.body, string(got)); diff != "" {
				t.Errorf("UpdateBody(%s, %s): -want, +got:\n%s", tc.want, tc.live, diff)
			}
			if diff := cmp.Diff(doc(t, tc.live), live); diff != "" {
				t.Errorf("UpdateBody(...) changed the answer it was given:\n%s", diff)
			}
		})
	}
}

// value returns a generator of JSON values.
func value(depth int) *rapid.Generator[any] {
	leaf := []*rapid.Generator[any]{
		rapid.Just(any(nil)),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.SampledFrom([]string{"", "x", "10", "Y"}), func(s string) any { return s }),
		rapid.Map(rapid.SampledFrom([]string{"0", "1", "1.0", "-3", "2.50"}), func(s string) any { return json.Number(s) }),
	}
	if depth == 0 {
		return rapid.OneOf(leaf...)
	}
	list := rapid.Map(rapid.SliceOfN(value(depth-1), 0, 3), func(l []any) any { return l })
	object := rapid.Map(members(depth-1), func(m kind.Document) any { return m })
	return rapid.OneOf(append(leaf, list, object)...)
}

func members(depth int) *rapid.Generator[kind.Document] {
	return rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c", "n"}), value(depth), 0, 4)
}

// declared removes nulls, which a spec cannot have.
func declared(v any) any {
	switch v := v.(type) {
	case kind.Document:
		out := kind.Document{}
		for name, x := range v {
			if x = declared(x); x != nil {
				out[name] = x
			}
		}
		return out
	case []any:
		out := []any{}
		for _, x := range v {
			if x = declared(x); x != nil {
				out = append(out, x)
			}
		}
		return out
	}
	return v
}

// TestUpdateBodyProperties expects that an update sends what is declared, and leaves the rest as it was.
func TestUpdateBodyProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := kind.Description{Mode: rapid.SampledFrom([]kind.UpdateMode{kind.Merge, kind.DeclaredOnly, kind.Replace}).Draw(t, "mode")}
		if rapid.Bool().Draw(t, "set") {
			d.Fields = map[string]kind.Field{"a": {Set: true, Key: "n"}, "b": {Set: true}}
		}
		live := members(2).Draw(t, "live")
		want, _ := declared(members(2).Draw(t, "want")).(kind.Document)
		sent := d.UpdateBody(want, live)
		if d.Mode == kind.DeclaredOnly {
			after := kind.Document{}
			for name, v := range live {
				after[name] = v
			}
			for name, v := range sent {
				after[name] = v
			}
			sent = after
		}
		if left := d.Differences(want, sent); len(left) > 0 {
			t.Fatalf("after the update %v differs: sent %v", left, sent)
		}
		if d.Mode == kind.Replace {
			return
		}
		for name, v := range live {
			if _, mine := want[name]; !mine && !cmp.Equal(v, sent[name]) {
				t.Fatalf("%s was %v and is sent as %v", name, v, sent[name])
			}
		}
	})
}

// TestNoDifferenceToItself expects no difference between a value and itself, for any description.
func TestNoDifferenceToItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, _ := declared(members(3).Draw(t, "want")).(kind.Document)
		d := kind.Description{Fields: map[string]kind.Field{
			"a": {Set: rapid.Bool().Draw(t, "set"), Key: rapid.SampledFrom([]string{"", "n"}).Draw(t, "key")},
			"b": {KeepZero: rapid.Bool().Draw(t, "zero")},
		}}
		if got := d.Differences(want, want); len(got) > 0 {
			t.Fatalf("Differences(%v, itself) = %v", want, got)
		}
	})
}

// TestSetsInAnyOrder expects that a set does not differ in another order, or with members that
// Cloudflare adds to its elements. What is sent of it has each declared element once.
func TestSetsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := kind.Description{Fields: map[string]kind.Field{"s": {Set: true, Key: rapid.SampledFrom([]string{"", "n"}).Draw(t, "key")}}}
		set, _ := declared(rapid.SliceOfN(rapid.Map(members(1), func(m kind.Document) any { return m }), 0, 5).Draw(t, "set")).([]any)
		live := rapid.Permutation(set).Draw(t, "live")
		for i, e := range live {
			if rapid.Bool().Draw(t, "more") {
				live[i] = with(e, "more", i)
			}
		}
		want := kind.Document{"s": set}
		if diff := d.Differences(want, kind.Document{"s": live}); len(diff) > 0 {
			t.Fatalf("Differences(%v, %v) = %v", set, live, diff)
		}
		if rapid.Bool().Draw(t, "one goes") && len(live) > 0 {
			live = live[1:]
		}
		sent, _ := d.UpdateBody(want, kind.Document{"s": live})["s"].([]any)
		if diff := d.Differences(want, kind.Document{"s": sent}); len(diff) > 0 || len(sent) != len(set) {
			t.Fatalf("%v over %v is sent as %v, and differs in %v", set, live, sent, diff)
		}
	})
}

// with returns an object with one more member.
func with(v any, name string, x any) any {
	out := kind.Document{name: x}
	if m, ok := v.(kind.Document); ok {
		for k, y := range m {
			out[k] = y
		}
	}
	return out
}

// TestElementsAreNotMixed expects that each sent element of a list is the declared one, or a live
// one in which nothing declared differs.
func TestElementsAreNotMixed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := kind.Description{Fields: map[string]kind.Field{"s": {Set: rapid.Bool().Draw(t, "set")}}}
		elements := rapid.SliceOfN(rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), rapid.SampledFrom([]any{"x", "y"}), 1, 3), 0, 4)
		list := func(name string) []any {
			out := []any{}
			for _, e := range elements.Draw(t, name) {
				out = append(out, e)
			}
			return out
		}
		want, live := list("want"), list("live")
		sent, _ := d.UpdateBody(kind.Document{"s": want}, kind.Document{"s": live})["s"].([]any)
		for i := range want {
			same := func(l any) bool { return cmp.Equal(sent[i], l) }
			if !same(want[i]) && !slices.ContainsFunc(live, same) {
				t.Fatalf("%v over %v is sent as %v: nobody has element %d", want, live, sent, i)
			}
		}
	})
}

// TestReference expects that, of another resource that an answer shows in full, only the members
// that name it are sent.
func TestReference(t *testing.T) {
	d := kind.Description{Fields: map[string]kind.Field{"policies[]": {Members: []string{"id", "precedence"}, Reference: true}}}
	live := doc(t, `{"name":"a","policies":[{"id":"p","precedence":1,"name":"theirs","include":[{}]}]}`)
	for _, row := range []struct{ reason, want, body string }{
		{"it is declared", `{"policies":[{"id":"p"}]}`, `{"name":"a","policies":[{"id":"p","precedence":1}]}`},
		{"nobody declares it", `{"name":"b"}`, `{"name":"b","policies":[{"id":"p","precedence":1}]}`},
	} {
		got, _ := json.Marshal(d.UpdateBody(doc(t, row.want), live))
		if string(got) != row.body {
			t.Errorf("%s: %s, want %s", row.reason, got, row.body)
		}
	}
	if v, _ := kind.At(live, "name"); v != "a" || len(fmt.Sprint(live)) != len(fmt.Sprint(doc(t, `{"name":"a","policies":[{"id":"p","precedence":1,"name":"theirs","include":[{}]}]}`))) {
		t.Errorf("the answer itself was changed: %v", live)
	}
}

func TestUndeclared(t *testing.T) {
	t.Parallel()
	d := kind.Description{Fields: map[string]kind.Field{"r": {Key: "ref"}}}
	for _, tc := range []struct {
		because, want, live string
		out                 []string
	}{
		{"nothing is declared of the list: a deletion of the whole takes all away", `{}`, `{"r":[{"ref":"a"}]}`, []string{"a"}},
		{"an empty list takes all away", `{"r":[]}`, `{"r":[{"ref":"a"},{"ref":"b"}]}`, []string{"a", "b"}},
		{"all is declared, in another order and with other values", `{"r":[{"ref":"b","x":1},{"ref":"a"}]}`, `{"r":[{"ref":"a"},{"ref":"b"}]}`, nil},
		{"more is declared than there is", `{"r":[{"ref":"b"},{"ref":"a"}]}`, `{"r":[{"ref":"a"}]}`, nil},
		{"one is not declared", `{"r":[{"ref":"b"}]}`, `{"r":[{"ref":"a"},{"ref":"b"}]}`, []string{"a"}},
		{"there is no list", `{"r":[{"ref":"b"}]}`, `{}`, nil},
	} {
		if got := d.Undeclared("r", doc(t, tc.want), doc(t, tc.live)); !slices.Equal(got, tc.out) {
			t.Errorf("%s: got %q, want %q", tc.because, got, tc.out)
		}
	}
}

// TestElementByPosition expects that a natural key may be in an element of a list.
func TestElementByPosition(t *testing.T) {
	t.Parallel()
	d := kind.Description{Natural: []string{"m[0].value"}, Fields: map[string]kind.Field{"m[].value": {Canonical: strings.ToLower}}}
	for text, want := range map[string]string{
		`{"m":[{"type":"to","value":"A"},{"value":"b"}]}`: "a", `{"m":[{"type":"all"}]}`: "", `{"m":[]}`: "", `{"m":["a"]}`: "", `{}`: "",
	} {
		if key, named := d.NaturalKey(doc(t, text)); key != want || named != (want != "") {
			t.Errorf("the key of %s is %q, %t, want %q", text, key, named, want)
		}
	}
	out := kind.Document{}
	kind.Put(out, "m[0].value", "a")
	kind.Put(out, "m[1].value", "b")
	kind.Put(out, "m[0].type", "to")
	if got, _ := json.Marshal(out); string(got) != `{"m":[{"type":"to","value":"a"},{"value":"b"}]}` {
		t.Errorf("the elements are put as %s", got)
	}
}

func TestEmpty(t *testing.T) {
	t.Parallel()
	d := doc(t, `{"null":null,"text":"","full":"x","zero":0,"in":{"null":null,"text":"x"}}`)
	for path, want := range map[string]bool{
		"null": true, "text": true, "in.null": true,
		"full": false, "zero": false, "in": false, "in.text": false, "absent": false, "in.absent": false, "absent.null": false, "": false,
	} {
		if got := kind.Empty(d, path); got != want {
			t.Errorf("Empty(%q) = %t", path, got)
		}
	}
}

// TestNaturalKeyOfAnAnswer expects that an answer may have the name of a resource at another path than a body.
func TestNaturalKeyOfAnAnswer(t *testing.T) {
	d := kind.Description{Natural: []string{"email"}, Fields: map[string]kind.Field{"email": {Answer: "user.email"}}}
	for text, want := range map[string]string{`{"email":"a"}`: "a", `{"user":{"email":"a"}}`: "a", `{"email":"b","user":{"email":"a"}}`: "a", `{}`: ""} {
		if got, ok := d.NaturalKey(doc(t, text)); got != want || ok != (want != "") {
			t.Errorf("the key of %s is %q, want %q", text, got, want)
		}
	}
}

func TestSent(t *testing.T) {
	list := []any{json.Number("1")}
	body := kind.Document{"schedules": list}
	if got, ok := (kind.Description{}).Sent(body).(kind.Document); !ok || cmp.Diff(got, body) != "" {
		t.Errorf("got %v, want the object", got)
	}
	if got := (kind.Description{Bare: "schedules"}).Sent(body); cmp.Diff(got, any(list)) != "" {
		t.Errorf("got %v, want the list alone", got)
	}
}
