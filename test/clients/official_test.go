// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"strings"
	"testing"

	"github.com/cloudflare/cloudflare-go/v7/dns"
	"github.com/cloudflare/cloudflare-go/v7/option"
	"github.com/cloudflare/cloudflare-go/v7/zones"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// set sets a request field of the SDK. The SDK's own helper is in its root package, which takes
// minutes to compile.
func set[T any](value *T, present *bool, to T) { *value, *present = to, true }

// TestOfficialSDK uses the generated SDK, which the provider uses, too. It uses the typed
// requests, which the provider does not use.
func TestOfficialSDK(t *testing.T) {
	c := newCloud(t, simulator.PlanPro)
	ctx := t.Context()
	records := dns.NewRecordService(option.WithEnvironmentProduction(), option.WithHTTPClient(c.client),
		option.WithAPIToken(c.token), option.WithMaxRetries(0))

	var service dns.SRVRecordParam
	set(&service.Name.Value, &service.Name.Present, "_sip._tcp.example.com")
	set(&service.Type.Value, &service.Type.Present, dns.SRVRecordTypeSRV)
	set(&service.TTL.Value, &service.TTL.Present, 300)
	var data dns.SRVRecordDataParam
	set(&data.Port.Value, &data.Port.Present, 5060)
	set(&data.Priority.Value, &data.Priority.Present, 10)
	set(&data.Weight.Value, &data.Weight.Present, 5)
	set(&data.Target.Value, &data.Target.Present, "sip.example.com")
	set(&service.Data.Value, &service.Data.Present, data)
	creation := dns.RecordNewParams{Body: service}
	set(&creation.ZoneID.Value, &creation.ZoneID.Present, c.zone.ID)
	created, err := records.New(ctx, creation)
	must(t, "New()", err)
	if created.Type != dns.RecordResponseTypeSRV || created.Name != "_sip._tcp.example.com" {
		t.Errorf("an SRV record is answered, got %s %s", created.Type, created.Name)
	}

	var address dns.ARecordParam
	set(&address.Name.Value, &address.Name.Present, "www.example.com")
	set(&address.Type.Value, &address.Type.Present, dns.ARecordTypeA)
	set(&address.TTL.Value, &address.TTL.Present, 1)
	set(&address.Content.Value, &address.Content.Present, "192.0.2.1")
	var removal dns.RecordBatchParamsDelete
	set(&removal.ID.Value, &removal.ID.Present, created.ID)
	var batch dns.RecordBatchParams
	set(&batch.ZoneID.Value, &batch.ZoneID.Present, c.zone.ID)
	set(&batch.Posts.Value, &batch.Posts.Present, []dns.RecordBatchParamsPostUnion{address})
	set(&batch.Deletes.Value, &batch.Deletes.Present, []dns.RecordBatchParamsDelete{removal})
	done, err := records.Batch(ctx, batch)
	must(t, "Batch()", err)
	if len(done.Deletes) != 1 || len(done.Posts) != 1 || done.Posts[0].Content != "192.0.2.1" {
		t.Errorf("a batch answers what it has done, got %d deletes and %d posts", len(done.Deletes), len(done.Posts))
	}
	c.wantRecords(t, "after the batch", "A www.example.com 192.0.2.1")

	imported := dns.RecordImportParams{}
	set(&imported.ZoneID.Value, &imported.ZoneID.Present, c.zone.ID)
	set(&imported.File.Value, &imported.File.Present, "example.com. 300 IN MX 10 mx.example.com.\ntxt.example.com. 300 IN TXT \"imported\"\n")
	counts, err := records.Import(ctx, imported)
	must(t, "Import()", err)
	if counts.RecsAdded != 2 {
		t.Errorf("both records are imported, got %v", counts.RecsAdded)
	}
	export := dns.RecordExportParams{}
	set(&export.ZoneID.Value, &export.ZoneID.Present, c.zone.ID)
	exported, err := records.Export(ctx, export)
	must(t, "Export()", err)
	if !strings.Contains(*exported, "imported") || !strings.Contains(*exported, "192.0.2.1") {
		t.Errorf("the export holds the records, got:\n%s", *exported)
	}

	// With the smallest pages, the SDK requests each record separately.
	query := dns.RecordListParams{}
	set(&query.ZoneID.Value, &query.ZoneID.Present, c.zone.ID)
	set(&query.PerPage.Value, &query.PerPage.Present, 1)
	set(&query.Order.Value, &query.Order.Present, dns.RecordListParamsOrderType)
	pages := records.ListAutoPaging(ctx, query)
	var types []string
	for pages.Next() {
		record := pages.Current()
		types = append(types, string(record.Type))
		deletion := dns.RecordDeleteParams{}
		set(&deletion.ZoneID.Value, &deletion.ZoneID.Present, c.zone.ID)
		if record.Type == dns.RecordResponseTypeTXT { // the last one: an earlier deletion would shift the pages
			_, err := records.Delete(ctx, record.ID, deletion)
			must(t, "Delete()", err)
			_, err = records.Delete(ctx, record.ID, deletion)
			if err == nil || !strings.Contains(err.Error(), "81044") {
				t.Errorf("a record is deleted once, then unknown (81044), got %v", err)
			}
		}
	}
	must(t, "ListAutoPaging()", pages.Err())
	if got := strings.Join(types, " "); got != "A MX TXT" {
		t.Errorf("all records are listed in order, got %s", got)
	}
	c.wantRecords(t, "in the end", "A www.example.com 192.0.2.1", "MX example.com mx.example.com")
}

// TestOfficialSDKZones runs the life of a zone, including its creation.
func TestOfficialSDKZones(t *testing.T) {
	c := newCloud(t, simulator.PlanFree)
	ctx := t.Context()
	options := []option.RequestOption{
		option.WithEnvironmentProduction(), option.WithHTTPClient(c.client), option.WithAPIToken(c.token), option.WithMaxRetries(0),
	}
	service := zones.NewZoneService(options...)

	var creation zones.ZoneNewParams
	set(&creation.Name.Value, &creation.Name.Present, "example.net")
	set(&creation.Type.Value, &creation.Type.Present, zones.TypeFull)
	var account zones.ZoneNewParamsAccount
	set(&account.ID.Value, &account.ID.Present, c.account.ID)
	set(&creation.Account.Value, &creation.Account.Present, account)
	created, err := service.New(ctx, creation)
	must(t, "New()", err)
	if created.Name != "example.net" || created.Status != zones.ZoneStatusPending || len(created.NameServers) != 2 || created.Account.ID != c.account.ID {
		t.Errorf("a new zone is pending and has two name servers, got %+v", created)
	}

	var edit zones.ZoneEditParams
	set(&edit.ZoneID.Value, &edit.ZoneID.Present, created.ID)
	set(&edit.Paused.Value, &edit.Paused.Present, true)
	paused, err := service.Edit(ctx, edit)
	must(t, "Edit()", err)
	if !paused.Paused {
		t.Error("the zone is paused")
	}

	var signing dns.DNSSECEditParams
	set(&signing.ZoneID.Value, &signing.ZoneID.Present, created.ID)
	set(&signing.Status.Value, &signing.Status.Present, dns.DNSSECEditParamsStatusActive)
	signed, err := dns.NewDNSSECService(options...).Edit(ctx, signing)
	must(t, "DNSSEC Edit()", err)
	if signed.Status != dns.DNSSECStatusPending || signed.DS == "" {
		t.Errorf("DNSSEC is on its way until the registrar has the DS record, got %s and DS %q", signed.Status, signed.DS)
	}

	var query zones.ZoneListParams
	set(&query.Name.Value, &query.Name.Present, "example.net")
	found, err := service.List(ctx, query)
	must(t, "List()", err)
	if len(found.Result) != 1 || found.Result[0].ID != created.ID {
		t.Errorf("the zone is found by its name, got %v", found.Result)
	}

	var deletion zones.ZoneDeleteParams
	set(&deletion.ZoneID.Value, &deletion.ZoneID.Present, created.ID)
	_, err = service.Delete(ctx, deletion)
	must(t, "Delete()", err)
	gone, err := service.List(ctx, query)
	must(t, "List()", err)
	if len(gone.Result) != 0 {
		t.Errorf("a deleted zone is listed no more, got %v", gone.Result)
	}
}
