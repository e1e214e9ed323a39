// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// upload imports a zone file. It leaves out proxied if that is "".
func (w *world) upload(file, proxied string) answer {
	w.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	part, err := form.CreateFormFile("file", "zone.txt")
	if err == nil {
		_, err = part.Write([]byte(file))
	}
	if err == nil && proxied != "" {
		err = form.WriteField("proxied", proxied)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		w.Fatalf("cannot build the form: %v", err)
	}
	header := http.Header{"Authorization": {"Bearer " + w.token}, "Content-Type": {form.FormDataContentType()}}
	return w.request(http.MethodPost, w.records("import"), header, b.Bytes())
}

func TestExportImportRoundTrip(t *testing.T) {
	from, to := newWorld(t, simulator.PlanEnterprise), newWorld(t, simulator.PlanEnterprise)
	from.create(object{"type": "NS", "name": "ds.types", "content": "ns.example.net", "ttl": 300})
	for _, body := range oneOfEachType() {
		from.create(with(body, object{"comment": "a; comment: ünïcode", "tags": []string{"team:dns", "flag", `quoted:a "b", c`}}))
	}
	from.create(with(a("proxied", "192.0.2.1"), object{"proxied": true}))
	from.create(object{"type": "MX", "name": "null", "content": ".", "priority": 0, "ttl": 300})
	from.create(object{"type": "TXT", "name": "bytes", "content": `"` + strings.Repeat("x", 300) + `\000\255\"\\"`, "ttl": 1})
	from.create(object{"type": "HTTPS", "name": "more", "ttl": 1, "data": object{"priority": 1, "target": ".", "value": `alpn="h2,h3" port="443" ipv4hint="192.0.2.1,192.0.2.2"`}})

	exported := from.must(http.MethodGet, from.records("export"), nil)
	if kind := exported.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/plain") {
		t.Errorf("Content-Type %s", kind)
	}
	n := len(from.sim.Records(from.zone.ID))
	got := to.upload(exported.raw, "")
	if diff := cmp.Diff(object{"recs_added": float64(n), "total_records_parsed": float64(n)}, to.object(got)); diff != "" {
		t.Fatalf("%s\n%s\n%s", diff, got.raw, exported.raw)
	}
	opts := cmp.Options{
		cmpopts.IgnoreFields(simulator.Record{}, "ID", "CreatedOn", "ModifiedOn"), cmpopts.EquateEmpty(),
		cmpopts.SortSlices(func(a, b simulator.Record) bool { return a.Type+a.Name+a.Content < b.Type+b.Name+b.Content }),
	}
	// Quotes in a zone file are kept, so that an import cannot return unquoted content.
	if diff := cmp.Diff(from.sim.Records(from.zone.ID), to.sim.Records(to.zone.ID), opts); diff != "" {
		t.Errorf("-exported +imported:\n%s", diff)
	}
	again := to.object(to.upload(exported.raw, ""))
	if diff := cmp.Diff(object{"recs_added": 0.0, "total_records_parsed": float64(n)}, again); diff != "" {
		t.Errorf("a second import: %s", diff)
	}
}

func TestImport(t *testing.T) {
	cases := map[string]struct {
		reason, file, proxied string
		want                  []string // Type, name, content, proxied.
		code                  int
	}{
		"Relative":  {"names without dot are relative", "www 300 IN A 192.0.2.1\n", "", []string{"A www.example.com 192.0.2.1 unproxied"}, 0},
		"Origin":    {"directives", "$ORIGIN sub.example.com.\n$TTL 300\n@ A 192.0.2.1\n", "", []string{"A sub.example.com 192.0.2.1 unproxied"}, 0},
		"Proxied":   {"for what can be", "www 300 IN A 192.0.2.1\nx 300 IN TXT y\n", "true", []string{"A www.example.com 192.0.2.1 proxied", "TXT x.example.com \"y\" unproxied"}, 0},
		"Override":  {"the annotation wins", "www 300 IN A 192.0.2.1 ; cf_tags=cf-proxied:false\n", "true", []string{"A www.example.com 192.0.2.1 unproxied"}, 0},
		"Own":       {"SOA and own NS are skipped", "@ 300 IN SOA a. b. 1 2 3 4 5\n@ 300 IN NS ns.example.net.\nsub 300 IN NS ns.example.net.\n", "", []string{"NS sub.example.com ns.example.net unproxied"}, 0},
		"Mnemonics": {"numbers by name", "x 300 IN CERT PKIX 1 RSASHA256 AQID\n", "", []string{"CERT x.example.com 1 1 8 AQID unproxied"}, 0},
		"Syntax":    {"no zone file", "www 300 IN A\n", "", nil, simulator.CodeContent},
		"Type":      {"an unsupported type", "www 300 IN HINFO a b\n", "", nil, simulator.CodeRecordType},
		"Atomic":    {"all or nothing", "www 300 IN A 192.0.2.1\nbad 5 IN A 192.0.2.1\n", "", nil, simulator.CodeTTL},
		"Include":   {"no files of the server", "$INCLUDE /etc/passwd\n", "", nil, simulator.CodeContent},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, simulator.PlanPro)
			if got := w.upload(tc.file, tc.proxied); got.code() != tc.code {
				t.Fatalf("%s: %d/%d, want %d: %s", tc.reason, got.status, got.code(), tc.code, got.raw)
			}
			var have []string
			for _, r := range w.sim.Records(w.zone.ID) {
				proxied := map[bool]string{true: "proxied", false: "unproxied"}[r.Proxied]
				have = append(have, strings.Join([]string{r.Type, r.Name, r.Content, proxied}, " "))
			}
			if diff := cmp.Diff(tc.want, have); diff != "" {
				t.Errorf("%s: -want +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestImportForm(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	for reason, tc := range map[string]struct{ kind, body string }{
		"JSON":      {"application/json", "{}"},
		"cut off":   {"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nabc"},
		"no file":   {"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"proxied\"\r\n\r\ntrue\r\n--x--\r\n"},
		"no header": {"", ""},
	} {
		header := http.Header{"Authorization": {"Bearer " + w.token}, "Content-Type": {tc.kind}}
		if got := w.request(http.MethodPost, w.records("import"), header, []byte(tc.body)); got.code() != simulator.CodeMalformedJSON {
			t.Errorf("%s: %d/%d", reason, got.status, got.code())
		}
	}
}
