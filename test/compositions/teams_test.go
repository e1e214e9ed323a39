// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/provider-cloudflare/provider-cloudflare/test/cloudflared"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// TestTeamsShare has the applications of two teams, each with a namespace and a credential. Both
// use one tunnel of the platform, and one phase of the firewall with the rules of both. It checks
// that neither team changes the rules of the other, or those of no team.
func TestTeamsShare(t *testing.T) {
	t.Parallel()
	platform := newTeam(t)
	r := platform.compose(exposed, platform.composite(exposed))
	tunnel := text(r.xr, "status", "tunnelId")
	phase := "/zones/" + platform.zone.ID + "/rulesets/phases/http_request_firewall_custom/entrypoint"

	one, two := join(t, platform.account, platform.zone), join(t, platform.account, platform.zone)
	ofOne := one.expose(r, tunnel, "one."+platform.zone.Name)
	platform.foreignRule(phase)
	ofTwo := two.expose(r, tunnel, "two."+platform.zone.Name)

	rules := platform.rules(tunnel)
	for host, want := range map[string]*team{"one." + platform.zone.Name: one, "two." + platform.zone.Name: two, "wiki." + platform.zone.Name: platform} {
		if got, _ := cloudflared.Match(rules, host, "/"); got.Service != "http://wiki."+want.ns+".svc:8080" {
			t.Errorf("requests for %s go to %q, which is not in %s", host, got.Service, want.ns)
		}
	}
	if len(rules) != 4 {
		t.Errorf("the tunnel has the rules %+v, want one a host and the last", rules)
	}
	inPhase := platform.elements(phase, "rules")
	if len(inPhase) != 3 {
		t.Fatalf("the phase has %d rules, want those of both and the foreign one", len(inPhase))
	}
	inTunnel := platform.elements(platform.configuration(tunnel), "config", "ingress")

	// A host of another team is refused, and stays with that team.
	thief := two.moved(r.composed["ingress"], tunnel, "one."+platform.zone.Name)
	thief.SetName("thief")
	two.Create(thief)
	two.refused(thief)

	one.gone(ofOne...)
	two.gone(thief)
	if diff := cmp.Diff(without(inPhase, "one."), platform.elements(phase, "rules")); diff != "" {
		t.Errorf("the phase without the rules of one (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(without(inTunnel, "one."), platform.elements(platform.configuration(tunnel), "config", "ingress")); diff != "" {
		t.Errorf("the tunnel without the rules of one (-before +after):\n%s", diff)
	}
	for _, o := range ofTwo {
		two.ready(o)
	}
}

// expose creates the objects of an ExposedApplication for a team, with an existing tunnel, and with
// a firewall rule for its host.
func (m *team) expose(r rendering, tunnel, host string) []*unstructured.Unstructured {
	m.T.Helper()
	rule := only(m.T, m.own(filepath.Join("..", "rulesetrule"), "rulesetrule.yaml"))
	rule.SetNamespace(m.ns)
	unstructured.RemoveNestedField(rule.Object, "spec", "forProvider", "zoneIdRef")
	m.set(rule, m.zone.Name, "spec", "forProvider", "zoneName")
	m.set(rule, fmt.Sprintf("http.host eq %q and starts_with(http.request.uri.path, \"/admin\")", host), "spec", "forProvider", "expression")
	out := []*unstructured.Unstructured{rule}
	for _, name := range []string{"record", "application", "policy", "ingress"} {
		out = append(out, m.moved(r.composed[name], tunnel, host))
	}
	for _, o := range out {
		m.Create(o)
	}
	for _, o := range out {
		m.ready(o)
	}
	return out
}

// moved returns a copy of another application's object for this team.
func (m *team) moved(o *unstructured.Unstructured, tunnel, host string) *unstructured.Unstructured {
	m.T.Helper()
	o = o.DeepCopy()
	spec, _ := o.Object["spec"].(map[string]any)
	out := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	out.SetGroupVersionKind(o.GroupVersionKind())
	out.SetNamespace(m.ns)
	out.SetName(o.GetName())
	switch o.GetKind() {
	case "TunnelIngress":
		unstructured.RemoveNestedField(out.Object, "spec", "forProvider", "tunnelIdSelector")
		m.set(out, tunnel, "spec", "forProvider", "tunnelId")
		m.set(out, host, "spec", "forProvider", "hostname")
		m.set(out, "http://wiki."+m.ns+".svc:8080", "spec", "forProvider", "service")
	case "Record":
		m.set(out, host, "spec", "forProvider", "name")
	case "AccessApplication":
		m.set(out, host, "spec", "forProvider", "domain")
		m.set(out, []any{map[string]any{"idRef": map[string]any{"name": o.GetName()}, "precedence": int64(1)}}, "spec", "forProvider", "policies")
	}
	return out
}

func (m *team) set(o *unstructured.Unstructured, value any, path ...string) {
	m.T.Helper()
	if err := unstructured.SetNestedField(o.Object, value, path...); err != nil {
		m.T.Fatal(err)
	}
}

// refused waits until an object is not Synced.
func (m *team) refused(o *unstructured.Unstructured) {
	m.T.Helper()
	m.Eventually(func() error {
		if err := m.Get(o); err != nil {
			return harness.Stop(err)
		}
		if got := condition(o, "Synced"); got != "False ReconcileError" {
			return fmt.Errorf("Synced of %s is %q", o.GetName(), got)
		}
		return nil
	})
}

// foreignRule adds a rule in the dashboard.
func (m *team) foreignRule(phase string) {
	m.T.Helper()
	entry, _ := m.call(phase).(map[string]any)
	rule := map[string]any{"description": "theirs", "expression": "ip.src eq 192.0.2.7", "action": "log"}
	if _, err := shared.cloud.Sim.PostResource(fmt.Sprintf("/zones/%s/rulesets/%s/rules", m.zone.ID, entry["id"]), rule); err != nil {
		m.T.Fatal(err)
	}
}

// elements returns the elements of a list in an answer of Cloudflare.
func (m *team) elements(path string, at ...string) []any {
	m.T.Helper()
	answer, _ := m.call(path).(map[string]any)
	list, _, err := unstructured.NestedSlice(answer, at...)
	if err != nil {
		m.T.Fatal(err)
	}
	return list
}

// without returns the elements whose hostname and expression do not contain the host.
func without(list []any, host string) []any {
	var out []any
	for _, e := range list {
		element, _ := e.(map[string]any)
		if !strings.Contains(fmt.Sprint(element["hostname"], element["expression"]), host) {
			out = append(out, e)
		}
	}
	return out
}
