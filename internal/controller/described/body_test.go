// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	accessv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/access/v1alpha1"
	rulesetv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ruleset/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/access"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/ruleset"
)

// body parses JSON in the way of an answer.
func body(t *testing.T, s string) kind.Document {
	t.Helper()
	v, err := kind.Parse([]byte(s))
	doc, ok := v.(kind.Document)
	if err != nil || !ok {
		t.Fatalf("cannot read %s: %v", s, err)
	}
	return doc
}

// TestSecretsAreConcealed checks that what an answer shows of a spec's secrets is neither compared nor sent back.
func TestSecretsAreConcealed(t *testing.T) {
	const disguise = "****"
	n := 0
	for _, e := range roster() {
		spec := e.New().GetForProvider()
		for path, f := range e.Description.Of(spec).Fields {
			if !f.Concealed {
				continue
			}
			n++
			live := disguised(path, disguise)
			raw, _ := json.Marshal(e.Description.Of(spec).UpdateBody(kind.Document{"other": "x"}, live))
			if strings.Contains(string(raw), disguise) {
				t.Errorf("%s of kind %s is sent back: %s", path, e.GVK.Kind, raw)
			}
		}
	}
	if n < 5 {
		t.Errorf("%d secrets were looked at, want those of tunnels and of applications", n)
	}
}

// disguised returns an answer that has a text at path.
func disguised(path, text string) kind.Document {
	list, within, inList := strings.Cut(path, "[].")
	live := kind.Document{}
	if inList {
		live[list] = []any{disguised(within, text)}
		return live
	}
	kind.Put(live, strings.ReplaceAll(path, "{}", ""), text)
	return live
}

func TestVariants(t *testing.T) {
	app := access.AccessApplication().Of(&accessv1alpha1.AccessApplicationParameters{})
	policy := access.AccessPolicy().Of(&accessv1alpha1.AccessPolicyParameters{})
	rule := ruleset.RulesetRule().Of(&rulesetv1alpha1.RulesetRuleParameters{})
	tests := []struct {
		reason           string
		d                kind.Description
		want, live, body string
	}{
		{
			"a secret that is declared is sent", app, `{"scim_config":{"authentication":{"scheme":"httpbasic","password":"mine"}}}`,
			`{"id":"x","scim_config":{"idp_uid":"y","authentication":{"scheme":"httpbasic","user":"u","password":"****"}}}`,
			`{"scim_config":{"authentication":{"password":"mine","scheme":"httpbasic","user":"u"},"idp_uid":"y"}}`,
		},
		{
			"another scheme has nothing of the one before", app, `{"scim_config":{"authentication":{"scheme":"oauthbearertoken","token":"mine"}}}`,
			`{"id":"x","scim_config":{"idp_uid":"y","authentication":{"scheme":"httpbasic","user":"u","password":"****"}}}`,
			`{"scim_config":{"authentication":{"scheme":"oauthbearertoken","token":"mine"},"idp_uid":"y"}}`,
		},
		{
			"everyone is not who has that address", policy, `{"include":[{"everyone":{}}]}`, `{"id":"x","include":[{"email":{"email":"a@example.com"}}]}`,
			`{"include":[{"everyone":{}}]}`,
		},
		{
			"another action has no parameters of the one before", rule, `{"action":"managed_challenge"}`,
			`{"id":"x","action":"block","action_parameters":{"response":{"status_code":403}},"expression":"true"}`, `{"action":"managed_challenge","expression":"true"}`,
		},
		{
			"an expression takes the place of a value", rule, `{"action":"rewrite","action_parameters":{"uri":{"path":{"expression":"lower(x)"}}}}`,
			`{"id":"x","action":"rewrite","action_parameters":{"uri":{"path":{"value":"/a"},"query":{"value":"b"}}}}`,
			`{"action":"rewrite","action_parameters":{"uri":{"path":{"expression":"lower(x)"},"query":{"value":"b"}}}}`,
		},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			want, live := body(t, tc.want), body(t, tc.live)
			got := tc.d.UpdateBody(want, live)
			if diff := cmp.Diff(body(t, tc.body), got); diff != "" {
				t.Errorf("UpdateBody(...): -want, +got:\n%s", diff)
			}
			if diff := tc.d.Differences(want, got); len(diff) > 0 {
				t.Errorf("after the update there is drift: %v", diff)
			}
		})
	}
}

func TestUpdatableLeavesWhatIsDeclared(t *testing.T) {
	a := &adapter{described: &described{createOnly: []string{"o.first"}}, want: body(t, `{"o":{"first":1,"b":2}}`)}
	if diff := cmp.Diff(body(t, `{"o":{"b":2}}`), a.updatable()); diff != "" {
		t.Errorf("updatable(): -want, +got:\n%s", diff)
	}
	if diff := cmp.Diff(body(t, `{"o":{"first":1,"b":2}}`), a.want); diff != "" {
		t.Errorf("updatable() changed what is declared:\n%s", diff)
	}
}
