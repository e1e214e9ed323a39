// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// A leaf is a value that the example declares.
type leaf struct {
	// path has the positions of list elements and the keys of maps. general has not.
	path, general string
}

// in reports whether the value is the one at a path, or a part of it.
func (l leaf) in(path string) bool {
	rest, ok := strings.CutPrefix(l.general, path)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], ".[{"))
}

// leaves returns the declared values that another client can change and an update can restore. From
// the elements of a list, it takes the values of the first element that has them.
func (w *world) leaves() []leaf {
	var out []leaf
	collect(w.want(), "", "", &out)
	createOnly := kind.CreateOnly(w.example.GetForProvider())
	schema, names := w.forProvider(), kind.Names(w.example.GetForProvider())
	out = slices.DeleteFunc(out, func(l leaf) bool {
		return formless(w.d, l) || concealed(w.d, l) || slices.ContainsFunc(createOnly, l.in) || isKey(w.d, l.general) || len(within(schema, names[l.general]).Enum) == 1
	})
	slices.SortFunc(out, func(a, b leaf) int { return strings.Compare(a.path, b.path) })
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(l leaf) bool {
		was := seen[l.general]
		seen[l.general] = true
		return was
	})
}

// formless reports whether a value decides the form of an object, so that the object is invalid if
// only that value changes. Cloudflare never returns such an object.
func formless(d kind.Description, l leaf) bool {
	return d.Name == "R2BucketLifecycle" && strings.HasSuffix(l.general, ".condition.type")
}

// concealed reports whether no answer has a value, or the value that contains it.
func concealed(d kind.Description, l leaf) bool {
	for path, f := range d.Fields {
		if (f.WriteOnly || f.Concealed) && l.in(path) {
			return true
		}
	}
	return false
}

// isKey reports whether a path is the key of the elements of a list. An element with another key is
// another element.
func isKey(d kind.Description, general string) bool {
	for path, f := range d.Fields {
		if f.Key != "" && general == path+"[]."+f.Key {
			return true
		}
	}
	return false
}

func collect(v any, path, general string, out *[]leaf) {
	switch v := v.(type) {
	case kind.Document:
		for name, x := range v {
			collect(x, join(path, name), join(general, name), out)
		}
	case kind.FreeFormMap:
		for name, x := range v {
			collect(x, path+"{"+name+"}", general+"{}", out)
		}
	case []any:
		for i, x := range v {
			collect(x, fmt.Sprintf("%s[%d]", path, i), general+"[]", out)
		}
	case string, json.Number, bool:
		*out = append(*out, leaf{path, general})
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// dotted returns a path in which the keys of maps have the form of members.
func dotted(path string) string { return strings.NewReplacer("{", ".", "}", "").Replace(path) }

// change replaces the value at path in doc by the result of to.
func change(doc map[string]any, path string, to func(any) any) {
	name, rest, deeper := strings.Cut(dotted(path), ".")
	at := ""
	if i := strings.Index(name, "["); i >= 0 {
		name, at = name[:i], name[i+1:len(name)-1]
	}
	if at == "" && !deeper {
		doc[name] = to(doc[name])
		return
	}
	next := doc[name]
	if at != "" {
		list, _ := next.([]any)
		var i int
		if _, err := fmt.Sscan(at, &i); err != nil || i >= len(list) {
			return
		}
		if !deeper {
			list[i] = to(list[i])
			return
		}
		next = list[i]
	}
	if m, ok := next.(map[string]any); ok {
		change(m, rest, to)
	}
}

// parsed returns a stored document in the form of an answer.
func parsed(doc map[string]any) kind.Document {
	raw, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	v, err := kind.Parse(raw)
	if err != nil {
		panic(err)
	}
	out, _ := v.(kind.Document)
	return out
}

func same(a, b any) bool {
	ra, _ := json.Marshal(a)
	rb, _ := json.Marshal(b)
	return bytes.Equal(ra, rb)
}

// withoutSecrets removes the fields that are not compared by value.
func withoutSecrets(w *world, doc kind.Document) kind.Document {
	for _, f := range kind.KeyFields(w.example.GetForProvider()) {
		kind.Without(doc, f.Path)
	}
	return doc
}

// lastName returns the last part of the name of a field.
func lastName(name string) string {
	name = name[strings.LastIndex(name, ".")+1:]
	return strings.TrimRight(name, "[]{}")
}

var errNoEvent = errors.New("no such event")

// event returns nil if the object has an event of that reason whose message contains text.
func (w *world) event(o client.Object, reason, text string) error {
	w.T.Helper()
	all := w.recorded(o)
	for _, e := range all {
		if e.reason == reason && strings.Contains(e.message, text) {
			return nil
		}
	}
	return fmt.Errorf("%w: %s with %q among %q", errNoEvent, reason, text, all)
}

// setDeletionPolicy sets spec.deletionPolicy.
func setDeletionPolicy(w *world, o client.Object, p xpv2.DeletionPolicy) {
	w.T.Helper()
	f := reflect.ValueOf(o).Elem().FieldByName("Spec").FieldByName("DeletionPolicy")
	if !f.IsValid() {
		w.T.Fatalf("%T has no deletion policy", o)
	}
	f.Set(reflect.ValueOf(p))
}

// asDeclared returns nil if Cloudflare has what the example declares.
func (w *world) asDeclared(id string) error {
	w.T.Helper()
	if diff := w.d.Differences(withoutSecrets(w, w.want()), w.answer(id)); len(diff) > 0 {
		return fmt.Errorf("Cloudflare has not what the example declares: %v", diff)
	}
	return nil
}
