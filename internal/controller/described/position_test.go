// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/utils/ptr"

	rulesetv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ruleset/v1alpha1"
)

// TestPosition checks that the position of a rule is sent when it changes, and only then. The status has the ID by
// which the positions of other rules name it.
func TestPosition(t *testing.T) {
	t.Parallel()
	s := newStage(t, entryOf(t, "RulesetRule"))
	s.settle(s.kind, s.key)
	s.reconcile(s.kind, s.key)
	rule, ok := s.read(s.kind, s.key).(*rulesetv1alpha1.RulesetRule)
	if !ok || ptr.Deref(rule.Status.AtProvider.RuleID, "") == "" || *rule.Status.AtProvider.RuleID == rule.Status.AtProvider.ID {
		t.Errorf("the status has %v", rule.Status.AtProvider)
	}
	for _, tc := range []struct {
		because      string
		edit         func(*rulesetv1alpha1.RulesetRuleParameters)
		sent, writes bool
	}{
		{"it is new", func(p *rulesetv1alpha1.RulesetRuleParameters) {
			p.Position = &rulesetv1alpha1.RulesetRulePosition{Index: ptr.To(int64(1))}
		}, true, true},
		{"nothing has changed", func(*rulesetv1alpha1.RulesetRuleParameters) {}, false, false},
		{"something else has changed", func(p *rulesetv1alpha1.RulesetRuleParameters) { p.Description = ptr.To("another") }, false, true},
		{"it has changed", func(p *rulesetv1alpha1.RulesetRuleParameters) {
			p.Position = &rulesetv1alpha1.RulesetRulePosition{After: ptr.To("")}
		}, true, true},
		{"it is left out", func(p *rulesetv1alpha1.RulesetRuleParameters) { p.Position = nil }, false, false},
	} {
		s.editRule(tc.edit)
		s.sent = ""
		s.reconcile(s.kind, s.key)
		writes := slices.ContainsFunc(s.log, asked.writes)
		if sent := strings.Contains(s.sent, `"position"`); sent != tc.sent || writes != tc.writes {
			t.Errorf("%s: the position is sent: %t, something is: %t: %s", tc.because, sent, writes, s.sent)
		}
		s.reconcile(s.kind, s.key)
		if slices.ContainsFunc(s.log, asked.writes) {
			t.Errorf("%s: it is written again: %v", tc.because, s.log)
		}
	}
}

func (s *stage) editRule(edit func(*rulesetv1alpha1.RulesetRuleParameters)) {
	s.t.Helper()
	rule, ok := s.read(s.kind, s.key).(*rulesetv1alpha1.RulesetRule)
	if !ok {
		s.t.Fatal("it is no rule")
	}
	edit(&rule.Spec.ForProvider)
	rule.SetGeneration(rule.GetGeneration() + 1)
	must(s.t, s.server.Update(s.t.Context(), rule))
}
