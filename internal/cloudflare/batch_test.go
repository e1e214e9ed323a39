// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func TestBatchBodies(t *testing.T) {
	const uri = "/zones/" + zoneID + "/dns_records/batch"
	other := "0" + recordID[1:]
	tests := []struct {
		reason string
		batch  Batch
		sent   string
	}{
		{
			"all kinds",
			Batch{
				Deletes: []string{recordID},
				Patches: []Patch{{ID: other, Body: map[string]any{"ttl": 60, "comment": nil}}},
				Posts:   []map[string]any{{"name": "a", "data": map[string]any{"port": 5060}}, {"name": "b"}},
			},
			`{"deletes":[{"id":"` + recordID + `"}],"patches":[{"comment":null,"id":"` + other + `","ttl":60}],` +
				`"posts":[{"data":{"port":5060},"name":"a"},{"name":"b"}]}`,
		},
		{"lists without elements are left out", Batch{Deletes: []string{recordID, other}}, `{"deletes":[{"id":"` + recordID + `"},{"id":"` + other + `"}]}`},
		{"a patch of nothing", Batch{Patches: []Patch{{ID: other}}}, `{"patches":[{"id":"` + other + `"}]}`},
		{"a body cannot name another record", Batch{Patches: []Patch{{ID: other, Body: map[string]any{"id": recordID}}}}, `{"patches":[{"id":"` + other + `"}]}`},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			c, sent := recorder(t, success("{}"))
			if err := c.BatchRecords(t.Context(), zoneID, tc.batch, nil); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]request{{"POST", uri, tc.sent}}, *sent); diff != "" {
				t.Errorf("%s: requests (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestPatchBodyIsNotChanged(t *testing.T) {
	c, _ := recorder(t, success("{}"))
	body := map[string]any{"ttl": 60}
	if err := c.BatchRecords(t.Context(), zoneID, Batch{Patches: []Patch{{recordID, body}}}, nil); err != nil {
		t.Fatal(err)
	}
	if len(body) != 1 {
		t.Errorf("the caller's body became %v", body)
	}
}

func TestBatchLen(t *testing.T) {
	b := Batch{Deletes: []string{"a"}, Patches: []Patch{{}, {}}, Posts: []map[string]any{{}, {}, {}}}
	if b.Len() != 6 || (Batch{}).Len() != 0 {
		t.Errorf("lengths are %d and %d, want 6 and 0", b.Len(), Batch{}.Len())
	}
}

type batched struct {
	ID, Name, Content string
}

type batchOutcome struct{ Deletes, Patches, Posts []batched }

// TestBatchesAgainstTheSimulator sends batches to the simulator, which accepts only the API's form of a batch.
func TestBatchesAgainstTheSimulator(t *testing.T) {
	sim := simulator.New(simulator.Options{})
	zone, err := sim.AddZone(sim.AddAccount("a").ID, "example.com", simulator.ZoneOptions{})
	if err != nil {
		t.Fatal(err)
	}
	token := sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Zone: zone.ID, Permission: simulator.DNSWrite}}})
	s := httptest.NewServer(sim)
	t.Cleanup(s.Close)
	c := New(NewToken(token), Options{BaseURL: s.URL + simulator.BasePath})
	post := func(name, content string) map[string]any {
		return map[string]any{"type": "A", "name": name, "content": content, "ttl": 60}
	}
	do := func(b Batch) (batchOutcome, error) {
		var out batchOutcome
		err := c.BatchRecords(t.Context(), zone.ID, b, &out)
		return out, err
	}

	made, err := do(Batch{Posts: []map[string]any{post("a", "192.0.2.1"), post("b", "192.0.2.2")}})
	if err != nil || len(made.Posts) != 2 || made.Posts[0].Name != "a.example.com" || !ValidID(made.Posts[1].ID) {
		t.Fatalf("got %+v, %v", made, err)
	}
	a, b := made.Posts[0].ID, made.Posts[1].ID
	mixed := Batch{
		Deletes: []string{a},
		Patches: []Patch{{b, map[string]any{"content": "192.0.2.3"}}},
		Posts:   []map[string]any{post("a", "192.0.2.1")},
	}
	out, err := do(mixed)
	if err != nil || out.Deletes[0].ID != a || out.Patches[0] != (batched{b, "b.example.com", "192.0.2.3"}) || out.Posts[0].Content != "192.0.2.1" {
		t.Errorf("got %+v, %v", out, err)
	}

	before := sim.Records(zone.ID)
	refused := map[string]Batch{
		"one bad among good":     {Posts: []map[string]any{post("c", "192.0.2.4"), post("d", "not an address")}},
		"one that exists":        {Posts: []map[string]any{post("c", "192.0.2.4"), post("a", "192.0.2.1")}},
		"a delete of what is no": {Deletes: []string{a}, Posts: []map[string]any{post("c", "192.0.2.4")}},
	}
	for reason, batch := range refused {
		if _, err := do(batch); !IsRejected(err) || IsAmbiguous(err) || IsBatchTooLarge(err) {
			t.Errorf("%s: %v is not taken for a rejection", reason, err)
		}
	}
	large := Batch{}
	for range 201 { // 200 are what Free allows.
		large.Posts = append(large.Posts, post("c", "192.0.2.4"))
	}
	if _, err := do(large); !IsBatchTooLarge(err) || IsRejected(err) {
		t.Errorf("%v is not taken for a batch that is too large", err)
	}
	if diff := cmp.Diff(before, sim.Records(zone.ID)); diff != "" {
		t.Errorf("a refused batch changed the zone (-before +after):\n%s", diff)
	}
}
