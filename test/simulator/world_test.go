// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/openapi"
)

type object = map[string]any

// world is a simulator with one zone. Every exchange is checked against the official
// OpenAPI document.
type world struct {
	*testing.T
	sim     *simulator.Server
	clock   *simulator.ManualClock
	handler http.Handler
	account simulator.Account
	zone    simulator.Zone
	token   string
}

// start returns the time at which simulated worlds begin.
func start() time.Time { return time.Date(2026, time.March, 1, 12, 0, 0, 123456000, time.UTC) }

func newWorld(t *testing.T, plan simulator.Plan, options ...func(*simulator.Options)) *world {
	t.Helper()
	clock := simulator.NewManualClock(start())
	o := simulator.Options{Clock: clock, RateLimit: simulator.RateLimit{Requests: -1}}
	for _, option := range options {
		option(&o)
	}
	sim := simulator.New(o)
	account := sim.AddAccount("Example Inc")
	zone, err := sim.AddZone(account.ID, "example.com", simulator.ZoneOptions{Plan: plan})
	if err != nil {
		t.Fatalf("AddZone(): %v", err)
	}
	token := sim.AddToken(simulator.TokenOptions{Grants: everything()})
	return &world{T: t, sim: sim, clock: clock, handler: openapi.Handler(t, sim), account: account, zone: zone, token: token}
}

func everything() []simulator.Grant {
	return []simulator.Grant{
		{Permission: simulator.ZoneWrite}, {Permission: simulator.DNSWrite}, {Permission: simulator.ZoneSettingsWrite}, {Permission: simulator.BillingRead},
	}
}

// answer is the response to a request.
type answer struct {
	status int
	header http.Header
	raw    string

	Result     json.RawMessage
	Success    bool
	Errors     []simulator.Cause
	ResultInfo *struct {
		Page       int `json:"page"`
		PerPage    int `json:"per_page"`
		Count      int `json:"count"`
		TotalCount int `json:"total_count"`
		TotalPages int `json:"total_pages"`
		Cursors    struct {
			After string `json:"after"`
		} `json:"cursors"`
	} `json:"result_info"`
}

func (a answer) code() int {
	if len(a.Errors) == 0 {
		return 0
	}
	return a.Errors[0].Code
}

// object decodes a result that is one object.
func (w *world) object(a answer) object {
	w.Helper()
	var v object
	if err := json.Unmarshal(a.Result, &v); err != nil {
		w.Fatalf("result is no object: %v: %s", err, a.raw)
	}
	return v
}

func (w *world) list(a answer) []object {
	w.Helper()
	var v []object
	if err := json.Unmarshal(a.Result, &v); err != nil {
		w.Fatalf("result is no list: %v: %s", err, a.raw)
	}
	return v
}

// request sends a request to the handler. path is below BasePath.
func (w *world) request(method, path string, header http.Header, body []byte) answer {
	w.Helper()
	r := httptest.NewRequest(method, simulator.BasePath+path, bytes.NewReader(body))
	r.Header = header.Clone()
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	a := answer{status: rec.Code, header: rec.Header(), raw: rec.Body.String()}
	if len(a.raw) > 16<<20 {
		return a // Only FaultHugeBody sends so much, and no test reads it.
	}
	if strings.HasPrefix(rec.Header().Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(rec.Body.Bytes(), &a); err != nil && rec.Header().Get(simulator.FaultHeader) == "" {
			w.Fatalf("%s %s: answer is no JSON: %v: %s", method, path, err, a.raw)
		}
	}
	return a
}

// as sends a request with a token.
func (w *world) as(token, method, path string, body any) answer {
	w.Helper()
	header := http.Header{"Authorization": {"Bearer " + token}}
	var raw []byte
	if body != nil {
		header.Set("Content-Type", "application/json")
		var err error
		if raw, err = json.Marshal(body); err != nil {
			w.Fatalf("cannot encode %v: %v", body, err)
		}
	}
	return w.request(method, path, header, raw)
}

func (w *world) do(method, path string, body any) answer {
	w.Helper()
	return w.as(w.token, method, path, body)
}

// must is do for a request that must succeed.
func (w *world) must(method, path string, body any) answer {
	w.Helper()
	a := w.do(method, path, body)
	if a.status >= http.StatusMultipleChoices || (a.status != http.StatusNoContent && !a.Success && !strings.HasPrefix(a.header.Get("Content-Type"), "text/plain")) {
		w.Fatalf("%s %s %v: HTTP %d: %s", method, path, body, a.status, a.raw)
	}
	return a
}

func (w *world) path(parts ...string) string {
	return "/zones/" + w.zone.ID + strings.Join(append([]string{""}, parts...), "/")
}

func (w *world) records(parts ...string) string {
	return w.path(append([]string{"dns_records"}, parts...)...)
}

// create creates a record and returns that of the response.
func (w *world) create(body object) object {
	w.Helper()
	return w.object(w.must(http.MethodPost, w.records(), body))
}

func (w *world) id(body object) string {
	w.Helper()
	return w.create(body)["id"].(string)
}

// with returns a copy of o with changes. The value remove removes a member.
func with(o, changes object) object {
	out := object{}
	for k, v := range o {
		out[k] = v
	}
	for k, v := range changes {
		if v == remove {
			delete(out, k)
			continue
		}
		out[k] = v
	}
	return out
}

type removal struct{}

var remove = removal{}

func a(name, content string) object {
	return object{"type": "A", "name": name, "content": content, "ttl": 300}
}

func server(w *world) *httptest.Server {
	w.Helper()
	s := httptest.NewServer(w.handler)
	w.Cleanup(s.Close)
	return s
}

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	raw, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("cannot read: %v", err)
	}
	return string(raw)
}
