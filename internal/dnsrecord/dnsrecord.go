// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package dnsrecord defines what a DNS record is: how one is parsed, validated, brought
// into canonical form and compared. It is pure: no context, no client, no clock, no
// Kubernetes.
package dnsrecord

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Data is the structured form of a record's content, keyed by the names of the
// API ("key_tag", "lat_degrees", ...). Values are numbers or strings; numbers
// may arrive as any Go numeric type, json.Number or a numeric string.
type Data map[string]any

// Settings are the per-record settings of the API. An absent setting is false.
type Settings struct {
	FlattenCNAME bool `json:"flatten_cname,omitempty"`
	IPv4Only     bool `json:"ipv4_only,omitempty"`
	IPv6Only     bool `json:"ipv6_only,omitempty"`
}

// Input is a record as a user declares it. Nil fields are not managed: they take no part
// in a comparison and are not sent.
type Input struct {
	// Name is "@", relative to the zone, or fully qualified; Unicode, mixed case
	// and a trailing dot are accepted.
	Name string
	// Type is the record type, upper case ("A", "SRV", ...).
	Type string
	// Content is the rdata in presentation format (RFC 1035 section 5.1 and the type's own
	// RFC), for every type: "10 5 5060 sip.example.com." for SRV. A name in it is absolute
	// with and without its trailing dot. TXT content that does not begin with a double
	// quote is the text itself, with its backslashes. White space around the content is
	// not part of it.
	Content *string
	// Data is the structured form. Exactly one of Content and Data is set.
	Data Data
	// Priority is the priority of MX and URI (and of SRV, HTTPS, SVCB if it is not in
	// Content or Data).
	Priority *int64
	// TTL is in seconds; 1 is automatic.
	TTL     *int64
	Proxied *bool
	Comment *string
	// Tags are not managed if nil; an empty slice means no tags.
	Tags     []string
	Settings *Settings
}

// Record is a record in canonical form, the form in which two records are compared.
// Pointer fields (and Tags) are nil if the declaration does not manage them. A Record made
// from a live one has them all set.
type Record struct {
	// Name is the FQDN: punycode, lower case, no trailing dot.
	Name string
	Type string
	// Content is the canonical rdata: as the API takes it for content-only types (TXT: the
	// quoted character-strings), as the API renders it for structured types.
	Content string
	// Data is the canonical structured form; nil for content-only types.
	Data Data
	// Priority is the top-level priority (MX, URI), nil if the type has none.
	Priority *uint16
	TTL      *int64
	Proxied  *bool
	Comment  *string
	Tags     []string
	Settings *Settings
}

// Live is a record as the API returns it: its wire shape.
type Live struct {
	ID         string    `json:"id"`
	Name       string    `json:"name"`
	Type       string    `json:"type"`
	Content    string    `json:"content"`
	Data       Data      `json:"data,omitempty"`
	Priority   any       `json:"priority,omitempty"`
	Proxiable  bool      `json:"proxiable"`
	Proxied    bool      `json:"proxied"`
	TTL        Integer   `json:"ttl"`
	Settings   *Settings `json:"settings,omitempty"`
	Meta       Meta      `json:"meta,omitempty"`
	Comment    *string   `json:"comment"`
	Tags       []string  `json:"tags"`
	CreatedOn  time.Time `json:"created_on"`
	ModifiedOn time.Time `json:"modified_on"`
}

// Integer is a whole number, which JSON may write as 300, 300.0 or 3e2.
type Integer int64

// UnmarshalJSON accepts every notation of a whole number, and null as encoding/json does.
func (i *Integer) UnmarshalJSON(raw []byte) error {
	text := string(raw)
	if text == "null" {
		return nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		*i = Integer(n)
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n != math.Trunc(n) || math.Abs(n) > maxExact {
		return fmt.Errorf("%.40q is not a whole number", text)
	}
	*i = Integer(n)
	return nil
}

// maxExact is the number up to which float64 can represent every whole number.
const maxExact = 1 << 53

// Meta is what the API says about the owner of a record.
type Meta map[string]any

// Key is the identity of a record behind the API's error 81058 ("an identical record
// already exists"): name, type and canonical rdata, which includes the priority of an MX
// record. It is comparable and fit for a map.
type Key struct {
	Name, Type, Rdata string
}

// Difference is one managed field whose live value is not the desired one. Field is the
// name in spec.forProvider ("content", "ttl", "data.port", ...).
type Difference struct {
	Field   string
	Live    string
	Desired string
}
