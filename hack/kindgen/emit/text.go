// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"regexp"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
)

// text is what a field's readers learn, with the names of fields as they see them. It begins
// with what the field is, not with its name: kubectl explain shows the name beside it.
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

// lowered is a text in the middle of a sentence. An acronym stays as it is.
func lowered(s string) string {
	if len(s) > 1 && strings.ToUpper(s[1:2]) == s[1:2] {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// brief is the first sentence of a text, for the status. A field that the document says
// nothing of has its name for a text.
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

// named is what a name says.
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

// names are those of all fields of a kind that differ between the wire and the spec. A
// name that is also a value somewhere is left as it is.
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
