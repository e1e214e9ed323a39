// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"slices"
	"strconv"
	"strings"
)

// A Document is a JSON object as Cloudflare writes it. Numbers are json.Number, so that they are
// sent back as they came.
type Document = map[string]any

// A FreeFormMap is an object with member names that the user chooses, such as the headers of a request.
// It is declared as a whole, so a name that only Cloudflare has differs.
type FreeFormMap map[string]any

// At returns the value at path in doc, and whether there is one. Null counts as none. The path
// has no "[]", but may name an element by its position, as in Put.
func At(doc any, path string) (any, bool) {
	for path != "" {
		m, ok := object(doc)
		if !ok {
			return nil, false
		}
		var name string
		name, path, _ = strings.Cut(path, ".")
		if element, ok := elementAt(m, name); ok {
			doc = element
			continue
		}
		if doc, ok = m[name]; !ok {
			return nil, false
		}
	}
	return doc, doc != nil
}

// Empty reports whether doc has a member at path that is null or an empty string. A missing member is not empty.
func Empty(doc any, path string) bool {
	at, name := doc, path
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		at, _ = At(doc, path[:i])
		name = path[i+1:]
	}
	m, _ := object(at)
	v, there := m[name]
	return there && (v == nil || v == "")
}

// Text returns the string or the number at path in doc as text, and "" if there is neither.
func Text(doc any, path string) string {
	v, _ := At(doc, path)
	switch v := v.(type) {
	case string:
		return v
	case numeric:
		return v.String()
	}
	return ""
}

// numeric is implemented by json.Number.
type numeric interface {
	String() string
	Int64() (int64, error)
}

// Put sets the value at path in doc, and creates the objects that lead to it. An element of a
// list is named by its position, such as origins[0].weight. It must exist, or be the next one. A
// map value is named by its name, such as env_vars{LEVEL}.value. It must exist.
func Put(doc Document, path string, v any) {
	for {
		name, rest, deeper := cutPath(path)
		if list, i, ok := indexOf(name); ok && deeper {
			if now, _ := doc[list].([]any); i == len(now) {
				doc[list] = append(slices.Clip(now), Document{})
			}
		}
		if element, ok := elementAt(doc, name); ok && deeper {
			doc, path = element, rest
			continue
		}
		if !deeper {
			doc[name] = v
			return
		}
		next, ok := object(doc[name])
		if !ok {
			next = Document{}
			doc[name] = next
		}
		doc, path = next, rest
	}
}

// cutPath splits a path at its first dot outside of the name of a map value.
func cutPath(path string) (name, rest string, deeper bool) {
	from := 0
	if i := strings.IndexAny(path, ".{"); i >= 0 && path[i] == '{' {
		from = i + max(0, strings.IndexByte(path[i:], '}'))
	}
	head, rest, deeper := strings.Cut(path[from:], ".")
	return path[:from] + head, rest, deeper
}

// named splits env_vars{LEVEL} into the map and the name in it.
func named(part string) (bare, name string, ok bool) {
	bare, name, ok = strings.Cut(strings.TrimSuffix(part, "}"), "{")
	return bare, name, ok && name != ""
}

// indexOf splits origins[0] into its name and its position.
func indexOf(part string) (name string, i int, ok bool) {
	name, rest, ok := strings.Cut(part, "[")
	if !ok {
		return part, 0, false
	}
	i, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
	return name, i, err == nil && i >= 0
}

// elementAt returns the object at a position of a list, or of a name in a map.
func elementAt(doc Document, part string) (Document, bool) {
	if bare, name, ok := named(part); ok {
		all, _ := object(doc[bare])
		return object(all[name])
	}
	name, i, ok := indexOf(part)
	list, _ := doc[name].([]any)
	if !ok || i >= len(list) {
		return nil, false
	}
	return object(list[i])
}

// Without removes the values at path from doc. In the path, "[]" stands for every element of a
// list, "[0]" for its first one, "{}" for every value of a map, and "{LEVEL}" for the value of
// that name. If there is a list where the path has an object, the path applies to each element.
func Without(doc any, path string) {
	if list, ok := doc.([]any); ok {
		for _, e := range list {
			Without(e, path)
		}
		return
	}
	name, rest, deeper := cutPath(path)
	m, ok := object(doc)
	if !ok {
		return
	}
	if element, ok := elementAt(m, name); ok && deeper {
		Without(element, rest)
		return
	}
	if of, one, ok := named(name); ok {
		if all, ok := object(m[of]); ok && !deeper {
			delete(all, one)
		}
		return
	}
	bare := strings.TrimSuffix(strings.TrimSuffix(name, "[]"), "{}")
	switch {
	case !deeper && bare == name:
		delete(m, name)
	case bare == name:
		Without(m[name], rest)
	default:
		for _, v := range values(m[bare]) {
			Without(v, rest)
		}
	}
}

// has reports whether doc has a value at path. "[]" and "{}" are as in Without.
func has(doc any, path string) bool {
	name, rest, deeper := strings.Cut(path, ".")
	bare := strings.TrimSuffix(strings.TrimSuffix(name, "[]"), "{}")
	v, ok := At(doc, bare)
	switch {
	case !ok || !deeper:
		return ok
	case bare == name:
		return has(v, rest)
	}
	return slices.ContainsFunc(values(v), func(e any) bool { return has(e, rest) })
}

// values returns the elements of a list, or the values of a map.
func values(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	m, _ := object(v)
	var out []any
	for _, v := range m {
		out = append(out, v)
	}
	return out
}

// object returns v as an object, if it is one.
func object(v any) (map[string]any, bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, true
	case FreeFormMap:
		return v, true
	}
	return nil, false
}

// clone returns a deep copy of a JSON value.
func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = clone(x)
		}
		return out
	case FreeFormMap:
		out := make(FreeFormMap, len(v))
		for k, x := range v {
			out[k] = clone(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = clone(x)
		}
		return out
	}
	return v
}
