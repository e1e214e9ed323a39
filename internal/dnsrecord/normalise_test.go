// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// TestNormalisation has a row for each way in which the API returns something other than
// what was declared, or treats values that look alike as different.
func TestNormalisation(t *testing.T) {
	type args struct {
		in   dnsrecord.Input
		live string
	}
	content := func(rrtype, content string) dnsrecord.Input {
		return dnsrecord.Input{Name: "@", Type: rrtype, Content: &content}
	}
	with := func(in dnsrecord.Input, change func(*dnsrecord.Input)) dnsrecord.Input {
		change(&in)
		return in
	}
	named := func(name string) dnsrecord.Input {
		return with(content("A", "192.0.2.1"), func(in *dnsrecord.Input) { in.Name = name })
	}
	data := func(rrtype string, d dnsrecord.Data) dnsrecord.Input {
		return dnsrecord.Input{Name: "@", Type: rrtype, Data: d}
	}
	srv := dnsrecord.Data{"priority": 0, "weight": 0.0, "port": "0", "target": "sip.example.net"}
	b64 := "mQENBFVHm5sBCADB"

	cases := map[string]struct {
		reason string
		args   args
		want   string // the differences, "" for none
	}{
		"NameApex":      {"@ is the zone", args{named("@"), `{"name":"example.com","type":"A","content":"192.0.2.1"}`}, ""},
		"NameRelative":  {"a relative name is stored as FQDN", args{named("www"), `{"name":"www.example.com","type":"A","content":"192.0.2.1"}`}, ""},
		"NameMixedCase": {"names are stored in lower case", args{named("WwW.Example.COM"), `{"name":"www.example.com","type":"A","content":"192.0.2.1"}`}, ""},
		"NameDot":       {"names are stored without trailing dot", args{named("www.example.com."), `{"name":"www.example.com","type":"A","content":"192.0.2.1"}`}, ""},
		"NameLiveDot":   {"an answer with trailing dot and capitals is the same name", args{named("www"), `{"name":"WWW.example.com.","type":"A","content":"192.0.2.1"}`}, ""},
		"NameIDN":       {"names are stored as punycode", args{named("bücher"), `{"name":"xn--bcher-kva.example.com","type":"A","content":"192.0.2.1"}`}, ""},
		"NameIDNLive":   {"an answer in Unicode is the same name", args{named("xn--bcher-kva"), `{"name":"bücher.example.com","type":"A","content":"192.0.2.1"}`}, ""},
		"NameWildcard":  {"a wildcard is a name like any other", args{named("*"), `{"name":"*.example.com","type":"A","content":"192.0.2.1"}`}, ""},
		"NameDiffers":   {"another name is another record", args{named("a"), `{"name":"b.example.com","type":"A","content":"192.0.2.1"}`}, "name: live b.example.com, desired a.example.com"},

		"AAAAForm":   {"AAAA comes back in the form of RFC 5952", args{content("AAAA", "2001:0DB8:0:0:0:0:0:1"), `{"name":"example.com","type":"AAAA","content":"2001:db8::1"}`}, ""},
		"AAAAMapped": {"an IPv4-mapped address has two spellings", args{content("AAAA", "::ffff:c000:201"), `{"name":"example.com","type":"AAAA","content":"::ffff:192.0.2.1"}`}, ""},
		"ADiffers":   {"another address is drift", args{content("A", "1.1.1.1"), `{"name":"example.com","type":"A","content":"1.0.0.1"}`}, "content: live 1.0.0.1, desired 1.1.1.1"},

		"CNAMEDot":     {"targets come back without trailing dot and in lower case", args{content("CNAME", "WWW.Example.NET."), `{"name":"example.com","type":"CNAME","content":"www.example.net"}`}, ""},
		"CNAMEIDN":     {"targets are stored as punycode", args{content("CNAME", "bücher.example."), `{"name":"example.com","type":"CNAME","content":"xn--bcher-kva.example"}`}, ""},
		"NSDot":        {"as for CNAME", args{content("NS", "NS1.example.net."), `{"name":"example.com","type":"NS","content":"ns1.example.net"}`}, ""},
		"PTRDot":       {"as for CNAME", args{content("PTR", "Host.example.net."), `{"name":"example.com","type":"PTR","content":"host.example.net"}`}, ""},
		"MXDot":        {"as for CNAME, the priority beside it", args{content("MX", "10 Mail.example.net."), `{"name":"example.com","type":"MX","content":"mail.example.net","priority":10}`}, ""},
		"MXNull":       {"null MX is content . with priority 0 (RFC 7505)", args{content("MX", "0 ."), `{"name":"example.com","type":"MX","content":".","priority":0}`}, ""},
		"MXNullAbsent": {"priority 0 may be absent from an answer", args{content("MX", "0 ."), `{"name":"example.com","type":"MX","content":"."}`}, ""},
		"MXPriority":   {"an MX record's priority is part of what it says", args{content("MX", "10 mail.example.net."), `{"name":"example.com","type":"MX","content":"mail.example.net","priority":20}`}, "priority: live 20, desired 10"},
		"MXInData":     {"priority is moving into data for MX: read both places", args{content("MX", "10 mail.example.net."), `{"name":"example.com","type":"MX","content":"mail.example.net","data":{"priority":10,"target":"mail.example.net"}}`}, ""},
		"MXAllInData":  {"nor need content stay", args{content("MX", "10 mail.example.net."), `{"name":"example.com","type":"MX","data":{"priority":10,"target":"Mail.example.net."}}`}, ""},

		"TXTQuotedBack":   {"unquoted text comes back quoted", args{content("TXT", "v=spf1 -all"), `{"name":"example.com","type":"TXT","content":"\"v=spf1 -all\""}`}, ""},
		"TXTRawBack":      {"unquoted text may stay raw", args{content("TXT", "v=spf1 -all"), `{"name":"example.com","type":"TXT","content":"v=spf1 -all"}`}, ""},
		"TXTQuotedRaw":    {"quoted text may come back raw", args{content("TXT", `"v=spf1 -all"`), `{"name":"example.com","type":"TXT","content":"v=spf1 -all"}`}, ""},
		"TXTSplit":        {"more than 255 bytes come back as several strings", args{content("TXT", strings.Repeat("a", 300)), `{"name":"example.com","type":"TXT","content":"\"` + strings.Repeat("a", 255) + `\" \"` + strings.Repeat("a", 45) + `\""}`}, ""},
		"TXTUnsplit":      {"unquoted content over 255 bytes is not split by the API", args{content("TXT", strings.Repeat("a", 300)), `{"name":"example.com","type":"TXT","content":"` + strings.Repeat("a", 300) + `"}`}, ""},
		"TXTBorders":      {"string borders may be kept as sent, and mean nothing", args{content("TXT", `"ab" "cd"`), `{"name":"example.com","type":"TXT","content":"\"abcd\""}`}, ""},
		"TXTEscapes":      {"the decoded bytes count, not their escapes", args{content("TXT", `"\065\"\\\;"`), `{"name":"example.com","type":"TXT","content":"\"A\\034\\092;\""}`}, ""},
		"TXTUnicode":      {"UTF-8 and its escapes are the same bytes", args{content("TXT", "é"), `{"name":"example.com","type":"TXT","content":"\"\\195\\169\""}`}, ""},
		"TXTRawBlank":     {"blanks of an answer that is not quoted count", args{content("TXT", `"a "`), `{"name":"example.com","type":"TXT","content":"a "}`}, ""},
		"TXTCase":         {"TXT is case-sensitive", args{content("TXT", "A"), `{"name":"example.com","type":"TXT","content":"\"a\""}`}, `content: live "a", desired "A"`},
		"TXTBlankInside":  {"blanks inside the quotes count", args{content("TXT", `" a"`), `{"name":"example.com","type":"TXT","content":"\"a\""}`}, `content: live "a", desired " a"`},
		"TXTYAMLBlock":    {"a YAML block ends in a line break that nobody means", args{content("TXT", "v=spf1 -all\n"), `{"name":"example.com","type":"TXT","content":"\"v=spf1 -all\""}`}, ""},
		"TXTRawBackslash": {"a backslash in raw text is a backslash", args{content("TXT", `C:\new`), `{"name":"example.com","type":"TXT","content":"\"C:\\\\new\""}`}, ""},

		"SRVTabs":      {"SRV content is rendered with tabs and without priority: data counts", args{content("SRV", "10 5 5060 SIP.example.net."), `{"name":"example.com","type":"SRV","content":"5\t5060\tsip.example.net","data":{"priority":10,"weight":5,"port":5060,"target":"sip.example.net"}}`}, ""},
		"SRVSpaces":    {"or with spaces", args{content("SRV", "10 5 5060 sip.example.net."), `{"name":"example.com","type":"SRV","content":"5 5060 sip.example.net","priority":10,"data":{"priority":10,"weight":5,"port":5060,"target":"sip.example.net."}}`}, ""},
		"SRVTop":       {"SRV priority may be found top-level", args{content("SRV", "10 5 5060 sip.example.net."), `{"name":"example.com","type":"SRV","content":"x","priority":10,"data":{"weight":5,"port":5060,"target":"sip.example.net"}}`}, ""},
		"SRVNoData":    {"an answer without data is read from its content", args{content("SRV", "10 5 5060 sip.example.net."), `{"name":"example.com","type":"SRV","content":"5\t5060\tsip.example.net","priority":10}`}, ""},
		"SRVOldFields": {"data's former service, proto and name are not looked at", args{content("SRV", "10 5 5060 sip.example.net."), `{"name":"example.com","type":"SRV","data":{"service":"_sip","proto":"_tcp","name":"x","priority":10,"weight":5,"port":5060,"target":"sip.example.net"}}`}, ""},
		"SRVDiffers":   {"a member that differs is named", args{content("SRV", "10 5 5060 sip.example.net."), `{"name":"example.com","type":"SRV","data":{"priority":10,"weight":5,"port":5061,"target":"sip.example.net"}}`}, "data.port: live 5061, desired 5060"},
		"SRVNoTarget":  {"SRV may say that there is no such service (RFC 2782)", args{content("SRV", "0 0 0 ."), `{"name":"example.com","type":"SRV","data":{"priority":0,"weight":0,"port":0,"target":"."}}`}, ""},

		"HTTPSDot":      {"SVCB and HTTPS targets keep their trailing dot", args{content("HTTPS", "1 svc.example.net"), `{"name":"example.com","type":"HTTPS","data":{"priority":1,"target":"svc.example.net.","value":""}}`}, ""},
		"HTTPSRoot":     {"the root is the owner itself", args{content("HTTPS", `1 . alpn="h2"`), `{"name":"example.com","type":"HTTPS","data":{"priority":1,"target":".","value":"alpn=h2"}}`}, ""},
		"SVCBOrder":     {"SvcParams are a set", args{content("SVCB", `1 svc.example.net. port=443 alpn=h2,h3`), `{"name":"example.com","type":"SVCB","data":{"priority":1,"target":"svc.example.net.","value":"alpn=\"h2,h3\" port=\"443\""}}`}, ""},
		"SVCBHint":      {"addresses inside have several spellings too", args{content("SVCB", `1 . ipv6hint=2001:DB8:0:0::1`), `{"name":"example.com","type":"SVCB","data":{"priority":1,"target":".","value":"ipv6hint=\"2001:db8::1\""}}`}, ""},
		"SVCBAlpnOrder": {"the order of protocols is a preference", args{content("SVCB", `1 . alpn=h3,h2`), `{"name":"example.com","type":"SVCB","data":{"priority":1,"target":".","value":"alpn=\"h2,h3\""}}`}, `data.value: live alpn="h2,h3", desired alpn="h3,h2"`},
		"NAPTRDot":      {"a NAPTR replacement keeps its trailing dot", args{content("NAPTR", `100 10 "S" "SIP+D2U" "" _sip._udp.example.net`), `{"name":"example.com","type":"NAPTR","data":{"order":100,"preference":10,"flags":"S","service":"SIP+D2U","regex":"","replacement":"_sip._udp.example.net."}}`}, ""},

		"Numbers":      {`0 = 0.0 = "0"`, args{data("SRV", srv), `{"name":"example.com","type":"SRV","data":{"priority":"0","weight":0,"port":0.0,"target":"sip.example.net"}}`}, ""},
		"NumbersWhole": {`5 = "5" = 5.0`, args{content("CAA", `5 issue "ca.example.net"`), `{"name":"example.com","type":"CAA","data":{"flags":"5.0","tag":"issue","value":"ca.example.net"}}`}, ""},

		"SettingsAbsent": {"absent settings are all false", args{with(named("@"), func(in *dnsrecord.Input) { in.Settings = &dnsrecord.Settings{} }), `{"name":"example.com","type":"A","content":"192.0.2.1"}`}, ""},
		"SettingsEmpty":  {"as are empty ones", args{with(named("@"), func(in *dnsrecord.Input) { in.Settings = &dnsrecord.Settings{} }), `{"name":"example.com","type":"A","content":"192.0.2.1","settings":{}}`}, ""},
		"SettingsNull":   {"and members that are null or false", args{with(named("@"), func(in *dnsrecord.Input) { in.Settings = &dnsrecord.Settings{} }), `{"name":"example.com","type":"A","content":"192.0.2.1","settings":{"ipv4_only":null,"ipv6_only":false}}`}, ""},
		"SettingsOn":     {"what is on is a difference", args{with(named("@"), func(in *dnsrecord.Input) { in.Settings = &dnsrecord.Settings{} }), `{"name":"example.com","type":"A","content":"192.0.2.1","settings":{"ipv4_only":true}}`}, "settings.ipv4Only: live true, desired false"},
		"TagsNull":       {"tags null = []", args{with(named("@"), func(in *dnsrecord.Input) { in.Tags = []string{} }), `{"name":"example.com","type":"A","content":"192.0.2.1","tags":null}`}, ""},
		"TagsSet":        {"tags are a set with case-insensitive names, duplicates are dropped silently", args{with(named("@"), func(in *dnsrecord.Input) { in.Tags = []string{"B:x", "a:Y", "b:x", "a:Y"} }), `{"name":"example.com","type":"A","content":"192.0.2.1","tags":["a:Y","b:x"]}`}, ""},
		"TagsValue":      {"values of tags are exact", args{with(named("@"), func(in *dnsrecord.Input) { in.Tags = []string{"a:y"} }), `{"name":"example.com","type":"A","content":"192.0.2.1","tags":["a:Y"]}`}, "tags: live a:Y, desired a:y"},
		"CommentNull":    {`comment null = ""`, args{with(named("@"), func(in *dnsrecord.Input) { in.Comment = ptr("") }), `{"name":"example.com","type":"A","content":"192.0.2.1","comment":null}`}, ""},
		"CommentOther":   {"a comment is exact", args{with(named("@"), func(in *dnsrecord.Input) { in.Comment = ptr("") }), `{"name":"example.com","type":"A","content":"192.0.2.1","comment":"hi"}`}, `comment: live hi, desired ""`},

		"TTLProxied":     {"a proxied record's ttl is always 1", args{with(named("@"), func(in *dnsrecord.Input) { in.TTL, in.Proxied = ptr(int64(300)), ptr(true) }), `{"name":"example.com","type":"A","content":"192.0.2.1","ttl":1,"proxied":true}`}, ""},
		"TTLProxiedLive": {"also where proxied is not managed", args{with(named("@"), func(in *dnsrecord.Input) { in.TTL = ptr(int64(300)) }), `{"name":"example.com","type":"A","content":"192.0.2.1","ttl":1,"proxied":true}`}, ""},
		"TTLUnproxied":   {"a record about to lose its proxy needs its ttl", args{with(named("@"), func(in *dnsrecord.Input) { in.TTL, in.Proxied = ptr(int64(300)), ptr(false) }), `{"name":"example.com","type":"A","content":"192.0.2.1","ttl":1,"proxied":true}`}, "ttl: live 1, desired 300; proxied: live true, desired false"},
		"TTLDiffers":     {"otherwise a ttl counts", args{with(named("@"), func(in *dnsrecord.Input) { in.TTL = ptr(int64(1)) }), `{"name":"example.com","type":"A","content":"192.0.2.1","ttl":120}`}, "ttl: live 120, desired 1"},
		"NeverCompared":  {"meta, proxiable and times are never compared", args{named("@"), `{"name":"example.com","type":"A","content":"192.0.2.1","meta":{"x":1},"proxiable":true,"created_on":"2026-01-02T03:04:05.000006Z","modified_on":"2026-01-02T03:04:05.000006Z","comment_modified_on":"2026-01-02T03:04:05.000006Z"}`}, ""},
		"Unmanaged":      {"fields left out are not managed", args{named("@"), `{"name":"example.com","type":"A","content":"192.0.2.1","ttl":300,"proxied":false,"comment":"theirs","tags":["a:b"],"settings":{"ipv4_only":true}}`}, ""},

		"SSHFPHex":  {"hex comes back in upper case", args{content("SSHFP", "4 2 abcdef01"), `{"name":"example.com","type":"SSHFP","data":{"algorithm":4,"type":2,"fingerprint":"ABCDEF01"}}`}, ""},
		"TLSAHex":   {"as for SSHFP", args{content("TLSA", "3 1 1 ABcd ef01"), `{"name":"example.com","type":"TLSA","data":{"usage":3,"selector":1,"matching_type":1,"certificate":"abCDEF01"}}`}, ""},
		"DSHex":     {"as for SSHFP", args{content("DS", "2371 ECDSAP256SHA256 2 abcdef01"), `{"name":"example.com","type":"DS","data":{"key_tag":2371,"algorithm":13,"digest_type":2,"digest":"ABCDEF01"}}`}, ""},
		"SMIMEAHex": {"as for SSHFP", args{content("SMIMEA", "3 0 1 abcdef01"), `{"name":"example.com","type":"SMIMEA","data":{"usage":3,"selector":0,"matching_type":1,"certificate":"ABCDEF01"}}`}, ""},

		"CERTBlanks":   {"base64 may be wrapped", args{content("CERT", "PKIX 1 RSASHA256 mQEN BFVH m5sBCADB"), `{"name":"example.com","type":"CERT","data":{"type":1,"key_tag":1,"algorithm":8,"certificate":"` + b64 + `"}}`}, ""},
		"DNSKEYBlanks": {"as for CERT", args{content("DNSKEY", "257 3 13 ( mQENBFVH\n m5sBCADB )"), `{"name":"example.com","type":"DNSKEY","data":{"flags":257,"protocol":3,"algorithm":13,"public_key":"` + b64 + `"}}`}, ""},
		"PGPBlanks":    {"as for CERT, and lines of a YAML block", args{content("OPENPGPKEY", "mQENBFVH\nm5sBCADB\n"), `{"name":"example.com","type":"OPENPGPKEY","content":"` + b64 + `"}`}, ""},
		"Base64Case":   {"base64 is case-sensitive", args{content("OPENPGPKEY", "AAAA"), `{"name":"example.com","type":"OPENPGPKEY","content":"aaaa"}`}, "content: live aaaa, desired AAAA"},

		"FlattenProxied": {"flatten_cname under proxy is dropped silently: a naive comparison loops for ever", args{with(content("CNAME", "www.example.net"), func(in *dnsrecord.Input) {
			in.Proxied, in.Settings = ptr(true), &dnsrecord.Settings{FlattenCNAME: true}
		}), `{"name":"example.com","type":"CNAME","content":"www.example.net","proxied":true,"ttl":1,"settings":{}}`}, ""},
		"FlattenUnproxied": {"elsewhere it counts", args{with(content("CNAME", "www.example.net"), func(in *dnsrecord.Input) {
			in.Settings = &dnsrecord.Settings{FlattenCNAME: true}
		}), `{"name":"example.com","type":"CNAME","content":"www.example.net","settings":{}}`}, "settings.flattenCname: live false, desired true"},

		"URITop":    {"URI priority top-level", args{content("URI", `10 1 "https://example.net/"`), `{"name":"example.com","type":"URI","priority":10,"data":{"weight":1,"target":"https://example.net/"}}`}, ""},
		"URIInData": {"priority is moving into data for URI: read both places", args{content("URI", `10 1 "https://example.net/"`), `{"name":"example.com","type":"URI","data":{"priority":10,"weight":1,"target":"https://example.net/"}}`}, ""},
		"URIDiffer": {"and is compared", args{content("URI", `10 1 "https://example.net/"`), `{"name":"example.com","type":"URI","priority":20,"data":{"weight":1,"target":"https://example.net/"}}`}, "priority: live 20, desired 10"},

		"LOCRendering": {"LOC content has two renderings: compare data", args{content("LOC", "52 22 23.000 N 4 53 32.000 E -2.00m 1.00m 10000.00m 10.00m"), `{"name":"example.com","type":"LOC","content":"IN LOC 52 22 23 N 4 53 32 E -2m","data":{"lat_degrees":52,"lat_minutes":22,"lat_seconds":23,"lat_direction":"N","long_degrees":4,"long_minutes":53,"long_seconds":32,"long_direction":"E","altitude":-2,"size":1,"precision_horz":10000,"precision_vert":10}}`}, ""},
		"LOCDefaults":  {"what LOC leaves out has the values of RFC 1876", args{content("LOC", "52 N 4 E 0"), `{"name":"example.com","type":"LOC","data":{"lat_degrees":52,"lat_minutes":0,"lat_seconds":0.0,"lat_direction":"N","long_degrees":4,"long_minutes":0,"long_seconds":0,"long_direction":"E","altitude":0,"size":1,"precision_horz":10000,"precision_vert":10}}`}, ""},
		"LOCCarried":   {"15 m and 10 m are one in LOC, which carries one digit", args{content("LOC", "52 N 4 E 0 10"), `{"name":"example.com","type":"LOC","data":{"lat_degrees":52,"lat_direction":"N","long_degrees":4,"long_direction":"E","size":15}}`}, ""},
		"LOCSeconds":   {"seconds count to the thousandth", args{content("LOC", "52 0 1.001 N 4 E 0"), `{"name":"example.com","type":"LOC","data":{"lat_degrees":52,"lat_seconds":1.002,"lat_direction":"N","long_degrees":4,"long_direction":"E"}}`}, "data.latSeconds: live 1.002, desired 1.001"},

		"CAAQuotes":  {"a CAA value's quotes are not part of it", args{content("CAA", "0 issue letsencrypt.org"), `{"name":"example.com","type":"CAA","data":{"flags":0,"tag":"issue","value":"\"letsencrypt.org\""}}`}, ""},
		"CAATagCase": {"CAA property names are case-insensitive (RFC 8659)", args{content("CAA", `0 ISSUE "letsencrypt.org"`), `{"name":"example.com","type":"CAA","data":{"flags":0,"tag":"issue","value":"letsencrypt.org"}}`}, ""},
		"CAADeny":    {"a value of ; forbids all", args{content("CAA", `0 issue ";"`), `{"name":"example.com","type":"CAA","data":{"flags":0,"tag":"issue","value":";"}}`}, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			desired := mustParse(t, tc.args.in)
			live := dnsrecord.FromLive(decode(t, tc.args.live))
			if got := words(dnsrecord.Diff(desired, live)); got != tc.want {
				t.Errorf("%s\nDiff = %q\nwant   %q", tc.reason, got, tc.want)
			}
			if got := dnsrecord.Equal(desired, live); got != (tc.want == "") {
				t.Errorf("%s\nEqual = %v", tc.reason, got)
			}
		})
	}
}

func decode(t fataler, s string) dnsrecord.Live {
	t.Helper()
	var l dnsrecord.Live
	if err := json.Unmarshal([]byte(s), &l); err != nil {
		t.Fatalf("cannot unmarshal %s: %v", s, err)
	}
	return l
}

func words(diffs []dnsrecord.Difference) string {
	parts := make([]string, 0, len(diffs))
	for _, d := range diffs {
		parts = append(parts, fmt.Sprintf("%s: live %s, desired %s", d.Field, cmp.Or(d.Live, `""`), cmp.Or(d.Desired, `""`)))
	}
	return strings.Join(parts, "; ")
}
