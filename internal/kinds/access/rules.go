// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package access

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// rules returns the fields of the three sets of rules that select the identities of a group or a policy.
func rules() map[string]kind.Field {
	refs := map[string]string{
		"group.id":                                 "AccessGroup",
		"service_token.token_id":                   "AccessServiceToken",
		"login_method.id":                          "AccessIdentityProvider",
		"azureAD.identity_provider_id":             "AccessIdentityProvider",
		"github-organization.identity_provider_id": "AccessIdentityProvider",
		"gsuite.identity_provider_id":              "AccessIdentityProvider",
		"oidc.identity_provider_id":                "AccessIdentityProvider",
		"okta.identity_provider_id":                "AccessIdentityProvider",
		"saml.identity_provider_id":                "AccessIdentityProvider",
	}
	out := map[string]kind.Field{}
	for _, set := range []string{"include", "exclude", "require"} {
		out[set] = kind.Field{Set: true}
		for path, to := range refs {
			out[set+"[]."+path] = kind.Field{Ref: to}
		}
	}
	return out
}
