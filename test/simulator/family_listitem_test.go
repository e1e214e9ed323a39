// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// itemsOf creates a list of a kind, and returns the path of its items.
func (w *world) itemsOf(kind string) string {
	w.Helper()
	list := w.make(w.in("rules/lists"), object{"name": "l_" + kind, "kind": kind})
	return w.in("rules/lists", textOf(list, "id"), "items")
}

// operates starts an operation, and returns the path of its status.
func (w *world) operates(method, items string, body any) string {
	w.Helper()
	begun := w.object(w.must(method, items, body))
	return w.in("rules/lists/bulk_operations", textOf(begun, "operation_id"))
}

// stateOf returns the status of an operation.
func (w *world) stateOf(operation string) string {
	w.Helper()
	return textOf(w.object(w.must(http.MethodGet, operation, nil)), "status")
}

// TestItemsComeByOperations verifies that items exist after the end of their operation. An
// account has one operation at a time.
func TestItemsComeByOperations(t *testing.T) {
	w := newResourceWorld(t, func(o *simulator.Options) { o.OperationDelay = 4 * time.Second })
	items, other := w.itemsOf("ip"), w.itemsOf("asn")
	op := w.operates(http.MethodPost, items, []any{object{"ip": "192.0.2.1"}})
	if got := w.stateOf(op); got != "pending" || len(w.list(w.must(http.MethodGet, items, nil))) != 0 {
		t.Errorf("the operation is %s, and there are items", got)
	}
	w.refused(http.MethodPost, other, []any{object{"asn": 64496}}, http.StatusTooManyRequests, simulator.CodeOperationPending)
	w.sim.Advance(2 * time.Second)
	if got := w.stateOf(op); got != "running" {
		t.Errorf("the operation is %s after half of its time", got)
	}
	w.sim.Advance(2 * time.Second)
	if got := w.stateOf(op); got != "completed" || len(w.list(w.must(http.MethodGet, items, nil))) != 1 {
		t.Errorf("the operation is %s after its time, or the item is missing", got)
	}
	w.operates(http.MethodPost, other, []any{object{"asn": 64496}})
	w.refused(http.MethodGet, w.in("rules/lists/bulk_operations/0123456789abcdef0123456789abcdef"), nil, http.StatusNotFound, simulator.CodeResourceNotFound)
}

// TestItemsAreMergedByValue verifies that a list has a value once and under one ID, in all its
// notations.
func TestItemsAreMergedByValue(t *testing.T) {
	w := newResourceWorld(t)
	items := w.itemsOf("ip")
	w.operates(http.MethodPost, items, []any{object{"ip": "192.0.2.1/32", "comment": "a"}, object{"ip": "2001:DB8:0:0::/32"}, object{"ip": "192.0.2.1"}})
	before := w.list(w.must(http.MethodGet, items, nil))
	w.operates(http.MethodPost, items, []any{object{"ip": "192.0.2.1", "comment": "b"}})
	after := w.list(w.must(http.MethodGet, items, nil))
	if len(before) != 2 || len(after) != 2 {
		t.Fatalf("there are %v, then %v", before, after)
	}
	if before[0]["comment"] != nil || after[0]["comment"] != "b" || after[0]["id"] != before[0]["id"] || after[1]["ip"] != "2001:db8::/32" {
		t.Errorf("the items are %v, then %v", before, after)
	}
	if n := w.object(w.must(http.MethodGet, items[:len(items)-len("/items")], nil))["num_items"]; n != 2.0 {
		t.Errorf("the list counts %v items", n)
	}
	w.operates(http.MethodDelete, items, object{"items": []any{object{"id": after[0]["id"]}, object{"id": "0123456789abcdef0123456789abcdef"}}})
	w.operates(http.MethodPut, items, []any{object{"ip": "198.51.100.0/24"}})
	left := w.list(w.must(http.MethodGet, items, nil))
	if len(left) != 1 || left[0]["ip"] != "198.51.100.0/24" {
		t.Errorf("there are %v after PUT", left)
	}
}

// TestItemsFitTheirList verifies that an item of another kind, or of none, refuses the whole
// request.
func TestItemsFitTheirList(t *testing.T) {
	w := newResourceWorld(t)
	redirect := object{"source_url": "example.com/a", "target_url": "https://example.org"}
	for _, tc := range []struct {
		reason, kind string
		item         object
		fits         bool
	}{
		{"an address", "ip", object{"ip": "192.0.2.1"}, true},
		{"no address", "ip", object{"ip": "192.0.2.300"}, false},
		{"a host name among addresses", "ip", object{"hostname": object{"url_hostname": "a.example.com"}}, false},
		{"a wildcard", "hostname", object{"hostname": object{"url_hostname": "*.Example.com"}}, true},
		{"a number", "asn", object{"asn": 64496}, true},
		{"a redirect", "redirect", object{"redirect": redirect}, true},
		{"an address among redirects", "redirect", object{"ip": "192.0.2.1"}, false},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			w := newResourceWorld(t)
			items := w.itemsOf(tc.kind)
			if !tc.fits {
				w.refused(http.MethodPost, items, []any{tc.item}, http.StatusBadRequest, simulator.CodeResourceInvalid)
				return
			}
			w.operates(http.MethodPost, items, []any{tc.item})
			if n := len(w.list(w.must(http.MethodGet, items, nil))); n != 1 {
				t.Errorf("there are %d items", n)
			}
		})
	}
	w.operates(http.MethodPost, w.itemsOf("redirect"), []any{object{"redirect": redirect}})
}

// TestItemsArePagedByCursor verifies that a page has 500 items at most.
func TestItemsArePagedByCursor(t *testing.T) {
	w := newResourceWorld(t)
	items := w.itemsOf("asn")
	var body []any
	for i := range 501 {
		body = append(body, object{"asn": i + 1})
	}
	w.operates(http.MethodPost, items, body)
	first := w.must(http.MethodGet, items+"?per_page=500", nil)
	if n := len(w.list(first)); n != 500 || first.ResultInfo.Cursors.After == "" {
		t.Fatalf("the first page has %d items and the cursor %q", n, first.ResultInfo.Cursors.After)
	}
	second := w.must(http.MethodGet, items+"?per_page=500&cursor="+first.ResultInfo.Cursors.After, nil)
	if n := len(w.list(second)); n != 1 || second.ResultInfo.Cursors.After != "" {
		t.Errorf("the second page has %d items and the cursor %q", n, second.ResultInfo.Cursors.After)
	}
	w.refused(http.MethodGet, items+"?per_page=501", nil, http.StatusBadRequest, simulator.CodeBadParameter)
	if found := w.list(w.must(http.MethodGet, items+"?search=77", nil)); len(found) != 1 || fmt.Sprint(found[0]["asn"]) != "77" {
		t.Errorf("a search for 77 finds %v", found)
	}
}

// TestOperationFails verifies that an operation with the item of a trap fails as a whole, and
// that others do not.
func TestOperationFails(t *testing.T) {
	w := newResourceWorld(t)
	items := w.itemsOf("ip")
	w.sim.AddTrap(simulator.Trap{Kind: simulator.TrapFailedOperation, Path: "/accounts/{account_id}/rules/lists/{list_id}/items", Value: "192.0.2.9"})
	failed := w.operates(http.MethodPost, items, []any{object{"ip": "192.0.2.1"}, object{"ip": "192.0.2.9"}})
	done := w.operates(http.MethodPost, items, []any{object{"ip": "192.0.2.2"}})
	if a, b := w.stateOf(failed), w.stateOf(done); a != "failed" || b != "completed" {
		t.Errorf("the operations are %s and %s", a, b)
	}
	var got []any
	for _, o := range w.list(w.must(http.MethodGet, items, nil)) {
		got = append(got, o["ip"])
	}
	if diff := cmp.Diff([]any{"192.0.2.2"}, got); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
}

// TestListInUse verifies that a list in use by a rule cannot be deleted. The items of a list
// are deleted with it.
func TestListInUse(t *testing.T) {
	w := newResourceWorld(t)
	items := w.itemsOf("ip")
	list := items[:len(items)-len("/items")]
	w.operates(http.MethodPost, items, []any{object{"ip": "192.0.2.1"}})
	rule := object{"action": "block", "expression": "(ip.src in $l_ip)"}
	set := w.make(w.path("rulesets"), object{"name": "a", "kind": "custom", "phase": custom, "rules": []any{rule}})
	w.refused(http.MethodDelete, list, nil, http.StatusBadRequest, simulator.CodeListInUse)
	if n := w.object(w.must(http.MethodGet, list, nil))["num_referencing_filters"]; n != 1.0 {
		t.Errorf("the list counts %v rules", n)
	}
	w.must(http.MethodDelete, w.path("rulesets", textOf(set, "id")), nil)
	w.must(http.MethodDelete, list, nil)
	w.refused(http.MethodGet, items, nil, http.StatusNotFound, simulator.CodeResourceNotFound)
	if n := w.sim.CountResources(items); n != 0 {
		t.Errorf("%d items are left of the list", n)
	}
}
