// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"slices"
	"strconv"
	"strings"

	"github.com/miekg/dns"
)

// exportRecords answers the zone as a file in BIND format. What DNS has no place
// for, comments, tags and proxied, follows each record as a comment:
// "; the comment cf_tags=team:dns,cf-proxied:true".
func exportRecords(c *call) (reply, *Error) {
	z := c.zone
	var b strings.Builder
	fmt.Fprintf(&b, ";;\n;; Domain:     %s.\n;; Exported:   %s\n;;\n", z.name, c.now.Format("2006-01-02 15:04:05"))
	fmt.Fprintf(&b, ";; This file is intended for use for informational and archival\n;; purposes ONLY.\n")
	if len(z.nameServers) > 0 {
		fmt.Fprintf(&b, "\n;; SOA Record\n%s.\t3600\tIN\tSOA\t%s. dns.cloudflare.com. %d 10000 2400 604800 3600\n",
			z.name, z.nameServers[0], 2050000000+z.seq)
		fmt.Fprint(&b, "\n;; NS Records\n")
		for _, server := range z.nameServers {
			fmt.Fprintf(&b, "%s.\t86400\tIN\tNS\t%s.\n", z.name, server)
		}
	}
	heading := ""
	for _, r := range z.sorted() {
		if r.typ != heading {
			heading = r.typ
			fmt.Fprintf(&b, "\n;; %s Records\n", heading)
		}
		fmt.Fprintf(&b, "%s.\t%d\tIN\t%s\t%s%s\n", r.name, r.ttl, r.typ, r.rdata(), r.annotation())
	}
	return reply{text: b.String()}, nil
}

// rdata is a record in the presentation format of zone files.
func (r *record) rdata() string {
	t, _ := recordType(r.typ)
	switch r.typ {
	case "CNAME", "NS", "PTR":
		return r.content + "."
	case "MX":
		return fmt.Sprintf("%d %s.", r.priority, strings.TrimSuffix(r.content, "."))
	case "TXT":
		return r.txt.render(true)
	case "LOC":
		return renderLOCPlain(r.data)
	case "URI":
		return fmt.Sprintf("%d %s", r.priority, t.render(r.data))
	case "SRV":
		return fmt.Sprintf("%v %v %v %v.", r.data["priority"], r.data["weight"], r.data["port"], strings.TrimSuffix(r.data["target"].(string), "."))
	case "HTTPS", "SVCB", "NAPTR":
		absolute := r.clone()
		for _, m := range t.members {
			if m.kind == dottedName {
				absolute.data[m.name] = strings.TrimSuffix(r.data[m.name].(string), ".") + "."
			}
		}
		return t.render(absolute.data)
	}
	return r.rendered(rendering{})
}

const tagsMark = "cf_tags="

func (r *record) annotation() string {
	tags := make([]string, 0, len(r.tags)+1)
	for _, tag := range r.tags {
		name, value, valued := strings.Cut(tag, ":")
		switch {
		case strings.ContainsAny(value, `"=,\ `):
			encoded, _ := json.Marshal(value) // a string cannot fail
			tag = name + ":" + string(encoded)
		case !valued || value == "":
			tag = name
		}
		tags = append(tags, tag)
	}
	if t, _ := recordType(r.typ); t.proxiable {
		tags = append(tags, "cf-proxied:"+strconv.FormatBool(r.proxied))
	}
	parts := []string{}
	if r.comment != "" {
		parts = append(parts, r.comment)
	}
	if len(tags) > 0 {
		parts = append(parts, tagsMark+strings.Join(tags, ","))
	}
	if len(parts) == 0 {
		return ""
	}
	return " ; " + strings.Join(parts, " ")
}

// importRecords creates the records of a zone file. Those that exist already are
// skipped, as are SOA and the NS of the zone itself; anything else wrong refuses
// the whole file.
func importRecords(c *call) (reply, *Error) {
	file, proxied, err := c.importForm()
	if err != nil {
		return reply{}, err
	}
	bodies, err := parseZoneFile(file, c.zone, proxied)
	if err != nil {
		return reply{}, err
	}
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

// importForm reads the multipart form: file, and proxied for those that can be.
func (c *call) importForm() (file string, proxied bool, _ *Error) {
	kind, params, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return "", false, invalid(CodeMalformedJSON, "Content-Type must be multipart/form-data.")
	}
	form := multipart.NewReader(bytes.NewReader(c.body), params["boundary"])
	found := false
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", false, invalid(CodeMalformedJSON, "Malformed form in request body.")
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return "", false, invalid(CodeMalformedJSON, "Malformed form in request body.")
		}
		switch part.FormName() {
		case "file":
			file, found = string(value), true
		case "proxied":
			proxied = string(value) == "true"
		}
	}
	if !found {
		return "", false, invalid(CodeMalformedJSON, "file is required.")
	}
	return file, proxied, nil
}

func parseZoneFile(file string, z *zone, proxied bool) ([]fields, *Error) {
	parser := dns.NewZoneParser(strings.NewReader(file), z.name+".", "")
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
		if t, _ := recordType(body["type"].(string)); t.proxiable {
			body["proxied"] = proxied
		}
		annotate(body, parser.Comment())
		bodies = append(bodies, body)
	}
	if err := parser.Err(); err != nil {
		return nil, invalid(CodeContent, "Zone file is invalid: %v", err)
	}
	return bodies, nil
}

// recordOf is the request body that creates what a resource record says.
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

// fromWord reads a word of presentation format: numbers, also by their mnemonics
// and with the unit of LOC.
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

// words splits presentation format; quoted strings are decoded.
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

// annotate takes comment and tags from the comment behind a record.
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

// splitTags splits at commas outside of quotes; quoted values are JSON strings.
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
