// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// refusal is a record that the API refuses.
type refusal struct {
	reason string
	plan   simulator.Plan // "" means Pro.
	before []object       // The existing records.
	body   object
	code   int
}

func srvWith(changes object) object {
	return object{"type": "SRV", "name": "_sip._tcp", "data": with(object{"priority": 1, "weight": 2, "port": 3, "target": "sip.example.com"}, changes)}
}

func fieldRefusals() map[string]refusal {
	x := a("x", "192.0.2.1")
	change := func(changes object) object { return with(x, changes) }
	txt := func(content string) object { return object{"type": "TXT", "name": "x", "content": content} }
	cname := func(content string) object { return object{"type": "CNAME", "name": "x", "content": content} }
	return map[string]refusal{
		"NoType":            {reason: "type is required", body: change(object{"type": remove}), code: simulator.CodeRecordType},
		"UnknownType":       {reason: "not one of the 21", body: change(object{"type": "SPF"}), code: simulator.CodeRecordType},
		"LowerType":         {reason: "types are upper case", body: change(object{"type": "a"}), code: simulator.CodeRecordType},
		"NoName":            {reason: "name is required", body: change(object{"name": remove}), code: simulator.CodeName},
		"EmptyName":         {reason: "name is required", body: change(object{"name": ""}), code: simulator.CodeName},
		"NumberName":        {reason: "name is a text", body: change(object{"name": 5}), code: simulator.CodeName},
		"EmptyLabel":        {reason: "two dots", body: change(object{"name": "a..b"}), code: simulator.CodeName},
		"LongLabel":         {reason: "64 characters", body: change(object{"name": strings.Repeat("l", 64)}), code: simulator.CodeName},
		"LongName":          {reason: "over 253 characters", body: change(object{"name": strings.Repeat("abcdefghi.", 25) + "x"}), code: simulator.CodeName},
		"Space":             {reason: "no white space", body: change(object{"name": "a b"}), code: simulator.CodeName},
		"WildcardInside":    {reason: "a wildcard is the first label", body: change(object{"name": "a.*.b"}), code: simulator.CodeName},
		"WildcardPart":      {reason: "a wildcard is a whole label", body: change(object{"name": "a*"}), code: simulator.CodeName},
		"OutsideZone":       {reason: "an absolute name of another zone", body: change(object{"name": "www.example.org."}), code: simulator.CodeName},
		"BadIDN":            {reason: "no valid internationalised name", body: change(object{"name": "a\u200bb\u2028"}), code: simulator.CodeName},
		"TTL0":              {reason: "0 is not automatic", body: change(object{"ttl": 0}), code: simulator.CodeTTL},
		"TTL30":             {reason: "below 60 without Enterprise", body: change(object{"ttl": 30}), code: simulator.CodeTTL},
		"TTL29Enterprise":   {reason: "below 30 on Enterprise", plan: simulator.PlanEnterprise, body: change(object{"ttl": 29}), code: simulator.CodeTTL},
		"TTL86401":          {reason: "above a day", body: change(object{"ttl": 86401}), code: simulator.CodeTTL},
		"TTLFraction":       {reason: "a whole number", body: change(object{"ttl": 60.5}), code: simulator.CodeTTL},
		"TTLText":           {reason: "a number", body: change(object{"ttl": "300"}), code: simulator.CodeTTL},
		"TTLNull":           {reason: "a number", body: change(object{"ttl": nil}), code: simulator.CodeTTL},
		"ProxiedText":       {reason: "a boolean", body: change(object{"proxied": "true"}), code: simulator.CodeProxiedValue},
		"ProxiedTXT":        {reason: "TXT cannot be proxied", body: with(txt("x"), object{"proxied": true}), code: simulator.CodeNotProxiable},
		"ProxiedMX":         {reason: "MX cannot be proxied", body: object{"type": "MX", "name": "x", "content": "mx.example.net", "priority": 1, "proxied": true}, code: simulator.CodeNotProxiable},
		"PrivateProxied":    {reason: "RFC 1918", body: change(object{"content": "10.1.2.3", "proxied": true}), code: simulator.CodeProxiedValue},
		"LoopbackProxied":   {reason: "loopback", body: change(object{"content": "127.0.0.1", "proxied": true}), code: simulator.CodeProxiedValue},
		"CGNATProxied":      {reason: "carrier-grade NAT", body: change(object{"content": "100.64.0.1", "proxied": true}), code: simulator.CodeProxiedValue},
		"LinkLocalProxied":  {reason: "link-local", body: change(object{"content": "169.254.1.1", "proxied": true}), code: simulator.CodeProxiedValue},
		"ULAProxied":        {reason: "unique local", body: object{"type": "AAAA", "name": "x", "content": "fd00::1", "proxied": true}, code: simulator.CodeProxiedValue},
		"NoContent":         {reason: "content is required", body: change(object{"content": remove}), code: simulator.CodeContent},
		"NullContent":       {reason: "content is required", body: change(object{"content": nil}), code: simulator.CodeContent},
		"AHost":             {reason: "no address", body: change(object{"content": "www.example.com"}), code: simulator.CodeContent},
		"ALeadingZero":      {reason: "leading zeros are ambiguous", body: change(object{"content": "192.0.2.01"}), code: simulator.CodeContent},
		"AIPv6":             {reason: "the other family", body: change(object{"content": "2001:db8::1"}), code: simulator.CodeContent},
		"AAAAIPv4":          {reason: "the other family", body: object{"type": "AAAA", "name": "x", "content": "192.0.2.1"}, code: simulator.CodeContent},
		"AAAAZone":          {reason: "a scoped address", body: object{"type": "AAAA", "name": "x", "content": "fe80::1%eth0"}, code: simulator.CodeContent},
		"CNAMEAddress":      {reason: "a target is a name", body: cname("192.0.2.1"), code: simulator.CodeTarget},
		"CNAMESpace":        {reason: "a target is a name", body: cname("a b"), code: simulator.CodeTarget},
		"CNAMERoot":         {reason: "the root is no target", body: cname("."), code: simulator.CodeTarget},
		"CNAMESelf":         {reason: "a loop", body: cname("x.example.com"), code: simulator.CodeTarget},
		"NSAddress":         {reason: "a name server is a name", body: object{"type": "NS", "name": "x", "content": "192.0.2.1"}, code: simulator.CodeTarget},
		"MXAddress":         {reason: "a mail server is a name", body: object{"type": "MX", "name": "x", "content": "192.0.2.1", "priority": 1}, code: simulator.CodeMXContent},
		"MXInContent":       {reason: "the priority is a field", body: object{"type": "MX", "name": "x", "content": "10 mx.example.com", "priority": 10}, code: simulator.CodeMXContent},
		"NullMXPriority":    {reason: "RFC 7505 section 3", body: object{"type": "MX", "name": "x", "content": ".", "priority": 10}, code: simulator.CodeMXContent},
		"MXNoPriority":      {reason: "priority is required", body: object{"type": "MX", "name": "x", "content": "mx.example.com"}, code: simulator.CodeDataInvalid},
		"MXPriorityRange":   {reason: "16 bits", body: object{"type": "MX", "name": "x", "content": "mx.example.com", "priority": 65536}, code: simulator.CodeDataInvalid},
		"URINoPriority":     {reason: "priority is required", body: object{"type": "URI", "name": "x", "data": object{"weight": 1, "target": "https://a"}}, code: simulator.CodeDataInvalid},
		"TXTBlank":          {reason: "nothing in it", body: txt("  "), code: simulator.CodeContent},
		"TXTUnbalanced":     {reason: "a quote too few", body: txt(`"a`), code: simulator.CodeContent},
		"TXTBehindQuote":    {reason: "something behind the quotes", body: txt(`"a" b`), code: simulator.CodeContent},
		"TXTEscape":         {reason: "not a byte", body: txt(`"\256"`), code: simulator.CodeContent},
		"TXTShortEscape":    {reason: "three digits", body: txt(`"\25"`), code: simulator.CodeContent},
		"TXTTooLong":        {reason: "over 4,096 bytes of rdata", body: txt(strings.Repeat("x", 4081)), code: simulator.CodeTXTTooLong},
		"TXTCombined":       {reason: "over 8,192 characters of one name", before: []object{txt(strings.Repeat("x", 4080)), txt(strings.Repeat("y", 4080))}, body: txt(strings.Repeat("z", 33)), code: simulator.CodeTXTCombinedTooLong},
		"OPENPGPKEY":        {reason: "no base64", body: object{"type": "OPENPGPKEY", "name": "x", "content": "%%%"}, code: simulator.CodeContent},
		"PrivateRouting":    {reason: "a boolean", body: change(object{"private_routing": "x"}), code: simulator.CodeContent},
		"SRVContent":        {reason: "structured types take no content", body: object{"type": "SRV", "name": "_sip._tcp", "content": "1 2 3 sip.example.com"}, code: simulator.CodeDataMissing},
		"SRVContentAndData": {reason: "nor beside data", body: with(srvWith(nil), object{"content": "2 3 sip.example.com"}), code: simulator.CodeDataMissing},
		"SRVNothing":        {reason: "data is required", body: object{"type": "SRV", "name": "_sip._tcp"}, code: simulator.CodeDataMissing},
		"SRVMissing":        {reason: "every member is required", body: srvWith(object{"port": remove}), code: simulator.CodeDataMissing},
		"SRVService":        {reason: "the former shape", body: srvWith(object{"service": "_sip"}), code: simulator.CodeDataInvalid},
		"SRVProto":          {reason: "the former shape", body: srvWith(object{"proto": "_tcp"}), code: simulator.CodeDataInvalid},
		"SRVName":           {reason: "the former shape", body: srvWith(object{"name": "x"}), code: simulator.CodeDataInvalid},
		"SRVPort":           {reason: "16 bits", body: srvWith(object{"port": 65536}), code: simulator.CodeDataInvalid},
		"SRVNegative":       {reason: "unsigned", body: srvWith(object{"weight": -1}), code: simulator.CodeDataInvalid},
		"SRVText":           {reason: "numbers are numbers", body: srvWith(object{"weight": "1"}), code: simulator.CodeDataInvalid},
		"SRVTarget":         {reason: "a name", body: srvWith(object{"target": "192.0.2.1"}), code: simulator.CodeDataInvalid},
		"DataList":          {reason: "data is an object", body: object{"type": "SRV", "name": "x", "data": []any{}}, code: simulator.CodeDataInvalid},
		"CAATag":            {reason: "letters and digits", body: object{"type": "CAA", "name": "x", "data": object{"flags": 0, "tag": "is sue", "value": "x"}}, code: simulator.CodeDataInvalid},
		"CAAFlags":          {reason: "8 bits", body: object{"type": "CAA", "name": "x", "data": object{"flags": 256, "tag": "issue", "value": "x"}}, code: simulator.CodeDataInvalid},
		"CAAValue":          {reason: "not empty", body: object{"type": "CAA", "name": "x", "data": object{"flags": 0, "tag": "issue", "value": ""}}, code: simulator.CodeDataInvalid},
		"TLSAHex":           {reason: "no hex", body: object{"type": "TLSA", "name": "x", "data": object{"usage": 3, "selector": 1, "matching_type": 1, "certificate": "xyz"}}, code: simulator.CodeDataInvalid},
		"SSHFPOddHex":       {reason: "half a byte", body: object{"type": "SSHFP", "name": "x", "data": object{"algorithm": 4, "type": 1, "fingerprint": "abc"}}, code: simulator.CodeDataInvalid},
		"CERTBase64":        {reason: "no base64", body: object{"type": "CERT", "name": "x", "data": object{"type": 1, "key_tag": 1, "algorithm": 1, "certificate": "%"}}, code: simulator.CodeDataInvalid},
		"SVCBParams":        {reason: "no SvcParams", body: object{"type": "SVCB", "name": "x", "data": object{"priority": 1, "target": ".", "value": "alpn"}}, code: simulator.CodeDataInvalid},
		"SVCBNoDefault":     {reason: "no-default-alpn goes with alpn", body: object{"type": "HTTPS", "name": "x", "data": object{"priority": 1, "target": ".", "value": "no-default-alpn"}}, code: simulator.CodeDataInvalid},
		"SVCBGarbage":       {reason: "no SvcParams", body: object{"type": "HTTPS", "name": "x", "data": object{"priority": 1, "target": ".", "value": "port=http"}}, code: simulator.CodeDataInvalid},
		"SVCBMandatory":     {reason: "what is mandatory is there", body: object{"type": "SVCB", "name": "x", "data": object{"priority": 1, "target": ".", "value": "mandatory=port"}}, code: simulator.CodeDataInvalid},
		"SVCBTwice":         {reason: "each key once", body: object{"type": "SVCB", "name": "x", "data": object{"priority": 1, "target": ".", "value": "port=1 port=2"}}, code: simulator.CodeDataInvalid},
		"LOCDirection":      {reason: "N or S", body: object{"type": "LOC", "name": "x", "data": object{"lat_degrees": 1, "lat_direction": "n", "long_degrees": 1, "long_direction": "E"}}, code: simulator.CodeDataInvalid},
		"LOCBeyondPole":     {reason: "no such latitude", body: object{"type": "LOC", "name": "x", "data": object{"lat_degrees": 90, "lat_minutes": 1, "lat_direction": "N", "long_degrees": 1, "long_direction": "E"}}, code: simulator.CodeDataInvalid},
		"DSAlone":           {reason: "a DS needs its NS first", body: oneOfEachType()["DS"], code: simulator.CodeDelegation},
	}
}

func attributeRefusals() map[string]refusal {
	x := a("x", "192.0.2.1")
	change := func(changes object) object { return with(x, changes) }
	many := make([]string, 21)
	for i := range many {
		many[i] = fmt.Sprint("t", i)
	}
	return map[string]refusal{
		"CommentFree":     {reason: "100 characters on Free", plan: simulator.PlanFree, body: change(object{"comment": strings.Repeat("ü", 101)}), code: simulator.CodeComment},
		"CommentPaid":     {reason: "500 characters on paid plans", body: change(object{"comment": strings.Repeat("x", 501)}), code: simulator.CodeComment},
		"CommentLine":     {reason: "one line", body: change(object{"comment": "a\nb"}), code: simulator.CodeComment},
		"CommentNumber":   {reason: "a text", body: change(object{"comment": 5}), code: simulator.CodeComment},
		"TagsFree":        {reason: "no tags on Free", plan: simulator.PlanFree, body: change(object{"tags": []string{"a"}}), code: simulator.CodeTagQuota},
		"TagsMany":        {reason: "20 a record", body: change(object{"tags": many}), code: simulator.CodeTagQuota},
		"TagsText":        {reason: "a list", body: change(object{"tags": "a"}), code: simulator.CodeTag},
		"TagName":         {reason: "letters, digits, _ and -", body: change(object{"tags": []string{"a b:c"}}), code: simulator.CodeTag},
		"TagEmpty":        {reason: "a name", body: change(object{"tags": []string{":c"}}), code: simulator.CodeTag},
		"TagNumber":       {reason: "a text", body: change(object{"tags": []any{5}}), code: simulator.CodeTag},
		"TagLongName":     {reason: "32 characters", body: change(object{"tags": []string{strings.Repeat("n", 33)}}), code: simulator.CodeTag},
		"TagLongValue":    {reason: "100 characters", body: change(object{"tags": []string{"n:" + strings.Repeat("v", 101)}}), code: simulator.CodeTag},
		"TagReserved":     {reason: "cf- is Cloudflare's", body: change(object{"tags": []string{"CF-x:y"}}), code: simulator.CodeTag},
		"SettingsUnknown": {reason: "three settings", body: change(object{"settings": object{"x": true}}), code: simulator.CodeSettings},
		"SettingsText":    {reason: "booleans", body: change(object{"settings": object{"ipv4_only": "x"}}), code: simulator.CodeSettings},
		"SettingsList":    {reason: "an object", body: change(object{"settings": []any{}}), code: simulator.CodeSettings},
		"FlattenA":        {reason: "CNAME only", body: change(object{"settings": object{"flatten_cname": true}}), code: simulator.CodeSettings},
		"FlattenFree":     {reason: "paid plans only", plan: simulator.PlanFree, body: object{"type": "CNAME", "name": "x", "content": "a.example", "settings": object{"flatten_cname": true}}, code: simulator.CodeSettings},
		"BothFamilies":    {reason: "they exclude each other", body: change(object{"settings": object{"ipv4_only": true, "ipv6_only": true}}), code: simulator.CodeSettings},
	}
}

func conflictRefusals() map[string]refusal {
	cname := object{"type": "CNAME", "name": "x", "content": "a.example"}
	aaaa := object{"type": "AAAA", "name": "x", "content": "2001:db8::1"}
	mx := object{"type": "MX", "name": "x", "content": "mx.example.net", "priority": 10}
	return map[string]refusal{
		"Identical":          {reason: "type, name and content", before: []object{a("x", "192.0.2.1")}, body: with(a("X.example.com.", "192.0.2.1"), object{"ttl": 600, "proxied": true}), code: simulator.CodeIdenticalExists},
		"IdenticalCanonical": {reason: "in canonical form", before: []object{aaaa}, body: with(aaaa, object{"content": "2001:DB8::0:1"}), code: simulator.CodeIdenticalExists},
		"IdenticalTXT":       {reason: "TXT by its bytes", before: []object{{"type": "TXT", "name": "x", "content": "ab"}}, body: object{"type": "TXT", "name": "x", "content": `"a" "b"`}, code: simulator.CodeIdenticalExists},
		"IdenticalMX":        {reason: "with its priority", before: []object{mx}, body: with(mx, object{"content": "MX.example.net."}), code: simulator.CodeIdenticalExists},
		"IdenticalSRV":       {reason: "structured types by their data", before: []object{srvWith(nil)}, body: srvWith(object{"target": "SIP.example.com."}), code: simulator.CodeIdenticalExists},
		"IdenticalCNAME":     {reason: "comes before the conflict of CNAMEs", before: []object{cname}, body: with(cname, object{"content": "A.example."}), code: simulator.CodeIdenticalExists},
		"CNAMEBesideA":       {reason: "an address is there", before: []object{a("x", "192.0.2.1")}, body: cname, code: simulator.CodeHostHasAddress},
		"CNAMEBesideAAAA":    {reason: "an address is there", before: []object{aaaa}, body: cname, code: simulator.CodeHostHasAddress},
		"CNAMEBesideCNAME":   {reason: "another CNAME is there", before: []object{cname}, body: with(cname, object{"content": "b.example"}), code: simulator.CodeHostHasAddress},
		"ABesideCNAME":       {reason: "a CNAME is there", before: []object{cname}, body: a("x", "192.0.2.1"), code: simulator.CodeHostHasCNAME},
		"AAAABesideCNAME":    {reason: "a CNAME is there", before: []object{cname}, body: aaaa, code: simulator.CodeHostHasCNAME},
	}
}

func TestRefusedRecords(t *testing.T) {
	for _, table := range []map[string]refusal{fieldRefusals(), attributeRefusals(), conflictRefusals()} {
		for name, tc := range table {
			t.Run(name, func(t *testing.T) {
				w := newWorld(t, cmp.Or(tc.plan, simulator.PlanPro))
				for _, body := range tc.before {
					w.create(body)
				}
				got := w.do(http.MethodPost, w.records(), tc.body)
				if got.status != http.StatusBadRequest || got.code() != tc.code || got.Success {
					t.Errorf("%s: %d/%d, want 400/%d: %s", tc.reason, got.status, got.code(), tc.code, got.raw)
				}
				if n := len(w.sim.Records(w.zone.ID)); n != len(tc.before) {
					t.Errorf("%s: %d records, want %d", tc.reason, n, len(tc.before))
				}
			})
		}
	}
}

func TestAllowedNeighbours(t *testing.T) {
	cases := map[string]struct {
		reason string
		plan   simulator.Plan
		bodies []object
	}{
		"RoundRobin":      {reason: "same name and type", bodies: []object{a("x", "192.0.2.1"), a("x", "192.0.2.2")}},
		"MXPriorities":    {reason: "the priority is part of the identity", bodies: []object{{"type": "MX", "name": "x", "content": "mx.example", "priority": 1}, {"type": "MX", "name": "x", "content": "mx.example", "priority": 2}}},
		"TXTBesideCNAME":  {reason: "only addresses conflict with a CNAME", bodies: []object{{"type": "CNAME", "name": "x", "content": "a.example"}, {"type": "TXT", "name": "x", "content": "y"}}},
		"TXTLimit":        {reason: "8,192 characters exactly", bodies: []object{{"type": "TXT", "name": "x", "content": strings.Repeat("x", 4080)}, {"type": "TXT", "name": "x", "content": strings.Repeat("y", 4080)}, {"type": "TXT", "name": "x", "content": strings.Repeat("z", 32)}}},
		"TXTCase":         {reason: "TXT is case-sensitive", bodies: []object{{"type": "TXT", "name": "x", "content": "a"}, {"type": "TXT", "name": "x", "content": "A"}}},
		"EnterpriseTTL":   {reason: "30 on Enterprise", plan: simulator.PlanEnterprise, bodies: []object{with(a("x", "192.0.2.1"), object{"ttl": 30})}},
		"FreeComment":     {reason: "100 characters on Free", plan: simulator.PlanFree, bodies: []object{with(a("x", "192.0.2.1"), object{"comment": strings.Repeat("ü", 100)})}},
		"PrivateUnproxed": {reason: "private addresses without the proxy", bodies: []object{a("x", "10.0.0.1")}},
		"DSWithNS":        {reason: "NS first", bodies: []object{{"type": "NS", "name": "ds.types", "content": "ns.example"}, oneOfEachType()["DS"]}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, cmp.Or(tc.plan, simulator.PlanPro))
			for _, body := range tc.bodies {
				w.create(with(object{"ttl": 300}, body))
			}
			if n := len(w.sim.Records(w.zone.ID)); n != len(tc.bodies) {
				t.Errorf("%s: %d records, want %d", tc.reason, n, len(tc.bodies))
			}
		})
	}
}

func TestSeveralMissingMembersAreAllNamed(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	got := w.do(http.MethodPost, w.records(), object{"type": "SRV", "name": "_sip._tcp", "data": object{"weight": 1}})
	if len(got.Errors) != 3 {
		t.Errorf("%d errors, want one for each of priority, port and target: %s", len(got.Errors), got.raw)
	}
}

func TestQuota(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	for i := range 200 {
		if _, err := w.sim.CreateRecord(w.zone.ID, a(fmt.Sprint("h", i), "192.0.2.1")); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.do(http.MethodPost, w.records(), a("one-more", "192.0.2.1")); got.status != http.StatusBadRequest || got.code() != simulator.CodeQuota {
		t.Errorf("record 201: %d/%d", got.status, got.code())
	}
	if got := w.do(http.MethodPost, w.records(), a("h0", "192.0.2.1")); got.code() != simulator.CodeIdenticalExists {
		t.Errorf("an identical record at the quota: %d, want what comes first: 81058", got.code())
	}
	id := w.sim.Records(w.zone.ID)[0].ID
	w.must(http.MethodPatch, w.records(id), object{"ttl": 600}) // A change needs no free quota.
	w.must(http.MethodDelete, w.records(id), nil)
	w.create(a("one-more", "192.0.2.1"))
}

func TestRefusedChanges(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	id := w.id(a("x", "192.0.2.1"))
	other := w.id(a("x", "192.0.2.2"))
	w.create(object{"type": "CNAME", "name": "c", "content": "a.example"})
	locked := w.id(a("locked", "192.0.2.1"))
	if err := w.sim.SetRecordMeta(w.zone.ID, locked, map[string]any{"read_only": true, "email_routing": true}); err != nil {
		t.Fatal(err)
	}
	ns := w.id(object{"type": "NS", "name": "sub", "content": "ns.example"})
	w.create(object{"type": "DS", "name": "sub", "data": oneOfEachType()["DS"]["data"]})
	unknown := strings.Repeat("0", 32)

	cases := map[string]struct {
		reason, method, path string
		body                 any
		status, code         int
	}{
		"TypePatch":      {"a type cannot change", http.MethodPatch, w.records(id), object{"type": "AAAA", "content": "2001:db8::1"}, 400, simulator.CodeRecordType},
		"TypePut":        {"a type cannot change", http.MethodPut, w.records(id), object{"type": "TXT", "name": "x", "content": "y", "ttl": 1}, 400, simulator.CodeRecordType},
		"PutNoType":      {"PUT is complete", http.MethodPut, w.records(id), object{"name": "x", "content": "192.0.2.1"}, 400, simulator.CodeRecordType},
		"PutNoContent":   {"PUT is complete", http.MethodPut, w.records(id), object{"type": "A", "name": "x"}, 400, simulator.CodeContent},
		"Identical":      {"another record is so", http.MethodPatch, w.records(id), object{"content": "192.0.2.2"}, 400, simulator.CodeIdenticalExists},
		"RenameConflict": {"a CNAME is there", http.MethodPatch, w.records(id), object{"name": "c"}, 400, simulator.CodeHostHasCNAME},
		"ReadOnlyPatch":  {"somebody else's", http.MethodPatch, w.records(locked), object{"ttl": 60}, 400, simulator.CodeReadOnly},
		"ReadOnlyPut":    {"somebody else's", http.MethodPut, w.records(locked), a("locked", "192.0.2.9"), 400, simulator.CodeReadOnly},
		"ReadOnlyDelete": {"somebody else's", http.MethodDelete, w.records(locked), nil, 400, simulator.CodeReadOnly},
		"NSOfDS":         {"delete DS before NS", http.MethodDelete, w.records(ns), nil, 400, simulator.CodeDelegation},
		"NSRenamed":      {"renaming takes it away, too", http.MethodPatch, w.records(ns), object{"name": "elsewhere"}, 400, simulator.CodeDelegation},
		"UnknownGet":     {"no such record", http.MethodGet, w.records(unknown), nil, 404, simulator.CodeRecordNotFound},
		"UnknownPatch":   {"no such record", http.MethodPatch, w.records(unknown), object{"ttl": 60}, 404, simulator.CodeRecordNotFound},
		"UnknownPut":     {"no such record", http.MethodPut, w.records(unknown), a("x", "192.0.2.1"), 404, simulator.CodeRecordNotFound},
		"UnknownDelete":  {"no such record", http.MethodDelete, w.records(unknown), nil, 404, simulator.CodeRecordNotFound},
		"BadRecordID":    {"not an ID", http.MethodGet, w.records("xyz"), nil, 404, simulator.CodeBadIdentifier},
		"UpperRecordID":  {"not an ID", http.MethodDelete, w.records(strings.Repeat("A", 32)), nil, 404, simulator.CodeBadIdentifier},
		"BadPatchID":     {"not an ID", http.MethodPatch, w.records("xyz"), object{"ttl": 60}, 404, simulator.CodeBadIdentifier},
		"UnknownZone":    {"no such zone", http.MethodGet, "/zones/" + unknown + "/dns_records", nil, 404, simulator.CodeBadIdentifier},
		"BadZone":        {"not an ID", http.MethodGet, "/zones/xyz/dns_records", nil, 404, simulator.CodeBadIdentifier},
		"NoRoute":        {"no such route", http.MethodGet, w.path("nonsense"), nil, 404, simulator.CodeBadIdentifier},
		"WrongMethod":    {"no such operation", http.MethodPut, w.records(), a("x", "192.0.2.1"), 404, simulator.CodeBadIdentifier},
		"Malformed":      {"no object", http.MethodPost, w.records(), []any{}, 400, simulator.CodeMalformedJSON},
		"MalformedPatch": {"no object", http.MethodPatch, w.records(id), "x", 400, simulator.CodeMalformedJSON},
	}
	before := fmt.Sprint(w.sim.Records(w.zone.ID))
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := w.do(tc.method, tc.path, tc.body)
			if got.status != tc.status || got.code() != tc.code {
				t.Errorf("%s: %d/%d, want %d/%d: %s", tc.reason, got.status, got.code(), tc.status, tc.code, got.raw)
			}
			if tc.code == simulator.CodeBadIdentifier && (len(got.Errors) != 2 || got.Errors[1].Code != simulator.CodeNoRoute) {
				t.Errorf("%s: errors %v, want 7003 and 7000", tc.reason, got.Errors)
			}
		})
	}
	if after := fmt.Sprint(w.sim.Records(w.zone.ID)); after != before {
		t.Errorf("refused changes changed something:\n%s\n%s", before, after)
	}
	w.must(http.MethodDelete, w.records(other), nil)
	w.must(http.MethodPatch, w.records(id), object{"content": "192.0.2.2"})
}

func TestMalformedBodies(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	for reason, tc := range map[string]struct{ kind, body string }{
		"cut off":         {"application/json", `{"type":"A"`},
		"nothing":         {"application/json", ``},
		"two values":      {"application/json", `{} {}`},
		"null":            {"application/json", `null`},
		"not called JSON": {"text/plain", `{"type":"A","name":"x","content":"192.0.2.1","ttl":1}`},
	} {
		header := http.Header{"Authorization": {"Bearer " + w.token}, "Content-Type": {tc.kind}}
		got := w.request(http.MethodPost, w.records(), header, []byte(tc.body))
		if got.status != http.StatusBadRequest || got.code() != simulator.CodeMalformedJSON {
			t.Errorf("%s: %d/%d", reason, got.status, got.code())
		}
	}
}
