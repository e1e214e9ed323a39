// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

func content(rrtype, content string) dnsrecord.Input {
	return dnsrecord.Input{Name: "www", Type: rrtype, Content: &content}
}

func structured(rrtype string, d dnsrecord.Data) dnsrecord.Input {
	return dnsrecord.Input{Name: "www", Type: rrtype, Data: d}
}

func with(in dnsrecord.Input, change func(*dnsrecord.Input)) dnsrecord.Input {
	change(&in)
	return in
}

func TestParseRefuses(t *testing.T) {
	prio := func(n int64) func(*dnsrecord.Input) { return func(in *dnsrecord.Input) { in.Priority = &n } }
	ttl := func(n int64) dnsrecord.Input {
		return with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) { in.TTL = &n })
	}
	proxied := func(rrtype, c string) dnsrecord.Input {
		return with(content(rrtype, c), func(in *dnsrecord.Input) { in.Proxied = ptr(true) })
	}
	tags := func(tags ...string) dnsrecord.Input {
		return with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) { in.Tags = tags })
	}
	comment := func(s string) dnsrecord.Input {
		return with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) { in.Comment = &s })
	}
	srv := func(key string, v any) dnsrecord.Input {
		d := dnsrecord.Data{"priority": 1, "weight": 2, "port": 3, "target": "sip.example.net"}
		if v == nil {
			delete(d, key)
		} else {
			d[key] = v
		}
		return structured("SRV", d)
	}
	many := make([]string, 21)
	for i := range many {
		many[i] = string(rune('a' + i))
	}
	const badForm = "is not in presentation format"

	cases := map[string]struct {
		reason     string
		in         dnsrecord.Input
		wantField  string
		wantReason string
	}{
		"Type":             {"only the API's types", content("ANY", "x"), "type", "is not a record type of the API"},
		"Both":             {"content and data say the same thing twice", with(srv("", nil), func(in *dnsrecord.Input) { in.Content = ptr("x") }), "content", "is set together with data"},
		"Neither":          {"one of them is needed", dnsrecord.Input{Name: "www", Type: "SRV"}, "content", "is required"},
		"NeitherPlain":     {"content for a content-only type", dnsrecord.Input{Name: "www", Type: "A"}, "content", "is required"},
		"EmptyContent":     {"white space is no content", content("TXT", " \n"), "content", "is empty"},
		"DataForPlain":     {"content-only types have no data", structured("MX", dnsrecord.Data{"target": "x"}), "data", "is not part of type MX"},
		"Name":             {"the name is checked with the rest", with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) { in.Name = "a..b" }), "name", "has an empty label"},
		"AOutOfRange":      {"octets end at 255", content("A", "300.1.1.1"), "content", "is not an IPv4 address"},
		"ALeadingZero":     {"leading zeros are octal to some", content("A", "192.0.2.01"), "content", "is not an IPv4 address"},
		"AShort":           {"four numbers", content("A", "192.0.2"), "content", "is not an IPv4 address"},
		"AIPv6":            {"A is IPv4", content("A", "2001:db8::1"), "content", "is not an IPv4 address"},
		"AMapped":          {"an IPv4-mapped address is an IPv6 address", content("A", "::ffff:192.0.2.1"), "content", "is not an IPv4 address"},
		"AAAAIPv4":         {"AAAA is IPv6", content("AAAA", "192.0.2.1"), "content", "is not an IPv6 address"},
		"AAAAZone":         {"interfaces have no place in DNS", content("AAAA", "fe80::1%eth0"), "content", "is not an IPv6 address"},
		"CNAMEAddress":     {"a CNAME points to a name", content("CNAME", "192.0.2.1"), "content", "is an IP address where a domain name is needed"},
		"CNAMEBadAddress":  {"nor to what was meant as an address", content("CNAME", "300.1.1.1"), "content", "is an IP address where a domain name is needed"},
		"CNAMEItself":      {"a CNAME to itself resolves to nothing", content("CNAME", "WWW.example.com."), "content", "is the record's own name"},
		"OnlyBoth":         {"neither A nor AAAA would be left", with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) { in.Settings = &dnsrecord.Settings{IPv4Only: true, IPv6Only: true} }), "settings", "has both ipv4Only and ipv6Only"},
		"CNAMERoot":        {"the root is no target of a CNAME", content("CNAME", "."), "content", "is not a domain name"},
		"NSBlank":          {"one name only", content("NS", "ns1.example.net ns2.example.net"), "content", "is not a domain name"},
		"MXNoPriority":     {"an MX needs its priority", content("MX", "mail.example.net"), "priority", "is required"},
		"MXBadPriority":    {"priority has 16 bits", content("MX", "70000 mail.example.net"), "content", "is not a priority"},
		"MXTwoPriorities":  {"where both are given they must agree", with(content("MX", "10 mail.example.net"), prio(20)), "priority", "is not the 10 of the content or data"},
		"MXForm":           {"two fields at most", content("MX", "10 a b"), "content", "is not in the form of type MX"},
		"MXTarget":         {"the host is a name", content("MX", "10 192.0.2.1"), "content", "is an IP address where a domain name is needed"},
		"MXNull":           {"null MX has priority 0 (RFC 7505)", content("MX", "10 ."), "priority", `is not 0 although the host is "."`},
		"PriorityRange":    {"priority has 16 bits", with(content("MX", "mail.example.net"), prio(65536)), "priority", "is out of range"},
		"PriorityNegative": {"and no sign", with(content("MX", "mail.example.net"), prio(-1)), "priority", "is out of range"},
		"PriorityOnA":      {"not every type has one", with(content("A", "192.0.2.1"), prio(10)), "priority", "is not part of type A"},
		"PriorityOnTLSA":   {"nor every structured type", with(content("TLSA", "3 1 1 ab"), prio(10)), "priority", "is not part of type TLSA"},
		"SRVTwoPriorities": {"data and priority must agree", with(srv("", nil), prio(20)), "priority", "is not the 1 of the content or data"},
		"SRVNoPriority":    {"SRV needs one somewhere", srv("priority", nil), "priority", "is required"},
		"URINoPriority":    {"URI needs one somewhere", structured("URI", dnsrecord.Data{"weight": 1, "target": "x"}), "priority", "is required"},
		"URITwo":           {"content and priority must agree", with(content("URI", `10 1 "https://x/"`), prio(20)), "priority", "is not the 10 of the content or data"},
		"URIEmpty":         {"a URI record's target is not empty (RFC 7553)", content("URI", `10 1 ""`), "content", "is empty as the target of type URI"},

		"SRVShort":        {"four fields", content("SRV", "10 5 sip.example.net."), "content", "is not in the form of type SRV"},
		"SRVLong":         {"not five", content("SRV", "10 5 5060 sip.example.net. x"), "content", "is not in the form of type SRV"},
		"SRVPort":         {"ports have 16 bits", content("SRV", "10 5 99999 sip.example.net."), "content", "is out of range as the port of type SRV"},
		"SRVPortWord":     {"and are numbers", content("SRV", "10 5 sip sip.example.net."), "content", "is not a number as the port of type SRV"},
		"DataRange":       {"the same in data", srv("port", 65536), "data.port", "is out of range"},
		"DataNegative":    {"from 0 on", srv("weight", -1), "data.weight", "is out of range"},
		"DataFraction":    {"whole numbers", srv("port", 5.5), "data.port", "is not a whole number"},
		"DataKind":        {"a number is no list", srv("port", []int{1}), "data.port", "is not a number"},
		"DataInfinity":    {"nor infinite", srv("port", math.Inf(1)), "data.port", "is not a number"},
		"DataHexNumber":   {"decimal only", srv("port", "0x50"), "data.port", "is not a number"},
		"DataBigNumber":   {"what no float can hold is no number", srv("port", json.Number("1e999")), "data.port", "is not a number"},
		"DataText":        {"a name is a text", srv("target", 5), "data.target", "is not a text"},
		"DataMissing":     {"all members are needed", srv("weight", nil), "data.weight", "is required"},
		"DataTarget":      {"targets are names", srv("target", "a b"), "data.target", "is not a domain name"},
		"DataUnknown":     {"SRV data.service, proto and name are rejected by the API", srv("service", "_sip"), "data.service", "is not a member of the data of SRV"},
		"DataUnknownName": {"the error has the name in spec.forProvider", structured("DS", dnsrecord.Data{"key_tagg": 1}), "data.keyTagg", "is not a member of the data of DS"},
		"DataCamel":       {"so has that of a member that is wrong", structured("DS", dnsrecord.Data{"key_tag": -1, "algorithm": 8, "digest_type": 2, "digest": "ab"}), "data.keyTag", "is out of range"},

		"CAATag":       {"property names are letters and digits", content("CAA", `0 is-sue "x"`), "content", "is not a property name as the tag of type CAA"},
		"CAAFlags":     {"flags have 8 bits", content("CAA", `256 issue "x"`), "content", "is out of range as the flags of type CAA"},
		"CAASemicolon": {"an unquoted semicolon would silently end the value", content("CAA", `0 issue ca.example.net; policy=ev`), "content", "has a semicolon outside of quotes, where a comment begins"},
		"CAAQuotes":    {"quotes come in pairs", content("CAA", `0 issue "x`), "content", badForm},
		"CAABytes":     {"JSON has no bytes that are not UTF-8", content("CAA", `0 issue "\200"`), "content", "is not UTF-8 as the value of type CAA"},
		"CAAControl":   {"control characters are a mistake", content("CAA", `0 issue "\007"`), "content", "contains control characters as the value of type CAA"},
		"CAALines":     {"a line break between quotes is a mistake", content("CAA", "0 issue\n\"x\""), "content", "has a line break in it"},
		"CAAEscape":    {"escapes end at 255", content("CAA", `0 issue "\999"`), "content", badForm},
		"OpenParen":    {"parentheses come in pairs", content("TLSA", "3 1 1 ( ab"), "content", badForm},
		"CloseParen":   {"in the right order", content("TLSA", "3 1 1 ab )"), "content", badForm},
		"Backslash":    {"a backslash escapes something", content("CAA", `0 issue x\`), "content", badForm},
		"RFC3597":      {"types have their own form", content("TLSA", `\# 4 03010100`), "content", "is in the form for unknown types (RFC 3597)"},
		"TooLongText":  {"rdata has 65,535 bytes", structured("CAA", dnsrecord.Data{"flags": 0, "tag": "issue", "value": strings.Repeat("x", 65001)}), "data.value", "is longer than 65000 bytes"},
		"NAPTRRegex":   {"a character-string has 255 bytes", structured("NAPTR", dnsrecord.Data{"order": 1, "preference": 1, "regex": strings.Repeat("x", 256), "replacement": "."}), "data.regex", "is longer than 255 bytes"},
		"NAPTRShort":   {"six fields", content("NAPTR", `100 10 "u"`), "content", "is not in the form of type NAPTR"},
		"SSHFPHex":     {"hex is hex", content("SSHFP", "4 2 xyzz"), "content", "is not hexadecimal as the fingerprint of type SSHFP"},
		"TLSAOdd":      {"a byte is two digits", content("TLSA", "3 1 1 abc"), "content", "is not a whole number of hexadecimal bytes as the certificate of type TLSA"},
		"SMIMEAEmpty":  {"no certificate, no record", structured("SMIMEA", dnsrecord.Data{"usage": 3, "selector": 0, "matching_type": 0, "certificate": ""}), "data.certificate", "is not a whole number of hexadecimal bytes"},
		"CERTBase64":   {"base64 is base64", content("CERT", "PKIX 1 8 !!!!"), "content", "is not base64 as the certificate of type CERT"},
		"CERTMnemonic": {"mnemonics are those of the registry", content("CERT", "NOPE 1 8 AAAA"), "content", "is not a number as the type of type CERT"},
		"DNSKEYShort":  {"four fields", content("DNSKEY", "257 3 13"), "content", "is not in the form of type DNSKEY"},
		"PGPBase64":    {"base64 is base64", content("OPENPGPKEY", "not base64!"), "content", "is not base64"},

		"SVCBNoTarget":    {"a target is needed", content("SVCB", "1"), "content", "has no target"},
		"SVCBNoPriority":  {"a priority is needed", content("SVCB", "svc.example.net."), "priority", "is required"},
		"SVCBBadParam":    {"params have known names or keyNNNNN", content("HTTPS", "1 . nope=1"), "content", badForm + " as the value of type HTTPS"},
		"SVCBTwice":       {"each param once (RFC 9460 section 2.1)", content("HTTPS", "1 . port=1 port=2"), "content", "repeats the param port as the value of type HTTPS"},
		"SVCBNoAlpn":      {"no-default-alpn needs alpn (section 7.1.1)", content("HTTPS", "1 . no-default-alpn"), "content", "has no-default-alpn without alpn as the value of type HTTPS"},
		"SVCBEmptyAlpn":   {"alpn is not empty (section 7.1.1)", content("HTTPS", `1 . alpn=""`), "content", "has an empty alpn as the value of type HTTPS"},
		"SVCBNoMandatory": {"mandatory is not empty (section 8)", content("HTTPS", `1 . mandatory=""`), "content", "has an empty mandatory as the value of type HTTPS"},
		"SVCBMandatory":   {"what is mandatory has to be there (section 8)", content("HTTPS", `1 . mandatory=port`), "content", "has a mandatory that does not list each of some other params that are there once as the value of type HTTPS"},
		"SVCBSelf":        {"mandatory is not mandatory (section 8)", content("HTTPS", `1 . mandatory=mandatory`), "content", "has a mandatory that does not list each of some other params that are there once as the value of type HTTPS"},
		"SVCBComment":     {"an unquoted semicolon would silently end the params", content("HTTPS", `1 . port=443 ;x`), "content", "has a semicolon outside of quotes, where a comment begins as the value of type HTTPS"},

		"LOCForm":      {"directions are needed", content("LOC", "52 22 23 4 53 32 0"), "content", "is not in the form of type LOC"},
		"LOCNoAlt":     {"the altitude is needed", content("LOC", "52 N 4 E"), "content", "is not in the form of type LOC"},
		"LOCMany":      {"nothing behind the vertical precision", content("LOC", "52 N 4 E 0 1 1 1 1"), "content", "is not in the form of type LOC"},
		"LOCQuotes":    {"it is lexed like the others", content("LOC", `52 N 4 E "0`), "content", badForm},
		"LOCLatitude":  {"latitudes end at 90", content("LOC", "91 N 4 E 0"), "content", "is out of range as the lat degrees of type LOC"},
		"LOCPole":      {"at 90 sharp", content("LOC", "90 0 0.001 N 4 E 0"), "content", "has minutes or seconds beyond it as the lat degrees of type LOC"},
		"LOCMeridian":  {"longitudes end at 180 sharp", structured("LOC", dnsrecord.Data{"lat_degrees": 0, "lat_direction": "N", "long_degrees": 180, "long_minutes": 1, "long_direction": "W"}), "data.longDegrees", "has minutes or seconds beyond it"},
		"LOCSeconds":   {"seconds that round up to 60 are minutes", content("LOC", "52 0 59.9996 N 4 E 0"), "content", "is out of range as the lat seconds of type LOC"},
		"LOCDirection": {"directions are letters", structured("LOC", dnsrecord.Data{"lat_degrees": 0, "lat_direction": "E", "long_degrees": 0, "long_direction": "W"}), "data.latDirection", "is not known"},

		"TXTQuote":     {"what begins quoted has to be quoted throughout", content("TXT", `"a" b`), "content", "begins with a double quote but is not a row of quoted strings"},
		"TXTOpen":      {"quotes come in pairs", content("TXT", `"a`), "content", "begins with a double quote but is not a row of quoted strings"},
		"TXTEscape":    {"\\DDD has three digits", content("TXT", `"\25"`), "content", "begins with a double quote but is not a row of quoted strings"},
		"TXTEscapeBig": {"up to 255", content("TXT", `"\256"`), "content", "begins with a double quote but is not a row of quoted strings"},
		"TXTLong":      {"a TXT record holds 4,080 bytes", content("TXT", strings.Repeat("x", 4081)), "content", "holds 4081 bytes"},

		"TTLZero":            {"0 is neither automatic nor allowed", ttl(0), "ttl", "is out of range"},
		"TTLLow":             {"30 is the least on any plan", ttl(29), "ttl", "is out of range"},
		"TTLHigh":            {"a day is the most", ttl(86401), "ttl", "is out of range"},
		"ProxiedTXT":         {"only A, AAAA and CNAME are proxiable (9004)", proxied("TXT", "x"), "proxied", "is not possible for type TXT"},
		"ProxiedPrivate":     {"a proxied address has to be public (9003)", proxied("A", "10.0.0.1"), "proxied", "is not possible towards 10.0.0.1, which is not a public address"},
		"ProxiedLoop":        {"loopback is not", proxied("A", "127.0.0.1"), "proxied", "is not possible towards 127.0.0.1, which is not a public address"},
		"ProxiedCGNAT":       {"nor is CGNAT", proxied("A", "100.64.0.1"), "proxied", "is not possible towards 100.64.0.1, which is not a public address"},
		"ProxiedLink":        {"nor link-local", proxied("A", "169.254.1.1"), "proxied", "is not possible towards 169.254.1.1, which is not a public address"},
		"ProxiedULA":         {"nor ULA", proxied("AAAA", "fd00::1"), "proxied", "is not possible towards fd00::1, which is not a public address"},
		"ProxiedLink6":       {"nor link-local IPv6", proxied("AAAA", "fe80::1"), "proxied", "is not possible towards fe80::1, which is not a public address"},
		"ProxiedMapped":      {"nor any of them in IPv6 clothes", proxied("AAAA", "::ffff:192.168.0.1"), "proxied", "is not possible towards ::ffff:192.168.0.1, which is not a public address"},
		"ProxiedMappedCGNAT": {"nor CGNAT", proxied("AAAA", "::ffff:100.64.0.1"), "proxied", "is not possible towards ::ffff:100.64.0.1, which is not a public address"},
		"CommentLine":        {"comments have one line", comment("a\nb"), "comment", "has a line break in it"},
		"CommentReturn":      {"neither kind of break", comment("a\rb"), "comment", "has a line break in it"},
		"CommentLong":        {"500 characters on paid plans", comment(strings.Repeat("é", 501)), "comment", "has 501 characters"},
		"CommentBytes":       {"JSON has no other bytes", comment("\xff"), "comment", "is not UTF-8"},
		"TagsMany":           {"20 tags a record", tags(many...), "tags", "has 21 different tags"},
		"TagName":            {"names have 32 characters", tags(strings.Repeat("n", 33) + ":v"), "tags", "has a name longer than 32 characters"},
		"TagValue":           {"values have 100 characters", tags("n:" + strings.Repeat("v", 101)), "tags", "has a value longer than 100 characters"},
		"TagNoName":          {"a name is needed", tags(":v"), "tags", "has no name"},
		"TagReserved":        {"cf- is reserved, in any case", tags("CF-x:v"), "tags", "has a name that begins with cf-"},
		"TagControl":         {"tags are one line of text", tags("a:\n"), "tags", "has control characters or bytes that are not UTF-8 in it"},
		"Flatten":            {"only a CNAME can be flattened", with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) { in.Settings = &dnsrecord.Settings{FlattenCNAME: true} }), "settings.flattenCname", "is not possible for type A"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r, err := dnsrecord.Parse(zone, tc.in)
			checkFieldError(t, tc.reason, err, tc.wantField, tc.wantReason)
			if diff := cmp.Diff(dnsrecord.Record{}, r); diff != "" {
				t.Errorf("%s: a refused declaration gives a record: %s", tc.reason, diff)
			}
		})
	}
}

func TestParseAccepts(t *testing.T) {
	cases := map[string]struct {
		reason       string
		in           dnsrecord.Input
		presentation string
	}{
		"TypeCase":       {"types are upper case in the end", content("a", "192.0.2.1"), "192.0.2.1"},
		"MXBeside":       {"an MX may have its priority beside it", with(content("MX", "mail.example.net"), func(in *dnsrecord.Input) { in.Priority = ptr(int64(5)) }), "5 mail.example.net."},
		"MXAgree":        {"or in both places", with(content("MX", "5 mail.example.net"), func(in *dnsrecord.Input) { in.Priority = ptr(int64(5)) }), "5 mail.example.net."},
		"SRVBeside":      {"an SRV too", with(content("SRV", "5 5060 sip.example.net"), func(in *dnsrecord.Input) { in.Priority = ptr(int64(10)) }), "10 5 5060 sip.example.net."},
		"SRVAgree":       {"or both", with(content("SRV", "10 5 5060 sip.example.net"), func(in *dnsrecord.Input) { in.Priority = ptr(int64(10)) }), "10 5 5060 sip.example.net."},
		"SRVDataBeside":  {"and beside data", with(structured("SRV", dnsrecord.Data{"weight": 5, "port": "5060", "target": "sip.example.net"}), func(in *dnsrecord.Input) { in.Priority = ptr(int64(10)) }), "10 5 5060 sip.example.net."},
		"URIBeside":      {"a URI too", with(content("URI", `1 "https://example.net/"`), func(in *dnsrecord.Input) { in.Priority = ptr(int64(10)) }), `10 1 "https://example.net/"`},
		"URIAgree":       {"or both", with(content("URI", `10 1 https://example.net/`), func(in *dnsrecord.Input) { in.Priority = ptr(int64(10)) }), `10 1 "https://example.net/"`},
		"URILong":        {"a target is longer than a character-string", content("URI", `10 1 "https://example.net/`+strings.Repeat("x", 600)+`"`), `10 1 "https://example.net/` + strings.Repeat("x", 600) + `"`},
		"HTTPSBeside":    {"an HTTPS too", with(content("HTTPS", `. alpn=h2`), func(in *dnsrecord.Input) { in.Priority = ptr(int64(1)) }), `1 . alpn="h2"`},
		"HTTPSAlias":     {"alias mode has no params", content("HTTPS", "0 svc.example.net"), "0 svc.example.net."},
		"HTTPSMandatory": {"mandatory is in order", content("HTTPS", `1 . mandatory=port,alpn port=443 alpn=h2`), `1 . mandatory="alpn,port" alpn="h2" port="443"`},
		"CAAEmpty":       {"an empty value is one", content("CAA", `0 issue ""`), `0 issue ""`},
		"CAAOddQuotes":   {"what only looks quoted is taken as it is", structured("CAA", dnsrecord.Data{"flags": 0, "tag": "issue", "value": `"\9"`}), `0 issue "\"\\9\""`},
		"CAAUnicode":     {"text is UTF-8", content("CAA", `0 iodef "mailto:ü@example.net"`), `0 iodef "mailto:\195\188@example.net"`},
		"Parentheses":    {"parentheses group, as in a zone file", content("TLSA", "3 1 1 (\n ab\n cd )"), "3 1 1 ABCD"},
		"Unpadded":       {"padding is not needed", content("OPENPGPKEY", "AAA"), "AAA="},
		"LOCShort":       {"minutes and seconds may be missing", content("LOC", "52 22 s 4 w -2m 1M"), "52 22 0 S 4 0 0 W -2m 1m 10000m 10m"},
		"LOCZero":        {"-0 is 0", content("LOC", "0 N 0 E -0"), "0 0 0 N 0 0 0 E 0m 1m 10000m 10m"},
		"TTL30":          {"the plan may allow 30", with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) { in.TTL = ptr(int64(30)) }), "192.0.2.1"},
		"TTLProxied":     {"a ttl under proxied is ignored, not refused", with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) { in.TTL, in.Proxied = ptr(int64(300)), ptr(true) }), "192.0.2.1"},
		"UnproxiedTXT":   {"proxied false is true of any type", with(content("TXT", "x"), func(in *dnsrecord.Input) { in.Proxied = ptr(false) }), `"x"`},
		"ProxiedAAAA":    {"a public address may be proxied", with(content("AAAA", "2606:4700::1111"), func(in *dnsrecord.Input) { in.Proxied = ptr(true) }), "2606:4700::1111"},
		"ProxiedCNAME":   {"and a name", with(content("CNAME", "a.example.net"), func(in *dnsrecord.Input) { in.Proxied = ptr(true) }), "a.example.net."},
		"PrivateA":       {"a private address need not be proxied", content("A", "10.0.0.1"), "10.0.0.1"},
		"TXTMost":        {"4,080 bytes fit", content("TXT", strings.Repeat("x", 4080)), strings.TrimSpace(strings.Repeat(`"`+strings.Repeat("x", 255)+`" `, 16))},
		"TXTEmpty":       {"an empty string is one", content("TXT", `""`), `""`},
		"TXTTouching":    {"strings may touch", content("TXT", `"a""b"`), `"ab"`},
		"JSONNumber":     {"numbers come in every type", structured("SSHFP", dnsrecord.Data{"algorithm": json.Number("4"), "type": uint8(2), "fingerprint": "ab"}), "4 2 AB"},
		"SmallFloat":     {"of every size", structured("SSHFP", dnsrecord.Data{"algorithm": float32(4), "type": int32(2), "fingerprint": "ab"}), "4 2 AB"},
		"DataMnemonic":   {"mnemonics are understood in data as well", structured("DS", dnsrecord.Data{"key_tag": 1, "algorithm": "rsasha256", "digest_type": 2, "digest": "ab"}), "1 8 2 AB"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r, err := dnsrecord.Parse(zone, tc.in)
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if got := r.Presentation(); got != tc.presentation {
				t.Errorf("%s: got %s, want %s", tc.reason, got, tc.presentation)
			}
		})
	}
}

func TestParseReportsEverythingAtOnce(t *testing.T) {
	in := content("SRV", "10 70000 70000 sip.example.net")
	in.Name, in.TTL, in.Proxied = "a..b", ptr(int64(5)), ptr(true)
	in.Comment, in.Tags = ptr("a\nb"), []string{":x", "cf-y:z"}
	_, err := dnsrecord.Parse(zone, in)
	var fe *dnsrecord.FieldError
	if !errors.As(err, &fe) || fe.Field != "name" {
		t.Errorf("the first error is about %v, want name", fe)
	}
	for _, want := range []string{"name: ", "as the weight of", "as the port of", "ttl: ", "proxied: ", "comment: ", "has no name", "cf-"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not mention %q:\n%v", want, err)
		}
	}
}

func TestFieldErrorReads(t *testing.T) {
	cases := map[string]struct {
		reason string
		err    dnsrecord.FieldError
		want   string
	}{
		"Whole":   {"field, value, reason and fix", dnsrecord.FieldError{Field: "content", Value: "300.1.1.1", Reason: "is not an IPv4 address", Fix: "use four decimal numbers like 192.0.2.1"}, `content: "300.1.1.1" is not an IPv4 address: use four decimal numbers like 192.0.2.1`},
		"NoValue": {"a missing field has no value", dnsrecord.FieldError{Field: "content", Reason: "is required", Fix: "set it"}, "content is required: set it"},
		"NoFix":   {"nor has every error a fix", dnsrecord.FieldError{Field: "content", Reason: "is required"}, "content is required"},
		"Long":    {"a condition has little room", dnsrecord.FieldError{Field: "f", Value: strings.Repeat("é", 100), Reason: "is long"}, `f: "` + strings.Repeat("é", 60) + `..." is long`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := tc.err.Error(); got != tc.want {
				t.Errorf("%s: got %s, want %s", tc.reason, got, tc.want)
			}
		})
	}
}

func TestParseLeavesItsInputAlone(t *testing.T) {
	data := dnsrecord.Data{"weight": "5", "target": "https://EXAMPLE.net"}
	tags := []string{"B:x", "a:y"}
	in := dnsrecord.Input{Name: "www", Type: "URI", Data: data, Priority: ptr(int64(1)), Tags: tags}
	mustParse(t, in)
	if diff := cmp.Diff(dnsrecord.Data{"weight": "5", "target": "https://EXAMPLE.net"}, data); diff != "" {
		t.Errorf("data was changed: %s", diff)
	}
	if diff := cmp.Diff([]string{"B:x", "a:y"}, tags); diff != "" {
		t.Errorf("tags were changed: %s", diff)
	}
}
