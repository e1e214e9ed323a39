// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"strings"
)

const (
	gatewayLists = "/accounts/{account_id}/gateway/lists"
	// The default and the maximum number of items in one page (pulumi-cloudflare, issue 252, and the Terraform
	// provider v4). The document counts pages there, but has no parameter for them.
	gatewayItemsPage = 50
	gatewayItemsMost = 1000
)

// gatewayListFamily returns the lists of domains, addresses and other values that policies name. The sources do
// not say which responses have the items. In the simulator only the list of the items has them.
func gatewayListFamily() *family {
	return &family{
		list: gatewayLists, parameter: "list_id", shape: idUUID, groups: []string{"Zero Trust Write"},
		unique: []uniqueness{{[]string{"name"}, func() *Error {
			return refuse(http.StatusConflict, CodeResourceConflict, "A list of this name exists already.")
		}}},
		prepare: prepareGatewayList, busy: busyGatewayList, deletion: emptyResult,
		show: func(_ *resourceCall, _ *resource, shown map[string]any) { delete(shown, "items") },
		more: map[string]handler{"GET " + gatewayLists + "/{list_id}/items": (*resourceCall).gatewayItems},
	}
}

// prepareGatewayList counts the items, and refuses a duplicate. An item keeps the time at which it was added.
func prepareGatewayList(c *resourceCall, before *resource, doc map[string]any) *Error {
	added := map[string]any{}
	if before != nil {
		for _, item := range objects(before.doc["items"]) {
			added[textOf(item, "value")] = item["created_at"]
		}
	}
	items, seen := []any{}, map[string]bool{}
	for _, item := range objects(doc["items"]) {
		value := textOf(item, "value")
		if value == "" || seen[value] {
			return invalid(CodeResourceInvalid, "An item must have a value that no other one has: %q.", value)
		}
		seen[value] = true
		one := map[string]any{"value": value, "description": textOf(item, "description"), "created_at": timestamp(c.now)}
		if at := added[value]; at != nil {
			one["created_at"] = at
		}
		items = append(items, one)
	}
	doc["items"], doc["count"], doc["description"] = items, len(items), textOf(doc, "description")
	return nil
}

// busyGatewayList refuses the deletion of a list that an expression of a policy names.
func busyGatewayList(c *resourceCall, r *resource) *Error {
	for _, policy := range c.beside("/gateway/rules").sorted() {
		for _, expression := range []string{"traffic", "identity", "device_posture"} {
			if strings.Contains(textOf(policy.doc, expression), "$"+r.id) {
				return refuse(http.StatusConflict, CodeResourceConflict, "The list is used by the policy %s.", policy.id)
			}
		}
	}
	return nil
}

// gatewayItems returns a page of the items of a list.
func (c *resourceCall) gatewayItems() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	all := map[string]any{"items": copyOf(r.doc)["items"]}
	c.spring(r, all) // For traps the items are a member of the list.
	items, _ := all["items"].([]any)
	page, perPage, err := paging(c.r.URL.Query(), 1, gatewayItemsMost, gatewayItemsPage)
	if err != nil {
		return reply{}, err
	}
	shown, info := paginate(items, page, perPage)
	return reply{result: shown, info: c.info(info)}, nil
}
