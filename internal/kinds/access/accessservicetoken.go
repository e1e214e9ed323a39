// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package access

import (
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// AccessServiceToken describes the tokens with which programs log in.
func AccessServiceToken() kind.Description {
	return kind.Description{
		Group: "access", Name: "AccessServiceToken", Short: "cfast", Noun: "service token", Scope: kind.Account,
		Doc:       "An AccessServiceToken lets a program through a login. Its values, for the request headers CF-Access-Client-Id and CF-Access-Client-Secret, are in the connection secret. It ends at status.atProvider.expiresAt, unless its duration is forever, and the provider puts that off before.",
		Terraform: "cloudflare_zero_trust_access_service_token",
		List:      "GET /{accounts_or_zones}/{account_or_zone_id}/access/service_tokens",
		Create:    "POST /{accounts_or_zones}/{account_or_zone_id}/access/service_tokens",
		Read:      "GET /{accounts_or_zones}/{account_or_zone_id}/access/service_tokens/{service_token_id}",
		Update:    "PUT /{accounts_or_zones}/{account_or_zone_id}/access/service_tokens/{service_token_id}",
		Delete:    "DELETE /{accounts_or_zones}/{account_or_zone_id}/access/service_tokens/{service_token_id}",
		Page:      kind.Page{Max: 1000}, Mode: kind.DeclaredOnly,
		Hide:    []string{"client_secret_version", "previous_client_secret_expires_at"},
		Observe: []string{"name", "client_id", "duration", "enabled", "expires_at", "created_at", "updated_at"},
		Columns: []string{"TOKEN=name", "ENABLED=enabled", "EXPIRES=expires_at"},
		Gone:    []kind.Code{{Status: 404}}, Busy: []kind.Code{{Code: 12139}},
		Details: []kind.Detail{
			{Key: "clientId", Path: "client_id", Public: true, Doc: "What the request header CF-Access-Client-Id has to say."},
			{Key: "clientSecret", Path: "client_secret", Once: true, Doc: "What the request header CF-Access-Client-Secret has to say."},
		},
		Refresh: &kind.Refresh{
			Do:      "POST /accounts/{account_id}/access/service_tokens/{service_token_id}/refresh",
			Expires: "expires_at", Duration: "duration", Before: "refreshBefore",
		},
		Options: []kind.ProviderField{{
			Name: "refreshBefore", Default: "720h",
			Doc: "How long before its end the token is refreshed, as a duration such as 720h: it lives for its duration from then on, with the same values. It is never more than a third of the duration. With 0s the token ends.",
		}},
		Roll: "POST /accounts/{account_id}/access/service_tokens/{service_token_id}/rotate",

		Permissions: []string{"Access: Service Tokens Write"},
		Plan:        "All plans, with 50 seats on Free", Sweep: time.Minute,
		Excused: map[string]string{"Adopted": "names of service tokens may repeat, so no name says which one is meant"},
	}
}
