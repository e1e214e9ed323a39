// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"maps"
	"net/http"
	"path"
	"slices"
)

// Codes of consumers of queues (alchemy-run/distilled, pull request 273, and cloudflare/workers-sdk, issue
// 5347). The code for an unknown consumer is not known.
const (
	CodeQueueHandlerMissing = 11001
	CodeConsumerExists      = 11004
)

// consumerFamily returns the consumer of a queue. A queue has one at most. The name of the Worker is script in
// responses, and script_name in requests (alchemy-run/alchemy, pull request 257).
func consumerFamily() *family {
	const consumers = "/accounts/{account_id}/queues/{queue_id}/consumers"
	const consumer = consumers + "/{consumer_id}"
	return &family{
		list: consumers, parameter: "consumer_id", shape: idHex, member: "consumer_id",
		prepare: prepareConsumer,
		show: func(_ *resourceCall, _ *resource, shown map[string]any) {
			if script, ok := shown["script_name"]; ok {
				shown["script"] = script
				delete(shown, "script_name")
			}
		},
		deletion: func(*resourceCall, *resource) any { return nil },
		more: map[string]handler{
			"GET " + consumers:   inQueue((*resourceCall).listAll),
			"POST " + consumers:  inQueue(noted((*resourceCall).create)),
			"GET " + consumer:    inQueue((*resourceCall).get),
			"PUT " + consumer:    inQueue(noted((*resourceCall).replace)),
			"DELETE " + consumer: inQueue(noted((*resourceCall).delete)),
		},
	}
}

// queue returns the queue of the path, or nil if there is none.
func (c *resourceCall) queue() *resource {
	queue := path.Dir(c.shelf.path)
	return c.s.known(path.Dir(queue)).items[path.Base(queue)]
}

// inQueue wraps h so that it refuses requests below a queue that does not exist.
func inQueue(h handler) handler {
	return func(c *resourceCall) (reply, *Error) {
		if c.queue() == nil {
			return reply{}, refuse(http.StatusNotFound, CodeQueueNotFound, "The queue does not exist.")
		}
		return h(c)
	}
}

// prepareConsumer refuses a second consumer, a change of the type, and a Worker without a queue handler. It
// sets the defaults of the product documentation.
func prepareConsumer(c *resourceCall, before *resource, doc map[string]any) *Error {
	if before == nil && len(c.shelf.items) > 0 {
		return refuse(http.StatusBadRequest, CodeConsumerExists, "workers.api.error.consumer_exists")
	}
	if before != nil && before.doc["type"] != doc["type"] {
		return invalid(CodeResourceInvalid, "The type of a consumer cannot change.")
	}
	filled := map[string]any{"batch_size": 10, "max_retries": 3, "retry_delay": 0, "visibility_timeout_ms": 30000}
	if doc["type"] == "worker" {
		delete(filled, "visibility_timeout_ms")
		filled["max_wait_time_ms"] = 5000
		script := c.beside("/workers/scripts").items[textOf(doc, "script_name")]
		if script == nil {
			return refuse(http.StatusNotFound, CodeScriptNotFound, "This Worker does not exist on your account.")
		}
		if handlers, _ := script.doc["handlers"].([]any); !slices.Contains(handlers, any("queue")) {
			return invalid(CodeQueueHandlerMissing, "queue handler is missing")
		}
	}
	given, _ := doc["settings"].(map[string]any)
	maps.Copy(filled, given)
	doc["settings"], doc["queue_name"] = filled, c.queue().doc["queue_name"]
	return nil
}

// noted wraps h so that it updates the list of consumers in the queue.
func noted(h handler) handler {
	return func(c *resourceCall) (reply, *Error) {
		out, err := h(c)
		if err != nil {
			return out, err
		}
		queue, all := c.queue(), []any{}
		for _, r := range c.shelf.sorted() {
			all = append(all, c.shown(r))
		}
		doc := copyOf(queue.doc)
		doc["consumers"], doc["consumers_total_count"] = all, len(all)
		queue.set(doc, c.now)
		return out, nil
	}
}
