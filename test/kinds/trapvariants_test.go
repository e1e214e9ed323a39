// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"testing"

	"k8s.io/utils/ptr"

	rulesetv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ruleset/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/ruleset"
)

// TestTrapsOfSettings shows the rows about traps for settings with the values that they need.
// The setting of the example has no such value.
func TestTrapsOfSettings(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		id, value string
		show      func(*world)
	}{
		"SetReordered":  {"ciphers", `["ECDHE-RSA-AES128-GCM-SHA256","AES128-SHA"]`, setReordered},
		"FalseOmitted":  {"ssl_recommender", "", falseOmitted},
		"EchoIsNoDrift": {"transformations_allowed_origins", `"https://a.example"`, echoIsNoDrift},
	} {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w, mg := settingWorld(t, tc.id, tc.value)
				if tc.value == "" {
					mg.Spec.ForProvider.Enabled = ptr.To(false)
				}
				tc.show(w)
			})
		})
	}
}

// TestFlagsOfRedirects shows the row FalseOmitted for items of a list of redirects. The item of
// the example has no flags.
func TestFlagsOfRedirects(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, ruleset.RulesListItem())
		for _, o := range w.before {
			if l, ok := o.(*rulesetv1alpha1.RulesList); ok {
				l.Spec.ForProvider.Kind = ptr.To("redirect")
			}
		}
		mg, ok := w.example.(*rulesetv1alpha1.RulesListItem)
		if !ok {
			t.Fatalf("the example is %T", w.example)
		}
		mg.Spec.ForProvider.IP = nil
		mg.Spec.ForProvider.Redirect = &rulesetv1alpha1.RulesListItemRedirect{SourceURL: ptr.To("https://example.com/a"), TargetURL: ptr.To("https://example.org")}
		falseOmitted(w)
	})
}
