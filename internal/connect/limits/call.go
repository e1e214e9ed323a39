// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package limits

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// A Call is a call that is about to be made.
type Call struct {
	Method string
	// Path is below the base URL, with its parameters escaped.
	Path  string
	Query url.Values
	// Bodies are the body, or those of its parts that are not files. A body that is not JSON is ignored.
	Bodies [][]byte
}

// about is what a call is about.
type about struct {
	// free is true if every limit allows the call: it verifies a token, or lists the zones of a name.
	free bool
	// zones are the IDs of the zones that the path and the body name. odd is a member of the body that names a zone by
	// another value than an ID, "" if there is none.
	zones []string
	odd   string
	// names are the names of zones in those members of the body that take no ID.
	names []string
	// account is the ID of the account that the path names, or in which a new zone is to be created.
	account string
	// newZone is the name of the zone that is to be created.
	newZone string
	// what names the call in errors.
	what string
}

// First words of paths.
const (
	inZones    = "zones"
	inAccounts = "accounts"
)

// aboutOf returns what a call is about. It returns false if that is neither a zone nor an account, and if a server
// could read the path in another way.
func aboutOf(c Call) (about, bool) {
	parts, ok := segments(c.Path)
	if !ok {
		return about{what: "a path that can be read in two ways"}, false
	}
	a := about{what: "/" + parts[0]}
	for _, body := range c.Bodies {
		var doc any
		if json.Unmarshal(body, &doc) == nil {
			a.read(doc)
		}
	}
	switch {
	case c.Method == http.MethodGet && verifies(parts):
		return about{free: true}, true
	case len(parts) == 1 && parts[0] == inZones:
		return a.ofZones(c)
	case len(parts) < 2 || !isID(parts[1]):
		return a, false
	case parts[0] == inZones:
		a.zones = append(a.zones, parts[1])
		return a, true
	case parts[0] == inAccounts:
		a.account = parts[1]
		return a, true
	}
	return a, false
}

// ofZones returns what a call to /zones is about: a list of the zones of one name, or a new zone.
func (a about) ofZones(c Call) (about, bool) {
	switch c.Method {
	case http.MethodGet:
		name := c.Query.Get("name")
		return about{free: true, what: a.what}, name != "" && !strings.Contains(name, ":") // It may begin with an operator.
	case http.MethodPost:
		var doc struct {
			Name    string `json:"name"`
			Account struct {
				ID string `json:"id"`
			} `json:"account"`
		}
		if len(c.Bodies) != 1 || json.Unmarshal(c.Bodies[0], &doc) != nil {
			return a, false
		}
		a.newZone, a.account = doc.Name, doc.Account.ID
		return a, a.newZone != ""
	}
	return a, false
}

// asksForAZone reports whether a call reads a zone itself, and nothing below it.
func asksForAZone(c Call) bool {
	parts, ok := segments(c.Path)
	return ok && c.Method == http.MethodGet && len(parts) == 2 && parts[0] == inZones
}

// verifies reports whether a path is one that verifies the token of the call.
func verifies(parts []string) bool {
	of := strings.Join(parts, "/")
	return of == "user/tokens/verify" || len(parts) == 4 && parts[0] == inAccounts && isID(parts[1]) && strings.Join(parts[2:], "/") == "tokens/verify"
}

// plain is how many parts of a path show what it is about. These parts must not be escaped.
const plain = 2

// segments returns the decoded parts of a path. It returns false for a path that a server may read as another one: one
// with an empty part, a part that leads upwards, a part that is escaped twice, or a part with a separator or a control
// character. The first two parts must not be escaped at all.
func segments(path string) ([]string, bool) {
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		return nil, false
	}
	parts := strings.Split(rest, "/")
	for i, part := range parts {
		decoded, err := url.PathUnescape(part)
		if err != nil || ambiguous(decoded) || i < plain && decoded != part {
			return nil, false
		}
		parts[i] = decoded
	}
	return parts, true
}

func ambiguous(part string) bool {
	if again, err := url.PathUnescape(part); err != nil || again != part {
		return true // The part is escaped twice.
	}
	return part == "" || part == "." || part == ".." || strings.ContainsAny(part, "/\\?#;") || strings.ContainsFunc(part, func(r rune) bool { return r < ' ' })
}

// read notes the zones that a value names, at any depth.
func (a *about) read(v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			switch {
			case NamesZones(name):
				a.note(name, member)
			case CallsZones(name):
				a.call(name, member)
			}
			a.read(member)
		}
	case []any:
		for _, e := range v {
			a.read(e)
		}
	}
}

// NamesZones reports whether members of that name are IDs of zones, in any spelling of a product.
func NamesZones(name string) bool {
	switch spelled(name) {
	case "zoneid", "zonetag", inZones:
		return true
	}
	return false
}

// CallsZones reports whether members of that name are names of zones. The API takes no IDs there.
func CallsZones(name string) bool {
	switch spelled(name) {
	case "probezone", "targetzonename":
		return true
	}
	return false
}

// spelled returns the name of a member without case and underscores, in which the spellings differ.
func spelled(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// call notes the zones in a member that takes names: one name, or a list of names.
func (a *about) call(name string, v any) {
	switch v := v.(type) {
	case nil:
	case string:
		if v != "" {
			a.names = append(a.names, v)
		}
	case []any:
		for _, e := range v {
			a.call(name, e)
		}
	default:
		a.odd = name
	}
}

// note notes the zones in a member that takes IDs: one ID, or a list of IDs. An object in a list is left to read, which
// looks at its own members.
func (a *about) note(name string, v any) {
	switch v := v.(type) {
	case nil:
	case string:
		if isID(v) {
			a.zones = append(a.zones, v)
		} else if v != "" {
			a.odd = name
		}
	case []any:
		for _, e := range v {
			if _, within := e.(map[string]any); !within {
				a.note(name, e)
			}
		}
	default:
		a.odd = name
	}
}

// isID reports whether s has the form of an ID of the API: 32 lower case hexadecimal characters.
func isID(s string) bool {
	return len(s) == 32 && strings.Trim(s, "0123456789abcdef") == ""
}
