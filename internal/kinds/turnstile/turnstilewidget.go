// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package turnstile describes the kinds of Turnstile.
package turnstile

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// TurnstileWidget describes widgets that tell people from bots.
func TurnstileWidget() kind.Description {
	return kind.Description{
		Group: "turnstile", Name: "TurnstileWidget", Short: "cftw", Noun: "widget", Scope: kind.Account,
		Doc:       "A TurnstileWidget tells people from bots on the pages of some domains. Its site key, for the page, and its secret key, for the server that checks the answers, are in the connection secret.",
		Terraform: "cloudflare_turnstile_widget",
		List:      "GET /accounts/{account_id}/challenges/widgets",
		Create:    "POST /accounts/{account_id}/challenges/widgets",
		Read:      "GET /accounts/{account_id}/challenges/widgets/{sitekey}",
		Update:    "PUT /accounts/{account_id}/challenges/widgets/{sitekey}",
		Delete:    "DELETE /accounts/{account_id}/challenges/widgets/{sitekey}",
		Page:      kind.Page{Max: 1000},
		Fields: map[string]kind.Field{
			"name":    {Doc: "The name of the widget. Several widgets can have the same."},
			"domains": {Set: true, KeepZero: true, MaxItems: 10, Doc: "The domains whose pages show the widget, 10 at most. Without any, all pages can."},
			"region":  {Immutable: true, Doc: "Where the widget can be used. It cannot be changed later."},
			// Without Enterprise, Cloudflare refuses the value that its own answer shows.
			"offlabel": {Entitled: true, Default: false},
		},
		Observe:  []string{"name", "sitekey", "mode", "domains", "region", "created_on", "modified_on"},
		Columns:  []string{"WIDGET=name", "MODE=mode", "-SITEKEY=sitekey"},
		ID:       "sitekey",
		Gone:     []kind.Code{{Status: 404}},
		ReadOnly: []string{"sitekey", "secret", "created_on", "modified_on"},
		// A list has no secrets.
		Details: []kind.Detail{
			{Key: "sitekey", Path: "sitekey", Public: true, Doc: "The site key, which the page shows."},
			{Key: "secret", From: "GET /accounts/{account_id}/challenges/widgets/{sitekey}", Path: "secret", Doc: "The secret key, by which a server checks an answer with siteverify."},
		},

		Permissions: []string{"Turnstile Sites Write", "Account Settings Write"}, Plan: "All plans, with offlabel on Enterprise",
		Excused: map[string]string{
			"Adopted": "nothing but its site key tells one from another: names may repeat",
			"Busy":    "nothing refers to it",
		},
	}
}
