// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

const zone = "example.com"

func ptr[T any](v T) *T { return &v }

// The generators make valid declarations in every form that a user may choose: content and
// data, names of all kinds, odd spellings of numbers, hex and base64.

func genInput() *rapid.Generator[dnsrecord.Input] {
	return rapid.Custom(func(t *rapid.T) dnsrecord.Input {
		return genInputOf(rapid.SampledFrom(dnsrecord.Types()).Draw(t, "type")).Draw(t, "input")
	})
}

func genInputOf(rrtype string) *rapid.Generator[dnsrecord.Input] {
	return rapid.Custom(func(t *rapid.T) dnsrecord.Input {
		in := dnsrecord.Input{Name: genName().Draw(t, "name"), Type: rrtype}
		genRdata(t, &in)
		genAttributes(t, &in)
		return in
	})
}

func genName() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		relative := rapid.OneOf(
			rapid.SampledFrom([]string{
				"www", "WWW", "a.b.c", "_sip._tcp", "_443._tcp.mail", "*", "*.sub", "xn--mnchen-3ya",
				"münchen", "BÜCHER", "例え", "1-2", "0/25", "example", "notexample.com", "under_score", strings.Repeat("l", 63),
			}),
			rapid.StringMatching(`[a-z0-9_][a-z0-9-]{0,20}(\.[a-z0-9]{1,10}){0,3}`),
		).Draw(t, "relative")
		switch rapid.IntRange(0, 4).Draw(t, "form") {
		case 0:
			return "@"
		case 1:
			return relative + "." + zone
		case 2:
			return relative + "." + zone + "."
		case 3:
			return relative + ".EXAMPLE.com"
		}
		return relative
	})
}

// genHost draws a name that rdata points to, dotted or not.
func genHost() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		h := rapid.OneOf(
			rapid.SampledFrom([]string{"mail.example.net", "Mail.Example.NET", "ns1.example.org", "_dmarc.example.net", "bücher.example", "xn--bcher-kva.example", "a.b.c.d.e.example"}),
			rapid.StringMatching(`[a-z][a-z0-9]{0,15}(\.[a-z][a-z0-9]{1,10}){1,3}`),
		).Draw(t, "host")
		if rapid.Bool().Draw(t, "dot") {
			h += "."
		}
		return h
	})
}

func genHex() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		s := hex.EncodeToString(rapid.SliceOfN(rapid.Byte(), 1, 64).Draw(t, "bytes"))
		if rapid.Bool().Draw(t, "upper") {
			s = strings.ToUpper(s)
		}
		return s
	})
}

func genBase64() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		s := base64.StdEncoding.EncodeToString(rapid.SliceOfN(rapid.Byte(), 1, 400).Draw(t, "bytes"))
		if i := rapid.IntRange(0, len(s)-1).Draw(t, "blank"); i > 0 {
			s = s[:i] + " " + s[i:]
		}
		return s
	})
}

// genNumber draws a whole number up to limit, in one of the forms that data may have.
func genNumber(t *rapid.T, name string, limit int) any {
	n := rapid.IntRange(0, limit).Draw(t, name)
	return spell(t, n)
}

func spell(t *rapid.T, n int) any {
	switch rapid.IntRange(0, 4).Draw(t, "spelling") {
	case 0:
		return int64(n)
	case 1:
		return float64(n)
	case 2:
		return fmt.Sprint(n)
	case 3:
		return fmt.Sprintf("%d.0", n)
	}
	return n
}

func genTXTBytes() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return rapid.OneOf(
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 1, 600), func(b []byte) string { return string(b) }),
			rapid.StringN(1, 300, 3000),
			rapid.SampledFrom([]string{
				"v=spf1 include:example.net ~all", `say "hi"`, `back\slash`, `\065`, "v=DKIM1; k=rsa; p=" + strings.Repeat("A", 400),
				strings.Repeat("x", 255), strings.Repeat("x", 256), strings.Repeat("y", 4080), " ", "é", "tab\there",
			}),
		).Draw(t, "payload")
	})
}

// quoted writes payload as quoted strings with random borders.
func quoted(t *rapid.T, payload string) string {
	var parts []string
	for payload != "" {
		n := min(len(payload), rapid.IntRange(1, 255).Draw(t, "border"))
		var b strings.Builder
		for i := range n {
			switch c := payload[i]; {
			case c == '"' || c == '\\':
				b.WriteString(`\` + string(c))
			case c < ' ' || c > '~':
				fmt.Fprintf(&b, `\%03d`, c)
			default:
				b.WriteByte(c)
			}
		}
		parts = append(parts, `"`+b.String()+`"`)
		payload = payload[n:]
	}
	return strings.Join(parts, " ")
}

func genTXTContent(t *rapid.T) string {
	payload := genTXTBytes().Draw(t, "txt")
	raw := strings.TrimSpace(payload) == payload && !strings.HasPrefix(payload, `"`) && strings.ToValidUTF8(payload, "") == payload && !strings.Contains(payload, "\x00")
	if raw && rapid.Bool().Draw(t, "raw") {
		return payload
	}
	return quoted(t, payload)
}

// genParams draws SvcParams in any order, quoted or not.
func genParams(t *rapid.T) string {
	var list []string
	add := func(s string) {
		if rapid.Bool().Draw(t, s) {
			list = append(list, s)
		}
	}
	add(rapid.SampledFrom([]string{`alpn="h2,h3"`, `alpn=h2`, `alpn=h3,h2`}).Draw(t, "alpn"))
	if len(list) > 0 {
		add("no-default-alpn")
		add("mandatory=alpn")
	}
	add(rapid.SampledFrom([]string{"port=443", `port="8443"`}).Draw(t, "port"))
	add(rapid.SampledFrom([]string{"ipv4hint=192.0.2.1", `ipv4hint="192.0.2.1,192.0.2.2"`}).Draw(t, "v4"))
	add(rapid.SampledFrom([]string{"ipv6hint=2001:DB8:0::1", `ipv6hint="2001:db8::1,2001:db8::2"`}).Draw(t, "v6"))
	add(`ech="AEj+DQBE"`)
	add(`dohpath="/dns-query{?dns}"`)
	add(rapid.SampledFrom([]string{"key667=hello", `key667="hello"`}).Draw(t, "private"))
	return strings.Join(rapid.Permutation(list).Draw(t, "order"), " ")
}

func genText() *rapid.Generator[string] {
	return rapid.StringMatching(`[a-zA-Z0-9:/._;=-]{1,40}( [a-z;"\\]{1,10})?`)
}

func genRdata(t *rapid.T, in *dnsrecord.Input) {
	switch in.Type {
	case "A":
		b := rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "ipv4")
		in.Content = ptr(netip.AddrFrom4([4]byte(b)).String())
	case "AAAA":
		b := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "ipv6")
		a := netip.AddrFrom16([16]byte(b))
		in.Content = ptr(rapid.SampledFrom([]string{a.String(), a.StringExpanded(), strings.ToUpper(a.StringExpanded()), "2001:db8::", "2001:DB8:0:0:1::1"}).Draw(t, "form"))
	case "CNAME", "NS", "PTR":
		in.Content = ptr(genHost().Draw(t, "target"))
	case "OPENPGPKEY":
		in.Content = ptr(genBase64().Draw(t, "key"))
	case "TXT":
		in.Content = ptr(genTXTContent(t))
	case "MX":
		genMX(t, in)
	default:
		genStructured(t, in)
	}
}

func genMX(t *rapid.T, in *dnsrecord.Input) {
	n, host := rapid.IntRange(0, 65535).Draw(t, "priority"), genHost().Draw(t, "host")
	if rapid.IntRange(0, 9).Draw(t, "null") == 0 {
		n, host = 0, "."
	}
	if rapid.Bool().Draw(t, "inside") {
		in.Content = ptr(fmt.Sprintf("%d %s", n, host))
		return
	}
	in.Content, in.Priority = ptr(host), ptr(int64(n))
}

func genStructured(t *rapid.T, in *dnsrecord.Input) {
	data := genData(t, in.Type)
	switch rapid.IntRange(0, 2).Draw(t, "as") {
	case 0:
		in.Data = data
	case 1:
		// The form of a zone file, made by the package itself.
		r, err := dnsrecord.Parse(zone, dnsrecord.Input{Name: "@", Type: in.Type, Data: data})
		if err != nil {
			t.Fatalf("cannot parse generated %s data %v: %v", in.Type, data, err)
		}
		in.Content = ptr(r.Presentation())
	case 2:
		if _, ok := data["priority"]; !ok {
			in.Data = data
			return
		}
		n := rapid.IntRange(0, 65535).Draw(t, "priority beside")
		delete(data, "priority")
		in.Data, in.Priority = data, ptr(int64(n))
	}
}

func genData(t *rapid.T, rrtype string) dnsrecord.Data {
	u8 := func(name string) any { return genNumber(t, name, 255) }
	u16 := func(name string) any { return genNumber(t, name, 65535) }
	switch rrtype {
	case "CAA":
		return dnsrecord.Data{"flags": u8("flags"), "tag": rapid.SampledFrom([]string{"issue", "ISSUEWILD", "iodef"}).Draw(t, "tag"), "value": genText().Draw(t, "value")}
	case "CERT":
		return dnsrecord.Data{"type": u16("type"), "key_tag": u16("key tag"), "algorithm": u8("algorithm"), "certificate": genBase64().Draw(t, "certificate")}
	case "DNSKEY":
		return dnsrecord.Data{"flags": u16("flags"), "protocol": u8("protocol"), "algorithm": u8("algorithm"), "public_key": genBase64().Draw(t, "key")}
	case "DS":
		return dnsrecord.Data{"key_tag": u16("key tag"), "algorithm": u8("algorithm"), "digest_type": u8("digest type"), "digest": genHex().Draw(t, "digest")}
	case "HTTPS", "SVCB":
		return dnsrecord.Data{"priority": u16("priority"), "target": rapid.OneOf(genHost(), rapid.Just(".")).Draw(t, "target"), "value": genParams(t)}
	case "LOC":
		return genLOC(t)
	case "NAPTR":
		return dnsrecord.Data{
			"order": u16("order"), "preference": u16("preference"),
			"flags":       rapid.SampledFrom([]string{"u", "S", ""}).Draw(t, "flags"),
			"service":     rapid.SampledFrom([]string{"E2U+sip", "SIP+D2U", ""}).Draw(t, "service"),
			"regex":       rapid.SampledFrom([]string{"!^.*$!sip:info@example.com!", `!^\\+1(.*)$!sip:\\1@example.com!`, ""}).Draw(t, "regex"),
			"replacement": rapid.OneOf(genHost(), rapid.Just(".")).Draw(t, "replacement"),
		}
	case "SMIMEA", "TLSA":
		return dnsrecord.Data{"usage": u8("usage"), "selector": u8("selector"), "matching_type": u8("matching type"), "certificate": genHex().Draw(t, "certificate")}
	case "SRV":
		return dnsrecord.Data{"priority": u16("priority"), "weight": u16("weight"), "port": u16("port"), "target": rapid.OneOf(genHost(), rapid.Just(".")).Draw(t, "target")}
	case "SSHFP":
		return dnsrecord.Data{"algorithm": u8("algorithm"), "type": u8("type"), "fingerprint": genHex().Draw(t, "fingerprint")}
	case "URI":
		return dnsrecord.Data{"priority": u16("priority"), "weight": u16("weight"), "target": genText().Draw(t, "target")}
	}
	t.Fatalf("no generator for type %s", rrtype)
	return nil
}

func genLOC(t *rapid.T) dnsrecord.Data {
	data := dnsrecord.Data{
		"lat_degrees": genNumber(t, "lat", 89), "lat_direction": rapid.SampledFrom([]string{"N", "S", "n"}).Draw(t, "ns"),
		"long_degrees": genNumber(t, "long", 179), "long_direction": rapid.SampledFrom([]string{"E", "W", "w"}).Draw(t, "ew"),
		"altitude": rapid.Float64Range(-1000, 10000).Draw(t, "altitude"),
	}
	for _, key := range []string{"lat_minutes", "long_minutes"} {
		if rapid.Bool().Draw(t, key) {
			data[key] = genNumber(t, key, 59)
		}
	}
	for _, key := range []string{"lat_seconds", "long_seconds"} {
		if rapid.Bool().Draw(t, key) {
			data[key] = float64(rapid.IntRange(0, 59999).Draw(t, key)) / 1000
		}
	}
	for _, key := range []string{"size", "precision_horz", "precision_vert"} {
		if rapid.Bool().Draw(t, key) {
			data[key] = rapid.SampledFrom([]any{0, 0.01, 0.07, 0.5, 1, 2.0, "10", 15, 9999.99, 90000000}).Draw(t, key)
		}
	}
	return data
}

func genAttributes(t *rapid.T, in *dnsrecord.Input) {
	if rapid.Bool().Draw(t, "has ttl") {
		in.TTL = ptr(rapid.OneOf(rapid.Just(int64(1)), rapid.Int64Range(60, 86400)).Draw(t, "ttl"))
	}
	if rapid.Bool().Draw(t, "has proxied") {
		in.Proxied = ptr(dnsrecord.Proxiable(in.Type) && rapid.Bool().Draw(t, "proxied"))
		if *in.Proxied {
			if _, err := dnsrecord.Parse(zone, *in); err != nil {
				*in.Proxied = false // a private address
			}
		}
	}
	if rapid.Bool().Draw(t, "has comment") {
		in.Comment = ptr(rapid.SampledFrom([]string{"", "a comment", "ünïcode; with: signs"}).Draw(t, "comment"))
	}
	if rapid.Bool().Draw(t, "has tags") {
		in.Tags = slices.Clone(rapid.SliceOfN(rapid.SampledFrom([]string{"team:dns", "TEAM:dns", "team:DNS", "env:prod", "a:b:c", "owner:x"}), 0, 6).Draw(t, "tags"))
		if in.Tags == nil {
			in.Tags = []string{}
		}
	}
	if rapid.Bool().Draw(t, "has settings") {
		in.Settings = &dnsrecord.Settings{
			FlattenCNAME: in.Type == "CNAME" && rapid.Bool().Draw(t, "flatten"),
			IPv4Only:     rapid.IntRange(0, 3).Draw(t, "v4only") == 0,
		}
	}
}

func genRecord() *rapid.Generator[dnsrecord.Record] {
	return rapid.Custom(func(t *rapid.T) dnsrecord.Record {
		return mustParse(t, genInput().Draw(t, "input"))
	})
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func mustParse(t fataler, in dnsrecord.Input) dnsrecord.Record {
	t.Helper()
	r, err := dnsrecord.Parse(zone, in)
	if err != nil {
		t.Fatalf("cannot parse %+v: %v", in, err)
	}
	return r
}
