// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func TestBatchOrder(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	gone, kept, put := w.id(a("gone", "192.0.2.1")), w.id(a("kept", "192.0.2.1")), w.id(with(a("put", "192.0.2.1"), object{"comment": "x"}))
	got := w.object(w.must(http.MethodPost, w.records("batch"), object{
		"posts":   []object{a("put", "192.0.2.1"), {"type": "CNAME", "name": "gone", "content": "a.example", "ttl": 1}},
		"puts":    []object{with(a("put", "192.0.2.2"), object{"id": put})},
		"patches": []object{{"id": kept, "content": "192.0.2.9"}},
		"deletes": []object{{"id": gone}},
	}))
	seen := object{}
	for _, op := range []string{"deletes", "patches", "puts", "posts"} {
		var list []string
		for _, r := range got[op].([]any) {
			record := r.(object)
			list = append(list, fmt.Sprintf("%v %v %v %v", record["type"], record["name"], record["content"], record["comment"]))
		}
		seen[op] = list
	}
	// Posts come last. The name of the deleted record is then free for a CNAME, and the
	// former content of put for another record.
	want := object{
		"deletes": []string{"A gone.example.com 192.0.2.1 <nil>"}, "patches": []string{"A kept.example.com 192.0.2.9 <nil>"},
		"puts":  []string{"A put.example.com 192.0.2.2 <nil>"},
		"posts": []string{"A put.example.com 192.0.2.1 <nil>", "CNAME gone.example.com a.example <nil>"},
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestBatchIsAtomic(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	one, two := w.id(a("one", "192.0.2.1")), w.id(a("two", "192.0.2.1"))
	w.create(object{"type": "CNAME", "name": "c", "content": "a.example"})
	before := w.sim.Records(w.zone.ID)
	good := object{
		"deletes": []object{{"id": one}}, "patches": []object{{"id": two, "ttl": 60}}, "posts": []object{a("three", "192.0.2.3")},
	}
	cases := map[string]struct {
		reason       string
		batch        object
		status, code int
	}{
		"LastPost":     {"the last operation fails", with(good, object{"posts": []object{a("three", "192.0.2.3"), a("c", "192.0.2.1")}}), 400, simulator.CodeHostHasCNAME},
		"FirstDelete":  {"the first operation fails", with(good, object{"deletes": []object{{"id": strings.Repeat("0", 32)}, {"id": one}}}), 404, simulator.CodeRecordNotFound},
		"DeleteTwice":  {"a record is deleted once", with(good, object{"deletes": []object{{"id": one}, {"id": one}}}), 404, simulator.CodeRecordNotFound},
		"PatchDeleted": {"deletes come first", with(good, object{"patches": []object{{"id": one, "ttl": 60}}}), 404, simulator.CodeRecordNotFound},
		"BadField":     {"validation is the same", with(good, object{"puts": []object{with(a("two", "192.0.2.1"), object{"id": two, "ttl": 5})}}), 400, simulator.CodeTTL},
		"Duplicates":   {"operations see each other", object{"posts": []object{a("n", "192.0.2.1"), a("n", "192.0.2.1")}}, 400, simulator.CodeIdenticalExists},
		"NoID":         {"an ID is needed", object{"patches": []object{{"ttl": 60}}}, 404, simulator.CodeRecordNotFound},
		"NoList":       {"lists", object{"posts": object{}}, 400, simulator.CodeMalformedJSON},
		"NoObjects":    {"lists of objects", object{"posts": []any{1}}, 400, simulator.CodeMalformedJSON},
		"NoBatch":      {"an object", nil, 400, simulator.CodeMalformedJSON},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := w.do(http.MethodPost, w.records("batch"), tc.batch)
			if got.status != tc.status || got.code() != tc.code || len(got.Errors) != 1 {
				t.Errorf("%s: %d/%d, want %d/%d alone: %s", tc.reason, got.status, got.code(), tc.status, tc.code, got.raw)
			}
			if diff := cmp.Diff(before, w.sim.Records(w.zone.ID)); diff != "" {
				t.Errorf("%s: the batch was not taken back:\n%s", tc.reason, diff)
			}
		})
	}
	w.must(http.MethodPost, w.records("batch"), good)
	if n := len(w.sim.Records(w.zone.ID)); n != 3 {
		t.Errorf("%d records after the good batch, want 3", n)
	}
}

func TestBatchReplacesAType(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	id := w.id(a("x", "192.0.2.1"))
	w.must(http.MethodPost, w.records("batch"), object{
		"deletes": []object{{"id": id}}, "posts": []object{{"type": "CNAME", "name": "x", "content": "a.example", "ttl": 1}},
	})
	if got := w.sim.Records(w.zone.ID); len(got) != 1 || got[0].Type != "CNAME" {
		t.Errorf("records: %v", got)
	}
}

func TestBatchLimit(t *testing.T) {
	for plan, limit := range map[simulator.Plan]int{simulator.PlanFree: 200, simulator.PlanPro: 3500} {
		w := newWorld(t, plan)
		posts := []object{}
		for i := range limit + 1 {
			posts = append(posts, a(fmt.Sprint("h", i), "192.0.2.1"))
		}
		if got := w.do(http.MethodPost, w.records("batch"), object{"posts": posts}); got.status != 400 || got.code() != simulator.CodeBatchTooLarge {
			t.Errorf("%s: %d operations: %d/%d", plan, len(posts), got.status, got.code())
		}
		if n := len(w.sim.Records(w.zone.ID)); n != 0 {
			t.Errorf("%s: a batch too large created %d records", plan, n)
		}
		if _, err := w.sim.CreateRecord(w.zone.ID, a("h0", "192.0.2.2")); err != nil {
			t.Fatal(err)
		}
		if got := w.do(http.MethodPost, w.records("batch"), object{"posts": posts[:limit]}); got.code() != simulator.CodeQuota {
			t.Errorf("%s: one record over the quota: %d", plan, got.code())
		}
		w.must(http.MethodPost, w.records("batch"), object{"posts": posts[:limit-1]})
	}
}

func TestEmptyBatch(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	got := w.object(w.must(http.MethodPost, w.records("batch"), object{}))
	if diff := cmp.Diff(object{"deletes": []any{}, "patches": []any{}, "puts": []any{}, "posts": []any{}}, got); diff != "" {
		t.Error(diff)
	}
}
