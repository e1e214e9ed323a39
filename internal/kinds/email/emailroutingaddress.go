// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package email

import (
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// EmailRoutingAddress describes the addresses that mail can be forwarded to.
func EmailRoutingAddress() kind.Description {
	return kind.Description{
		Group: "email", Name: "EmailRoutingAddress", Short: "cfea", Noun: "destination address", Scope: kind.Account,
		Doc:       "An EmailRoutingAddress is an address that the rules of an account's zones can forward mail to. It is Ready once its owner has followed the link in the mail that Cloudflare sends there. Its deletion switches the rules off that forward to it.",
		Terraform: "cloudflare_email_routing_address",
		List:      "GET /accounts/{account_id}/email/routing/addresses",
		Create:    "POST /accounts/{account_id}/email/routing/addresses",
		Read:      "GET /accounts/{account_id}/email/routing/addresses/{destination_address_identifier}",
		Delete:    "DELETE /accounts/{account_id}/email/routing/addresses/{destination_address_identifier}",
		Page:      kind.Page{Max: 50},
		Fields: map[string]kind.Field{
			"email": {Doc: "The address, which is unique in the account."},
		},
		Observe: []string{"email", "verified", "created", "modified"},
		Columns: []string{"ADDRESS=email", "VERIFIED=verified"},
		Natural: []string{"email"},
		Gone:    []kind.Code{{Status: 404}},
		Exists:  []kind.Code{{Status: 409}},
		Refused: refusals(addressesWrite),
		Status: []kind.Status{{Path: "verified", Human: map[string]string{
			"": "its owner has to follow the link in the mail that Cloudflare sent there",
		}}},

		Permissions: []string{addressesWrite}, Plan: "All plans, with 200 addresses", Sweep: time.Minute,
		Excused: map[string]string{
			"Busy":                  "Cloudflare deletes an address that rules use",
			"FieldUpdated":          "nothing of it can be changed",
			"ForeignChangeReverted": "nothing of it can be changed",
		},
	}
}
