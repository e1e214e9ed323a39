// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package access

import (
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// AccessIdentityProvider describes the services with which users log in.
func AccessIdentityProvider() kind.Description {
	return kind.Description{
		Group: "access", Name: "AccessIdentityProvider", Short: "cfidp", Noun: "identity provider", Scope: kind.Either,
		Doc:       "An AccessIdentityProvider is a service that users log in with, such as Entra ID, Okta or a one-time PIN. Which members spec.forProvider.config takes depends on the type; one of type onetimepin has an empty config and no scimConfig. Cloudflare shows the secret of SCIM only when SCIM is turned on: the provider does not keep it. Turn SCIM on in the dashboard, which shows the secret, and declare it afterwards.",
		Terraform: "cloudflare_zero_trust_access_identity_provider",
		List:      "GET /{accounts_or_zones}/{account_or_zone_id}/access/identity_providers",
		Create:    "POST /{accounts_or_zones}/{account_or_zone_id}/access/identity_providers",
		Read:      "GET /{accounts_or_zones}/{account_or_zone_id}/access/identity_providers/{identity_provider_id}",
		Update:    "PUT /{accounts_or_zones}/{account_or_zone_id}/access/identity_providers/{identity_provider_id}",
		Delete:    "DELETE /{accounts_or_zones}/{account_or_zone_id}/access/identity_providers/{identity_provider_id}",
		Page:      kind.Page{Max: 1000},
		Fields: map[string]kind.Field{
			"type":                     {Immutable: true, Doc: "The type of the identity provider."},
			"config":                   {Doc: "What Cloudflare needs to know of the identity provider. Its members depend on the type."},
			"config.claims":            {Set: true},
			"config.scopes":            {Set: true},
			"config.attributes":        {Set: true},
			"config.header_attributes": {Set: true, Key: "attribute_name"},
			"config.idp_public_certs":  {Set: true},
		},
		Observe: []string{"name", "type", "read_only", "scim_config.scim_base_url"},
		Columns: []string{"PROVIDER=name", "TYPE=type"},
		Undated: true,
		Gone:    []kind.Code{{Status: 404}}, Busy: []kind.Code{{Status: 409}},
		ReadOnly: []string{"id", "read_only", "saml_certificate_set", "saml_certificate_set.created_at", "saml_certificate_set.updated_at", "config.redirect_url", "scim_config.secret", "scim_config.scim_base_url"},

		Permissions: []string{"Access: Organizations, Identity Providers, and Groups Write"},
		Plan:        "All plans, with 50 seats on Free", Sweep: time.Minute,
		Excused: map[string]string{"Adopted": "nothing but its ID tells one from another: names may repeat"},
	}
}
