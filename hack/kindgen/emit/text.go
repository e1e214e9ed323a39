// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"regexp"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
)

// text returns a field's description with the names of fields that users see. It begins with
// what the field is, not with its name: kubectl explain shows the name beside it.
func (s *structs) text(m *model.Node) string {
	text := regexp.MustCompile(`[a-z0-9]+(?:_[a-z0-9]+)+`).ReplaceAllStringFunc(m.Text(), func(name string) string {
		if seen := s.names[name]; seen != "" {
			return seen
		}
		return name
	})
	first, _, _ := strings.Cut(text, " ")
	if strings.EqualFold(strings.TrimRight(first, ".,:"), jsonName(m)) {
		return "The " + lowered(text)
	}
	return text
}

// lowered returns a text for the middle of a sentence. An acronym stays in capitals.
func lowered(s string) string {
	if len(s) > 1 && strings.ToUpper(s[1:2]) == s[1:2] {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// brief returns the first sentence of a field's text, for the status. For a field without a
// description in the document, it returns a text made from its name.
func (s *structs) brief(m *model.Node) string {
	text := s.text(m)
	if text == "" {
		return named(m.Name)
	}
	sentence, _, more := strings.Cut(text, ". ")
	if more && !strings.HasSuffix(sentence, "e.g") && !strings.HasSuffix(sentence, "i.e") {
		return sentence + "."
	}
	return text
}

// named returns a description made from a name.
func named(name string) string {
	switch name {
	case "created", "created_at", "created_on":
		return "When it was created."
	case "modified", "modified_on", "updated_at":
		return "When it was changed last."
	case "expires_at":
		return "When it expires."
	}
	return "The " + strings.Join(words(name), " ") + "."
}

// names returns the names of all fields of a kind that differ between the wire and the spec.
// It leaves out names that are also values of a field.
func names(k *model.Kind) map[string]string {
	out, values := map[string]string{}, map[string]bool{}
	collect := func(n *model.Node) {
		for _, v := range n.Enum {
			values[v] = true
		}
		if n.Name != "" && !n.Secret() {
			out[n.Name] = jsonName(n)
		}
	}
	k.Spec.Walk(collect)
	for _, p := range k.Params {
		p.Walk(collect)
	}
	for v := range values {
		delete(out, v)
	}
	return out
}
