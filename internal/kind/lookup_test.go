// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"errors"
	"reflect"
	"testing"
)

func groups() Lookup {
	return Lookup{Operation: "GET /groups", Noun: "permission group", By: []Selector{{Member: "name", Row: "name"}, {Member: "scope", Row: "scopes"}}}
}

func TestResolve(t *testing.T) {
	rows := []any{
		Document{"id": "1", "name": "DNS Read", "scopes": []any{"zone"}},
		Document{"id": "2", "name": "Logs Read", "scopes": []any{"zone"}},
		Document{"id": "3", "name": "Logs Read", "scopes": []any{"account"}},
	}
	for name, tc := range map[string]struct {
		reason string
		given  Document
		want   Document
		err    string
	}{
		"Name":       {"a name that one element has", Document{"name": "DNS Read"}, Document{"id": "1"}, ""},
		"ID":         {"an ID is left as it is", Document{"id": "9"}, Document{"id": "9"}, ""},
		"Scope":      {"the scope tells two of one name apart", Document{"name": "Logs Read", "scope": "account"}, Document{"id": "3"}, ""},
		"Ambiguous":  {"two have the name", Document{"name": "Logs Read"}, nil, `more than one permission group has name "Logs Read": set one of scope "account", scope "zone" as well`},
		"Near":       {"a misspelled name gets the nearest", Document{"name": "DNS read s"}, nil, `there is no permission group with name "DNS read s": the nearest names are "DNS Read", "Logs Read"`},
		"Unknown":    {"nothing is near", Document{"name": "Unheard of in all accounts"}, nil, `there is no permission group with name "Unheard of in all accounts"`},
		"WrongScope": {"the name is right and the scope is not", Document{"name": "DNS Read", "scope": "user"}, nil, `there is no permission group with name "DNS Read" and scope "user": the nearest names are "DNS Read", "Logs Read"`},
		"Both":       {"an ID and a name may contradict each other", Document{"id": "1", "name": "DNS Read"}, nil, "a permission group needs either id or name, and not both"},
		"Neither":    {"nothing is named", Document{}, nil, "a permission group needs either id or name, and not both"},
	} {
		t.Run(name, func(t *testing.T) {
			doc := Document{"policies": []any{Document{"groups": []any{tc.given}}}}
			err := groups().Resolve(doc, "policies[].groups[]", rows)
			if tc.err != "" {
				if err == nil || err.Error() != tc.err {
					t.Errorf("%s: got %v, want %s", tc.reason, err, tc.err)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(tc.given, tc.want) {
				t.Errorf("%s: got %v and %v, want %v", tc.reason, tc.given, err, tc.want)
			}
		})
	}
	var e *LookupError
	if err := groups().resolve(Document{"name": "x"}, nil); !errors.As(err, &e) {
		t.Errorf("got %v, want a *LookupError: somebody may decide on it", err)
	}
}

func TestLookups(t *testing.T) {
	l := groups()
	d := Description{Fields: map[string]Field{"policies[].groups[]": {Lookup: &l}}}
	for name, tc := range map[string]struct {
		reason string
		group  Document
		want   int
	}{
		"ID":      {"an ID needs no list", Document{"id": "1"}, 0},
		"Name":    {"a name does", Document{"name": "x"}, 1},
		"Both":    {"both are refused by Resolve", Document{"name": "x", "id": "1"}, 1},
		"Neither": {"so is neither", Document{}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := d.Lookups(Document{"policies": []any{Document{"groups": []any{tc.group}}}}); len(got) != tc.want {
				t.Errorf("%s: got %v, want %d", tc.reason, got, tc.want)
			}
		})
	}
}

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		reason, a, b string
		want         int
	}{
		{"equal texts", "abc", "abc", 0},
		{"one replaced", "abc", "abd", 1},
		{"one added", "ab", "abc", 1},
		{"one removed", "abc", "bc", 1},
		{"nothing to begin with", "", "abc", 3},
		{"nothing alike", "abc", "xyz", 3},
	} {
		if got := distance(tc.a, tc.b); got != tc.want {
			t.Errorf("%s: %q and %q are %d apart, want %d", tc.reason, tc.a, tc.b, got, tc.want)
		}
	}
}
