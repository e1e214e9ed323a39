// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"pgregory.net/rapid"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/openapi"
)

// A cloud is the simulator behind a check of each exchange against the OpenAPI document. The
// iterations of a property share one cloud, with an account for each.
type cloud struct {
	sim     *simulator.Server
	handler http.Handler
	// report is called with each deviation from the document.
	report func(error)
}

func newCloud(t fataler, faults ...simulator.Fault) *cloud {
	t.Helper()
	doc, err := openapi.Load()
	if err != nil {
		t.Fatalf("cannot load the OpenAPI document: %v", err)
	}
	c := &cloud{sim: simulator.New(simulator.Options{RateLimit: simulator.RateLimit{Requests: -1}, Faults: faults})}
	c.handler = doc.WrapStrict(c.sim, func(err error) { c.report(err) })
	return c
}

// api is the simulator seen through its HTTP handler, with an empty zone of the plan that
// allows most.
type api struct {
	handler http.Handler
	token   string
	records string // path of the zone's records
	// delegated are the names that have an NS record made by delegate.
	delegated map[string]bool
}

// account returns a zone in an account of its own.
func (c *cloud) account(t fataler) *api {
	t.Helper()
	c.report = func(err error) { t.Fatalf("the exchange is not what the OpenAPI document says: %v", err) }
	z, err := c.sim.AddZone(c.sim.AddAccount("Example Inc").ID, zone, simulator.ZoneOptions{Plan: simulator.PlanEnterprise})
	if err != nil {
		t.Fatalf("cannot add a zone: %v", err)
	}
	token := c.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Zone: z.ID, Permission: simulator.DNSWrite}, {Zone: z.ID, Permission: simulator.DNSRead}}})
	return &api{handler: c.handler, token: token, records: simulator.BasePath + "/zones/" + z.ID + "/dns_records", delegated: map[string]bool{}}
}

// call sends body, if there is one, and returns the record in the answer.
func (a *api) call(t fataler, method, path string, body map[string]any) dnsrecord.Live {
	t.Helper()
	var payload []byte
	if body != nil {
		var err error
		if payload, err = json.Marshal(body); err != nil {
			t.Fatalf("cannot marshal %v: %v", body, err)
		}
	}
	r := httptest.NewRequest(method, path, bytes.NewReader(payload))
	r.Header.Set("Authorization", "Bearer "+a.token)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	a.handler.ServeHTTP(w, r)

	var answer struct {
		Success bool           `json:"success"`
		Result  dnsrecord.Live `json:"result"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || !answer.Success || w.Code != http.StatusOK {
		t.Fatalf("%s %s %s: %d %s (%v)", method, path, payload, w.Code, w.Body, err)
	}
	return answer.Result
}

func (a *api) create(t fataler, r dnsrecord.Record) dnsrecord.Live {
	t.Helper()
	a.delegate(t, r)
	return a.call(t, http.MethodPost, a.records, r.Body())
}

// delegate creates the NS record that a DS record needs.
func (a *api) delegate(t fataler, r dnsrecord.Record) {
	t.Helper()
	ns := dnsrecord.Record{Name: r.Name, Type: "NS", Content: "ns1.example.org"}
	if r.Type == "DS" && !a.delegated[r.Name] {
		a.call(t, http.MethodPost, a.records, ns.Body())
		a.delegated[r.Name] = true
	}
}

func (a *api) get(t fataler, id string) dnsrecord.Record {
	t.Helper()
	return dnsrecord.FromLive(a.call(t, http.MethodGet, a.records+"/"+id, nil))
}

// renderings returns the ways in which the API is known to answer.
func renderings() map[string][]simulator.Fault {
	always := func(kinds ...simulator.FaultKind) (faults []simulator.Fault) {
		for _, kind := range kinds {
			faults = append(faults, simulator.Fault{Kind: kind, Times: -1})
		}
		return faults
	}
	return map[string][]simulator.Fault{
		"Plain":  nil,
		"Other":  always(simulator.FaultTXTQuoted, simulator.FaultLOCRendering, simulator.FaultPriorityInData),
		"Future": always(simulator.FaultLooseNumbers, simulator.FaultUnknownFields),
	}
}

func TestWhatTheSimulatorReturnsComparesEqual(t *testing.T) {
	for rendering, faults := range renderings() {
		for _, rrtype := range dnsrecord.Types() {
			t.Run(rendering+"/"+rrtype, func(t *testing.T) {
				cloud := newCloud(t, faults...)
				rapid.Check(t, func(t *rapid.T) {
					api := cloud.account(t)
					sent := mustParse(t, genInputOf(rrtype).Draw(t, "input"))
					live := api.create(t, sent)
					for answer, got := range map[string]dnsrecord.Record{"create": dnsrecord.FromLive(live), "get": api.get(t, live.ID)} {
						if diffs := dnsrecord.Diff(sent, got); len(diffs) > 0 {
							t.Fatalf("sent %v; the answer to %s differs: %v", sent.Body(), answer, diffs)
						}
						if got.Key() != sent.Key() {
							t.Fatalf("the answer to %s has the key %v, sent was %v", answer, got.Key(), sent.Key())
						}
					}
				})
			})
		}
	}
}

func TestPatchesMakeTheSimulatorEqual(t *testing.T) {
	for _, rrtype := range dnsrecord.Types() {
		t.Run(rrtype, func(t *testing.T) {
			cloud := newCloud(t)
			rapid.Check(t, func(t *rapid.T) {
				api := cloud.account(t)
				desired := mustParse(t, genInputOf(rrtype).Draw(t, "desired"))
				in := genInputOf(rrtype).Draw(t, "before")
				if rrtype != "CNAME" && desired.Proxied == nil {
					in.Proxied = nil // else the new address may be one that the API does not proxy
				}
				before := api.create(t, mustParse(t, in))
				live := dnsrecord.FromLive(before)
				patch := desired.Patch(live)
				if patch == nil {
					return
				}
				api.delegate(t, desired)
				api.call(t, http.MethodPatch, api.records+"/"+before.ID, patch)
				after := api.get(t, before.ID)
				if diffs := dnsrecord.Diff(desired, after); len(diffs) > 0 {
					t.Fatalf("after the patch %v of %+v these differ: %v", patch, before, diffs)
				}
			})
		})
	}
}

func TestPutsMakeTheSimulatorEqual(t *testing.T) {
	cloud := newCloud(t)
	rapid.Check(t, func(t *rapid.T) {
		api := cloud.account(t)
		desired := genRecord().Draw(t, "desired")
		before := api.create(t, mustParse(t, genInputOf(desired.Type).Draw(t, "before")))
		api.delegate(t, desired)
		api.call(t, http.MethodPut, api.records+"/"+before.ID, desired.Body())
		if diffs := dnsrecord.Diff(desired, api.get(t, before.ID)); len(diffs) > 0 {
			t.Fatalf("after the put %v these differ: %v", desired.Body(), diffs)
		}
	})
}

// TestKeyIsTheSimulatorsIdentity checks that two declarations of one record are one to the
// API, which refuses the second.
func TestKeyIsTheSimulatorsIdentity(t *testing.T) {
	cloud := newCloud(t)
	rapid.Check(t, func(t *rapid.T) {
		api := cloud.account(t)
		a := genInput().Draw(t, "first")
		first := mustParse(t, a)
		api.create(t, first)
		b := genInputOf(a.Type).Draw(t, "second")
		b.Name = a.Name
		if rapid.Bool().Draw(t, "same rdata") {
			b.Content, b.Data, b.Priority, b.Proxied = ptr(first.Presentation()), nil, nil, nil
		}
		second := mustParse(t, b)
		if status, code := api.try(t, second); (code == 81058) != (first.Key() == second.Key()) && code != 81053 {
			t.Fatalf("keys %v and %v; the second got %d with code %d", first.Key(), second.Key(), status, code)
		}
	})
}

// try creates a record that may be refused, and returns the status and the error code.
func (a *api) try(t fataler, r dnsrecord.Record) (status, code int) {
	t.Helper()
	payload, err := json.Marshal(r.Body())
	if err != nil {
		t.Fatalf("cannot marshal %v: %v", r.Body(), err)
	}
	req := httptest.NewRequest(http.MethodPost, a.records, bytes.NewReader(payload))
	req.Header.Set("Authorization", "Bearer "+a.token)
	w := httptest.NewRecorder()
	a.handler.ServeHTTP(w, req)
	var answer struct {
		Errors []struct {
			Code int `json:"code"`
		} `json:"errors"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("cannot unmarshal %s: %v", w.Body, err)
	}
	if len(answer.Errors) > 0 {
		code = answer.Errors[0].Code
	}
	return w.Code, code
}
