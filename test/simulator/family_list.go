// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"strings"
)

// CodeListInUse is the code of the refusal to delete a list that a rule names
// (crowdsecurity/cs-cloudflare-bouncer, issue 130, filters.api.ip_list_in_use).
const CodeListInUse = 10031

const rulesLists = "/accounts/{account_id}/rules/lists"

// rulesListFamily returns the lists for rules. Kind and name cannot change: a PUT
// accepts only the description.
func rulesListFamily() *family {
	return &family{
		list: rulesLists, parameter: "list_id", shape: idHex,
		unique: []uniqueness{{[]string{"name"}, func() *Error {
			return refuse(http.StatusConflict, CodeResourceConflict, "A list of this name exists already.")
		}}},
		prepare: func(_ *resourceCall, before *resource, doc map[string]any) *Error {
			if before == nil {
				doc["num_items"], doc["num_referencing_filters"] = 0, 0
			}
			return nil
		},
		show: func(c *resourceCall, r *resource, shown map[string]any) {
			shown["num_items"] = len(c.s.shelves[c.shelf.path+"/"+r.id+"/items"].all())
			shown["num_referencing_filters"] = c.naming(r.text("name"))
		},
		busy: func(c *resourceCall, r *resource) *Error {
			if c.naming(r.text("name")) > 0 {
				return invalid(CodeListInUse, "filters.api.ip_list_in_use")
			}
			return nil
		},
		removed: func(c *resourceCall, r *resource) { delete(c.s.shelves, c.shelf.path+"/"+r.id+"/items") },
		first: map[string]handler{
			"GET " + rulesLists + "/bulk_operations/{operation_id}": (*resourceCall).operation,
		},
	}
}

// all returns the resources of a collection, or nil for a nil collection: a collection
// is created at its first use.
func (sh *shelf) all() []*resource {
	if sh == nil {
		return nil
	}
	return sh.sorted()
}

// naming counts the rules of the account and its zones that name the list $name.
func (c *resourceCall) naming(name string) int {
	n := 0
	for path, sh := range c.s.shelves {
		ours := strings.HasPrefix(path, c.parent()+"/")
		if zone, ok := strings.CutPrefix(path, "/zones/"); ok {
			id, _, _ := strings.Cut(zone, "/")
			z := c.s.zones[id]
			ours = z != nil && "/accounts/"+z.accountID == c.parent()
		}
		if !ours || !strings.HasSuffix(path, "/rulesets") {
			continue
		}
		for _, r := range sh.items {
			n += namingIn(r.doc, name)
		}
	}
	return n
}

// namingIn counts the rules of a ruleset that name a list.
func namingIn(doc map[string]any, name string) int {
	n := 0
	rules, _ := doc["rules"].([]any)
	for _, e := range rules {
		rule, _ := e.(map[string]any)
		expression, _ := rule["expression"].(string)
		for _, word := range strings.FieldsFunc(expression, func(r rune) bool { return strings.ContainsRune(" (){}", r) }) {
			if word == "$"+name {
				n++
				break
			}
		}
	}
	return n
}
