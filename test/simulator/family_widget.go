// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// widgetFamily returns Turnstile widgets. Each response has the secret, except lists.
func widgetFamily() *family {
	const widget = "/accounts/{account_id}/challenges/widgets/{sitekey}"
	return &family{
		list: "/accounts/{account_id}/challenges/widgets", parameter: "sitekey", shape: idHex, member: "sitekey",
		prepare: prepareWidget,
		show: func(c *resourceCall, r *resource, shown map[string]any) {
			shown["secret"] = r.doc["secret"]
			if c.id == "" && c.r.Method == http.MethodGet {
				delete(shown, "secret")
			}
		},
		deletion: func(c *resourceCall, r *resource) any { return c.shown(r) },
		more:     map[string]handler{"POST " + widget + "/rotate_secret": (*resourceCall).rotateWidget},
	}
}

// prepareWidget sets the defaults that the document does not have. offlabel is for
// Enterprise only (Terraform provider, issue 3093). In the simulator, a
// TrapEntitlementRefusal refuses it.
func prepareWidget(c *resourceCall, before *resource, doc map[string]any) *Error {
	for member, value := range map[string]any{
		"bot_fight_mode": false, "clearance_level": "no_clearance", "ephemeral_id": false, "offlabel": false,
	} {
		if doc[member] == nil {
			doc[member] = value
		}
	}
	domains, _ := doc["domains"].([]any)
	if len(domains) > 10 {
		return invalid(CodeResourceInvalid, "A widget has ten domains at most.")
	}
	if before == nil {
		doc["secret"] = "0x4AAA" + c.s.newID()
	} else {
		doc["secret"], doc["region"] = before.doc["secret"], before.doc["region"]
	}
	return nil
}

// rotateWidget generates a new secret. In the API, the former secret is valid for two
// more hours, or ends at once with invalidate_immediately. The simulator keeps only the
// new one.
func (c *resourceCall) rotateWidget() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	if _, err := c.admit(true); err != nil {
		return reply{}, err
	}
	doc := copyOf(r.doc)
	doc["secret"] = "0x4AAA" + c.s.newID()
	r.set(doc, c.now)
	return reply{result: c.shown(r)}, nil
}

// queueFamily returns queues. Their consumers are a family of their own.
func queueFamily() *family {
	return &family{
		list: "/accounts/{account_id}/queues", parameter: "queue_id", shape: idHex, member: "queue_id",
		unique: []uniqueness{{[]string{"queue_name"}, func() *Error {
			return refuse(http.StatusConflict, CodeQueueExists, "A queue of this name exists already.")
		}}},
		missing:  func() *Error { return refuse(http.StatusNotFound, CodeQueueNotFound, "The queue does not exist.") },
		prepare:  prepareQueue,
		deletion: func(*resourceCall, *resource) any { return nil },
	}
}

// Codes of queues. Both numbers have only one weak source.
const (
	CodeQueueExists   = 11009
	CodeQueueNotFound = 11000
)

// prepareQueue sets the defaults of the settings. The document has none. They come from
// the product documentation.
func prepareQueue(_ *resourceCall, before *resource, doc map[string]any) *Error {
	if before != nil && doc["queue_name"] == nil {
		doc["queue_name"] = before.doc["queue_name"]
	}
	if name, _ := doc["queue_name"].(string); name == "" {
		return invalid(CodeResourceInvalid, "The name of a queue must not be empty.")
	}
	settings, _ := doc["settings"].(map[string]any)
	filled := map[string]any{"delivery_delay": 0, "delivery_paused": false, "message_retention_period": 345600}
	for member, value := range settings {
		filled[member] = apidoc.Copy(value)
	}
	doc["settings"] = filled
	for member, value := range map[string]any{
		"consumers": []any{}, "producers": []any{}, "consumers_total_count": 0, "producers_total_count": 0,
	} {
		if doc[member] == nil {
			doc[member] = value
		}
	}
	return nil
}
