// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"maps"
	"strings"
)

// Body is the complete JSON body of a POST or PUT: the managed fields, and content
// for content-only types or data for structured ones.
//
// The ttl is always in it, since the API's schema requires one: 1 where it is not
// managed, which is what both calls would make of its absence, and 1 under proxied,
// which is what the API makes of any other.
func (r Record) Body() map[string]any {
	body := map[string]any{"name": r.Name, "type": r.Type, "ttl": r.ttl()}
	if r.proxied() {
		body["ttl"] = int64(automaticTTL)
	}
	if r.Data != nil {
		body["data"] = map[string]any(maps.Clone(r.Data))
	} else {
		body["content"] = r.Content
	}
	if r.Priority != nil {
		body["priority"] = *r.Priority
	}
	if r.Proxied != nil && (r.proxied() || Proxiable(r.Type)) {
		body["proxied"] = *r.Proxied
	}
	if r.Comment != nil {
		body["comment"] = *r.Comment
	}
	if r.Tags != nil {
		body["tags"] = append([]string{}, r.Tags...)
	}
	if r.Settings != nil {
		body["settings"] = settingsBody(r.effectiveSettings(r), Settings{})
	}
	return body
}

// Patch is the JSON body of a PATCH that makes live equal to r: only what differs,
// nil where nothing does. A change inside data sends the whole data, one inside the
// settings all that are or were on.
func (r Record) Patch(live Record) map[string]any {
	var patch map[string]any
	set := func(key string, value any) {
		if patch == nil {
			patch = make(map[string]any)
		}
		patch[key] = value
	}
	for d := range differences(r, live) {
		group, _, _ := strings.Cut(d.Field, ".")
		switch group {
		case "name":
			set("name", r.Name)
		case "type":
			set("type", r.Type)
		case "content":
			set("content", r.Content)
		case "data":
			set("data", map[string]any(maps.Clone(r.Data)))
		case "priority":
			set("priority", *r.Priority)
		case "ttl":
			set("ttl", *r.TTL)
		case "proxied":
			set("proxied", *r.Proxied)
		case "comment":
			set("comment", *r.Comment)
		case "tags":
			set("tags", append([]string{}, r.Tags...))
		case "settings":
			set("settings", settingsBody(r.effectiveSettings(live), live.settings()))
		}
	}
	return patch
}

// effectiveSettings are the settings without what the API drops under proxied.
func (r Record) effectiveSettings(live Record) Settings {
	s := r.settings()
	if willBeProxied(r, live) {
		s.FlattenCNAME = false
	}
	return s
}

// settingsBody names what is on in want, and as false what has to be switched off.
// What is off on both sides stays out: it may not be allowed on the type or plan.
func settingsBody(want, have Settings) map[string]any {
	body := make(map[string]any)
	for _, s := range [...]struct {
		key        string
		want, have bool
	}{
		{"flatten_cname", want.FlattenCNAME, have.FlattenCNAME},
		{"ipv4_only", want.IPv4Only, have.IPv4Only},
		{"ipv6_only", want.IPv6Only, have.IPv6Only},
	} {
		if s.want || s.have {
			body[s.key] = s.want
		}
	}
	return body
}
