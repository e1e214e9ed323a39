// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"strings"
)

// FromLive returns the canonical form of a record that the API returned. It never fails:
// what cannot be parsed (an unknown type, malformed content, a new member of data) is
// kept as it is and compared literally. All managed fields are set.
func FromLive(l Live) Record {
	// All fields that the record points to share one allocation.
	held := &struct {
		priority uint16
		ttl      int64
		proxied  bool
		comment  string
		settings Settings
	}{ttl: int64(l.TTL), proxied: l.Proxied}
	if l.Comment != nil {
		held.comment = *l.Comment
	}
	if l.Settings != nil {
		held.settings = *l.Settings
	}
	r := Record{
		Name: liveName(l.Name), Type: l.Type,
		TTL: &held.ttl, Proxied: &held.proxied, Comment: &held.comment, Settings: &held.settings,
		Tags: canonicalTags(l.Tags),
	}
	t, ok := lookup(l.Type)
	if !ok {
		r.Content, r.Data = l.Content, literalData(l.Data)
	} else {
		r.setLiveRdata(t, &l)
	}
	if r.Priority == nil && (!ok || t.priority == topPriority || t.priority == priorityOutside) {
		if p, found := livePriority(&l); found {
			held.priority = p
			r.Priority = &held.priority
		} else if ok {
			r.Priority = &held.priority
		}
	}
	return r
}

func liveName(name string) string {
	if ascii, _, p := canonicalName(name); p == nil {
		return ascii
	}
	return strings.TrimSuffix(strings.ToLower(name), ".")
}

// livePriority returns the priority from either place in which the API keeps priorities.
func livePriority(l *Live) (uint16, bool) {
	for _, v := range []any{l.Priority, l.Data["priority"]} {
		if n, ok := toNumber(v); ok && n >= 0 && n <= math.MaxUint16 && n == math.Trunc(n) {
			return uint16(n), true
		}
	}
	return 0, false
}

func (r *Record) setLiveRdata(t *rrtype, l *Live) {
	if t.structured() {
		r.setLiveData(t, l)
		return
	}
	content := l.Content
	if s, ok := l.Data["target"].(string); ok && content == "" {
		content = s
	}
	r.Content = content
	if t.name == "TXT" {
		r.Content = liveTXT(content)
	} else if canonical, p := t.content(content); p == nil {
		r.Content = canonical
	}
}

// liveTXT is txt without its limit. Content that is not well quoted is taken literally.
func liveTXT(content string) string {
	return quoteStrings(TXTText(content))
}

// setLiveData converts data member by member, so that one odd member leaves the others
// comparable. An answer without data is read from its content.
func (r *Record) setLiveData(t *rrtype, l *Live) {
	raw := l.Data
	if len(raw) == 0 {
		var p *problem
		if raw, p = t.split(l.Content, true); p != nil {
			r.Content = l.Content
			return
		}
	}
	data := make(Data, len(t.fields)+1)
	complete := true
	for i := range t.fields {
		f := &t.fields[i]
		v, ok := raw[f.key]
		if (!ok || v == nil) && f.key == "priority" {
			v, ok = l.Priority, l.Priority != nil
		}
		switch {
		case ok && v != nil:
			canonical, p := f.canonical(v)
			if p != nil {
				canonical, complete = literal(v), false
			}
			data[f.key] = canonical
		case f.fallback != nil:
			data[f.key] = f.fallback
		default:
			complete = false
		}
	}
	r.setCanonical(t, data)
	if !complete {
		r.Content = l.Content
	}
}

func literalData(raw Data) Data {
	if raw == nil {
		return nil
	}
	data := maps.Clone(raw)
	for k, v := range data {
		data[k] = literal(v)
	}
	return data
}

// literal makes a value of unknown meaning comparable. A number is a number in every form
// in which it arrives, a text is a text, and any other value is its JSON.
func literal(v any) any {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return fmt.Sprint(v)
	}
	if n, ok := toNumber(v); ok {
		if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
			return int64(n)
		}
		return n
	}
	if b, err := json.Marshal(v); err == nil {
		return string(b)
	}
	return reflect.TypeOf(v).String()
}

// Foreign reports whether a live record belongs to another product of Cloudflare, which
// writes the record itself. owner is the name of that product.
func (l Live) Foreign() (owner string, ok bool) {
	for _, o := range [...]struct{ key, owner string }{
		{"email_routing", "Email Routing"},
		{"managed_by_argo_tunnel", "Cloudflare Tunnel"},
		{"tunnel", "Cloudflare Tunnel"},
		{"tunnel_id", "Cloudflare Tunnel"},
		{"managed_by_spectrum", "Spectrum"},
		{"spectrum", "Spectrum"},
		{"spectrum_app_id", "Spectrum"},
		{"managed_by_apps", "Cloudflare Apps"},
		{"read_only", "Cloudflare (read-only)"},
	} {
		switch v := l.Meta[o.key].(type) {
		case bool:
			ok = v
		case string:
			ok = v != "" && v != "false"
		case nil:
		default:
			ok = true // an object with the owner's details
		}
		if ok {
			return o.owner, true
		}
	}
	return "", false
}
