// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// exportRecords returns the zone as a file in BIND format. DNS has no place for
// comments, tags and the proxied flag. They follow each record as a comment: "; the
// comment cf_tags=team:dns,cf-proxied:true".
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

// rdata returns the data of a record in the presentation format of zone files.
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
		return fmt.Sprintf("%v %v %v %v.", r.data["priority"], r.data["weight"], r.data["port"], strings.TrimSuffix(textOf(r.data, "target"), "."))
	case "HTTPS", "SVCB", "NAPTR":
		absolute := r.clone()
		for _, m := range t.members {
			if m.kind == dottedName {
				absolute.data[m.name] = strings.TrimSuffix(textOf(r.data, m.name), ".") + "."
			}
		}
		return t.render(absolute.data)
	}
	return r.rendered(rendering{})
}

// jsonText returns s as a JSON string.
func jsonText(s string) string {
	encoded, err := json.Marshal(s)
	if err != nil {
		panic("simulator: a string is not JSON: " + err.Error())
	}
	return string(encoded)
}

const tagsMark = "cf_tags="

func (r *record) annotation() string {
	tags := make([]string, 0, len(r.tags)+1)
	for _, tag := range r.tags {
		name, value, valued := strings.Cut(tag, ":")
		switch {
		case strings.ContainsAny(value, `"=,\ `):
			tag = name + ":" + jsonText(value)
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
