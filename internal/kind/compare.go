// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// A Difference is a field whose value at Cloudflare is not the declared one.
type Difference struct {
	// Path is the path of the field in the body, with the positions of list elements in brackets
	// and the names of map values in braces.
	Path string
	// Want is the declared value, and Live the value at Cloudflare. Nil means none.
	Want, Live any
}

// Differences compares a declared body with an answer. Fields that are not declared are not
// compared. These count as equal:
//
//   - a zero value (false, 0, "", an empty list or object) and no value, unless the
//     description tells them apart;
//   - numbers of the same value in any notation;
//   - lists that the description calls sets, in any order;
//   - strings with the same canonical form;
//   - an ID and the object that Cloudflare returns in its place, if the description says so;
//   - a declared value and no value, if the answer is partial.
//
// If an object is exact, members that are not declared differ, too. If the members of an object exclude each other, an
// object with another member differs, even if the member is empty.
//
// Write-only and concealed values are never compared. Of ordinals, only the resulting order is compared. The result is
// sorted by path.
func (d Description) Differences(want, live Document) []Difference {
	c := comparison{d: d, exact: d.exacts(), live: live, partial: d.Partial(live)}
	c.object("", "", want, live)
	slices.SortFunc(c.out, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	return c.out
}

type comparison struct {
	d Description
	// exact are the paths of the exact objects of d.
	exact []string
	live  Document
	// partial is true if the answer lacks a part of what Cloudflare has.
	partial bool
	out     []Difference
}

// value compares the values at one place. path is the place with its positions, and general its
// path in the description.
func (c *comparison) value(path, general string, want, live any) {
	f := c.d.field(general)
	if f.WriteOnly || f.Concealed || f.Ordinal {
		return
	}
	if live == nil && c.partial {
		return
	}
	live = c.answered(f, live)
	if f.OneOf && another(want, live) {
		c.differ(path, want, live)
		return
	}
	if _, names := want.(FreeFormMap); !names && f.absent(want) && f.absent(live) {
		return
	}
	if !c.parts(path, general, f, want, live) && !f.equal(want, live) {
		c.differ(path, want, live)
	}
}

// parts compares the contents of two objects or two lists. It returns false for any other values.
func (c *comparison) parts(path, general string, f Field, want, live any) bool {
	switch w := want.(type) {
	case map[string]any:
		if l, ok := object(live); ok || live == nil {
			c.object(path, general, w, l)
			return true
		}
	case FreeFormMap:
		if l, ok := object(live); ok || f.absent(live) {
			c.freeMap(path, general, w, l)
			return true
		}
	case []any:
		if l, ok := live.([]any); ok || live == nil {
			c.list(path, general, f, w, l)
			return true
		}
	}
	return false
}

// another reports whether a live object lacks the declared one of several members that exclude
// each other, even if that member is empty.
func another(want, live any) bool {
	w, _ := object(want)
	l, _ := object(live)
	for name, x := range w {
		if x != nil && l[name] == nil {
			return true
		}
	}
	return false
}

// answered returns the value of a field in an answer. live is the value at the field's own path.
func (c *comparison) answered(f Field, live any) any {
	if v, ok := At(c.live, f.Answer); f.Answer != "" && ok {
		live = v
	}
	if live = f.plain(live); live == nil {
		return f.Default
	}
	return live
}

func (c *comparison) differ(path string, want, live any) {
	c.out = append(c.out, Difference{Path: path, Want: want, Live: live})
}

func (c *comparison) object(path, general string, want, live map[string]any) {
	for name, w := range want {
		c.value(join(path, name), join(general, name), w, live[name])
	}
	if c.partial || !in(c.exact, general) {
		return
	}
	for name, l := range live {
		if _, declared := want[name]; !declared && !zero(l) {
			c.differ(join(path, name), nil, l)
		}
	}
}

// exacts returns the paths of the exact objects.
func (d Description) exacts() []string {
	var out []string
	for path, f := range d.Fields {
		if f.Exact {
			out = append(out, path)
		}
	}
	return out
}

// in reports whether a path is one of some, or below one of them.
func in(some []string, path string) bool {
	return slices.ContainsFunc(some, func(one string) bool {
		rest, ok := strings.CutPrefix(path, one)
		return ok && (rest == "" || strings.ContainsAny(rest[:1], ".[{"))
	})
}

// freeMap compares a map with names that the user chooses. A missing object differs, even if the
// declared one is empty.
func (c *comparison) freeMap(path, general string, want FreeFormMap, live map[string]any) {
	f := c.d.field(general + "{}")
	for name, w := range want {
		if _, isObject := object(w); isObject && live[name] == nil {
			c.differ(path+"{"+name+"}", w, nil)
			continue
		}
		c.value(path+"{"+name+"}", general+"{}", w, live[name])
	}
	for name, l := range live {
		_, isObject := object(l)
		if _, ok := want[name]; !ok && (isObject || !f.absent(l)) {
			c.differ(path+"{"+name+"}", nil, l)
		}
	}
}

func (c *comparison) list(path, general string, f Field, want, live []any) {
	want, live = c.d.ranked(general, want), c.d.ranked(general, live)
	if !f.Set && len(want) != len(live) {
		c.differ(path, want, live)
		return
	}
	pairs, extra := pair(c.d, general, f, want, live)
	if f.Others != nil {
		extra = slices.DeleteFunc(extra, f.Others.are)
	}
	if len(extra) > 0 {
		c.differ(path, want, live)
		return
	}
	for i, w := range want {
		if pairs[i] == nil && f.Set {
			c.differ(path, want, live)
			return
		}
		at := fmt.Sprintf("%s[%d]", path, i)
		if key := f.keyOf(w); key != "" {
			at = fmt.Sprintf("%s[%s]", path, key)
		}
		c.value(at, general+"[]", w, pairs[i])
	}
}

// pair returns the live element for each declared one, nil if there is none, and the live elements that are left.
func pair(d Description, general string, f Field, want, live []any) (pairs, extra []any) {
	if !f.Set {
		return inOrder(d, general, f, want, live).elements()
	}
	return matching(d, general, f, want, live).elements()
}

// keyOf returns the key of a set's element, "" if its elements have no keys.
func (f Field) keyOf(element any) string {
	if f.Key == "" {
		return ""
	}
	return Text(element, f.Key)
}

// plain returns the value that an object in an answer stands for, if Cloudflare returns an object
// in the place of a value.
func (f Field) plain(live any) any {
	if f.Expanded == "" {
		return live
	}
	switch l := live.(type) {
	case []any:
		out := make([]any, len(l))
		for i := range l {
			out[i] = f.plain(l[i])
		}
		return out
	case map[string]any:
		v, _ := At(l, f.Expanded)
		return v
	}
	return live
}

// absent reports whether v counts as no value.
func (f Field) absent(v any) bool {
	if f.KeepZero {
		return v == nil
	}
	return zero(v)
}

// zero reports whether v is nil or the zero value of its type. An object is zero if all its members are.
func zero(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case json.Number:
		return number(v.String()) != nil && number(v.String()).Sign() == 0
	case []any:
		return len(v) == 0
	}
	m, ok := object(v)
	for _, x := range m {
		if !zero(x) {
			return false
		}
	}
	return ok
}

// equal compares two values. It returns false if one of them is an object or a list.
func (f Field) equal(want, live any) bool {
	w, wok := scalar(want)
	l, lok := scalar(live)
	if !wok || !lok {
		return false
	}
	if f.Canonical != nil {
		w, l = f.Canonical(w), f.Canonical(l)
	}
	if w == l {
		return true
	}
	if _, isText := want.(string); isText {
		if _, isText := live.(string); isText {
			return false
		}
	}
	// One of them is a number: the API returns some fields as a number or as a string.
	a, b := number(w), number(l)
	return a != nil && b != nil && a.Cmp(b) == 0
}

// scalar returns a string, number or bool as text, and false for any other value.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	case int, int64, float64:
		return fmt.Sprint(v), true
	}
	return "", false
}

// longestNumber prevents numbers such as 1e999999999 from being written out.
const longestNumber = 64

// number returns the value of a number's text, nil if it is not a number.
func number(s string) *big.Float {
	if s == "" || len(s) > longestNumber {
		return nil
	}
	n, _, err := big.ParseFloat(s, 10, 256, big.ToNearestEven)
	if err != nil || n.IsInf() {
		return nil
	}
	return n
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
