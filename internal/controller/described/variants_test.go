// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// settings returns the settings of a zone at the simulator, which has its own table of settings.
func settings(t *testing.T) []kind.Document {
	t.Helper()
	sim := simulator.New(simulator.Options{})
	account := sim.AddAccount("it")
	z, err := sim.AddZone(account.ID, "example.com", simulator.ZoneOptions{Plan: simulator.PlanEnterprise})
	must(t, err)
	token := sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: account.ID, Permission: simulator.Everything}}})
	srv := httptest.NewServer(sim)
	t.Cleanup(srv.Close)
	get := func(path string, into any) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+"/client/v4/zones/"+z.ID+path, http.NoBody)
		must(t, err)
		r.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(r)
		must(t, err)
		defer func() { _ = resp.Body.Close() }()
		d := json.NewDecoder(resp.Body)
		d.UseNumber()
		must(t, d.Decode(into))
	}
	var listed struct{ Result []kind.Document }
	get("/settings", &listed)
	var one struct{ Result kind.Document }
	get("/settings/ssl_recommender", &one) // The list does not have this one.
	return append(listed.Result, one.Result)
}

// TestEverySetting checks the type of each setting in the document against the answer of the simulator.
func TestEverySetting(t *testing.T) {
	var variants kind.Variants
	for _, e := range roster() {
		if e.GVK.Kind == "ZoneSetting" {
			variants = e.Variants
		}
	}
	names := map[string]string{"value": "value", "enabled": "enabled"}
	all := settings(t)
	if len(all) != len(variants) || len(all) < 58 {
		t.Errorf("the simulator has %d settings, and the document %d", len(all), len(variants))
	}
	for _, s := range all {
		id := kind.Text(s, "id")
		if variants[id] == nil {
			t.Errorf("%s has no type", id)
		}
		live := kind.Document{}
		for name := range variants[id] {
			live[name] = s[name]
		}
		if err := variants.Check(id, live, names); err != nil {
			t.Errorf("what Cloudflare answers is refused: %v", err)
		}
		for name, first := range variants.Defaults(id) {
			if !reflect.DeepEqual(live[name], first) {
				t.Errorf("%s of %s is %v at first, and the document says %v", name, id, live[name], first)
			}
		}
		for name := range live {
			live[name] = kind.Document{"nonsense": "x"}
		}
		if err := variants.Check(id, live, names); err == nil {
			t.Errorf("%s takes nonsense", id)
		}
	}
}

// TestDocumentsForgetWhatIsWritten checks that a document without a writer takes no memory.
func TestDocumentsForgetWhatIsWritten(t *testing.T) {
	first, second := &change{key: "a"}, &change{key: "b"}
	w := documents{waiting: map[string][]queued{"it": {{change: first}}}}
	if _, got := w.next("it"); len(got) != 1 || got[0] != first {
		t.Fatalf("the first group is %v", got)
	}
	w.waiting["it"] = append(w.waiting["it"], queued{change: second}) // It arrives during the call.
	if _, got := w.next("it"); len(got) != 1 || got[0] != second {
		t.Fatalf("the second group is %v", got)
	}
	if _, got := w.next("it"); len(got) != 0 || len(w.waiting) != 0 {
		t.Errorf("what is left is %v, of %d documents", got, len(w.waiting))
	}
}
