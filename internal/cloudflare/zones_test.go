// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestZoneCalls(t *testing.T) {
	ctx := t.Context()
	raw := `{"id":"` + zoneID + `","name":"example.com","type":"full","status":"pending","paused":true,"development_mode":0,
		"name_servers":["a.ns.cloudflare.com","b.ns.cloudflare.com"],"original_name_servers":null,"original_registrar":"r",
		"vanity_name_servers":["ns1.example.com"],"verification_key":"123-456",
		"account":{"id":"` + accountID + `","name":"Acme"},"plan":{"id":"p","name":"Free Website","price":0,"legacy_id":"free"},
		"created_on":"2026-01-02T03:04:05.123456Z","modified_on":"2026-01-02T03:04:06Z","activated_on":null}`
	created := time.Date(2026, 1, 2, 3, 4, 5, 123456000, time.UTC)
	modified := time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)
	zone := Zone{
		ID: zoneID, Name: "example.com", Type: "full", Status: ZonePending, Paused: true,
		NameServers:       []string{"a.ns.cloudflare.com", "b.ns.cloudflare.com"},
		OriginalRegistrar: "r", VanityNameServers: []string{"ns1.example.com"}, VerificationKey: "123-456",
		Account: Named{accountID, "Acme"}, Plan: Plan{"p", "Free Website", "free"}, CreatedOn: &created, ModifiedOn: &modified,
	}
	tests := []struct {
		reason string
		body   string
		call   func(c *Client) (any, error)
		sent   request
		want   any
	}{
		{
			"all that a status shows", success(raw),
			func(c *Client) (any, error) { return c.GetZone(ctx, zoneID) },
			request{"GET", "/zones/" + zoneID, ""},
			zone,
		},
		{
			"the API stores names without their trailing dot", success("[" + raw + "]"),
			func(c *Client) (any, error) { return c.FindZones(ctx, "example.com.", "", false) },
			request{"GET", "/zones?name=example.com&per_page=50", ""},
			[]Zone{zone},
		},
		{
			"within an account, internal zones", success("[]"),
			func(c *Client) (any, error) { return c.FindZones(ctx, "example.com", accountID, true) },
			request{"GET", "/zones?account.id=" + accountID + "&name=example.com&per_page=50&type=internal", ""},
			[]Zone{},
		},
		{
			"a name cannot add to the query", success("[]"),
			func(c *Client) (any, error) { return c.FindZones(ctx, "a&account.id=x", "", false) },
			request{"GET", "/zones?name=a%26account.id%3Dx&per_page=50", ""},
			[]Zone{},
		},
		{
			"a new zone", success(raw),
			func(c *Client) (any, error) { return c.CreateZone(ctx, "example.com", accountID, "full") },
			request{"POST", "/zones", `{"account":{"id":"` + accountID + `"},"name":"example.com","type":"full"}`},
			zone,
		},
		{
			"one property a call", success(raw),
			func(c *Client) (any, error) { return c.EditZone(ctx, zoneID, "paused", true) },
			request{"PATCH", "/zones/" + zoneID, `{"paused":true}`},
			zone,
		},
		{
			"no name servers is an empty list, not null", success(raw),
			func(c *Client) (any, error) { return c.EditZone(ctx, zoneID, "vanity_name_servers", []string{}) },
			request{"PATCH", "/zones/" + zoneID, `{"vanity_name_servers":[]}`},
			zone,
		},
		{
			"a delete", success(`{"id":"` + zoneID + `"}`),
			func(c *Client) (any, error) { return nil, c.DeleteZone(ctx, zoneID) },
			request{"DELETE", "/zones/" + zoneID, ""},
			nil,
		},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			c, sent := recorder(t, tc.body)
			got, err := tc.call(c)
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff([]request{tc.sent}, *sent); diff != "" {
				t.Errorf("%s: requests (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s: outcome (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
