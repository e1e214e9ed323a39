// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// FuzzParseFault parses any text as a fault of the command line.
func FuzzParseFault(f *testing.F) {
	for _, kind := range simulator.FaultKinds() {
		f.Add(string(kind))
	}
	f.Add("throttle,method=GET,path=/zones,zone=z,token=t,skip=1,times=-1,probability=0.5,delay=2s,retry-after=30s")
	f.Add("slow,delay=-1s,times=-7,skip=-3,probability=NaN,path=[")
	f.Fuzz(func(t *testing.T, s string) {
		fault, err := simulator.ParseFault(s)
		if err != nil {
			return
		}
		if !slices.Contains(simulator.FaultKinds(), fault.Kind) {
			t.Errorf("%q is a fault of no kind: %+v", s, fault)
		}
		if again, err := simulator.ParseFault(s); err != nil || (again != fault && fault.Probability == fault.Probability) {
			t.Errorf("%q is %+v and then %+v (%v)", s, fault, again, err)
		}
		fault.Delay, fault.RetryAfter = 0, 0 // Delays would slow the test down.
		if fault.Kind == simulator.FaultResetBefore || fault.Kind == simulator.FaultResetAfter || fault.Kind == simulator.FaultHugeBody {
			return // A recorder has no connection to reset, and a huge body would need much memory.
		}
		w := newWorld(t, simulator.PlanPro)
		w.sim.AddFault(fault)
		if a := w.do(http.MethodGet, w.records(), nil); a.status < 200 || a.status > 599 {
			t.Errorf("%q is answered with %d", s, a.status)
		}
	})
}

// FuzzRecord posts any body as a record. An accepted record is canonical: if its
// response is sent again, it does not change.
func FuzzRecord(f *testing.F) {
	for _, body := range oneOfEachType() {
		raw, err := json.Marshal(body)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	for _, s := range []string{"", "null", "[]", "{}", `{"type":7}`, `{"type":"A","name":"@","content":"192.0.2.1","ttl":-1}`, `{"type":"TXT","name":"\u0000","content":"\"\\"}`, `{"type":"LOC","name":"x","data":{"lat_degrees":1e999}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		w := newWorld(t, simulator.PlanPro)
		header := http.Header{"Authorization": {"Bearer " + w.token}, "Content-Type": {"application/json"}}
		a := w.request(http.MethodPost, w.records(), header, body)
		if a.status >= 500 {
			t.Fatalf("%q is answered with %d: %s", body, a.status, a.raw)
		}
		if a.status != http.StatusOK {
			return
		}
		made := w.object(a)
		id, _ := made["id"].(string)
		again := object{"content": made["content"], "name": made["name"], "ttl": made["ttl"]}
		if data, structured := made["data"]; structured {
			again = object{"data": data, "name": made["name"]}
		}
		patched := w.object(w.must(http.MethodPatch, w.records(id), again))
		for _, o := range []object{made, patched} {
			delete(o, "modified_on")
		}
		if diff := cmp.Diff(made, patched); diff != "" {
			t.Errorf("%q is not canonical (-made +sent again):\n%s", body, diff)
		}
	})
}

// FuzzImport imports any text as a zone file. The export can then be imported into
// another zone with the same result.
func FuzzImport(f *testing.F) {
	for _, s := range []string{
		"", "\x00", "www 300 IN A 192.0.2.1", "www.example.com. 1 IN A 192.0.2.1 ; cf_tags=cf-proxied:true", "@ IN MX 10 mail.example.com.\n@ IN TXT \"a\" \"b\"\n",
		"$TTL 300\n$ORIGIN example.com.\na CNAME b\n", "$INCLUDE /etc/passwd", "$GENERATE 1-100000000 a$ A 192.0.2.1", "a IN SRV 1 2 3 .", "a IN LOC 1 2 3 N 4 5 6 E 7m", "a (\n", "; comment",
		"_sip._tcp 60 IN SRV 10 5 5060 sip.example.net. ; hello",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, file string) {
		w := newWorld(t, simulator.PlanPro)
		if a := w.importFile(file); a.status >= 500 {
			t.Fatalf("%q is answered with %d: %s", file, a.status, a.raw)
		}
		exported := w.do(http.MethodGet, w.records("export"), nil)
		other := newWorld(t, simulator.PlanPro)
		if len(w.sim.Records(w.zone.ID)) == 0 {
			return
		}
		if a := other.importFile(exported.raw); a.status != http.StatusOK {
			t.Fatalf("the export of %q cannot be imported: %s\n%s", file, a.raw, exported.raw)
		}
		if diff := cmp.Diff(contents(w), contents(other)); diff != "" {
			t.Errorf("%q changes on the way (-exported +imported):\n%s\n%s", file, diff, exported.raw)
		}
	})
}

func contents(w *world) []string {
	var out []string
	for _, r := range w.sim.Records(w.zone.ID) {
		out = append(out, strings.Join([]string{r.Type, r.Name, r.Content}, " "))
	}
	slices.Sort(out)
	return out
}

func (w *world) importFile(file string) answer {
	w.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "zone")
	if err != nil {
		w.Fatal(err)
	}
	_, _ = part.Write([]byte(file))
	_ = form.Close()
	header := http.Header{"Authorization": {"Bearer " + w.token}, "Content-Type": {form.FormDataContentType()}}
	return w.request(http.MethodPost, w.records("import"), header, body.Bytes())
}

// FuzzQuery lists records with any parameters.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{"", "page=1&per_page=5", "page=0", "per_page=99999999999999999999", "page=9223372036854775807&per_page=5000", "order=ttl&direction=desc", "name.contains=w", "content=%00", "tag=a:b&match=any", "search=x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, query string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		w := newWorld(t, simulator.PlanPro)
		w.handler = w.sim // Some parameters are not documented.
		w.create(a("www", "192.0.2.1"))
		got := w.do(http.MethodGet, w.records()+"?"+values.Encode(), nil)
		if got.status != http.StatusOK && got.status != http.StatusBadRequest {
			t.Fatalf("%q is answered with %d: %s", query, got.status, got.raw)
		}
		if got.status == http.StatusOK && len(w.list(got)) > 1 {
			t.Errorf("%q lists more than there is: %s", query, got.raw)
		}
	})
}
