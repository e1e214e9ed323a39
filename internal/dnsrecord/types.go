// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"slices"

	"github.com/miekg/dns"
)

// kind says how a member of data is validated, canonicalised and compared.
type kind int

const (
	kindInteger    kind = iota // int64 from min to max
	kindDecimal                // float64 from min to max, rounded to 1/scale
	kindLength                 // float64 metres as LOC carries them: one digit and a power of ten of centimetres
	kindWord                   // one of words, upper case
	kindProperty               // lower-case letters and digits
	kindText                   // text of min to max bytes
	kindQuotable               // text that may be declared in quotes as well
	kindHex                    // upper-case hexadecimal bytes
	kindBase64                 // base64 bytes
	kindHost                   // name without trailing dot, or "."
	kindDottedHost             // name with trailing dot, or "."
	kindParams                 // SvcParams of RFC 9460
)

// field is one member of a structured type's data.
type field struct {
	key      string
	kind     kind
	min, max float64
	scale    float64
	words    []string
	// mnemonic returns the number of a name that presentation format allows in its place, as in a CERT's type.
	mnemonic func(string) (uint16, bool)
	// fallback is the canonical value of an absent member, nil if the member is required.
	fallback any
}

// place says where a type keeps its priority.
type place int

const (
	noPriority      place = iota
	topPriority           // beside content or data
	priorityInData        // a member of data
	priorityOutside       // a member of presentation format and of the input, top-level on the wire
)

// rrtype describes a record type.
type rrtype struct {
	name      string
	proxiable bool
	priority  place
	// content canonicalises the content of a content-only type. It is nil for structured types.
	content func(string) (string, *problem)
	// fields are the members of data in the order of presentation format, nil for content-only types.
	fields []field
	// form and example show presentation format in errors.
	form, example string
}

func (t *rrtype) structured() bool { return t.fields != nil }

// maxText is how many bytes fit into rdata of 65,535 bytes beside the other fields.
const maxText = 65000

func u8(key string) field  { return field{key: key, kind: kindInteger, max: 1<<8 - 1} }
func u16(key string) field { return field{key: key, kind: kindInteger, max: 1<<16 - 1} }
func of(key string, k kind) field {
	return field{key: key, kind: k}
}

func (f field) or(fallback any) field {
	f.fallback = fallback
	return f
}

func (f field) named(mnemonic func(string) (uint16, bool)) field {
	f.mnemonic = mnemonic
	return f
}

// types holds the 21 types of the API in alphabetical order. It is never written to.
//
//nolint:gochecknoglobals // A table that only lookup and Types read; built once because every live record is looked up in it.
var types = [...]rrtype{
	{name: "A", proxiable: true, content: ipv4, example: "192.0.2.1"},
	{name: "AAAA", proxiable: true, content: ipv6, example: "2001:db8::1"},
	{
		name: "CAA", fields: []field{u8("flags"), of("tag", kindProperty), {key: "value", kind: kindQuotable, max: maxText}},
		form: "flags tag value", example: `0 issue "letsencrypt.org"`,
	},
	{
		name: "CERT", fields: []field{u16("type").named(certType), u16("key_tag"), u8("algorithm").named(algorithm), of("certificate", kindBase64)},
		form: "type key-tag algorithm certificate", example: "1 12345 8 MIIB...",
	},
	{name: "CNAME", proxiable: true, content: target, example: "www.example.com."},
	{
		name: "DNSKEY", fields: []field{u16("flags"), u8("protocol"), u8("algorithm").named(algorithm), of("public_key", kindBase64)},
		form: "flags protocol algorithm public-key", example: "257 3 13 mdsswUyr...",
	},
	{
		name: "DS", fields: []field{u16("key_tag"), u8("algorithm").named(algorithm), u8("digest_type"), of("digest", kindHex)},
		form: "key-tag algorithm digest-type digest", example: "2371 13 2 1F987CC6...",
	},
	{name: "HTTPS", priority: priorityInData, fields: serviceBinding(), form: "priority target [params]", example: `1 . alpn="h2,h3"`},
	{
		name: "LOC", fields: location(),
		form: "degrees [minutes [seconds]] N|S degrees [minutes [seconds]] E|W altitude [size [horizontal [vertical]]]", example: "52 22 23.000 N 4 53 32.000 E -2m 1m 10000m 10m",
	},
	{name: "MX", priority: topPriority, content: targetOrRoot, form: "priority host", example: "10 mail.example.com."},
	{
		name: "NAPTR", fields: []field{u16("order"), u16("preference"), shortText("flags"), shortText("service"), shortText("regex"), of("replacement", kindDottedHost)},
		form: "order preference flags service regex replacement", example: `100 10 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .`,
	},
	{name: "NS", content: target, example: "ns1.example.com."},
	{name: "OPENPGPKEY", content: base64Text, example: "mQENBF..."},
	{name: "PTR", content: target, example: "host.example.com."},
	{name: "SMIMEA", fields: association(), form: "usage selector matching-type certificate", example: "3 0 1 0D6FC8..."},
	{
		name: "SRV", priority: priorityInData, fields: []field{u16("priority"), u16("weight"), u16("port"), of("target", kindHost)},
		form: "priority weight port target", example: "10 5 5060 sip.example.com.",
	},
	{
		name: "SSHFP", fields: []field{u8("algorithm"), u8("type"), of("fingerprint", kindHex)},
		form: "algorithm type fingerprint", example: "4 2 123456789ABCDEF0...",
	},
	{name: "SVCB", priority: priorityInData, fields: serviceBinding(), form: "priority target [params]", example: `1 svc.example.com. port="8443"`},
	{name: "TLSA", fields: association(), form: "usage selector matching-type certificate", example: "3 1 1 0D6FC8..."},
	{name: "TXT", content: txt, example: `"v=spf1 -all"`},
	{
		name: "URI", priority: priorityOutside, fields: []field{u16("priority"), u16("weight"), {key: "target", kind: kindQuotable, min: 1, max: maxText}},
		form: "priority weight target", example: `10 1 "https://www.example.com/"`,
	},
}

func serviceBinding() []field {
	return []field{u16("priority"), of("target", kindDottedHost), of("value", kindParams).or("")}
}

func association() []field {
	return []field{u8("usage"), u8("selector"), u8("matching_type"), of("certificate", kindHex)}
}

// location returns the fields of LOC, with the defaults of RFC 1876 section 3.
func location() []field {
	return []field{
		{key: "lat_degrees", kind: kindInteger, max: 90},
		{key: "lat_minutes", kind: kindInteger, max: 59, fallback: int64(0)},
		{key: "lat_seconds", kind: kindDecimal, max: 59.999, scale: 1000, fallback: 0.0},
		{key: "lat_direction", kind: kindWord, words: []string{"N", "S"}},
		{key: "long_degrees", kind: kindInteger, max: 180},
		{key: "long_minutes", kind: kindInteger, max: 59, fallback: int64(0)},
		{key: "long_seconds", kind: kindDecimal, max: 59.999, scale: 1000, fallback: 0.0},
		{key: "long_direction", kind: kindWord, words: []string{"E", "W"}},
		{key: "altitude", kind: kindDecimal, min: -100000, max: 42849672.95, scale: 100, fallback: 0.0},
		{key: "size", kind: kindLength, max: 90000000, fallback: 1.0},
		{key: "precision_horz", kind: kindLength, max: 90000000, fallback: 10000.0},
		{key: "precision_vert", kind: kindLength, max: 90000000, fallback: 10.0},
	}
}

func shortText(key string) field {
	return field{key: key, kind: kindText, max: maxCharacterString, fallback: ""}
}

func certType(name string) (uint16, bool) {
	v, ok := dns.StringToCertType[name]
	return v, ok
}

func algorithm(name string) (uint16, bool) {
	v, ok := dns.StringToAlgorithm[name]
	return uint16(v), ok
}

func lookup(name string) (*rrtype, bool) {
	i, ok := slices.BinarySearchFunc(types[:], name, func(t rrtype, name string) int {
		switch {
		case t.name < name:
			return -1
		case t.name > name:
			return 1
		}
		return 0
	})
	if !ok {
		return nil, false
	}
	return &types[i], true
}

// Types returns the record types of the API, in alphabetical order.
func Types() []string {
	names := make([]string, 0, len(types))
	for i := range types {
		names = append(names, types[i].name)
	}
	return names
}

// Proxiable reports whether records of a type can be proxied.
func Proxiable(name string) bool {
	t, ok := lookup(name)
	return ok && t.proxiable
}
