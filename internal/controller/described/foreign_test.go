// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	rulesetv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ruleset/v1alpha1"
	tunnelv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
)

// TestForeignChangeBeforeAnEdit checks a field that another client changes. Before a list shows that, the user edits
// another field. The answer to that update is no normalization of the field that the update lacks.
func TestForeignChangeBeforeAnEdit(t *testing.T) {
	t.Parallel()
	s := newStage(t, entryOf(t, "VirtualNetwork"))
	s.settle(s.kind, s.key)
	s.reconcile(s.kind, s.key)
	mg := s.read(s.kind, s.key).(*tunnelv1alpha1.VirtualNetwork)
	networks := "/accounts/" + s.session.AccountID + "/teamnet/virtual_networks"
	must(t, s.sim.EditResource(networks+"/"+meta.GetExternalName(mg), func(doc map[string]any) { doc["comment"] = "foreign" }))
	mg.Spec.ForProvider.Name = ptr.To("renamed")
	must(t, s.server.Update(t.Context(), mg))
	s.reconcile(s.kind, s.key)
	writes := slices.DeleteFunc(slices.Clone(s.log), func(a asked) bool { return !a.writes() })
	if len(writes) != 2 {
		t.Errorf("the writes are %v, want the user's change and then that of the field that it lacks", writes)
	}
	if echo := s.read(s.kind, s.key).GetSync().Echo; len(echo) > 0 {
		t.Errorf("the foreign change is known as Cloudflare's answer to our own write: %+v", echo)
	}
	for _, doc := range s.sim.Resources(networks) {
		if doc["id"] == meta.GetExternalName(mg) && (doc["name"] != "renamed" || doc["comment"] != ptr.Deref(mg.Spec.ForProvider.Comment, "")) {
			t.Errorf("the virtual network is %v: the foreign change stays", doc)
		}
	}
}

// A foreignPhase is a stage with a Ruleset, and an entry point that another client created.
type foreignPhase struct {
	*stage
	rulesets string
}

func newForeignPhase(t *testing.T) foreignPhase {
	t.Helper()
	s := newStage(t, entryOf(t, "Ruleset"))
	p := foreignPhase{stage: s, rulesets: "/zones/" + s.sim.Zones()[0].ID + "/rulesets"}
	_, err := s.sim.PostResource(p.rulesets, map[string]any{
		"kind": "zone", "phase": "http_request_dynamic_redirect", "name": "theirs",
		"rules": []map[string]any{{"ref": "theirs", "action": "redirect", "expression": "true", "action_parameters": map[string]any{
			"from_value": map[string]any{"target_url": map[string]any{"value": "https://example.com"}},
		}}},
	})
	must(t, err)
	return p
}

// untouched fails the test if the object adopts or changes the entry point.
func (p foreignPhase) untouched() {
	p.t.Helper()
	for range 4 {
		p.reconcileWithoutWrites()
	}
	const want = "has what spec.forProvider.rules does not declare: theirs."
	if said := p.read(p.kind, p.key).GetCondition(xpv2.TypeSynced); !strings.Contains(said.Message, want) {
		p.t.Errorf("the object says %q, want %q", said.Message, want)
	}
	p.delete()
	for range 3 {
		p.reconcileWithoutWrites()
	}
	if p.read(p.kind, p.key) != nil || p.sim.CountResources(p.rulesets) != 1 {
		p.t.Errorf("after the deletion there are %v, want what somebody else made", p.sim.Resources(p.rulesets))
	}
}

// TestPhaseWithoutDeclaredRules checks a Ruleset without declared rules, which would delete the rules of a phase with
// itself.
func TestPhaseWithoutDeclaredRules(t *testing.T) {
	t.Parallel()
	p := newForeignPhase(t)
	mg := p.read(p.kind, p.key).(*rulesetv1alpha1.Ruleset)
	mg.Spec.ForProvider.Rules = nil
	must(t, p.server.Update(t.Context(), mg))
	p.untouched()
}

// TestPhaseOfOthersAfterAnAttempt checks an attempt with an unknown outcome that created nothing, and an entry point
// that another client created in the meantime. The entry point does not show when it was created.
func TestPhaseOfOthersAfterAnAttempt(t *testing.T) {
	t.Parallel()
	p := newForeignPhase(t)
	mg := p.read(p.kind, p.key)
	about, err := json.Marshal(subject{Spec: mg.GetForProvider(), Note: `{"kind":"zone","phase":"http_request_dynamic_redirect"}`})
	must(t, err)
	must(t, p.journal.Begin(t.Context(), journal.Entry{UID: mg.GetUID(), Subject: about, Begun: time.Now().Add(-time.Minute)}))
	p.untouched()
}

// TestNoNameConsents checks that an external name adopts no phase with rules that the object does not declare. Either
// the user set the name, or the provider did while the object only observed, before the status said so.
func TestNoNameConsents(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{"its user names it", "it only observed, and the status is lost"} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			p := newForeignPhase(t)
			theirs, _ := p.sim.Resources(p.rulesets)[0]["id"].(string)
			mg := p.read(p.kind, p.key)
			meta.SetExternalName(mg, theirs)
			must(t, p.server.Update(t.Context(), mg))
			if reason != "its user names it" {
				mg.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionObserve})
				must(t, p.server.Update(t.Context(), mg))
				p.reconcileWithoutWrites()
				mg = p.read(p.kind, p.key)
				mg.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionAll})
				must(t, p.server.Update(t.Context(), mg))
				mg.SetOwnership("")
				setID(mg.GetAtProvider(), "")
				must(t, p.server.Status().Update(t.Context(), mg))
				p.restart()
			}
			p.untouched()
		})
	}
}
