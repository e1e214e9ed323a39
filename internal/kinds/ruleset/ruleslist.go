// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ruleset

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// RulesList describes lists that the expressions of rules refer to, without their items.
func RulesList() kind.Description {
	return kind.Description{
		Group: "ruleset", Name: "RulesList", Short: "cfrl", Noun: "list", Scope: kind.Account,
		Doc:       `A RulesList is a list of addresses, host names, AS numbers or redirects, which the expressions of rules name as $name. It says nothing of the items, which are objects of kind RulesListItem: they stay as they are. Its deletion deletes the items as well, unless a rule names the list.`,
		Terraform: "cloudflare_list",
		List:      "GET /accounts/{account_id}/rules/lists",
		Create:    "POST /accounts/{account_id}/rules/lists",
		Read:      "GET /accounts/{account_id}/rules/lists/{list_id}",
		Update:    "PUT /accounts/{account_id}/rules/lists/{list_id}",
		Delete:    "DELETE /accounts/{account_id}/rules/lists/{list_id}",
		ReadOnly:  []string{"id", "name", "kind", "num_items", "num_referencing_filters", "created_on", "modified_on"},
		Observe:   []string{"name", "kind", "description", "num_items", "num_referencing_filters", "created_on", "modified_on"},
		Columns:   []string{"LIST=name", "KIND=kind", "ITEMS=num_items"},
		Natural:   []string{"name"},
		Gone:      []kind.Code{{Status: 404}},
		Busy:      []kind.Code{{Code: 10031}}, // filters.api.ip_list_in_use: crowdsecurity/cs-cloudflare-bouncer, issue 130.

		Permissions: []string{"Account Filter Lists Edit"}, Plan: "All plans, with a number of lists by plan",
	}
}
