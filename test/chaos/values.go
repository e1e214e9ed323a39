// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strconv"
	"strings"
)

// A value is the content of a record. It is different for each type and number.
type value struct {
	Type string `json:"type"`
	N    int    `json:"n"`
}

// maxValues is the count of numbers, for which 198.18.0.0/15 has addresses.
const maxValues = 1 << 17

// types returns the types of the records in the plan, the most frequent first.
func types() []string { return []string{"A", "AAAA", "TXT", "CNAME", "MX", "SRV", "CAA"} }

const mxPriority = 10

// content returns v in the form of a Record's content.
func (v value) content() string {
	switch v.Type {
	case "A":
		return fmt.Sprintf("198.%d.%d.%d", 18+v.N>>16, v.N>>8&0xff, v.N&0xff)
	case "AAAA":
		return fmt.Sprintf("2001:db8::%x:%x", v.N>>16+1, v.N&0xffff)
	case "CNAME":
		return fmt.Sprintf("target-%d.example.net", v.N)
	case "MX":
		return fmt.Sprintf("mail-%d.example.net", v.N)
	case "SRV":
		return fmt.Sprintf("10 5 5060 sip-%d.example.net.", v.N)
	case "CAA":
		return fmt.Sprintf(`0 issue "ca-%d.example.net"`, v.N)
	default:
		return fmt.Sprintf("chaos-value-%d", v.N)
	}
}

// body returns a record with that name in the form of the Cloudflare API.
func (v value) body(name string, ttl int64) map[string]any {
	b := map[string]any{"type": v.Type, "name": name, "ttl": ttl}
	switch v.Type {
	case "SRV":
		b["data"] = map[string]any{"priority": 10, "weight": 5, "port": 5060, "target": fmt.Sprintf("sip-%d.example.net", v.N)}
	case "CAA":
		b["data"] = map[string]any{"flags": 0, "tag": "issue", "value": fmt.Sprintf("ca-%d.example.net", v.N)}
	case "MX":
		b["priority"], b["content"] = mxPriority, v.content()
	default:
		b["content"] = v.content()
	}
	return b
}

// plain normalizes a declared or live content. It handles only the contents of the plan, and
// uses no code of the provider.
func plain(typ, content string, priority *int64) string {
	words := strings.Join(strings.Fields(content), " ")
	switch typ {
	case "SRV":
		if strings.Count(words, " ") == 2 && priority != nil { // The API returns the content without its priority.
			words = strconv.FormatInt(*priority, 10) + " " + words
		}
		return strings.TrimSuffix(words, ".")
	case "MX":
		if priority != nil {
			words = strconv.FormatInt(*priority, 10) + " " + words
		}
		return words
	case "TXT":
		return strings.Trim(words, `"`)
	}
	return words
}

// label returns a valid name for records of a type.
func label(typ, name string) string {
	if typ == "SRV" {
		return "_sip._tcp." + name
	}
	return name
}
