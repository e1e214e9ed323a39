// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	rulesetv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ruleset/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/ruleset"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// A phase is the world of a phase that a Ruleset declares as a whole.
type phase struct {
	*world
	whole *rulesetv1alpha1.Ruleset
}

func newPhase(t *testing.T) *phase {
	t.Helper()
	w := newWorld(t, ruleset.Ruleset())
	w.prepare()
	whole, ok := w.example.(*rulesetv1alpha1.Ruleset)
	if !ok {
		t.Fatalf("the example is %T", w.example)
	}
	return &phase{world: w, whole: whole}
}

// has creates a ruleset as another client, and returns its ID.
func (p *phase) has(rules ...map[string]any) string {
	p.T.Helper()
	doc := map[string]any{"kind": "zone", "phase": *p.whole.Spec.ForProvider.Phase, "name": "theirs", "rules": append([]map[string]any{}, rules...)}
	made, err := p.sim.PostResource(p.path(), doc)
	if err != nil {
		p.T.Fatal(err)
	}
	return kind.Text(parsed(made), "id")
}

func (p *phase) path() string { return "/zones/" + p.zone.ID + "/rulesets" }

// rules returns the rules of the phase.
func (p *phase) rules() []kind.Document {
	p.T.Helper()
	doc, err := p.call(http.MethodGet, p.path()+"/phases/"+*p.whole.Spec.ForProvider.Phase+"/entrypoint", nil)
	if err != nil {
		return nil // The phase has no ruleset.
	}
	list, _ := parsed(doc)["rules"].([]any)
	var out []kind.Document
	for _, r := range list {
		rule, _ := r.(kind.Document)
		out = append(out, rule)
	}
	return out
}

// refs returns the refs of rules.
func refs(rules []kind.Document) []string {
	var out []string
	for _, r := range rules {
		out = append(out, kind.Text(r, "ref"))
	}
	return out
}

func redirect(ref string) map[string]any {
	return map[string]any{
		"ref": ref, "action": "redirect", "expression": `http.host eq "` + ref + `.example.com"`,
		"action_parameters": map[string]any{"from_value": map[string]any{"target_url": map[string]any{"value": "https://example.com"}}},
	}
}

// part returns a RulesetRule for the same phase.
func (p *phase) part() *rulesetv1alpha1.RulesetRule {
	out := &rulesetv1alpha1.RulesetRule{ObjectMeta: metav1.ObjectMeta{Namespace: p.ns, Name: "part"}}
	out.Spec.ProviderConfigReference = p.whole.Spec.ProviderConfigReference
	out.Spec.ForProvider.ZoneID = ptr.To(p.zone.ID)
	out.Spec.ForProvider.Phase = p.whole.Spec.ForProvider.Phase
	out.Spec.ForProvider.Action, out.Spec.ForProvider.Expression = ptr.To("redirect"), ptr.To(`http.host eq "part.example.com"`)
	out.Spec.ForProvider.ActionParameters = &rulesetv1alpha1.RulesetRuleActionParameters{
		FromValue: &rulesetv1alpha1.RulesetRuleActionParametersFromValue{
			TargetURL: &rulesetv1alpha1.RulesetRuleActionParametersFromValueTargetURL{Value: ptr.To("https://example.com")},
		},
	}
	return out
}

// TestPhaseIsOwnedOrShared has a Ruleset and a RulesetRule for one phase. The one that was there
// first works on it. The other one reports this, and its deletion leaves no trace.
func TestPhaseIsOwnedOrShared(t *testing.T) {
	t.Parallel()
	t.Run("Shared", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			p := newPhase(t)
			part := p.part()
			p.Create(part)
			p.Settled(part)
			before := kind.Hash(p.rules())
			p.later(part)
			p.Create(p.whole)
			p.Says(p.whole, xpv2.TypeSynced, "the RulesetRule "+p.ns+"/part works on the same document")
			p.Delete(p.whole)
			p.Gone(p.whole, func() string { return harness.Conditions(p.whole) })
			if got := p.rules(); kind.Hash(got) != before {
				t.Errorf("the phase has %v, want it as it was", got)
			}
		})
	})
	t.Run("Owned", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			p := newPhase(t)
			p.Create(p.whole)
			p.Settled(p.whole)
			before := kind.Hash(p.rules())
			p.later(p.whole)
			part := p.part()
			p.Create(part)
			p.Says(part, xpv2.TypeSynced, "the Ruleset "+p.ns+"/example-redirects works on the same document")
			p.Delete(part)
			p.Gone(part, func() string { return harness.Conditions(part) })
			if got := p.rules(); kind.Hash(got) != before {
				t.Errorf("the phase has %v, want it as it was", got)
			}
		})
	})
	t.Run("Custom", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			p := newPhase(t)
			part := p.part()
			p.Create(part)
			p.Settled(part)
			p.later(part)
			p.whole.Spec.ForProvider.Kind = ptr.To("custom")
			p.Create(p.whole)
			p.Settled(p.whole) // The ruleset is in no phase until a rule executes it.
		})
	})
}

// TestPhaseWithRulesOfOthers is trap 24 (#3219, #2453): an existing entry point is adopted if
// this loses nothing. If it has undeclared rules, the object names them and changes nothing until
// all are declared. This holds even if its user names the ruleset.
func TestPhaseWithRulesOfOthers(t *testing.T) {
	t.Parallel()
	t.Run("Empty", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			p := newPhase(t)
			id := p.has()
			p.Create(p.whole)
			p.Settled(p.whole)
			if got := meta.GetExternalName(p.whole); got != id {
				t.Errorf("the object has the ruleset %s, want %s", got, id)
			}
		})
	})
	t.Run("Declared", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			p := newPhase(t)
			id := p.has(redirect("www"))
			p.Create(p.whole)
			p.Settled(p.whole)
			if got := meta.GetExternalName(p.whole); got != id {
				t.Errorf("the object has the ruleset %s, want %s", got, id)
			}
		})
	})
	t.Run("Undeclared", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			p := newPhase(t)
			id := p.has(redirect("www"), redirect("theirs"))
			before := kind.Hash(p.rules())
			p.Create(p.whole)
			p.Says(p.whole, xpv2.TypeSynced, "a ruleset of that name exists with ID "+id+", and has what spec.forProvider.rules does not declare: theirs.")
			if got := p.rules(); kind.Hash(got) != before {
				t.Errorf("the phase has %v, want it as it was", got)
			}
			declared := p.whole.Spec.ForProvider.Rules
			harness.Edit(p.Objects, p.whole, func(r *rulesetv1alpha1.Ruleset) {
				their := *declared[len(declared)-1].DeepCopy()
				their.Ref = ptr.To("theirs")
				r.Spec.ForProvider.Rules = append(r.Spec.ForProvider.Rules, their)
			})
			p.Settled(p.whole)
			harness.Edit(p.Objects, p.whole, func(r *rulesetv1alpha1.Ruleset) { r.Spec.ForProvider.Rules = declared })
			p.Settled(p.whole)
			if got := refs(p.rules()); !slices.Equal(got, []string{"www", "old-shop"}) {
				t.Errorf("the phase has the rules %q", got)
			}
		})
	})
	t.Run("Named", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			p := newPhase(t)
			meta.SetExternalName(p.whole, p.has(redirect("www"), redirect("theirs")))
			before := kind.Hash(p.rules())
			p.Create(p.whole)
			p.Says(p.whole, xpv2.TypeSynced, "does not declare: theirs.")
			if got := p.rules(); kind.Hash(got) != before {
				t.Errorf("the phase has %v, want it as it was", got)
			}
		})
	})
	t.Run("Deleted", func(t *testing.T) {
		inParallel(t, func(t *testing.T) {
			p := newPhase(t)
			p.has(redirect("theirs"))
			before := kind.Hash(p.rules())
			p.Create(p.whole)
			p.Says(p.whole, xpv2.TypeSynced, "does not declare: theirs.")
			p.Delete(p.whole)
			p.Gone(p.whole, func() string { return harness.Conditions(p.whole) })
			if got := p.rules(); kind.Hash(got) != before {
				t.Errorf("the phase has %v, want it as it was", got)
			}
		})
	})
}

// TestRulesKeepTheirIDs is trap 4 (#2690, #5921): a rule keeps its ID when others are added,
// deleted, moved or changed, and the order is the declared one. A rule with another action keeps
// no parameters of the old action.
func TestRulesKeepTheirIDs(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		p := newPhase(t)
		p.Create(p.whole)
		p.Settled(p.whole)
		ids := map[string]string{}
		for _, r := range p.rules() {
			ids[kind.Text(r, "ref")] = kind.Text(r, "id")
		}
		keeps := func(what string, want ...string) {
			t.Helper()
			p.Settled(p.whole)
			rules := p.rules()
			if got := refs(rules); !slices.Equal(got, want) {
				t.Errorf("%s: the rules are %q, want %q", what, got, want)
			}
			for _, r := range rules {
				if was := ids[kind.Text(r, "ref")]; was != "" && was != kind.Text(r, "id") {
					t.Errorf("%s: the ID of %s went from %s to %s", what, kind.Text(r, "ref"), was, kind.Text(r, "id"))
				}
			}
		}
		edit := func(f func(rules []rulesetv1alpha1.RulesetRules) []rulesetv1alpha1.RulesetRules) {
			harness.Edit(p.Objects, p.whole, func(r *rulesetv1alpha1.Ruleset) { r.Spec.ForProvider.Rules = f(r.Spec.ForProvider.Rules) })
		}
		edit(func(rules []rulesetv1alpha1.RulesetRules) []rulesetv1alpha1.RulesetRules {
			another := *rules[0].DeepCopy()
			another.Ref = ptr.To("another")
			return append([]rulesetv1alpha1.RulesetRules{another}, rules...)
		})
		keeps("one more", "another", "www", "old-shop")
		edit(func(rules []rulesetv1alpha1.RulesetRules) []rulesetv1alpha1.RulesetRules {
			slices.Reverse(rules)
			return rules
		})
		keeps("another order", "old-shop", "www", "another")
		edit(func(rules []rulesetv1alpha1.RulesetRules) []rulesetv1alpha1.RulesetRules { return rules[:2] })
		keeps("one less", "old-shop", "www")
		edit(func(rules []rulesetv1alpha1.RulesetRules) []rulesetv1alpha1.RulesetRules {
			rules[0].Action = ptr.To("rewrite")
			rules[0].ActionParameters = &rulesetv1alpha1.RulesetRulesActionParameters{
				URI: &rulesetv1alpha1.RulesetRulesActionParametersURI{Path: &rulesetv1alpha1.RulesetRulesActionParametersURIPath{Value: ptr.To("/shop")}},
			}
			return rules
		})
		keeps("another action", "old-shop", "www")
		if v, there := kind.At(p.rules()[0], "action_parameters.from_value"); there {
			t.Errorf("the rule has the parameters %v of its old action", v)
		}
		p.changed("version")
		edit(func([]rulesetv1alpha1.RulesetRules) []rulesetv1alpha1.RulesetRules {
			return []rulesetv1alpha1.RulesetRules{}
		})
		keeps("the last one out (trap 12)")
	})
}

// changed fails if the object reports drift of a field that Cloudflare alone writes.
func (p *phase) changed(field string) {
	p.T.Helper()
	for _, said := range p.events(p.whole, "DriftDetected") {
		if strings.Contains(said, field) {
			p.T.Errorf("%s is drift: %s", field, said)
		}
	}
}
