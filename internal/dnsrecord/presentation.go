// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"slices"
	"strconv"
	"strings"

	"github.com/miekg/dns"
)

// The lexer for presentation format is that of miekg/dns. The meaning of the tokens is
// decided by the fields that validate data, too. So both forms have the same rules and
// the same errors.

// tokens splits presentation format into its fields, without quotes and with escapes
// decoded. A field longer than 255 bytes arrives in pieces of 255.
func tokens(content string) ([]string, *problem) {
	rr, p := parseRR("TXT", "", content)
	if p != nil {
		return nil, p
	}
	record, ok := rr.(*dns.TXT)
	if !ok {
		return nil, malformed(content)
	}
	fields := make([]string, 0, len(record.Txt))
	for _, escaped := range record.Txt {
		var b strings.Builder
		if !unescapeTo(&b, escaped) {
			return nil, malformed(content)
		}
		fields = append(fields, b.String())
	}
	return fields, nil
}

// parseRR has miekg/dns parse before+content as the rdata of one record.
func parseRR(rrtype, before, content string) (dns.RR, *problem) {
	content = strings.TrimSpace(content)
	if strings.ContainsAny(content, "\r\n") {
		if strings.Contains(content, `"`) {
			return nil, &problem{content, "has a line break in it", "write it on one line"}
		}
		content = strings.Join(strings.Fields(content), " ")
	}
	if strings.HasPrefix(content, `\#`) {
		return nil, &problem{content, "is in the form for unknown types (RFC 3597)", "write it in the type's own form"}
	}
	zp := dns.NewZoneParser(strings.NewReader(". 1 IN "+rrtype+" "+before+content+"\n"), ".", "")
	rr, ok := zp.Next()
	if !ok || rr == nil {
		return nil, malformed(content)
	}
	if zp.Comment() != "" {
		return nil, &problem{content, "has a semicolon outside of quotes, where a comment begins", `put the value in double quotes`}
	}
	if _, more := zp.Next(); more || zp.Err() != nil {
		return nil, malformed(content)
	}
	return rr, nil
}

func malformed(content string) *problem {
	return &problem{content, "is not in presentation format", "check its quotes, parentheses and backslashes"}
}

// split returns the raw members of data that content holds. withPriority is true if the
// priority may be missing in content, because it is elsewhere.
func (t *rrtype) split(content string, withPriority bool) (Data, *problem) {
	switch t.name {
	case "LOC":
		return t.splitLOC(content)
	case "HTTPS", "SVCB":
		return t.splitServiceBinding(content), nil
	}
	parts, p := tokens(content)
	if p != nil {
		return nil, p
	}
	fields := t.fields
	if withPriority && t.priority != noPriority && t.priorityLeftOut(parts) {
		fields = fields[1:]
	}
	if len(parts) < len(fields) {
		return nil, t.wrongForm(content)
	}
	raw := make(Data, len(t.fields))
	last := len(fields) - 1
	for i := range last {
		raw[fields[i].key] = parts[i]
	}
	rest, ok := joined(fields[last].kind, parts[last:])
	if !ok {
		return nil, t.wrongForm(content)
	}
	raw[fields[last].key] = rest
	return raw, nil
}

// priorityLeftOut reports whether parts are "weight port target" and not "priority weight
// port target". It decides by how many numbers come first.
func (t *rrtype) priorityLeftOut(parts []string) bool {
	last := len(t.fields) - 1
	if len(parts) <= last {
		return true
	}
	_, isNumber := parseNumber(parts[last-1])
	return !isNumber
}

// joined joins the pieces in which presentation format allows a value to be written, and
// the pieces of 255 bytes that the lexer made. It returns false if the pieces are
// neither.
func joined(k kind, parts []string) (string, bool) {
	whole := strings.Join(parts, "")
	switch {
	case len(parts) == 1, k == kindHex, k == kindBase64:
		return whole, true
	case k == kindQuotable:
		cut := slices.ContainsFunc(parts[:len(parts)-1], func(s string) bool { return len(s) != maxCharacterString })
		return whole, !cut
	}
	return "", false
}

func (t *rrtype) wrongForm(content string) *problem {
	return &problem{
		content, "is not in the form of type " + t.name,
		"write it as " + strconv.Quote(t.form) + ", for example " + t.example,
	}
}

// splitServiceBinding leaves the params to svcParams, because quotes matter only there.
func (t *rrtype) splitServiceBinding(content string) Data {
	first, rest := cutBlank(content)
	raw := make(Data, len(t.fields))
	if _, isNumber := parseNumber(first); isNumber {
		raw["priority"] = first
		first, rest = cutBlank(rest)
	}
	if first != "" {
		raw["target"] = first
	}
	raw["value"] = rest
	return raw
}

// cutBlank cuts s at its first run of white space.
func cutBlank(s string) (first, rest string) {
	s = strings.TrimSpace(s)
	i := strings.IndexAny(s, " \t\r\n")
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimSpace(s[i:])
}

// splitLOC parses the format of RFC 1876 section 3. Minutes, seconds and everything
// behind the altitude may be missing.
func (t *rrtype) splitLOC(content string) (Data, *problem) {
	parts, p := tokens(content)
	if p != nil {
		return nil, p
	}
	raw := make(Data, len(t.fields))
	for _, half := range []struct{ prefix, directions string }{{"lat", "NS"}, {"long", "EW"}} {
		end := slices.IndexFunc(parts, func(s string) bool {
			return len(s) == 1 && strings.Contains(half.directions, strings.ToUpper(s))
		})
		if end < 1 || end > 3 {
			return nil, t.wrongForm(content)
		}
		for i, unit := range []string{"_degrees", "_minutes", "_seconds"}[:end] {
			raw[half.prefix+unit] = parts[i]
		}
		raw[half.prefix+"_direction"] = parts[end]
		parts = parts[end+1:]
	}
	lengths := []string{"altitude", "size", "precision_horz", "precision_vert"}
	if len(parts) == 0 || len(parts) > len(lengths) {
		return nil, t.wrongForm(content)
	}
	for i, part := range parts {
		raw[lengths[i]] = strings.TrimRight(part, "mM")
	}
	return raw, nil
}

// render returns the members of data in presentation format, without the member named
// skip. If full is true, every name gets a trailing dot.
func (t *rrtype) render(d Data, skip string, full bool) string {
	var b strings.Builder
	for i := range t.fields {
		f := &t.fields[i]
		if f.key == skip {
			continue
		}
		s := f.present(d[f.key], full)
		if s == "" {
			continue // There are no SvcParams.
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return b.String()
}

func (f *field) present(v any, full bool) string {
	switch {
	case f.kind == kindText, f.kind == kindQuotable:
		return quote(show(v))
	case f.key == "altitude" || f.kind == kindLength:
		return show(v) + "m"
	case f.kind == kindHost && full:
		return dotted(show(v))
	}
	return show(v)
}

// Presentation returns the whole rdata in presentation format, with the priority of an MX
// or URI record and the trailing dots of names. Parse accepts it as content without a
// priority beside it, and a zone file holds it.
func (r Record) Presentation() string {
	t, ok := lookup(r.Type)
	if !ok {
		return r.Content
	}
	if t.structured() {
		if r.Data == nil {
			return r.Content
		}
		return t.render(r.fullData(), "", true)
	}
	switch r.Type {
	case "MX":
		return strconv.Itoa(int(r.priority())) + " " + dotted(r.Content)
	case "CNAME", "NS", "PTR":
		return dotted(r.Content)
	}
	return r.Content
}

func dotted(name string) string {
	if strings.HasSuffix(name, ".") {
		return name
	}
	return name + "."
}
