// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package access

import (
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// AccessApplication describes applications.
func AccessApplication() kind.Description {
	return kind.Description{
		Group: "access", Name: "AccessApplication", Short: "cfapp", Noun: "application", Scope: kind.Either,
		Doc:       "An AccessApplication puts a login in front of an application. One without a domain, such as of type saas, has nothing by which one that exists could be recognized: to take that over, set its ID as the external name.",
		Terraform: "cloudflare_zero_trust_access_application",
		List:      "GET /{accounts_or_zones}/{account_or_zone_id}/access/apps",
		Create:    "POST /{accounts_or_zones}/{account_or_zone_id}/access/apps",
		Read:      "GET /{accounts_or_zones}/{account_or_zone_id}/access/apps/{app_id}",
		Update:    "PUT /{accounts_or_zones}/{account_or_zone_id}/access/apps/{app_id}",
		Delete:    "DELETE /{accounts_or_zones}/{account_or_zone_id}/access/apps/{app_id}",
		Page:      kind.Page{Max: 1000},
		Fields: map[string]kind.Field{
			"type":                                 {Immutable: true, Required: true},
			"saas_app":                             {Doc: "What a SaaS application needs, which logs users in by SAML or OIDC."},
			"tags":                                 {Set: true},
			"allowed_idps":                         {Set: true, Ref: "AccessIdentityProvider"},
			"policies":                             {Clear: []any{}, Doc: "The reusable policies of this application, in ascending order of precedence."},
			"policies[]":                           {Variant: "object", Members: []string{"id", "precedence"}, Reference: true, Because: "policies of an application alone are an older way, and a bare ID has no precedence"},
			"policies[].id":                        {Ref: "AccessPolicy"},
			"policies[].precedence":                {Ordinal: true},
			"cors_headers":                         {Doc: "How the application answers cross-origin requests."},
			"destinations[].type":                  {Doc: "The type of the destination."},
			"saas_app.custom_attributes":           {Doc: "Attributes that the SAML assertion has beside the standard ones."},
			"saas_app.custom_attributes[].source":  {Doc: "Where the value of the attribute comes from."},
			"saas_app.custom_claims":               {Doc: "Claims that the OIDC token has beside the standard ones."},
			"saas_app.custom_claims[].source":      {Doc: "Where the value of the claim comes from."},
			"saas_app.hybrid_and_implicit_options": {Doc: "What the hybrid and the implicit flow of OIDC return."},
			"saas_app.refresh_token_options":       {Doc: "Options of refresh tokens."},
			"scim_config.authentication":           {Doc: "How Cloudflare authenticates to the application for SCIM.", Variant: "object", Because: "a list is for two methods at once, which nobody has asked for"},
			"target_criteria":                      {Doc: "The targets of an infrastructure application."},
		},
		Observe:  []string{"name", "domain", "type", "aud", "session_duration", "created_at", "updated_at"},
		Columns:  []string{"APPLICATION=name", "TYPE=type", "DOMAIN=domain", "-AUD=aud"},
		Natural:  []string{"domain", "type"},
		Gone:     []kind.Code{{Status: 404}},
		ReadOnly: []string{"id", "aud", "created_at", "updated_at", "saas_app.created_at", "saas_app.updated_at"},
		Details: []kind.Detail{
			{Key: "aud", Path: "aud", Public: true, Doc: "The audience of the application's tokens, by which an origin tells that they are for it."},
			{Key: "clientId", Path: "saas_app.client_id", Public: true, Doc: "The ID of the client, of a SaaS application with OIDC."},
			{
				Key: "clientSecret", Path: "saas_app.client_secret", Once: true, Where: map[string]string{"saas_app.auth_type": "oidc"},
				Doc:    "The secret of the client, of a SaaS application with OIDC.",
				Remedy: "put it under that key of the connection secret if somebody has it, and otherwise take writeConnectionSecretToRef away; or, for a new application beside this one, set spec.deletionPolicy to Orphan first, then delete this object and create another",
			},
		},

		Permissions: []string{"Access: Apps and Policies Write"},
		Plan:        "All plans, with 50 seats on Free", Sweep: time.Minute,
	}
}
