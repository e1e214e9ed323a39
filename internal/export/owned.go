// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone/ownership"
)

// owners knows which records of a zone belong to other controllers or tools.
type owners struct{ zone ownership.Zone }

func ownersOf(lives []dnsrecord.Live) owners {
	types := map[string][]string{}
	var marks []ownership.Mark
	for _, l := range lives {
		name := dnsrecord.FromLive(l).Name
		m, ok := mark(l, name)
		if ok {
			marks = append(marks, m)
		}
		if !ok || m.Sealed { // A sealed mark may also be any other text.
			types[name] = append(types[name], l.Type)
		}
	}
	return owners{ownership.Zone{Marks: marks, Types: func(name string) []string { return types[name] }}}
}

func mark(l dnsrecord.Live, name string) (ownership.Mark, bool) {
	if l.Type != "TXT" {
		return ownership.Mark{}, false
	}
	return ownership.Parse(name, dnsrecord.TXTText(l.Content))
}

// of says which owner a record belongs to, "" if no owner is known.
func (o owners) of(l dnsrecord.Live, live dnsrecord.Record) string {
	if owner, ok := l.Foreign(); ok {
		return "it belongs to " + owner
	}
	if m, ok := mark(l, live.Name); ok && !m.Sealed {
		return "it is a mark of " + m.String()
	}
	content := live.Content
	if l.Type == "TXT" {
		content = dnsrecord.TXTText(l.Content)
	}
	var texts []string
	for _, owner := range o.zone.Owners(live.Name, live.Type, content) {
		texts = append(texts, owner.Text)
	}
	if len(texts) == 0 {
		return ""
	}
	return "it belongs to " + strings.Join(texts, " and ")
}
