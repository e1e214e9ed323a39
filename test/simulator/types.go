// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"fmt"
	"strings"
	"sync"
)

// An rrtype has the rules of one record type.
type rrtype struct {
	proxiable bool
	// content canonicalises the content of a content-only type. It is nil for
	// structured types, and for TXT, which has its own parser.
	content func(string) (string, *Error)
	// members has the members of data in the order of the content. It is nil for
	// content-only types.
	members []member
	// render returns the content of a structured type.
	render func(data map[string]any) string
	// priority reports whether the type has priority as a top-level field.
	priority bool
}

func (t rrtype) structured() bool { return t.members != nil }

var typeTable = sync.OnceValue(recordTypes) //nolint:gochecknoglobals // made once, never written to

// recordType returns a record type by its name.
func recordType(name string) (rrtype, bool) {
	t, ok := typeTable()[name]
	return t, ok
}

// recordTypes returns the 21 types.
func recordTypes() map[string]rrtype {
	binding := rrtype{
		members: []member{u16("priority"), {name: "target", kind: dottedName}, {name: "value", kind: svcParams, fallback: ""}},
		render: func(d map[string]any) string {
			return strings.TrimSuffix(fmt.Sprintf("%v %v %v", d["priority"], d["target"], d["value"]), " ")
		},
	}
	association := rrtype{
		members: []member{u8("usage"), u8("selector"), u8("matching_type"), {name: "certificate", kind: hexBytes}},
		render:  spaced("usage", "selector", "matching_type", "certificate"),
	}
	return map[string]rrtype{
		"A":          {proxiable: true, content: ipv4Content},
		"AAAA":       {proxiable: true, content: ipv6Content},
		"CNAME":      {proxiable: true, content: targetContent("CNAME")},
		"MX":         {content: mxContent, priority: true},
		"NS":         {content: targetContent("NS")},
		"OPENPGPKEY": {content: base64Content},
		"PTR":        {content: targetContent("PTR")},
		"TXT":        {},
		"HTTPS":      binding,
		"SVCB":       binding,
		"SMIMEA":     association,
		"TLSA":       association,
		"CAA": {
			members: []member{u8("flags"), {name: "tag", kind: propertyName}, {name: "value", kind: text, required: true}},
			render: func(d map[string]any) string {
				return fmt.Sprintf("%v %v %s", d["flags"], d["tag"], quote(textOf(d, "value")))
			},
		},
		"CERT": {
			members: []member{u16("type"), u16("key_tag"), u8("algorithm"), {name: "certificate", kind: base64Bytes}},
			render:  spaced("type", "key_tag", "algorithm", "certificate"),
		},
		"DNSKEY": {
			members: []member{u16("flags"), u8("protocol"), u8("algorithm"), {name: "public_key", kind: base64Bytes}},
			render:  spaced("flags", "protocol", "algorithm", "public_key"),
		},
		"DS": {
			members: []member{u16("key_tag"), u8("algorithm"), u8("digest_type"), {name: "digest", kind: hexBytes}},
			render:  spaced("key_tag", "algorithm", "digest_type", "digest"),
		},
		"LOC":   {members: locMembers(), render: renderLOC},
		"NAPTR": {members: naptrMembers(), render: renderNAPTR},
		"SRV": {
			members: []member{u16("priority"), u16("weight"), u16("port"), {name: "target", kind: hostName}},
			// Without the priority, and with tabs: compare data instead.
			render: func(d map[string]any) string { return fmt.Sprintf("%v\t%v\t%v", d["weight"], d["port"], d["target"]) },
		},
		"SSHFP": {
			members: []member{u8("algorithm"), u8("type"), {name: "fingerprint", kind: hexBytes}},
			render:  spaced("algorithm", "type", "fingerprint"),
		},
		"URI": {
			members:  []member{u16("weight"), {name: "target", kind: text, required: true}},
			priority: true,
			render: func(d map[string]any) string {
				return fmt.Sprintf("%v %s", d["weight"], quote(textOf(d, "target")))
			},
		},
	}
}

// textOf returns a member that is a string, or "" if it is not.
func textOf(data map[string]any, name string) string {
	s, _ := data[name].(string)
	return s
}

func spaced(names ...string) func(map[string]any) string {
	return func(data map[string]any) string {
		parts := make([]string, 0, len(names))
		for _, name := range names {
			parts = append(parts, fmt.Sprint(data[name]))
		}
		return strings.Join(parts, " ")
	}
}

func naptrMembers() []member {
	return []member{
		u16("order"), u16("preference"),
		{name: "flags", kind: text},
		{name: "service", kind: text},
		{name: "regex", kind: text},
		{name: "replacement", kind: dottedName},
	}
}

func renderNAPTR(d map[string]any) string {
	return fmt.Sprintf("%v %v %s %s %s %v", d["order"], d["preference"],
		quote(textOf(d, "flags")), quote(textOf(d, "service")), quote(textOf(d, "regex")), d["replacement"])
}

// locMembers returns the members of LOC, with the defaults of RFC 1876 section 3 and
// the limits of the OpenAPI document.
func locMembers() []member {
	degrees := func(prefix string, limit float64, directions ...string) []member {
		return []member{
			{name: prefix + "_degrees", kind: integer, max: limit},
			{name: prefix + "_minutes", kind: integer, max: 59, fallback: int64(0)},
			{name: prefix + "_seconds", kind: decimal, max: 59.999, fallback: 0.0},
			{name: prefix + "_direction", kind: word, words: directions},
		}
	}
	members := append(degrees("lat", 90, "N", "S"), degrees("long", 180, "E", "W")...)
	return append(members,
		member{name: "altitude", kind: decimal, min: -100000, max: 42849672.95, fallback: 0.0},
		member{name: "size", kind: decimal, max: 90000000, fallback: 1.0},
		member{name: "precision_horz", kind: decimal, max: 90000000, fallback: 10000.0},
		member{name: "precision_vert", kind: decimal, max: 90000000, fallback: 10.0})
}

// renderLOC returns one of the two known renderings: with class and type in front, and
// without trailing zeros. See FaultLOCRendering for the other.
func renderLOC(d map[string]any) string {
	return fmt.Sprintf("IN LOC %v %v %v %v %v %v %v %v %vm %vm %vm %vm",
		d["lat_degrees"], d["lat_minutes"], d["lat_seconds"], d["lat_direction"],
		d["long_degrees"], d["long_minutes"], d["long_seconds"], d["long_direction"],
		metres(d["altitude"], -1), metres(d["size"], -1), metres(d["precision_horz"], -1), metres(d["precision_vert"], -1))
}

// renderLOCPlain returns the rendering of zone files.
func renderLOCPlain(d map[string]any) string {
	return fmt.Sprintf("%v %v %.3f %v %v %v %.3f %v %sm %sm %sm %sm",
		d["lat_degrees"], d["lat_minutes"], d["lat_seconds"], d["lat_direction"],
		d["long_degrees"], d["long_minutes"], d["long_seconds"], d["long_direction"],
		metres(d["altitude"], 2), metres(d["size"], 2), metres(d["precision_horz"], 2), metres(d["precision_vert"], 2))
}
