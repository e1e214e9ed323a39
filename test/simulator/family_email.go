// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"slices"
	"strings"
)

// Codes of Email Routing. 2007 and 2054 are the document's, with their statuses. Clients of the live API
// quote 2014 and 2020 as conflicts (alchemy-run/alchemy, src/Cloudflare/Email/Rule.ts). They quote 2016
// without a status.
const (
	CodeMailRuleInvalid   = 2007
	CodeMailRuleDuplicate = 2014
	CodeMailRuleWorker    = 2016
	CodeMailRuleOperation = 2020
	CodeMailUnverified    = 2054
)

const (
	mailRules     = "/zones/{zone_id}/email/routing/rules"
	mailAddresses = "/accounts/{account_id}/email/routing/addresses"
	// catchAll is the last segment of the path of a zone's catch-all rule.
	catchAll = "catch_all"
)

// emailFamilies returns the rules and the destination addresses of Email Routing. Their operations accept
// tokens of users and global keys, but no tokens of accounts. The document names the key alone as their
// security. oomol-lab/open-connector#165 and hieunc229/mailflare#1 (HTTP 403 with code 10000) show for which
// tokens that is true.
func emailFamilies() []*family {
	const rule, address = mailRules + "/{rule_identifier}", mailAddresses + "/{destination_address_identifier}"
	return []*family{
		{
			list: mailRules, parameter: "rule_identifier", shape: idHex, usersOnly: true,
			seed: seedCatchAll, prepare: prepareMailRule,
			unique: []uniqueness{{[]string{"matchers"}, func() *Error {
				return refuse(http.StatusConflict, CodeMailRuleDuplicate, "Duplicated Zone rule")
			}}},
			deletion: func(c *resourceCall, r *resource) any { return c.shown(r) },
			more: map[string]handler{
				"GET " + eitherParent + "/email/routing/rules": (*resourceCall).listMailRules,
				"GET " + rule:    ordinary((*resourceCall).get),
				"PUT " + rule:    ordinary((*resourceCall).replace),
				"DELETE " + rule: ordinary((*resourceCall).delete),
			},
			first: map[string]handler{
				"GET " + mailRules + "/" + catchAll: (*resourceCall).getCatchAll,
				"PUT " + mailRules + "/" + catchAll: (*resourceCall).putCatchAll,
			},
		},
		{
			list: mailAddresses, parameter: "destination_address_identifier", shape: idHex, usersOnly: true,
			unique: []uniqueness{{[]string{"email"}, func() *Error {
				return refuse(http.StatusConflict, CodeResourceConflict, "The destination address exists already.")
			}}},
			prepare: prepareMailAddress, show: showMailAddress, removed: disableMailRules,
			deletion: func(c *resourceCall, r *resource) any { return c.shown(r) },
			// Without this filter a list has all addresses, although the document's default is true:
			// alchemy's test of the live API finds an unverified address.
			filters: map[string]filter{"verified": func(r *resource, value string) bool {
				return (r.doc["verified"] != nil) == (value == "true")
			}},
			more: map[string]handler{"PATCH " + address: (*resourceCall).patchMailAddress},
		},
		mailZoneFamily(),
	}
}

// seedCatchAll adds the rule for all mail that no other rule matches. It exists from the start, is disabled,
// and drops mail (alchemy.run/providers/cloudflare/email/catchall).
func seedCatchAll(s *Server, sh *shelf) {
	id := s.newID()
	s.put(sh, catchAll, map[string]any{
		"id": id, "tag": id, "name": "", "enabled": false, "source": "api",
		"matchers": []any{map[string]any{"type": "all"}}, "actions": []any{map[string]any{"type": "drop"}},
	})
}

func errMailRule(format string, args ...any) *Error {
	return refuse(http.StatusUnprocessableEntity, CodeMailRuleInvalid, format, args...)
}

// errMailOperation is the refusal of an operation on the catch-all rule, which has operations of its own.
func errMailOperation() *Error {
	return refuse(http.StatusConflict, CodeMailRuleOperation, "Invalid rule operation")
}

// ordinary wraps an operation on rules so that it refuses the catch-all rule.
func ordinary(handle handler) handler {
	return func(c *resourceCall) (reply, *Error) {
		if c.shelf.items[catchAll].text("id") == c.id {
			return reply{}, errMailOperation()
		}
		return handle(c)
	}
}

// listMailRules lists the rules of a zone, or those of all zones of an account, each with its zone. The list
// contains the catch-all rules.
func (c *resourceCall) listMailRules() (reply, *Error) {
	if c.zone == nil {
		c.shelf = c.ofEveryZone(mailRules, func(z *zone, doc map[string]any) {
			doc["zone"] = map[string]any{"name": z.name, "tag": z.id}
		})
	}
	return c.listAll()
}

// ofEveryZone returns a collection with the resources of all zones of the account. template is the
// collection of one zone. show adds members to the document of a resource.
func (c *resourceCall) ofEveryZone(template string, show func(z *zone, doc map[string]any)) *shelf {
	all := &shelf{path: c.shelf.path, f: c.f, items: map[string]*resource{}}
	for _, z := range c.s.zones {
		if z.accountID != c.account() {
			continue
		}
		for key, r := range c.s.known(strings.Replace(template, "{zone_id}", z.id, 1)).items {
			doc := copyOf(r.doc)
			show(z, doc)
			all.items[z.id+key] = &resource{id: r.id, seq: r.seq, doc: doc, private: r.private, changed: r.changed}
		}
	}
	return all
}

func (c *resourceCall) getCatchAll() (reply, *Error) {
	return reply{result: c.shown(c.shelf.items[catchAll])}, nil
}

func (c *resourceCall) putCatchAll() (reply, *Error) {
	body, err := c.admit(true)
	if err != nil {
		return reply{}, err
	}
	r := c.shelf.items[catchAll]
	doc, _ := c.op.Body.Fill(body).(map[string]any)
	doc["id"] = r.doc["id"]
	if doc["name"] == nil {
		doc["name"] = ""
	}
	if err := prepareMailRule(c, r, doc); err != nil {
		return reply{}, err
	}
	return reply{result: c.shown(c.s.put(c.shelf, catchAll, doc))}, nil
}

// prepareMailRule checks the members of matchers and actions that the document leaves open.
func prepareMailRule(c *resourceCall, before *resource, doc map[string]any) *Error {
	doc["tag"] = doc["id"] // The older name of the ID.
	matchers, _ := doc["matchers"].([]any)
	if len(matchers) == 0 {
		return errMailRule("Invalid Input: a rule needs a matcher.")
	}
	for _, m := range matchers {
		matcher, _ := m.(map[string]any)
		switch {
		case before != nil && before.id == catchAll:
		case matcher["type"] == "all":
			return errMailOperation()
		case matcher["field"] == nil || matcher["value"] == nil || matcher["value"] == "":
			return errMailRule("Invalid Input: a literal matcher needs a field and a value.")
		}
	}
	actions, _ := doc["actions"].([]any)
	if len(actions) != 1 {
		return errMailRule("Invalid Input: only one action per rule is allowed.")
	}
	action, _ := actions[0].(map[string]any)
	return c.checkMailAction(action)
}

func (c *resourceCall) checkMailAction(action map[string]any) *Error {
	values, _ := action["value"].([]any)
	if action["type"] == "drop" {
		return nil
	}
	if len(values) != 1 {
		return errMailRule("Invalid Input: a %s action must contain exactly one value.", action["type"])
	}
	value, _ := values[0].(string)
	if action["type"] == "worker" {
		if c.inAccount("/workers/scripts").items[value] == nil {
			return invalid(CodeMailRuleWorker, "Workers Script Info not found")
		}
		return nil
	}
	verified := slices.ContainsFunc(c.inAccount("/email/routing/addresses").sorted(), func(r *resource) bool {
		return r.text("email") == value && c.verifiedAt(r) != nil
	})
	if !verified {
		return invalid(CodeMailUnverified, "Destination address is not verified")
	}
	return nil
}

func prepareMailAddress(c *resourceCall, before *resource, doc map[string]any) *Error {
	email, _ := doc["email"].(string)
	if local, host, ok := strings.Cut(email, "@"); !ok || local == "" || host == "" {
		return invalid(CodeResourceInvalid, "The email address is invalid.")
	}
	doc["tag"] = doc["id"] // The older name of the ID.
	doc["modified"] = timestamp(c.now)
	if before == nil {
		doc["created"], doc["verified"] = doc["modified"], nil
	}
	return nil
}

// verifiedAt returns the time at which the owner of an address followed the link in Cloudflare's mail, or
// nil if that has not happened.
func (c *resourceCall) verifiedAt(r *resource) any {
	if r.doc["verified"] == nil && c.published(r) {
		return timestamp(r.changed.Add(c.s.options.TenantDelay))
	}
	return r.doc["verified"]
}

func showMailAddress(c *resourceCall, r *resource, shown map[string]any) {
	shown["verified"] = c.verifiedAt(r)
}

// patchMailAddress removes the verification. By the document, no token of a customer may set it.
func (c *resourceCall) patchMailAddress() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	body, err := c.admit(true)
	if err != nil {
		return reply{}, err
	}
	if body["status"] == "verified" {
		return reply{}, errAuthentication()
	}
	doc := copyOf(r.doc)
	doc["verified"], doc["modified"] = nil, timestamp(c.now)
	r.set(doc, c.now)
	return reply{result: c.shown(r)}, nil
}

// disableMailRules disables the rules that forward to a deleted address
// (developers.cloudflare.com/email-routing/setup/email-routing-addresses).
func disableMailRules(c *resourceCall, address *resource) {
	for _, z := range c.s.zones {
		if z.accountID != c.account() {
			continue
		}
		for _, r := range c.s.known(strings.Replace(mailRules, "{zone_id}", z.id, 1)).sorted() {
			actions, _ := r.doc["actions"].([]any)
			forwards := slices.ContainsFunc(actions, func(a any) bool {
				action, _ := a.(map[string]any)
				values, _ := action["value"].([]any)
				return action["type"] == "forward" && slices.Contains(values, any(address.text("email")))
			})
			if forwards {
				doc := copyOf(r.doc)
				doc["enabled"] = false
				r.set(doc, c.now)
			}
		}
	}
}
