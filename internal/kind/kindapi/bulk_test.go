// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kindapi_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
)

// items returns a kind that asynchronous operations write.
func items() kind.Description {
	return kind.Description{
		Group: "test", Name: "Item", Noun: "item", Shape: kind.Fragment, Natural: []string{"ip"}, Part: "[]",
		List: "GET /accounts/{account_id}/items", Create: "POST /accounts/{account_id}/items", Update: "POST /accounts/{account_id}/items",
		Delete: "DELETE /accounts/{account_id}/items", Bulk: "GET /accounts/{account_id}/operations/{operation_id}",
		Page: kind.Page{Max: 500, Cursor: true}, Gone: []kind.Code{{Status: 404}},
	}
}

const begun = `{"operation_id":"o1"}`

func TestOperationsBegin(t *testing.T) {
	r, a := resources(t, items(), map[string]answer{"POST /accounts/acc/items": ok(begun, ""), "DELETE /accounts/acc/items": ok(begun, "")})
	if id, err := r.PutElements(t.Context(), []kind.Document{{"ip": "192.0.2.1"}, {"ip": "192.0.2.2"}}); id != "o1" || err != nil {
		t.Errorf("PutElements() = %q, %v", id, err)
	}
	if id, err := r.DeleteElements(t.Context(), []string{"x", "y"}); id != "o1" || err != nil {
		t.Errorf("DeleteElements() = %q, %v", id, err)
	}
	want := []string{`POST /accounts/acc/items [{"ip":"192.0.2.1"},{"ip":"192.0.2.2"}]`, `DELETE /accounts/acc/items {"items":[{"id":"x"},{"id":"y"}]}`}
	if diff := cmp.Diff(want, a.seen); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
}

// TestOperationsAreRefused expects that a refusal because of another operation is told apart from
// the limit of requests, and a list that does not exist from one that is refused.
func TestOperationsAreRefused(t *testing.T) {
	pending := func(err error) bool { p := (*kindapi.OperationInProgressError)(nil); return errors.As(err, &p) }
	for _, tc := range []struct {
		reason string
		got    answer
		is     func(error) bool
	}{
		{"another operation is under way", no(http.StatusTooManyRequests, "10050"), pending},
		{"the limit of requests", no(http.StatusTooManyRequests, "971"), func(err error) bool { return cloudflare.IsThrottled(err) && !pending(err) }},
		{"there is no list", no(http.StatusNotFound, "10404"), func(err error) bool {
			return strings.HasPrefix(err.Error(), "there is nothing that the item could be in")
		}},
		{"no operation is named", ok(`{}`, ""), cloudflare.IsAmbiguous},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			r, _ := resources(t, items(), map[string]answer{"POST /accounts/acc/items": tc.got})
			if _, err := r.PutElements(t.Context(), []kind.Document{{"ip": "x"}}); err == nil || !tc.is(err) {
				t.Errorf("got %v", err)
			}
		})
	}
	r, _ := resources(t, items(), map[string]answer{"DELETE /accounts/acc/items": no(http.StatusNotFound, "10404"), "GET /accounts/acc/items?per_page=500": no(http.StatusNotFound, "10404")})
	if id, err := r.DeleteElements(t.Context(), []string{"x"}); id != "" || err != nil {
		t.Errorf("a deletion from what is gone: %q, %v", id, err)
	}
	if page, none, err := r.ListElements(t.Context(), ""); err != nil || !none || len(page.Resources) != 0 {
		t.Errorf("a list of what is gone: %v, %t, %v", page, none, err)
	}
	r, _ = resources(t, items(), map[string]answer{"GET /accounts/acc/items?per_page=500": no(http.StatusForbidden, "10000")})
	if _, _, err := r.ListElements(t.Context(), ""); err == nil {
		t.Error("a list that is refused has no items")
	}
}

func TestOperationsEnd(t *testing.T) {
	long := strings.Repeat("x", 500)
	for _, tc := range []struct {
		reason string
		got    answer
		ended  bool
		says   string
	}{
		{"it waits", ok(`{"id":"o1","status":"pending"}`, ""), false, ""},
		{"it is carried out", ok(`{"id":"o1","status":"running"}`, ""), false, ""},
		{"it is done", ok(`{"id":"o1","status":"completed"}`, ""), true, ""},
		{"it failed", ok(`{"id":"o1","status":"failed","error":"too many"}`, ""), true, "the operation on the item failed: too many"},
		{"nobody knows why", ok(`{"id":"o1","status":"failed"}`, ""), true, "does not say why"},
		{"a reason is bounded", ok(`{"id":"o1","status":"failed","error":"`+long+`"}`, ""), true, strings.Repeat("x", 300) + "..."},
		{"a state that nobody knows", ok(`{"id":"o1","status":"new"}`, ""), false, "it does not say how far the operation is"},
		{"the look fails", no(http.StatusInternalServerError, "1"), false, "HTTP 500"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			r, _ := resources(t, items(), map[string]answer{"GET /accounts/acc/operations/o1": tc.got})
			ended, err := r.Ended(t.Context(), "o1")
			if ended != tc.ended || (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
				t.Errorf("Ended() = %t, %v, want %t and %q", ended, err, tc.ended, tc.says)
			}
			if strings.Contains(tc.got.body, long) && strings.Contains(err.Error(), long) {
				t.Error("the reason is not bounded")
			}
		})
	}
}
