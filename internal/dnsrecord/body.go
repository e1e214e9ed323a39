// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"maps"
	"strings"
)

// Body returns the complete JSON body of a POST or PUT: the managed fields, and content
// for content-only types or data for structured ones.
//
// The body always has a ttl, because the API's schema requires one. It is 1 if the ttl is
// not managed, as both calls would set it. It is 1 for a proxied record, as the API sets
// any other ttl to 1.
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

// Patch returns the JSON body of a PATCH that makes live equal to r: only the fields that
// differ, nil if none does. If a member of data differs, the whole data is sent. If a
// setting differs, all settings that are or were on are sent.
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

// effectiveSettings returns the settings without those that the API drops from a proxied
// record.
func (r Record) effectiveSettings(live Record) Settings {
	s := r.settings()
	if willBeProxied(r, live) {
		s.FlattenCNAME = false
	}
	return s
}

// settingsBody returns the settings that are on in want, and as false those to switch
// off. A setting that is off on both sides stays out: the type or plan may not allow it.
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
