// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package limits

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// A Call is one that is about to be made.
type Call struct {
	Method string
	// Path below the base URL, with its parameters escaped.
	Path  string
	Query url.Values
	// Bodies are the body, or its parts that are no files. What is no JSON counts for nothing.
	Bodies [][]byte
}

// about is what a call is about.
type about struct {
	// free is true of what any limit allows: it verifies a token, or lists the zones of a name.
	free bool
	// zones are the IDs of the zones that the path and the body name, and odd is a member of the body that names one by
	// something else, "" if there is none.
	zones []string
	odd   string
	// names are those of zones that the body names where the API knows a zone by its name alone.
	names []string
	// account is the ID of the account that the path names, or that a new zone is made in.
	account string
	// newZone is the name of the zone that is to be made.
	newZone string
	// what names the call in errors.
	what string
}

// First words of paths.
const (
	inZones    = "zones"
	inAccounts = "accounts"
)

// aboutOf is what a call is about. It is false where that is no zone and no account, and where the path could be read
// in another way than it is read here.
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

// ofZones is what a call to /zones is about: a list of the zones of one name, or a zone that is made.
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

// verifies reports whether a path is one that verifies the token which calls it.
func verifies(parts []string) bool {
	of := strings.Join(parts, "/")
	return of == "user/tokens/verify" || len(parts) == 4 && parts[0] == inAccounts && isID(parts[1]) && strings.Join(parts[2:], "/") == "tokens/verify"
}

// plain is how many parts of a path say what it is about. They have nothing that is escaped.
const plain = 2

// segments are the parts of a path, decoded. It is false for a path that some server may read as another one: one with
// an empty part, a part that leads upwards, or one that has a separator in it.
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
		return true // It is escaped twice.
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

// NamesZones reports whether members of that name are IDs of zones, in whichever spelling a product has.
func NamesZones(name string) bool {
	switch spelled(name) {
	case "zoneid", "zonetag", inZones:
		return true
	}
	return false
}

// CallsZones reports whether members of that name are names of zones: the API takes no IDs there.
func CallsZones(name string) bool {
	switch spelled(name) {
	case "probezone", "targetzonename":
		return true
	}
	return false
}

// spelled is the name of a member without what its spellings differ in.
func spelled(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// call notes the zones that the value of a member calls by their names: one, or some.
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

// note notes the zones that the value of a member stands for: an ID, or some. An object in a list says itself which zone it
// names.
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
