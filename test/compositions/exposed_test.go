// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/cloudflared"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestExposedApplication waits until the provider has created everything that an ExposedApplication
// composes.
func TestExposedApplication(t *testing.T) {
	t.Parallel()
	m := newTeam(t)
	r := m.compose(exposed, m.composite(exposed))
	m.allReady(r)
	readme(t, exposed, list(r))

	tunnel, host := text(r.xr, "status", "tunnelId"), "wiki."+m.zone.Name
	if got := text(r.xr, "status", "url"); got != "https://"+host {
		t.Errorf("the status has the URL %q, want https://%s", got, host)
	}
	rules := m.rules(tunnel)
	for to, want := range map[string]string{host: "http://wiki." + m.ns + ".svc:8080", "other." + m.zone.Name: "http_status:404"} {
		if got, _ := cloudflared.Match(rules, to, "/"); got.Service != want {
			t.Errorf("requests for %s go to %q, want %s", to, got.Service, want)
		}
	}
	records := shared.cloud.Sim.Records(m.zone.ID)
	if len(records) != 1 || records[0].Name != host || records[0].Content != tunnel+".cfargotunnel.com" || !records[0].Proxied {
		t.Errorf("the zone has the records %+v", records)
	}
	if token := m.secret("wiki-tunnel")["token"]; len(token) == 0 {
		t.Error("the Secret wiki-tunnel has no token")
	}
	if got := text(r.composed["cloudflared"], "spec", "template", "spec", "containers"); !strings.Contains(got, "key:token name:wiki-tunnel") {
		t.Errorf("the pods do not take the token from the Secret wiki-tunnel: %s", got)
	}
	m.protected(r)
	m.loginFirst()
}

// rules returns the rules of a tunnel, which cloudflared must accept.
func (m *team) rules(tunnel string) []cloudflared.Rule {
	m.T.Helper()
	answer, _ := m.call(m.configuration(tunnel)).(map[string]any)
	rules, err := cloudflared.Rules(answer["config"])
	if err != nil {
		m.T.Fatal(err)
	}
	if err := cloudflared.Refuses(rules); err != nil {
		m.T.Errorf("cloudflared refuses the configuration: %v", err)
	}
	return rules
}

// configuration returns the path of a tunnel's configuration.
func (m *team) configuration(tunnel string) string {
	return "/accounts/" + m.account.ID + "/cfd_tunnel/" + tunnel + "/configurations"
}

// protected checks that Cloudflare requires a login of the allowed users, and that cloudflared
// requires the same login.
func (m *team) protected(r rendering) {
	m.T.Helper()
	sim := shared.cloud.Sim
	applications := sim.Resources("/accounts/" + m.account.ID + "/access/apps")
	if len(applications) != 1 || applications[0]["domain"] != "wiki."+m.zone.Name {
		m.T.Fatalf("there are the applications %v", applications)
	}
	policies := sim.Resources("/accounts/" + m.account.ID + "/access/policies")
	if len(policies) != 1 || policies[0]["decision"] != "allow" {
		m.T.Fatalf("there are the policies %v", policies)
	}
	want := []any{
		map[string]any{"email": map[string]any{"email": "auditor@example.org"}},
		map[string]any{"email_domain": map[string]any{"domain": m.zone.Name}},
	}
	if diff := cmp.Diff(want, policies[0]["include"]); diff != "" {
		m.T.Errorf("who may log in (-want +got):\n%s", diff)
	}
	if got := fmt.Sprint(applications[0]["policies"]); !strings.Contains(got, fmt.Sprint(policies[0]["id"])) {
		m.T.Errorf("the application has the policies %s, want %s", got, policies[0]["id"])
	}
	access := text(r.composed["ingress"], "spec", "forProvider", "originRequest", "access")
	if aud := fmt.Sprint(applications[0]["aud"]); access != fmt.Sprintf("map[audTag:[%s] required:true teamName:example]", aud) {
		m.T.Errorf("cloudflared asks for %s, want a token for %s", access, aud)
	}
}

// loginFirst checks that the login is created before the resources that lead to the application.
func (m *team) loginFirst() {
	m.T.Helper()
	first := func(method, route string) int {
		return slices.IndexFunc(shared.cloud.Sim.Requests(), func(r simulator.LoggedRequest) bool {
			here := strings.Contains(r.Path, m.account.ID) || strings.Contains(r.Path, m.zone.ID)
			return here && r.Method == method && strings.HasSuffix(r.Path, route)
		})
	}
	login, rule, name := first(http.MethodPost, "/access/apps"), first(http.MethodPut, "/configurations"), first(http.MethodPost, "/dns_records")
	if login < 0 || rule < login {
		m.T.Errorf("the login is made by request %d, the rule of the tunnel by request %d", login, rule)
	}
	if name < 0 {
		m.T.Error("nothing made the record")
	}
}
