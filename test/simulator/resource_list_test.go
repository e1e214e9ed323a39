// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func (w *world) titles(a answer) []string {
	w.Helper()
	var all []string
	for _, o := range w.list(a) {
		all = append(all, textOf(o, "title"))
	}
	return all
}

// TestResourcePages verifies lists with pages: the default of 20 per page, and the
// maximum.
func TestResourcePages(t *testing.T) {
	w := newResourceWorld(t)
	namespaces := w.in("storage/kv/namespaces")
	for i := range 25 {
		w.make(namespaces, object{"title": fmt.Sprintf("%02d", i)})
	}
	first := w.must(http.MethodGet, namespaces, nil)
	if n := len(w.list(first)); n != 20 || first.ResultInfo == nil || first.ResultInfo.TotalCount != 25 || first.ResultInfo.PerPage != 20 {
		t.Errorf("want 20 of 25, got %d: %+v", n, first.ResultInfo)
	}
	if got := w.titles(w.must(http.MethodGet, namespaces+"?page=3&per_page=10", nil)); !slices.Equal(got, []string{"20", "21", "22", "23", "24"}) {
		t.Errorf("want the last five, got %v", got)
	}
	if got := w.titles(w.must(http.MethodGet, namespaces+"?page=9", nil)); len(got) != 0 {
		t.Errorf("want nothing past the end, got %v", got)
	}
	if got := w.titles(w.must(http.MethodGet, namespaces+"?order=title&direction=desc", nil)); got[0] != "24" {
		t.Errorf("want the last title first, got %v", got)
	}
	w.refused(http.MethodGet, namespaces+"?per_page=1001", nil, http.StatusBadRequest, simulator.CodeBadParameter)
	w.refused(http.MethodGet, namespaces+"?page=x", nil, http.StatusBadRequest, simulator.CodeBadParameter)
}

// TestResourceCursors verifies lists with both forms of cursors.
func TestResourceCursors(t *testing.T) {
	w := newResourceWorld(t)
	for i := range 5 {
		w.make(w.in("r2/buckets"), object{"name": fmt.Sprintf("bucket-%d", i)})
		w.make(w.path("rulesets"), object{"name": "a", "kind": "custom", "phase": custom, "rules": []any{}})
	}
	for path, next := range map[string]func([]byte) string{
		w.in("r2/buckets"): func(raw []byte) string {
			var a struct {
				Info struct{ Cursor string } `json:"result_info"`
			}
			_ = json.Unmarshal(raw, &a) // It was decoded before.
			return a.Info.Cursor
		},
		w.path("rulesets"): func(raw []byte) string {
			var a struct {
				Info struct{ Cursors struct{ After string } } `json:"result_info"`
			}
			_ = json.Unmarshal(raw, &a) // It was decoded before.
			return a.Info.Cursors.After
		},
	} {
		seen, query := map[string]bool{}, "?per_page=2"
		for pages := 1; ; pages++ {
			for _, o := range w.listed(path + query) {
				seen[idOf(o)] = true
			}
			cursor := next([]byte(w.must(http.MethodGet, path+query, nil).raw))
			if cursor == "" {
				if pages != 3 || len(seen) != 5 {
					t.Errorf("%s: want 5 in 3 pages, got %d in %d", path, len(seen), pages)
				}
				break
			}
			query = "?per_page=2&cursor=" + cursor
		}
	}
	w.refused(http.MethodGet, w.in("r2/buckets")+"?cursor=!", nil, http.StatusBadRequest, simulator.CodeBadParameter)
}

func TestResourceFilters(t *testing.T) {
	w := newResourceWorld(t)
	monitor := textOf(w.make(w.in("load_balancers/monitors"), object{"type": "http"}), "id")
	w.make(w.in("load_balancers/pools"), with(aPool("monitored"), object{"monitor": monitor}))
	w.make(w.in("load_balancers/pools"), aPool("alone"))
	w.make(w.in("access/groups"), aGroup("one"))
	w.make(w.in("access/groups"), aGroup("another one"))
	w.make(w.in("r2/buckets"), object{"name": "abc-1"})
	w.make(w.in("r2/buckets"), object{"name": "xyz-1"})
	for path, want := range map[string][]string{
		w.in("load_balancers/pools") + "?monitor=" + monitor: {"monitored"},
		w.in("access/groups") + "?name=one":                  {"one"},
		w.in("access/groups") + "?search=ANOTHER":            {"another one"},
		w.in("r2/buckets") + "?name_contains=bc":             {"abc-1"},
		w.in("r2/buckets") + "?start_after=abc-1":            {"xyz-1"},
	} {
		var names []string
		for _, o := range w.listed(path) {
			names = append(names, textOf(o, "name"))
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: want %v, got %v", path, want, names)
		}
	}
	w.refused(http.MethodGet, w.in("cfd_tunnel")+"?is_deleted=perhaps", nil, http.StatusBadRequest, simulator.CodeBadParameter)
}

// TestResourcePermissions verifies the permissions by the groups of the document.
func TestResourcePermissions(t *testing.T) {
	w := newResourceWorld(t)
	other := w.sim.AddAccount("Other Inc")
	cases := map[string]struct {
		reason string
		grant  simulator.Grant
		method string
		code   int
	}{
		"Write":   {"the group may write", simulator.Grant{Permission: "Workers KV Storage Write"}, http.MethodPost, 0},
		"Read":    {"to write is to read, by the document", simulator.Grant{Permission: "Workers KV Storage Write"}, http.MethodGet, 0},
		"Reader":  {"to read is not to write", simulator.Grant{Permission: "Workers KV Storage Read"}, http.MethodPost, simulator.CodeAuthentication},
		"Other":   {"another permission in the account", simulator.Grant{Permission: simulator.DNSWrite}, http.MethodGet, simulator.CodeAuthentication},
		"Account": {"another account", simulator.Grant{Account: other.ID, Permission: simulator.Everything}, http.MethodGet, simulator.CodeUnauthorized},
		"Zone":    {"a zone is not its account", simulator.Grant{Zone: w.zone.ID, Permission: simulator.Everything}, http.MethodGet, simulator.CodeUnauthorized},
		"Except": {
			"everything but one",
			simulator.Grant{Permission: simulator.Everything, Except: []simulator.Permission{"Workers KV Storage Write"}},
			http.MethodPost, simulator.CodeAuthentication,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w.T = t
			token := w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{tc.grant}})
			got := w.as(token, tc.method, w.in("storage/kv/namespaces"), bodyOf(tc.method, object{"title": name}))
			if got.code() != tc.code {
				t.Errorf("%s: want code %d, got %s", tc.reason, tc.code, got.raw)
			}
			if err := w.sim.SetGrants(token, simulator.Grant{Permission: simulator.Everything}); err != nil {
				t.Fatal(err)
			}
			if got := w.as(token, http.MethodGet, w.in("storage/kv/namespaces"), nil); got.code() != 0 {
				t.Errorf("want everything allowed, got %s", got.raw)
			}
		})
	}
}

// bodyOf returns the body for a method, or nil for a GET.
func bodyOf(method string, body object) any {
	if method == http.MethodGet {
		return nil
	}
	return body
}
