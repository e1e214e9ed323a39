// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A record is one stored DNS record. A record in a zone is never changed, but replaced.
type record struct {
	id       string
	typ      string
	name     string         // Canonical FQDN.
	content  string         // Canonical; TXT has txt instead, and structured types have data.
	txt      txtContent     // TXT only.
	data     map[string]any // Structured types only, canonical.
	priority int            // MX and URI only.
	ttl      int            // In seconds; 1 is automatic.
	proxied  bool
	settings map[string]bool // As sent, without those that the API drops.
	comment  string          // "" means none.
	tags     []string        // A sorted set.
	private  bool            // private_routing.
	meta     map[string]any

	createdOn, modifiedOn             time.Time
	commentModifiedOn, tagsModifiedOn time.Time
}

// identity returns a text that no two records of a zone may share.
func (r *record) identity() string {
	parts := []string{r.typ, r.name}
	switch t, _ := recordType(r.typ); {
	case r.typ == "TXT":
		parts = append(parts, r.txt.payload())
	case t.structured():
		data := maps.Clone(r.data)
		for _, m := range t.members {
			if m.kind == dottedName {
				data[m.name] = strings.TrimSuffix(textOf(data, m.name), ".")
			}
		}
		encoded, err := json.Marshal(data) // With sorted keys.
		if err != nil {
			panic("simulator: canonical data is not JSON: " + err.Error())
		}
		parts = append(parts, string(encoded))
	default:
		parts = append(parts, r.content)
	}
	return strings.Join(append(parts, strconv.Itoa(r.priority)), "\x00")
}

// A rendering selects the forms of a response on which sources disagree, or which a
// fault causes.
type rendering struct {
	txtQuoted      bool // All TXT content as quoted strings.
	priorityInData bool // data.priority of MX and URI, too.
	locPlain       bool // LOC content without class and type, with fixed decimals.
	looseNumbers   bool // Numbers of data as texts.
	floatNumbers   bool // Whole numbers with a fraction.
	unknownFields  bool // Members that no client knows.
}

// rendered returns the content as the API returns it.
func (r *record) rendered(how rendering) string {
	t, _ := recordType(r.typ)
	switch {
	case r.typ == "TXT":
		return r.txt.render(how.txtQuoted)
	case r.typ == "LOC" && how.locPlain:
		return renderLOCPlain(r.data)
	case t.structured():
		return t.render(r.data)
	}
	return r.content
}

// body returns a record as JSON.
func (r *record) body(how rendering) map[string]any {
	t, _ := recordType(r.typ)
	meta := maps.Clone(r.meta)
	if meta == nil {
		meta = map[string]any{}
	}
	b := map[string]any{
		"id": r.id, "name": r.name, "type": r.typ, "content": r.rendered(how),
		"proxiable": t.proxiable, "proxied": r.proxied, "ttl": r.ttl, "settings": r.settings,
		"meta": meta, "comment": nil, "tags": append([]string{}, r.tags...),
		"created_on": timestamp(r.createdOn), "modified_on": timestamp(r.modifiedOn),
	}
	if r.settings == nil {
		b["settings"] = map[string]bool{}
	}
	if r.comment != "" {
		b["comment"], b["comment_modified_on"] = r.comment, timestamp(r.commentModifiedOn)
	}
	if len(r.tags) > 0 {
		b["tags_modified_on"] = timestamp(r.tagsModifiedOn)
	}
	if r.typ == "A" || r.typ == "AAAA" {
		b["private_routing"] = r.private
	}
	if data := r.dataBody(t, how); data != nil {
		b["data"] = data
	}
	if t.priority {
		b["priority"] = r.priority
	} else if r.typ == "SRV" {
		b["priority"] = r.data["priority"] // By the OpenAPI document, it may still be returned.
	}
	if how.floatNumbers {
		b["ttl"] = json.RawMessage(strconv.Itoa(r.ttl) + ".0")
	}
	if how.unknownFields {
		b["x_future"] = map[string]any{"tier": 2}
		meta["x_future"] = true
	}
	return b
}

func (r *record) dataBody(t rrtype, how rendering) map[string]any {
	data := maps.Clone(r.data)
	if t.priority && how.priorityInData {
		if data == nil {
			data = map[string]any{"target": r.content}
		}
		data["priority"] = r.priority
	}
	if how.looseNumbers {
		for name, value := range data {
			switch n := value.(type) {
			case int64:
				data[name] = strconv.FormatInt(n, 10)
			case float64:
				data[name] = metres(n, -1)
			}
		}
	}
	return data
}

// clone returns a copy that may be changed.
func (r *record) clone() *record {
	c := *r
	c.data, c.settings, c.meta = maps.Clone(r.data), maps.Clone(r.settings), maps.Clone(r.meta)
	c.tags = slices.Clone(r.tags)
	return &c
}

// readOnly reports whether the record belongs to another product than DNS, such as
// Email Routing, a tunnel or an application.
func (r *record) readOnly() bool {
	readOnly, _ := r.meta["read_only"].(bool)
	return readOnly
}

// A Record is a copy of a DNS record for tests.
type Record struct {
	ID       string
	Name     string // Canonical FQDN.
	Type     string
	Content  string // As the API returns it.
	Data     map[string]any
	Priority *int // MX and URI.
	TTL      int
	Proxied  bool
	Settings map[string]bool
	Comment  string
	Tags     []string
	Meta     map[string]any

	CreatedOn, ModifiedOn time.Time
}

func (r *record) public(how rendering) Record {
	c := r.clone()
	p := Record{
		ID: c.id, Name: c.name, Type: c.typ, Content: c.rendered(how), Data: c.data, TTL: c.ttl, Proxied: c.proxied,
		Settings: c.settings, Comment: c.comment, Tags: c.tags, Meta: c.meta, CreatedOn: c.createdOn, ModifiedOn: c.modifiedOn,
	}
	if t, _ := recordType(c.typ); t.priority {
		p.Priority = &c.priority
	}
	return p
}
