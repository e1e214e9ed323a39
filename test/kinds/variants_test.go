// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"encoding/json"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/utils/ptr"

	rulesetv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ruleset/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/ruleset"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// TestRuleWithAnotherAction shows that a rule with another action keeps no
// parameters of the previous action.
func TestRuleWithAnotherAction(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, ruleset.RulesetRule())
		mg, ok := w.example.(*rulesetv1alpha1.RulesetRule)
		if !ok {
			t.Fatalf("the example is %T", w.example)
		}
		mg.Spec.ForProvider.Action = ptr.To("block")
		if err := json.Unmarshal([]byte(`{"response":{"content":"no","contentType":"text/plain","statusCode":403}}`), &mg.Spec.ForProvider.ActionParameters); err != nil {
			t.Fatal(err)
		}
		w.apply()
		if got := kind.Text(w.answer(meta.GetExternalName(mg)), "action_parameters.response.content"); got != "no" {
			t.Fatalf("the rule answers %q, want what it was declared with", got)
		}
		harness.Edit(w.Objects, mg, func(mg *rulesetv1alpha1.RulesetRule) {
			mg.Spec.ForProvider.Action, mg.Spec.ForProvider.ActionParameters = ptr.To("managed_challenge"), nil
		})
		w.Settled(mg)
		after := w.answer(meta.GetExternalName(mg))
		p, _ := kind.At(after, "action_parameters") // It is missing, or an empty object.
		if of, _ := p.(kind.Document); len(of) > 0 || kind.Text(after, "action") != "managed_challenge" {
			t.Errorf("the action is %s with the parameters %v", kind.Text(after, "action"), p)
		}
	})
}
