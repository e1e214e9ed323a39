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

// A Difference is a field that Cloudflare holds otherwise than it is declared.
type Difference struct {
	// Path of the field in the body, with the position of list elements in brackets, and the
	// name of a map's in braces.
	Path string
	// Want is what is declared, and Live what Cloudflare holds: nil for nothing.
	Want, Live any
}

// Differences compares a declared body with an answer. What is not declared is not
// compared. These are equal:
//
//   - a zero value (false, 0, "", an empty list or object) and nothing, unless the
//     description keeps them apart;
//   - numbers of the same value, however they are written;
//   - lists that the description calls sets, in any order;
//   - texts of the same canonical form;
//   - an ID and the object that Cloudflare puts in its place, where the description says so;
//   - anything and nothing, in an answer that does not say all.
//
// Of an exact object, what it has beside what is declared differs, too. Of an object whose members exclude each other, it counts which one there is, even if it is
// empty.
//
// Write-only and concealed values are never compared, and of ordinals only the order that they make. The result is in the order of paths.
func (d Description) Differences(want, live Document) []Difference {
	c := comparison{d: d, exact: d.exacts(), live: live, partial: d.Partial(live)}
	c.object("", "", want, live)
	slices.SortFunc(c.out, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	return c.out
}

type comparison struct {
	d Description
	// exact are the paths of its exact objects.
	exact []string
	live  Document
	// partial is true for an answer that does not say all.
	partial bool
	out     []Difference
}

// value compares what stands at one place: path is the place with its positions, and
// general the path as the description has it.
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
	if _, names := want.(Map); !names && f.absent(want) && f.absent(live) {
		return
	}
	if !c.parts(path, general, f, want, live) && !f.equal(want, live) {
		c.differ(path, want, live)
	}
}

// parts compares what is in two objects or two lists. It reports false for all else.
func (c *comparison) parts(path, general string, f Field, want, live any) bool {
	switch w := want.(type) {
	case map[string]any:
		if l, ok := object(live); ok || live == nil {
			c.object(path, general, w, l)
			return true
		}
	case Map:
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

// another reports whether an object whose members exclude each other has another one than
// is declared: which one it is counts, even if nothing is in it.
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

// answered is what an answer has of a field, whose place there holds live.
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

// exacts are the paths of the exact objects.
func (d Description) exacts() []string {
	var out []string
	for path, f := range d.Fields {
		if f.Exact {
			out = append(out, path)
		}
	}
	return out
}

// in reports whether a path is one of some, or in one of them.
func in(some []string, path string) bool {
	return slices.ContainsFunc(some, func(one string) bool {
		rest, ok := strings.CutPrefix(path, one)
		return ok && (rest == "" || strings.ContainsAny(rest[:1], ".[{"))
	})
}

// freeMap compares a map whose names are the user's. That an object is there counts, even if it
// is empty.
func (c *comparison) freeMap(path, general string, want Map, live map[string]any) {
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

// pair finds the live element that stands for each declared one, nil where there is none,
// and gives what is left.
func pair(d Description, general string, f Field, want, live []any) (pairs, extra []any) {
	if !f.Set {
		return inOrder(d, general, f, want, live).elements()
	}
	return matching(d, general, f, want, live).elements()
}

// keyOf is the key of a set's element, "" where its elements have none.
func (f Field) keyOf(element any) string {
	if f.Key == "" {
		return ""
	}
	return Text(element, f.Key)
}

// plain gives the value that an answer's object stands for, where Cloudflare puts an
// object in the place of a value.
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

// absent reports whether v counts as nothing.
func (f Field) absent(v any) bool {
	if f.KeepZero {
		return v == nil
	}
	return zero(v)
}

// zero reports whether v is nothing, or the zero value of its type; an object is where all
// its members are.
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

// equal compares two values that are neither objects nor lists on both sides.
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
	// One of them is a number: some fields arrive as a number or as text.
	a, b := number(w), number(l)
	return a != nil && b != nil && a.Cmp(b) == 0
}

// scalar is the text of a value that has no parts.
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

// longestNumber keeps numbers such as 1e999999999 from being written out.
const longestNumber = 64

// number is the value of a number's text, nil for one that is none.
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
