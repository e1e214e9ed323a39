// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/openapi"
)

// zoneName is the zone of every cloud.
const zoneName = "example.com"

// cloud is a simulator with one active zone, and with what a client needs to use it.
type cloud struct {
	sim     *simulator.Server
	account simulator.Account
	zone    simulator.Zone
	token   string       // may do everything in every zone
	client  *http.Client // sends requests for Cloudflare's host name to the simulator
}

// newCloud serves a simulator until the test ends. A difference from the OpenAPI document fails
// the test.
func newCloud(t *testing.T, plan simulator.Plan) *cloud {
	t.Helper()
	sim := simulator.New(simulator.Options{})
	account := sim.AddAccount("Example Inc")
	zone, err := sim.AddZone(account.ID, zoneName, simulator.ZoneOptions{Plan: plan})
	if err != nil {
		t.Fatalf("AddZone(): %v", err)
	}
	token := sim.AddToken(simulator.TokenOptions{Grants: everything()})

	srv := httptest.NewServer(openapi.Handler(t, sim))
	t.Cleanup(srv.Close)
	address, err := url.Parse(srv.URL)
	if err != nil {
		t.Fatalf("url.Parse(): %v", err)
	}
	client := &http.Client{Transport: redirect{to: address.Host, by: srv.Client().Transport}}
	return &cloud{sim: sim, account: account, zone: zone, token: token, client: client}
}

func everything() []simulator.Grant {
	var grants []simulator.Grant
	for _, permission := range []simulator.Permission{
		simulator.ZoneRead, simulator.ZoneWrite, simulator.DNSRead, simulator.DNSWrite, simulator.ZoneSettingsRead, simulator.ZoneSettingsWrite,
	} {
		grants = append(grants, simulator.Grant{Zone: "*", Account: "*", Permission: permission})
	}
	return grants
}

// redirect sends requests for Cloudflare to the simulator, because some clients have the
// address of the API built in. No request leaves the machine.
type redirect struct {
	to string // host:port
	by http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (r redirect) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Host != "api.cloudflare.com" {
		return nil, fmt.Errorf("no request is expected to %s", req.URL.Host)
	}
	out := req.Clone(req.Context())
	out.URL.Scheme, out.URL.Host = "http", r.to
	return r.by.RoundTrip(out)
}

// becomeDefault redirects all requests of the process until the test ends, for clients without
// an HTTP client as an option. Such tests must not run in parallel.
func (c *cloud) becomeDefault(t *testing.T) {
	t.Helper()
	before := http.DefaultTransport
	http.DefaultTransport = c.client.Transport
	t.Cleanup(func() { http.DefaultTransport = before })
}

// wantRecords compares the records of the zone, as "TYPE name content".
func (c *cloud) wantRecords(t *testing.T, when string, want ...string) {
	t.Helper()
	var got []string
	for _, r := range c.sim.Records(c.zone.ID) {
		got = append(got, fmt.Sprintf("%s %s %s", r.Type, r.Name, r.Content))
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records %s: -want, +got:\n%s", when, diff)
	}
}

// must fails the test if a step of a client failed.
func must(t *testing.T, step string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", step, err)
	}
}
