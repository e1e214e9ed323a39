// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/miekg/dns"
)

// importRecords creates the records of a zone file. It skips existing records, the SOA
// record, and the NS records of the zone itself. It refuses the whole file on any other
// error.
func importRecords(c *call) (reply, *Error) {
	file, proxied, err := c.importForm()
	if err != nil {
		return reply{}, err
	}
	bodies, err := parseZoneFile(file, c.zone, proxied)
	if err != nil {
		return reply{}, err
	}
	// A DS record needs its NS record first, in any order of the file.
	slices.SortStableFunc(bodies, func(a, b fields) int {
		return strings.Compare(dsLast(a), dsLast(b))
	})
	added := 0
	err = c.s.transact(c.zone, func(t *txn) *Error {
		for _, body := range bodies {
			_, err := t.create(body)
			if err != nil && err.Code() == CodeIdenticalExists {
				continue
			}
			if err != nil {
				return err
			}
			added++
		}
		return nil
	})
	if err != nil {
		return reply{}, err
	}
	return reply{result: map[string]any{"recs_added": added, "total_records_parsed": len(bodies)}}, nil
}

func dsLast(body fields) string {
	if body["type"] == "DS" {
		return "last"
	}
	return "first"
}

// importForm reads the multipart form: the file, and the proxied flag for the records
// that can be proxied.
func (c *call) importForm() (file string, proxied bool, _ *Error) {
	parts, refused := c.form()
	if refused != nil {
		return "", false, refused
	}
	found := false
	for _, part := range parts {
		switch part.name {
		case "file":
			file, found = string(part.content), true
		case "proxied":
			proxied = string(part.content) == "true"
		}
	}
	if !found {
		return "", false, invalid(CodeMalformedJSON, "file is required.")
	}
	return file, proxied, nil
}

func parseZoneFile(file string, z *zone, proxied bool) ([]fields, *Error) {
	parser := dns.NewZoneParser(strings.NewReader(shieldComments(file)), z.name+".", "")
	var bodies []fields
	for rr, ok := parser.Next(); ok; rr, ok = parser.Next() {
		name := strings.TrimSuffix(strings.ToLower(rr.Header().Name), ".")
		if rr.Header().Rrtype == dns.TypeSOA || (rr.Header().Rrtype == dns.TypeNS && name == z.name) {
			continue
		}
		body, err := recordOf(rr)
		if err != nil {
			return nil, err
		}
		if t, _ := recordType(dns.TypeToString[rr.Header().Rrtype]); t.proxiable {
			body["proxied"] = proxied
		}
		annotate(body, strings.ReplaceAll(parser.Comment(), shield, ";"))
		bodies = append(bodies, body)
	}
	if err := parser.Err(); err != nil {
		return nil, invalid(CodeContent, "Zone file is invalid: %v", err)
	}
	return bodies, nil
}

// shield stands for a semicolon inside of a comment. The parser would add a blank to a
// semicolon there.
const shield = "\x01"

func shieldComments(file string) string {
	var b strings.Builder
	quoted, comment := false, false
	for i := 0; i < len(file); i++ {
		c := file[i]
		switch {
		case c == '\n':
			comment = false
		case comment && c == ';':
			b.WriteString(shield)
			continue
		case comment:
		case c == '\\' && i+1 < len(file):
			b.WriteByte(c)
			i++
			c = file[i]
		case c == '"':
			quoted = !quoted
		case c == ';' && !quoted:
			comment = true
		}
		b.WriteByte(c)
	}
	return b.String()
}

// recordOf returns the request body that creates a resource record.
func recordOf(rr dns.RR) (fields, *Error) {
	name := dns.TypeToString[rr.Header().Rrtype]
	t, ok := recordType(name)
	if !ok {
		return nil, invalid(CodeRecordType, "DNS record type %s is not supported.", name)
	}
	body := fields{"name": rr.Header().Name, "type": name, "ttl": json.Number(strconv.FormatUint(uint64(rr.Header().Ttl), 10))}
	rdata := strings.TrimPrefix(rr.String(), rr.Header().String())
	if !t.structured() {
		if first, rest, ok := strings.Cut(rdata, " "); t.priority && ok {
			body["priority"], rdata = json.Number(first), rest
		}
		body["content"] = rdata
		return body, nil
	}
	words := words(rdata)
	if t.priority {
		body["priority"], words = json.Number(words[0]), words[1:]
	}
	data := fields{}
	for i, m := range t.members {
		if i >= len(words) {
			break
		}
		word := words[i]
		if m.kind == svcParams {
			word = strings.Join(strings.SplitN(rdata, " ", i+1)[i:], "")
		}
		data[m.name] = m.fromWord(word)
	}
	body["data"] = data
	return body, nil
}

// fromWord decodes a word of the presentation format. Numbers may be mnemonics, or have
// the unit of LOC.
func (m member) fromWord(word string) any {
	if m.kind != integer && m.kind != decimal {
		return word
	}
	if n, ok := dns.StringToCertType[word]; ok && m.name == "type" {
		return float64(n)
	}
	if n, ok := dns.StringToAlgorithm[word]; ok && m.name == "algorithm" {
		return float64(n)
	}
	return json.Number(strings.TrimSuffix(word, "m"))
}

// words splits a text in presentation format, and decodes quoted strings.
func words(s string) []string {
	var list []string
	for s = strings.TrimLeft(s, " \t"); s != ""; s = strings.TrimLeft(s, " \t") {
		if text, rest, ok := cutCharacterString(s); ok {
			list, s = append(list, text), rest
			continue
		}
		end := strings.IndexAny(s, " \t")
		if end < 0 {
			end = len(s)
		}
		list, s = append(list, s[:end]), s[end:]
	}
	return list
}

// annotate sets the comment and the tags of a record from the comment that follows it
// in the file.
func annotate(body fields, remark string) {
	remark = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(remark), ";"))
	comment, list, found := remark, "", false
	if i := strings.LastIndex(remark, tagsMark); i >= 0 {
		comment, list, found = strings.TrimSpace(remark[:i]), remark[i+len(tagsMark):], true
	}
	if comment != "" {
		body["comment"] = comment
	}
	if !found {
		return
	}
	tags := []any{}
	for _, tag := range splitTags(list) {
		switch strings.ToLower(tag) {
		case "cf-proxied:true":
			body["proxied"] = true
		case "cf-proxied:false":
			body["proxied"] = false
		default:
			tags = append(tags, tag)
		}
	}
	body["tags"] = tags
}

// splitTags splits at commas outside of quotes. Quoted values are JSON strings.
func splitTags(list string) []string {
	var tags []string
	for list != "" {
		name, rest := list, ""
		if quote := strings.Index(list, `:"`); quote >= 0 && !strings.Contains(list[:quote], ",") {
			dec := json.NewDecoder(strings.NewReader(list[quote+1:]))
			var value string
			if err := dec.Decode(&value); err == nil {
				name, rest = list[:quote+1]+value, list[quote+1+int(dec.InputOffset()):]
			}
		} else {
			name, rest, _ = strings.Cut(list, ",")
		}
		list = strings.TrimPrefix(rest, ",")
		tags = append(tags, name)
	}
	return slices.DeleteFunc(tags, func(tag string) bool { return tag == "" })
}
