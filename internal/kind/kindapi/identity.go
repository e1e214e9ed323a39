// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kindapi

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// Identity returns a string that tells the resource of that ID, below the parent of that key, from all others of its
// kind. It is the same for all keys and IDs that lead to one resource. A resource of the scope Either may be visible
// below both an account and a zone: if its ID is unique, the identity leaves out the scope.
func Identity(d kind.Description, key, id string) string {
	key, id = Canonical(d, key), d.CanonicalID(id)
	if d.Scope == kind.Either && d.Shape == kind.Collection && kind.IsUnique(id) {
		all := func(string, string) bool { return true }
		key = kept(key, all, func(path string) string { return withoutScope(d, path) })
	}
	return key + " " + id
}

// Canonical returns the key of a parent in one form for all keys below which an ID leads to the same
// resource. It has the parts that a call about one resource has in its path and its headers. It leaves
// out a header whose value has the same meaning as no header, and a scope that only the query of the list
// has. The rest of that query is the same in all keys of a kind. It stays, because claims of other
// processes are known by these keys.
func Canonical(d kind.Description, key string) string {
	return kept(key, func(name, value string) bool {
		scope, listed := d.ListQuery[name]
		scopes := listed && strings.HasPrefix(scope, "{") && !strings.Contains(d.Read, scope) // It is in no call about one resource.
		return !saysDefault(d, name, value) && !scopes
	}, func(path string) string { return canonicalPath(d, path) })
}

// SameList reports whether the lists of two parents, by their keys, have the same resources. A header may
// have the same meaning as no header.
func SameList(d kind.Description, a, b string) bool {
	list := func(key string) string {
		return kept(key, func(name, value string) bool { return !saysDefault(d, name, value) }, func(path string) string { return path })
	}
	return list(a) == list(b)
}

// keyFixed is the number of parts that each key has: a group, a kind and a path.
const keyFixed = 3

// kept returns a key with the headers and parameters for which keep returns true, and with the result
// of path for its path.
func kept(key string, keep func(name, value string) bool, path func(string) string) string {
	parts := strings.Split(key, " ")
	if len(parts) < keyFixed {
		return key // It is not the key of a parent.
	}
	out := append([]string{}, parts[:keyFixed]...)
	out[keyFixed-1] = path(out[keyFixed-1])
	for _, part := range parts[keyFixed:] {
		if name, value, _ := strings.Cut(part, "="); keep(name, value) {
			out = append(out, part)
		}
	}
	return strings.Join(out, " ")
}

// saysDefault reports whether a header has the same meaning as no header.
func saysDefault(d kind.Description, name, value string) bool {
	return value != "" && value == d.HeaderDefaults[strings.ToLower(name)]
}

// canonicalPath returns the path of a parent with its parameters in canonical form.
func canonicalPath(d kind.Description, path string) string {
	return replaced(d, path, func(name, value string) string {
		if v, err := url.PathUnescape(value); err == nil {
			return url.PathEscape(d.CanonicalParameter(name, v))
		}
		return value
	})
}

// withoutScope returns the path of a parent without its account or zone.
func withoutScope(d kind.Description, path string) string {
	return replaced(d, path, func(name, value string) string {
		if name == "accounts_or_zones" || name == "account_or_zone_id" {
			return "-"
		}
		return value
	})
}

// replaced returns the path of a parent with other values of its parameters.
func replaced(d kind.Description, path string, by func(name, value string) string) string {
	op, err := parentOperation(d)
	names, values := strings.Split(op.Path, "/"), strings.Split(path, "/")
	if err != nil || len(names) != len(values) {
		return path
	}
	for i, name := range names {
		if strings.HasPrefix(name, "{") {
			values[i] = by(strings.Trim(name, "{}"), values[i])
		}
	}
	return strings.Join(values, "/")
}

// Parameters returns the values of the parameters in the path of a parent's key, by their names, and its headers. They
// are nil for a key of another kind.
func Parameters(d kind.Description, key string) (map[string]string, http.Header) {
	parts := strings.Split(key, " ")
	op, err := parentOperation(d)
	if err != nil || len(parts) < keyFixed {
		return nil, nil
	}
	names, values := strings.Split(op.Path, "/"), strings.Split(parts[keyFixed-1], "/")
	if len(names) != len(values) {
		return nil, nil
	}
	params, header := map[string]string{}, http.Header{}
	for i, name := range names {
		v, err := url.PathUnescape(values[i])
		switch {
		case err != nil, !strings.HasPrefix(name, "{") && name != values[i]:
			return nil, nil
		case strings.HasPrefix(name, "{"):
			params[strings.Trim(name, "{}")] = v
		}
	}
	for _, part := range parts[keyFixed:] {
		name, value, _ := strings.Cut(part, "=")
		if _, listed := d.ListQuery[name]; !listed {
			header.Set(name, value)
		}
	}
	return params, header
}

// parentOperation returns the operation whose path is that of a parent.
func parentOperation(d kind.Description) (kind.Operation, error) {
	if d.Shape == kind.Singleton {
		return operation(d.Read)
	}
	return operation(cmp.Or(d.List, d.Read))
}
