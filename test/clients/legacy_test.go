// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"errors"
	"strings"
	"testing"

	"github.com/cloudflare/cloudflare-go"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func legacySDK(t *testing.T, c *cloud) *cloudflare.API {
	t.Helper()
	const unlimited = 1e6 // requests a second; the simulator has limits of its own
	api, err := cloudflare.NewWithAPIToken(c.token, cloudflare.HTTPClient(c.client), cloudflare.UsingRateLimit(unlimited), cloudflare.UsingRetryPolicy(0, 0, 0))
	must(t, "NewWithAPIToken()", err)
	return api
}

// TestLegacySDKRecords uses Cloudflare's hand-written SDK from before 2024, which most tools
// still use.
func TestLegacySDKRecords(t *testing.T) {
	c := newCloud(t, simulator.PlanPro)
	api, ctx := legacySDK(t, c), t.Context()

	verified, err := api.VerifyAPIToken(ctx)
	must(t, "VerifyAPIToken()", err)
	if verified.Status != "active" {
		t.Errorf("the token is active, got %q", verified.Status)
	}
	zoneID, err := api.ZoneIDByName(zoneName)
	must(t, "ZoneIDByName()", err)
	if zoneID != c.zone.ID {
		t.Fatalf("want zone %s, got %s", c.zone.ID, zoneID)
	}
	zone := cloudflare.ZoneIdentifier(zoneID)

	a, err := api.CreateDNSRecord(ctx, zone, cloudflare.CreateDNSRecordParams{
		Type: "A", Name: "WWW.Example.com", Content: "192.0.2.1", TTL: 1, Proxied: new(true), Comment: "made by a test", Tags: []string{"team:dns"},
	})
	must(t, "CreateDNSRecord() of an A record", err)
	_, err = api.CreateDNSRecord(ctx, zone, cloudflare.CreateDNSRecordParams{
		Type: "MX", Name: zoneName, Content: "mx.example.com", TTL: 300, Priority: new(uint16(10)),
	})
	must(t, "CreateDNSRecord() of an MX record", err)
	srv, err := api.CreateDNSRecord(ctx, zone, cloudflare.CreateDNSRecordParams{
		Type: "SRV", Name: "_sip._tcp.example.com", TTL: 300,
		Data: map[string]any{"priority": 1, "weight": 2, "port": 5060, "target": "sip.example.com"},
	})
	must(t, "CreateDNSRecord() of an SRV record", err)
	if data, ok := srv.Data.(map[string]any); !ok || data["port"] != float64(5060) {
		t.Errorf("an SRV record is answered with its data, got %v", srv.Data)
	}

	all, info, err := api.ListDNSRecords(ctx, zone, cloudflare.ListDNSRecordsParams{})
	must(t, "ListDNSRecords()", err)
	if len(all) != 3 || info.Total != 3 {
		t.Errorf("all three records are listed, got %d and a total of %d", len(all), info.Total)
	}
	some, _, err := api.ListDNSRecords(ctx, zone, cloudflare.ListDNSRecordsParams{Type: "A", Name: "www.example.com", Tags: []string{"team:dns"}})
	must(t, "ListDNSRecords() with filters", err)
	if len(some) != 1 || some[0].ID != a.ID {
		t.Errorf("the filters choose the A record, got %v", some)
	}

	changed, err := api.UpdateDNSRecord(ctx, zone, cloudflare.UpdateDNSRecordParams{ID: a.ID, Content: "192.0.2.2", Proxied: new(false), TTL: 120})
	must(t, "UpdateDNSRecord()", err)
	if changed.Content != "192.0.2.2" || changed.TTL != 120 || changed.Comment != "made by a test" || changed.Name != "www.example.com" {
		t.Errorf("an update changes what it names and keeps the rest, got %+v", changed)
	}
	read, err := api.GetDNSRecord(ctx, zone, a.ID)
	must(t, "GetDNSRecord()", err)
	if read.Content != changed.Content || !read.ModifiedOn.Equal(changed.ModifiedOn) {
		t.Errorf("the record is read as it was answered, got %+v", read)
	}

	exported, err := api.ExportDNSRecords(ctx, zone, cloudflare.ExportDNSRecordsParams{})
	must(t, "ExportDNSRecords()", err)
	if !strings.Contains(exported, "192.0.2.2") || !strings.Contains(exported, "SRV") {
		t.Errorf("the export holds the records, got:\n%s", exported)
	}
	for _, r := range all {
		must(t, "DeleteDNSRecord()", api.DeleteDNSRecord(ctx, zone, r.ID))
	}
	c.wantRecords(t, "after all were deleted")

	_, err = api.GetDNSRecord(ctx, zone, a.ID)
	var notFound *cloudflare.NotFoundError
	if !errors.As(err, &notFound) || !notFound.InternalErrorCodeIs(81044) {
		t.Errorf("a deleted record is not found, with code 81044, got %v", err)
	}
}

// TestLegacySDKZones runs the later life of a zone. It does not create the zone with the SDK:
// the SDK's name for the account is "organization", which the document no longer has.
func TestLegacySDKZones(t *testing.T) {
	c := newCloud(t, simulator.PlanFree)
	api, ctx := legacySDK(t, c), t.Context()

	added, err := c.sim.AddZone(c.account.ID, "example.net", simulator.ZoneOptions{Status: simulator.ZonePending})
	must(t, "AddZone()", err)
	zone, err := api.ZoneDetails(ctx, added.ID)
	must(t, "ZoneDetails()", err)
	if zone.Name != "example.net" || zone.Status != "pending" || len(zone.NameServers) != 2 || zone.Account.ID != c.account.ID {
		t.Errorf("a pending zone has two name servers, got %+v", zone)
	}
	all, err := api.ListZones(ctx)
	must(t, "ListZones()", err)
	if len(all) != 2 {
		t.Errorf("both zones are listed, got %d", len(all))
	}
	paused, err := api.ZoneSetPaused(ctx, zone.ID, true)
	must(t, "ZoneSetPaused()", err)
	if !paused.Paused {
		t.Errorf("the zone is paused, got %+v", paused)
	}

	setting, err := api.UpdateZoneSetting(ctx, cloudflare.ZoneIdentifier(zone.ID), cloudflare.UpdateZoneSettingParams{Name: "always_use_https", Value: "on"})
	must(t, "UpdateZoneSetting()", err)
	if setting.Value != "on" {
		t.Errorf("the setting is on, got %v", setting.Value)
	}
	signed, err := api.UpdateZoneDNSSEC(ctx, c.zone.ID, cloudflare.ZoneDNSSECUpdateOptions{Status: "active"})
	must(t, "UpdateZoneDNSSEC()", err)
	if signed.Status != "active" && signed.Status != "pending" {
		t.Errorf("DNSSEC is active or on its way, got %q", signed.Status)
	}

	_, err = api.DeleteZone(ctx, zone.ID)
	must(t, "DeleteZone()", err)
	left, err := api.ListZones(ctx)
	must(t, "ListZones()", err)
	if len(left) != 1 || left[0].ID != c.zone.ID {
		t.Errorf("the other zone is left, got %v", left)
	}
}
