// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// longestShown is the length of the longest value in a message.
const longestShown = 120

// position matches what is in brackets or braces in the path of a Difference.
var position = regexp.MustCompile(`\[[^\]]*\]|\{[^}]*\}`)

// General returns the path of the field in a description, without positions.
func (d Difference) General() string { return General(d.Path) }

// General returns a path without the positions of elements and the names of map values:
// origins[0].weight becomes origins[].weight, and env_vars{LEVEL}.value becomes env_vars{}.value.
func General(path string) string {
	return position.ReplaceAllStringFunc(path, func(p string) string { return p[:1] + p[len(p)-1:] })
}

// Describe says what differs, with the field names of the spec. names are the result of Names.
func (d Difference) Describe(names map[string]string) string {
	live, want := d.Values()
	return fmt.Sprintf("%s: live %s, desired %s", d.Name(names), live, want)
}

// Values returns the live and the declared value as texts, which are cut if they are long.
func (d Difference) Values() (live, want string) { return shown(d.Live), shown(d.Want) }

// Name returns the path with the field names of the spec and its positions.
func (d Difference) Name(names map[string]string) string {
	general := d.General()
	name, ok := names[general]
	for _, suffix := range []string{"[]", "{}"} { // A string in a list or a map.
		if all, element := strings.CutSuffix(general, suffix); !ok && element {
			name, ok = names[all]
			name += suffix
		}
	}
	if !ok {
		return d.Path
	}
	positions := position.FindAllString(d.Path, -1)
	return position.ReplaceAllStringFunc(name, func(string) string {
		p := positions[0]
		positions = positions[1:]
		if p[0] == '{' {
			return "." + p[1:len(p)-1]
		}
		return p
	})
}

// shown returns a value as it appears in a message.
func shown(v any) string {
	if v == nil {
		return "none"
	}
	if s, ok := v.(string); ok {
		if s == "" {
			return `""`
		}
		return cut(s)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	return cut(string(raw))
}

func cut(s string) string {
	if len(s) <= longestShown {
		return s
	}
	return strings.ToValidUTF8(s[:longestShown], "") + "..."
}

// A Normalization is a field that Cloudflare changed when this provider wrote it. It has hashes of both values.
type Normalization struct {
	Path, Want, Answer string
}

// Echoes returns the fields that the answer to a write of this provider has otherwise than they were written:
// a normalization that the description does not know. A field with its value from before the write is no
// echo, unless known has it from an earlier write: the field was not written, or the answer is older than the
// write. Another order of a list is no echo, nor is another resource than the one that was referred to.
func (d Description) Echoes(want, before, answer Document, known []Normalization) []Normalization {
	was := map[string]string{}
	for _, diff := range d.Differences(want, before) {
		was[diff.Path] = Hash(diff.Live)
	}
	var out []Normalization
	for _, diff := range d.Differences(want, answer) {
		e := Normalization{Path: diff.Path, Want: Hash(diff.Want), Answer: Hash(diff.Live)}
		f := d.field(diff.General())
		old, differed := was[e.Path]
		if differed && old == e.Answer && !slices.Contains(known, e) || f.Ref != "" || reordered(e.Path, want, answer) {
			continue
		}
		out = append(out, e)
	}
	return out
}

// reordered reports whether a path is that of a list, or of an element of one, that has the same elements
// in another order in the two documents.
func reordered(path string, want, answer Document) bool {
	list, _, _ := strings.Cut(path, "[")
	w, _ := At(want, list)
	a, _ := At(answer, list)
	wanted, isList := w.([]any)
	has, hasList := a.([]any)
	if !isList || !hasList || len(wanted) != len(has) || len(has) < 2 {
		return false
	}
	left := map[string]int{}
	for i := range has {
		left[Hash(has[i])]++
		left[Hash(wanted[i])]--
	}
	for _, n := range left {
		if n != 0 {
			return false
		}
	}
	return true
}

// Sends reports whether an update with that body sends the value at the path of a Difference. The value
// is in a header or in the body, or in a list or a map with the user's names that is sent as a whole.
func (d Description) Sends(body Document, path string) bool {
	for _, at := range d.UpdateHeaders {
		if at == path {
			return true
		}
	}
	for {
		var name string
		name, path, _ = strings.Cut(path, ".")
		plain, _, _ := strings.Cut(name, "[")
		plain, _, _ = strings.Cut(plain, "{")
		v, sent := body[plain]
		if !sent {
			return false
		}
		within, isObject := v.(Document)
		if path == "" || plain != name || !isObject {
			return true
		}
		body = within
	}
}

// WithoutEchoes removes the differences that are Cloudflare's answer to the last write of this
// provider: both the declared and the live value are as they were then.
func WithoutEchoes(diffs []Difference, known []Normalization) []Difference {
	var out []Difference
	for _, d := range diffs {
		echo := Normalization{Path: d.Path, Want: Hash(d.Want), Answer: Hash(d.Live)}
		found := false
		for _, k := range known {
			found = found || k == echo
		}
		if !found {
			out = append(out, d)
		}
	}
	return out
}

// hashLength is the number of bytes of a SHA-256 in a Hash.
const hashLength = 12

// Hash returns a short text that tells values apart. It does not conceal them.
func Hash(v any) string {
	raw, err := json.Marshal(v) // Members are in the order of their names.
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(raw)
	return base64.RawURLEncoding.EncodeToString(sum[:hashLength])
}
