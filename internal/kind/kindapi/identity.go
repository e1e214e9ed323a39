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

// Identity tells the resource of that ID, below the parent of that key, from all others of its kind. It
// is the same for all keys and IDs that lead to one resource. What an account and its zones have alike may be below both:
// there an ID that is the only one of its kind tells enough.
func Identity(d kind.Description, key, id string) string {
	key, id = Canonical(d, key), d.CanonicalID(id)
	if d.Scope == kind.Either && d.Shape == kind.Collection && kind.IsUnique(id) {
		all := func(string, string) bool { return true }
		key = kept(key, all, func(path string) string { return withoutScope(d, path) })
	}
	return key + " " + id
}

// Canonical is the key of a parent in one form for all keys below which an ID leads to the same resource:
// it has what a call about one resource has in its path and its headers. A header whose value says the
// same as no header is left out, and so is a scope that only the query of the list has. The rest of that
// query is the same in all keys of a kind. It stays, for claims that other processes hold are known by
// these keys.
func Canonical(d kind.Description, key string) string {
	return kept(key, func(name, value string) bool {
		scope, listed := d.ListQuery[name]
		scopes := listed && strings.HasPrefix(scope, "{") && !strings.Contains(d.Read, scope) // It is in no call about one.
		return !saysDefault(d, name, value) && !scopes
	}, func(path string) string { return canonicalPath(d, path) })
}

// SameList reports whether the lists of two parents, by their keys, have the same resources: a header may
// say the same as no header.
func SameList(d kind.Description, a, b string) bool {
	list := func(key string) string {
		return kept(key, func(name, value string) bool { return !saysDefault(d, name, value) }, func(path string) string { return path })
	}
	return list(a) == list(b)
}

// keyFixed is how many parts each key has: a group, a kind and a path.
const keyFixed = 3

// kept is a key with those of its headers and parameters for which keep is true, and with the path that
// becomes of its own.
func kept(key string, keep func(name, value string) bool, path func(string) string) string {
	parts := strings.Split(key, " ")
	if len(parts) < keyFixed {
		return key // It is of no parent.
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

// saysDefault reports whether a header says the same as no header.
func saysDefault(d kind.Description, name, value string) bool {
	return value != "" && value == d.HeaderDefaults[strings.ToLower(name)]
}

// canonicalPath is the path of a parent with its parameters in canonical form.
func canonicalPath(d kind.Description, path string) string {
	return replaced(d, path, func(name, value string) string {
		if v, err := url.PathUnescape(value); err == nil {
			return url.PathEscape(d.CanonicalParameter(name, v))
		}
		return value
	})
}

// withoutScope is the path of a parent without the account or the zone that it is in.
func withoutScope(d kind.Description, path string) string {
	return replaced(d, path, func(name, value string) string {
		if name == "accounts_or_zones" || name == "account_or_zone_id" {
			return "-"
		}
		return value
	})
}

// replaced is the path of a parent with other values of its parameters.
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

// Parameters are the values of the parameters in the path of a parent's key, by their names, and its headers. They are nil
// for a key of another kind.
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

// parentOperation is the operation whose path is that of a parent.
func parentOperation(d kind.Description) (kind.Operation, error) {
	if d.Shape == kind.Singleton {
		return operation(d.Read)
	}
	return operation(cmp.Or(d.List, d.Read))
}
