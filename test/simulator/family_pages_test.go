// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// pagesSite creates a project with a variable and a secret, and returns its path.
func pagesSite(w *world) (project string) {
	w.Helper()
	w.make(w.in("pages/projects"), object{
		"name": "site", "production_branch": "main",
		"deployment_configs": object{"production": object{"fail_open": false, "env_vars": object{
			"LEVEL": object{"type": "plain_text", "value": "info"}, "TOKEN": object{"type": "secret_text", "value": "hidden"},
		}}},
	})
	return w.in("pages/projects/site")
}

// inProduction returns the production environment of a response.
func inProduction(o object) object {
	configs, _ := o["deployment_configs"].(object)
	out, _ := configs["production"].(object)
	return out
}

// TestPagesMerge verifies that a PATCH merges at any depth, and that null removes a
// variable.
func TestPagesMerge(t *testing.T) {
	w := newResourceWorld(t)
	project := pagesSite(w)
	w.must(http.MethodPatch, project, object{"deployment_configs": object{"production": object{
		"env_vars": object{"LEVEL": nil, "MORE": object{"type": "plain_text", "value": "x"}}, "limits": object{"cpu_ms": 20},
	}}})
	got := inProduction(w.object(w.must(http.MethodGet, project, nil)))
	want := `{"MORE":{"type":"plain_text","value":"x"},"TOKEN":{"type":"secret_text","value":""}}`
	if vars := asJSON(t, got["env_vars"]); vars != want {
		t.Errorf("the variables are %s, want %s", vars, want)
	}
	if got["fail_open"] != false || got["build_image_major_version"] != float64(3) {
		t.Errorf("what the PATCH leaves out is not as it was: %v", got)
	}
	stored, err := w.sim.Resource(project)
	if vars := asJSON(t, inProduction(stored)["env_vars"]); err != nil || vars == want {
		t.Errorf("the secret is not stored: %s, %v", vars, err)
	}
}

func TestPagesRefusals(t *testing.T) {
	w := newResourceWorld(t)
	project := pagesSite(w)
	w.make(project+"/domains", object{"name": "www.example.com"})
	variable := func(v any) object {
		return object{"deployment_configs": object{"preview": object{"env_vars": object{"X": v}}}}
	}
	cases := map[string]struct {
		reason, method, path string
		body                 any
		status, code         int
	}{
		"Exists":     {"the name is taken", http.MethodPost, w.in("pages/projects"), object{"name": "site", "production_branch": "main"}, http.StatusConflict, simulator.CodePagesProjectExists},
		"Name":       {"a name is a part of a host name", http.MethodPost, w.in("pages/projects"), object{"name": "Site_1", "production_branch": "main"}, http.StatusBadRequest, simulator.CodeResourceInvalid},
		"Empty":      {"a PATCH changes something", http.MethodPatch, project, object{}, http.StatusBadRequest, simulator.CodePagesBody},
		"NoValue":    {"a secret has a value", http.MethodPatch, project, variable(object{"type": "secret_text"}), http.StatusBadRequest, simulator.CodeResourceInvalid},
		"NoType":     {"a source has a type", http.MethodPatch, project, object{"source": object{"config": object{}}}, http.StatusBadRequest, simulator.CodeResourceInvalid},
		"NotThere":   {"there is no such project", http.MethodGet, project + "s", nil, http.StatusNotFound, simulator.CodePagesProjectNotFound},
		"Page":       {"a page is not that large", http.MethodGet, w.in("pages/projects?per_page=100"), nil, http.StatusBadRequest, simulator.CodePagesListOptions},
		"HasDomains": {"its domains go first", http.MethodDelete, project, nil, http.StatusConflict, simulator.CodePagesHasDomains},
		"Twice":      {"the project has the domain", http.MethodPost, project + "/domains", object{"name": "WWW.example.com"}, http.StatusBadRequest, simulator.CodePagesDomainExists},
		"NoDomain":   {"the project has no such domain", http.MethodGet, project + "/domains/a.example.com", nil, http.StatusNotFound, simulator.CodePagesDomainNotFound},
		"NoProject":  {"domains of no project", http.MethodGet, w.in("pages/projects/other/domains"), nil, http.StatusNotFound, simulator.CodePagesProjectNotFound},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w.T = t
			w.refused(tc.method, tc.path, tc.body, tc.status, tc.code)
			if t.Failed() {
				t.Log(tc.reason)
			}
		})
	}
}

// TestPagesDomain verifies that a domain is pending until it has its record, and that its
// project names it.
func TestPagesDomain(t *testing.T) {
	w := newResourceWorld(t, func(o *simulator.Options) { o.TenantDelay = time.Hour })
	project := pagesSite(w)
	domain := project + "/domains/www.example.com"
	made := w.make(project+"/domains", object{"name": "www.example.com"})
	if made["status"] != "pending" || made["zone_tag"] != w.zone.ID {
		t.Errorf("want a domain of the zone that waits, got %v", made)
	}
	if got := asJSON(t, w.object(w.must(http.MethodGet, project, nil))["domains"]); got != `["site.pages.dev","www.example.com"]` {
		t.Errorf("the project has the domains %s", got)
	}
	w.clock.Advance(time.Hour)
	if got := w.object(w.must(http.MethodPatch, domain, nil)); got["status"] != "active" {
		t.Errorf("want an active domain, got %v", got)
	}
	w.must(http.MethodDelete, domain, nil)
	w.must(http.MethodDelete, project, nil)
	if n := w.sim.CountResources(w.in("pages/projects")); n != 0 {
		t.Errorf("want no project, got %d", n)
	}
}

// TestPagesDomainOfNestedZones verifies that a domain belongs to the longest zone of the account.
func TestPagesDomainOfNestedZones(t *testing.T) {
	w := newResourceWorld(t)
	domains := pagesSite(w) + "/domains"
	zone := func(account simulator.Account, name string) string {
		t.Helper()
		z, err := w.sim.AddZone(account.ID, name, simulator.ZoneOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return z.ID
	}
	middle, deepest := zone(w.account, "sub.example.com"), zone(w.account, "a.sub.example.com")
	zone(w.sim.AddAccount("Another Inc"), "theirs.example.com")
	for _, tc := range []struct{ reason, below, zone string }{
		{"three zones have it", "a.sub.example.com", deepest},
		{"two zones have it", "sub.example.com", middle},
		{"one zone has it", "example.com", w.zone.ID},
		{"a longer zone is that of another account", "theirs.example.com", w.zone.ID},
	} {
		for i := range 8 {
			name := fmt.Sprintf("host-%d.%s", i, tc.below)
			if got := w.make(domains, object{"name": name})["zone_tag"]; got != tc.zone {
				t.Errorf("%s: %s is in the zone %v, want %s", tc.reason, name, got, tc.zone)
			}
		}
	}
}
