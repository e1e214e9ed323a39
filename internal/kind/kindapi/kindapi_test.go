// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kindapi_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
)

// api answers requests from a table, and records them.
type api struct {
	answers map[string]answer
	seen    []string
}

type answer struct {
	status int
	body   string
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	key := r.Method + " " + strings.TrimPrefix(r.URL.RequestURI(), "/v4")
	a.seen = append(a.seen, strings.TrimSpace(key+" "+string(raw)))
	got, ok := a.answers[key]
	if !ok {
		got = answer{http.StatusNotFound, `{"success":false,"errors":[{"code":7003,"message":"no route"}]}`}
	}
	w.WriteHeader(got.status)
	io.WriteString(w, got.body)
}

func thing() kind.Description {
	return kind.Description{
		Group: "test", Name: "Thing", Noun: "thing",
		List: "GET /accounts/{account_id}/things", Create: "POST /accounts/{account_id}/things",
		Read: "GET /accounts/{account_id}/things/{thing_id}", Update: "PUT /accounts/{account_id}/things/{thing_id}",
		Delete: "DELETE /accounts/{account_id}/things/{thing_id}",
		Gone:   []kind.Code{{Status: 404}}, Busy: []kind.Code{{Status: 412, Code: 1005}}, Exists: []kind.Code{{Code: 10014}},
		Refused:     []kind.Refusal{{Code: kind.Code{Code: 1234}, Reason: "NotEntitled", Remedy: "buy it"}},
		SoftDeleted: "deleted_at",
	}
}

func resources(t *testing.T, d kind.Description, answers map[string]answer) (kindapi.Resources, *api) {
	t.Helper()
	a := &api{answers: answers}
	srv := httptest.NewServer(a)
	t.Cleanup(srv.Close)
	c := cloudflare.New(cloudflare.NewToken("a-token-of-some-length"), cloudflare.Options{BaseURL: srv.URL + "/v4"})
	return kindapi.New(c, d, map[string]string{"account_id": "acc"}, http.Header{"Cf-Test": {"x"}}), a
}

func ok(result, info string) answer {
	if info != "" {
		info = `,"result_info":` + info
	}
	return answer{http.StatusOK, `{"success":true,"result":` + result + info + `}`}
}

func no(status int, code string) answer {
	return answer{status, `{"success":false,"errors":[{"code":` + code + `,"message":"no"}]}`}
}

func TestErrors(t *testing.T) {
	as := func(target any) func(error) bool { return func(err error) bool { return errors.As(err, target) } }
	var (
		gone    *kindapi.NotFoundError
		busy    *kindapi.InUseError
		exists  *kindapi.ExistsError
		refused *kindapi.RejectedError
	)
	classes := map[string]func(error) bool{"gone": as(&gone), "busy": as(&busy), "exists": as(&exists), "refused": as(&refused)}
	tests := []struct {
		reason string
		answer answer
		want   string
	}{
		{"a code of the kind's own", no(404, "1001"), "gone"},
		{"a resource that is shown as deleted", ok(`{"id":"x","deleted_at":"2026-01-01T00:00:00Z"}`, ""), "gone"},
		{"a route that does not exist", no(404, "7003"), ""},
		{"a scope that is missing", no(404, "10000"), ""},
		{"no reason at all", answer{404, "{}"}, ""},
		{"the code of a deletion that is refused, for another call", no(412, "1005"), ""},
		{"it exists", no(400, "10014"), "exists"},
		{"the plan does not have it", no(403, "1234"), "refused"},
		{"a plan that the description does not know", no(403, "1403"), "refused"},
		{"a permission that is missing", no(403, "10000"), ""},
		{"a refusal without a reason", answer{403, "{}"}, ""},
		{"a failure of the server", no(500, "1001"), ""},
		{"too many calls", no(429, "1234"), ""},
		{"another resource", ok(`{"id":"y"}`, ""), ""},
		{"no object", ok(`null`, ""), ""},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			r, _ := resources(t, thing(), map[string]answer{"GET /accounts/acc/things/x": tc.answer})
			_, err := r.Get(t.Context(), "x")
			if err == nil {
				t.Fatal("Get(...) gave no error")
			}
			for name, is := range classes {
				if is(err) != (name == tc.want) {
					t.Errorf("Get(...) = %v, which is %s: %v", err, name, is(err))
				}
			}
		})
	}
}

// TestBusy shows when the error of a deletion says that another resource uses this one.
func TestBusy(t *testing.T) {
	for _, tc := range []struct {
		reason string
		answer answer
		want   bool
	}{
		{"another resource uses it", no(412, "1005"), true},
		{"the same code with another status", no(400, "1005"), false},
	} {
		r, _ := resources(t, thing(), map[string]answer{"DELETE /accounts/acc/things/x": tc.answer})
		err := r.Delete(t.Context(), "x")
		var busy *kindapi.InUseError
		if err == nil || errors.As(err, &busy) != tc.want {
			t.Errorf("%s: Delete(...) = %v, want an *InUseError: %v", tc.reason, err, tc.want)
		}
	}
}

// TestHolders shows that a refused deletion names the resources that use this one.
func TestHolders(t *testing.T) {
	d := thing()
	d.Holders = "GET /accounts/{account_id}/things/{thing_id}/references"
	uses := func(names ...string) string {
		var rows []string
		for _, n := range names {
			rows = append(rows, `{"reference_type":"referrer","resource_type":"box","resource_id":"id","resource_name":"`+n+`"}`)
		}
		return "[" + strings.Join(append(rows, `{"reference_type":"referral","resource_type":"part","resource_name":"inner"}`), ",") + "]"
	}
	tests := []struct {
		reason string
		answer answer
		want   string
	}{
		{"one, and what it uses itself does not count", ok(uses("a"), ""), "in use at Cloudflare by box a: "},
		{"one without a name", ok(uses(""), ""), "in use at Cloudflare by box id: "},
		{"a few", ok(uses("a", "b", "c"), ""), "in use at Cloudflare by box a, box b, box c: "},
		{"many", ok(uses("a", "b", "c", "d", "e"), ""), "in use at Cloudflare by box a, box b, box c and 2 more: "},
		{"none is listed", ok(uses(), ""), "in use at Cloudflare: "},
		{"the list fails", no(500, "1"), "in use at Cloudflare: "},
		{"the list is none", ok(`{"x":1}`, ""), "in use at Cloudflare: "},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			r, _ := resources(t, d, map[string]answer{"DELETE /accounts/acc/things/x": no(412, "1005"), "GET /accounts/acc/things/x/references": tc.answer})
			err := r.Delete(t.Context(), "x")
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Delete(...) = %v, want %q in it", err, tc.want)
			}
		})
	}
}

// TestDeletionWithoutBody expects that an answer without a body does not prove the deletion.
func TestDeletionWithoutBody(t *testing.T) {
	for _, tc := range []struct {
		reason    string
		del, look answer
		fails     bool
	}{
		{"it is gone", answer{200, ""}, no(404, "1001"), false},
		{"it is there", answer{200, ""}, ok(`{"id":"x"}`, ""), true},
		{"nobody knows", answer{200, ""}, no(500, "1"), true},
		{"something that is no answer of the API", answer{200, "<html>"}, no(404, "1001"), true},
		{"a failure without a body", answer{500, ""}, no(404, "1001"), true},
	} {
		r, _ := resources(t, thing(), map[string]answer{"DELETE /accounts/acc/things/x": tc.del, "GET /accounts/acc/things/x": tc.look})
		if err := r.Delete(t.Context(), "x"); (err != nil) != tc.fails {
			t.Errorf("%s: Delete(...) = %v", tc.reason, err)
		}
	}
}

// TestCreationBelowNothing expects that a missing resource in the answer to a creation is the
// parent, not the resource.
func TestCreationBelowNothing(t *testing.T) {
	r, _ := resources(t, thing(), map[string]answer{"POST /accounts/acc/things": no(404, "10006")})
	_, err := r.Create(t.Context(), kind.Document{}, nil)
	var gone *kindapi.NotFoundError
	if errors.As(err, &gone) || err == nil || !strings.Contains(err.Error(), "10006") {
		t.Errorf("Create(...) = %v, want what the API said", err)
	}
}

// TestWriteLacks expects a read for what the answer to a write lacks.
func TestWriteLacks(t *testing.T) {
	d := thing()
	d.WriteLacks = []string{"status"}
	whole := ok(`{"id":"x","status":"pending"}`, "")
	r, a := resources(t, d, map[string]answer{
		"POST /accounts/acc/things": ok(`{"id":"x"}`, ""), "PUT /accounts/acc/things/x": ok(`{"id":"x"}`, ""), "GET /accounts/acc/things/x": whole,
	})
	made, err := r.Create(t.Context(), kind.Document{}, nil)
	if err != nil || made["status"] != "pending" {
		t.Errorf("Create(...) = %v, %v", made, err)
	}
	changed, err := r.Update(t.Context(), "x", kind.Document{}, nil, nil)
	if err != nil || changed["status"] != "pending" {
		t.Errorf("Update(...) = %v, %v", changed, err)
	}
	a.answers["GET /accounts/acc/things/x"] = no(500, "1")
	_, err = r.Create(t.Context(), kind.Document{}, nil)
	var unseen *kindapi.ReadAfterWriteError
	if !errors.As(err, &unseen) {
		t.Errorf("Create(...) = %v, want that nobody could read it", err)
	}
}

// TestApart expects the list of a member with its own operation after a read and after a write, page after page.
func TestApart(t *testing.T) {
	d := thing()
	d.Apart = map[string]kind.SubList{"parts": {Operation: "GET /accounts/{account_id}/things/{thing_id}/parts", Page: kind.Page{Max: 2}}}
	const empty = `{"id":"x","parts":[]}`
	const parts, second = "GET /accounts/acc/things/x/parts?page=1&per_page=2", "GET /accounts/acc/things/x/parts?page=2&per_page=2"
	r, a := resources(t, d, map[string]answer{
		"POST /accounts/acc/things": ok(empty, ""), "PUT /accounts/acc/things/x": ok(empty, ""), "GET /accounts/acc/things/x": ok(`{"id":"x"}`, ""),
		parts: ok(`[{"n":1},{"n":2}]`, `{"total_count":3}`), second: ok(`[{"n":3}]`, `{"total_count":3}`),
	})
	calls := map[string]func() (kind.Document, error){
		"Get":    func() (kind.Document, error) { return r.Get(t.Context(), "x") },
		"Create": func() (kind.Document, error) { return r.Create(t.Context(), kind.Document{}, nil) },
		"Update": func() (kind.Document, error) { return r.Update(t.Context(), "x", kind.Document{}, nil, nil) },
	}
	for name, call := range calls {
		doc, err := call()
		if all, _ := doc["parts"].([]any); err != nil || len(all) != 3 || kind.Text(doc, "parts[2].n") != "3" {
			t.Errorf("%s(...) = %v, %v: want three parts", name, doc, err)
		}
	}
	for _, none := range []answer{ok("null", ""), ok("[]", `{"total_count":0}`)} {
		a.answers[parts] = none
		doc, err := r.Get(t.Context(), "x")
		if all, isList := doc["parts"].([]any); err != nil || !isList || len(all) != 0 {
			t.Errorf("Get(...) = %v, %v: want a list without parts", doc, err)
		}
	}
	for _, wrong := range []answer{
		no(500, "1"), ok(`{"n":1}`, ""), ok("[]", `{"total_count":7}`), ok(`[{"n":1},{"n":1}]`, ""), ok(`[{"n":1}]`, `{"total_count":2}`),
	} {
		a.answers[parts] = wrong
		if doc, err := r.Get(t.Context(), "x"); err == nil {
			t.Errorf("Get(...) = %v after an answer without parts", doc)
		}
		var unseen *kindapi.ReadAfterWriteError
		if _, err := r.Create(t.Context(), kind.Document{}, nil); !errors.As(err, &unseen) {
			t.Errorf("Create(...) = %v, want that nobody could read it", err)
		}
	}
	a.answers[parts] = no(404, "1001")
	var gone *kindapi.NotFoundError
	if _, err := r.Get(t.Context(), "x"); !errors.As(err, &gone) {
		t.Errorf("Get(...) = %v, want that it is gone", err)
	}
}

// TestLeaving expects that a resource that is shown while it is being deleted does not exist.
func TestLeaving(t *testing.T) {
	d := thing()
	d.SoftDeleted, d.Leaving = "", func(answer kind.Document) bool { return kind.Text(answer, "status") == "leaving" }
	r, _ := resources(t, d, map[string]answer{
		"GET /accounts/acc/things/x": ok(`{"id":"x","status":"leaving"}`, ""), "GET /accounts/acc/things/y": ok(`{"id":"y","status":"active"}`, ""),
	})
	var gone *kindapi.NotFoundError
	if _, err := r.Get(t.Context(), "x"); !errors.As(err, &gone) {
		t.Errorf("Get(x) = %v, want that it is gone", err)
	}
	if _, err := r.Get(t.Context(), "y"); err != nil {
		t.Errorf("Get(y) = %v", err)
	}
}

// TestRefusedWrite expects that one answer may mean for a read that the resource is gone, and for a write what
// has to be done.
func TestRefusedWrite(t *testing.T) {
	d := thing()
	d.Refused = []kind.Refusal{{Code: kind.Code{Code: 1001}, Reason: "NoParent", Remedy: "make one"}}
	r, _ := resources(t, d, map[string]answer{
		"GET /accounts/acc/things/x": no(404, "1001"), "DELETE /accounts/acc/things/x": no(404, "1001"), "PUT /accounts/acc/things/x": no(404, "1001"),
		"POST /accounts/acc/things": no(404, "1001"),
	})
	_, look := r.Get(t.Context(), "x")
	_, update := r.Update(t.Context(), "x", kind.Document{}, nil, nil)
	_, create := r.Create(t.Context(), kind.Document{}, nil)
	var gone *kindapi.NotFoundError
	for what, err := range map[string]error{"Get": look, "Delete": r.Delete(t.Context(), "x")} {
		if !errors.As(err, &gone) {
			t.Errorf("%s(...) = %v, want that it is gone", what, err)
		}
	}
	var refused *kindapi.RejectedError
	for what, err := range map[string]error{"Update": update, "Create": create} {
		if !errors.As(err, &refused) {
			t.Errorf("%s(...) = %v, want what is to be done", what, err)
		}
	}
}

// TestEntitlement shows that the error of a refusal that no description knows names all possible reasons.
func TestEntitlement(t *testing.T) {
	d := thing()
	d.Plan, d.Permissions = "Enterprise", []string{"Things Write", "Things Edit"}
	r, _ := resources(t, d, map[string]answer{"POST /accounts/acc/things": no(403, "1403")})
	_, err := r.Create(t.Context(), kind.Document{}, nil)
	for _, want := range []string{"Enterprise", "Things Write or Things Edit", "1403"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Create(...) = %v, want %q in it", err, want)
		}
	}
}

func TestList(t *testing.T) {
	numbered, cursors, nested, skips := thing(), thing(), thing(), thing()
	skips.Skip = func(d kind.Document) bool { return kind.Text(d, "type") == "all" }
	numbered.Page = kind.Page{Max: 2}
	cursors.Page = kind.Page{Max: 2, Cursor: true}
	nested.Page = kind.Page{At: "buckets"}
	nested.ID = "name"
	numbered.ListQuery = map[string]string{"is_deleted": "false"}
	tests := []struct {
		reason  string
		d       kind.Description
		answers map[string]answer
		want    string // "" for an error
		calls   int
		total   int
	}{
		{"all in one answer", thing(), map[string]answer{"GET /accounts/acc/things": ok(`[{"id":"a"},{"id":"b","deleted_at":"2026-01-01T00:00:00Z"}]`, "")}, "a", 1, -1},
		{"pages by number", numbered, map[string]answer{
			"GET /accounts/acc/things?is_deleted=false&page=1&per_page=2": ok(`[{"id":"a"},{"id":"b"}]`, `{"total_pages":2,"total_count":3}`),
			"GET /accounts/acc/things?is_deleted=false&page=2&per_page=2": ok(`[{"id":"c"}]`, `{"total_pages":2,"total_count":3}`),
		}, "a b c", 2, 3},
		{"pages that are not counted end with a short one", numbered, map[string]answer{
			"GET /accounts/acc/things?is_deleted=false&page=1&per_page=2": ok(`[{"id":"a"},{"id":"b"}]`, ""),
			"GET /accounts/acc/things?is_deleted=false&page=2&per_page=2": ok(`[]`, ""),
		}, "a b", 2, -1},
		{"pages by cursor", cursors, map[string]answer{
			"GET /accounts/acc/things?per_page=2":          ok(`[{"id":"a"}]`, `{"cursor":"n"}`),
			"GET /accounts/acc/things?cursor=n&per_page=2": ok(`[{"id":"b"}]`, `{"cursors":{"after":""}}`),
		}, "a b", 2, -1},
		{"a list within the result", nested, map[string]answer{"GET /accounts/acc/things": ok(`{"buckets":[{"name":"a"}]}`, "")}, "a", 1, -1},
		{"what is deleted is left out, and counted", numbered, map[string]answer{
			"GET /accounts/acc/things?is_deleted=false&page=1&per_page=2": ok(`[{"id":"a"},{"id":"b","deleted_at":"2026-01-01T00:00:00Z"}]`, `{"total_pages":1,"total_count":2}`),
		}, "a", 1, 2},
		{"what is of no concern is left out, and counted", skips, map[string]answer{
			"GET /accounts/acc/things": ok(`[{"id":"a"},{"id":"b","type":"all"}]`, `{"total_count":2}`),
		}, "a", 1, 2},
		{"something without an ID", thing(), map[string]answer{"GET /accounts/acc/things": ok(`[{"name":"a"}]`, "")}, "", 1, 0},
		{"null is no empty list", thing(), map[string]answer{"GET /accounts/acc/things": ok(`null`, "")}, "", 1, 0},
		{"nothing under the parent", thing(), map[string]answer{"GET /accounts/acc/things": ok(`[]`, "")}, " ", 1, -1},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			r, a := resources(t, tc.d, tc.answers)
			var ids []string
			page, err := r.List(t.Context(), "")
			for ; err == nil; page, err = r.List(t.Context(), page.Next) {
				for _, doc := range page.Resources {
					ids = append(ids, r.ID(doc))
				}
				if page.Total != tc.total {
					t.Errorf("List(...) counts %d, want %d", page.Total, tc.total)
				}
				if page.Next == "" {
					break
				}
			}
			if (err != nil) != (tc.want == "") || strings.Join(ids, " ") != strings.TrimSpace(tc.want) || len(a.seen) != tc.calls {
				t.Errorf("List(...) = %v, %v after %v", ids, err, a.seen)
			}
		})
	}
}

// TestEndlessRows expects that a list that repeats its cursors is read no further.
func TestEndlessRows(t *testing.T) {
	d := thing()
	d.Page = kind.Page{Max: 1, Cursor: true}
	const list = "GET /accounts/acc/things?"
	next := func(cursor string) answer {
		return ok(`[{"id":"`+cursor+`"}]`, `{"cursors":{"after":"`+cursor+`"}}`)
	}
	for _, tc := range []struct {
		reason  string
		answers map[string]answer
		calls   int
		whole   bool
	}{
		{"a cursor that leads to itself", map[string]answer{list + "per_page=1": next("a"), list + "cursor=a&per_page=1": next("a")}, 2, false},
		{"two that lead to each other", map[string]answer{list + "per_page=1": next("a"), list + "cursor=a&per_page=1": next("b"), list + "cursor=b&per_page=1": next("a")}, 3, false},
		{"an empty page is the last", map[string]answer{list + "per_page=1": next("a"), list + "cursor=a&per_page=1": ok(`[]`, `{"cursors":{"after":"a"}}`)}, 2, true},
	} {
		r, a := resources(t, d, tc.answers)
		rows, err := r.Rows(t.Context())
		if (err == nil) != tc.whole || tc.whole != (len(rows) == 1) || len(a.seen) != tc.calls {
			t.Errorf("%s: %d calls, %d rows: %v", tc.reason, len(a.seen), len(rows), err)
		}
	}
}

func TestWrites(t *testing.T) {
	r, a := resources(t, thing(), map[string]answer{
		"POST /accounts/acc/things":       ok(`{"id":"new"}`, ""),
		"PUT /accounts/acc/things/x":      ok(`null`, ""),
		"GET /accounts/acc/things/x":      ok(`{"id":"x","a":1}`, ""),
		"DELETE /accounts/acc/things/x":   ok(`null`, ""),
		"DELETE /accounts/acc/things/odd": {http.StatusOK, `{"success":true}`},
	})
	ctx := context.Background()
	if doc, err := r.Create(ctx, kind.Document{"a": 1}, nil); err != nil || r.ID(doc) != "new" {
		t.Errorf("Create(...) = %v, %v", doc, err)
	}
	if doc, err := r.Update(ctx, "x", kind.Document{"a": 1}, nil, nil); err != nil || kind.Text(doc, "a") != "1" {
		t.Errorf("Update(...) = %v, %v: an answer without a result is followed by a read", doc, err)
	}
	for _, id := range []string{"x", "odd"} {
		if err := r.Delete(ctx, id); err != nil {
			t.Errorf("Delete(%s): %v", id, err)
		}
	}
	if want := `POST /accounts/acc/things {"a":1}`; a.seen[0] != want {
		t.Errorf("sent %q, want %q", a.seen[0], want)
	}
	if _, err := r.Get(ctx, ".."); err == nil || len(a.seen) != 5 {
		t.Errorf("Get(..) = %v after %v: an ID that leads elsewhere is not sent", err, a.seen)
	}
}

func TestKey(t *testing.T) {
	c := cloudflare.New(cloudflare.NewToken("a-token-of-some-length"), cloudflare.Options{})
	key := func(account, header string) string {
		k, err := kindapi.New(c, thing(), map[string]string{"account_id": account}, http.Header{"Cf-R2-Jurisdiction": {header}}).Key()
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	if again := key("a", "eu"); again != key("a", "eu") || again == key("b", "eu") || key("a", "eu") == key("a", "us") {
		t.Errorf("keys do not tell parents and headers apart: %s, %s, %s", key("a", "eu"), key("b", "eu"), key("a", "us"))
	}
	listed := func(zone string) string {
		d := thing()
		d.ListQuery = map[string]string{"zone_id": "{zone_id}"}
		k, err := kindapi.New(c, d, map[string]string{"account_id": "a", "zone_id": zone}, nil).Key()
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	if listed("x") == listed("y") {
		t.Errorf("the key of two lists is %s", listed("x"))
	}
	if _, err := kindapi.New(c, thing(), nil, nil).Key(); err == nil {
		t.Error("Key() of an unknown account gave no error")
	}
}

// TestUnset expects that a singleton is empty if nothing of it is set, and that no other answer means so.
func TestUnset(t *testing.T) {
	for name, tc := range map[string]struct {
		answer answer
		set    bool
		failed bool
	}{
		"set":              {ok(`{"origin":"a"}`, ""), true, false},
		"not set":          {no(http.StatusNotFound, "10059"), false, false},
		"its parent":       {no(http.StatusNotFound, "10006"), false, true},
		"no route":         {no(http.StatusNotFound, "7003"), false, true},
		"a broken gateway": {answer{http.StatusBadGateway, "<html>"}, false, true},
		"as good as none":  {ok(`{"origin":""}`, ""), false, false},
	} {
		d := thing()
		d.Skip = func(doc kind.Document) bool { return kind.Text(doc, "origin") == "" }
		d.Shape, d.Read, d.Unset, d.Gone = kind.Singleton, "GET /accounts/{account_id}/thing", []kind.Code{{Code: 10059}}, nil
		r, _ := resources(t, d, map[string]answer{"GET /accounts/acc/thing": tc.answer})
		doc, err := r.Get(t.Context(), "")
		if (err != nil) != tc.failed || (len(doc) > 0) != tc.set {
			t.Errorf("%s: got %v, %v", name, doc, err)
		}
	}
}
