// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

func ingress() kind.Description {
	return kind.Description{
		Shape: kind.Fragment, Part: "config.ingress[]", Natural: []string{"hostname", "path"}, Last: map[string]any{"service": "404"},
		Before: func(a, b map[string]any) bool { return len(kind.Text(a, "path")) > len(kind.Text(b, "path")) },
	}
}

func TestWith(t *testing.T) {
	tests := []struct {
		reason            string
		document, element string
		want              string
	}{
		{"a document that does not exist yet", `{}`, `{"hostname":"a"}`, `{"config":{"ingress":[{"hostname":"a"},{"service":"404"}]}}`},
		{
			"what is foreign stays where it is, and what is last stays last", `{"config":{"ingress":[{"hostname":"x","odd":1.50},{"service":"other"}],"more":true}}`, `{"hostname":"a"}`,
			`{"config":{"ingress":[{"hostname":"x","odd":1.50},{"hostname":"a"},{"service":"other"}],"more":true}}`,
		},
		{
			"the one of its key is replaced in its place", `{"config":{"ingress":[{"hostname":"a","service":"1"},{"hostname":"x"},{"service":"404"}]}}`, `{"hostname":"a","service":"2"}`,
			`{"config":{"ingress":[{"hostname":"a","service":"2"},{"hostname":"x"},{"service":"404"}]}}`,
		},
		{
			"it comes before what it has to come before", `{"config":{"ingress":[{"hostname":"a"},{"service":"404"}]}}`, `{"hostname":"a","path":"/x"}`,
			`{"config":{"ingress":[{"hostname":"a","path":"/x"},{"hostname":"a"},{"service":"404"}]}}`,
		},
	}
	for _, tc := range tests {
		got, _ := json.Marshal(ingress().With(doc(t, tc.document), doc(t, tc.element)))
		if diff := cmp.Diff(tc.want, string(got)); diff != "" {
			t.Errorf("%s: With(...): -want, +got:\n%s", tc.reason, diff)
		}
	}
}

func TestHolds(t *testing.T) {
	parts := ingress()
	parts.Create = "POST /rules"
	for _, tc := range []struct {
		reason, document string
		// whole is the result for a document that is written as a whole, and part for one whose elements
		// have their own operations.
		whole, part bool
	}{
		{"with elements", `{"config":{"ingress":[{"hostname":"a"}]}}`, true, true},
		{"without elements", `{"config":{"ingress":[]}}`, true, true},
		{"of a tunnel that was never configured", `{"config":null}`, true, true},
		{"with another member alone", `{"config":{"warp-routing":{}}}`, true, true},
		{"an answer that has nothing", `{}`, false, true},
		{"a text", `{"config":"other"}`, false, false},
		{"a text in place of the list", `{"config":{"ingress":"other"}}`, false, false},
		{"an element that is none", `{"config":{"ingress":[{"hostname":"a"},7]}}`, false, false},
	} {
		if whole, part := ingress().Holds(doc(t, tc.document)), parts.Holds(doc(t, tc.document)); whole != tc.whole || part != tc.part {
			t.Errorf("%s: Holds(...) = %t of a whole document, and %t of one in parts", tc.reason, whole, part)
		}
	}
}

func TestRemoved(t *testing.T) {
	d := ingress()
	got, _ := json.Marshal(d.Removed(doc(t, `{"config":{"ingress":[{"hostname":"a","path":"/x"},{"hostname":"a"},{"service":"404"}]}}`), "a /x"))
	if want := `{"config":{"ingress":[{"hostname":"a"},{"service":"404"}]}}`; string(got) != want {
		t.Errorf("Removed(...) = %s, want %s", got, want)
	}
	if got := d.Removed(nil, "a"); got != nil {
		t.Errorf("Removed(...) of no document = %v, want none", got)
	}
}

func TestElement(t *testing.T) {
	d := kind.Description{ReadOnly: []string{"id"}}
	got, _ := json.Marshal(d.Element(doc(t, `{"a":1}`), doc(t, `{"id":"x","a":2,"future":[1.0]}`)))
	if want := `{"a":1,"future":[1.0]}`; string(got) != want {
		t.Errorf("Element(...) = %s, want %s", got, want)
	}
}

// TestFragmentsLeaveOthersAlone expects that foreign elements stay the same, byte for byte and in their
// order. Adding and removing an element leaves the document as it was, except for the last element.
func TestFragmentsLeaveOthersAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := ingress()
		name := rapid.SampledFrom([]string{"a", "b", "c", "d"})
		element := rapid.Custom(func(t *rapid.T) kind.Document {
			e := kind.Document{"hostname": name.Draw(t, "hostname"), "service": rapid.String().Draw(t, "service")}
			if rapid.Bool().Draw(t, "has a path") {
				e["path"] = rapid.SampledFrom([]string{"/", "/x", "/xy"}).Draw(t, "path")
			}
			return e
		})
		list := []any{}
		for _, e := range rapid.SliceOfNDistinct(element, 0, 6, d.FragmentKey).Draw(t, "elements") {
			list = append(list, e)
		}
		before := kind.Document{"config": kind.Document{"ingress": append(list, kind.Document{"service": "last"}), "x": json.Number("1.0")}}
		mine := element.Draw(t, "mine")
		key := d.FragmentKey(mine)
		others := func(doc kind.Document) (out []kind.Document) {
			for _, e := range d.Elements(doc) {
				if d.FragmentKey(e) != key {
					out = append(out, e)
				}
			}
			return out
		}
		after := d.With(before, mine)
		if diff := cmp.Diff(others(before), others(after)); diff != "" {
			t.Fatalf("With(...) changed what is foreign:\n%s", diff)
		}
		if diff := cmp.Diff(others(before), d.Elements(d.Removed(after, key))); diff != "" {
			t.Fatalf("Removed(...) left something else:\n%s", diff)
		}
	})
}
