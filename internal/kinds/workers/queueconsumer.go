// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// QueueConsumer describes the Workers and programs that get the messages of queues.
func QueueConsumer() kind.Description {
	const consumers = "/accounts/{account_id}/queues/{queue_id}/consumers"
	return kind.Description{
		Group: "workers", Name: "QueueConsumer", Short: "cfqc", Noun: "queue consumer", Scope: kind.Account,
		Doc:       "A QueueConsumer is who gets the messages of a queue: a Worker that Cloudflare calls with them, or a program that pulls them over HTTP. A queue has one.",
		Terraform: "cloudflare_queue_consumer",
		List:      "GET " + consumers,
		Create:    "POST " + consumers,
		Read:      "GET " + consumers + "/{consumer_id}",
		Update:    "PUT " + consumers + "/{consumer_id}",
		Delete:    "DELETE " + consumers + "/{consumer_id}",
		Fields: map[string]kind.Field{
			"queue_id": {Ref: "Queue", Doc: "The ID of the queue."},
			"type":     {Immutable: true, Doc: "Who gets the messages: a Worker (worker), or a program that pulls them (http_pull)."},
			// The document has another name for it than answers (alchemy-run/alchemy, pull request 257).
			"script_name":                    {Ref: "WorkerScript", Answer: "script", Optional: true, Because: "a program that pulls messages has none", Doc: "The name of the Worker. Its code must have a handler named queue."},
			"queue_name":                     {Doc: "The name of the queue."},
			"dead_letter_queue":              {Doc: "The name of the queue for messages that were delivered too often."},
			"settings":                       {By: "type", Doc: "How messages are delivered."},
			"settings.batch_size":            {Doc: "The most messages in a batch."},
			"settings.max_concurrency":       {Doc: "The most invocations of the Worker at once. Left out, there are as many as the messages need."},
			"settings.max_retries":           {Doc: "How often a message is delivered again."},
			"settings.max_wait_time_ms":      {Doc: "For how many milliseconds Cloudflare waits for a batch to be full."},
			"settings.retry_delay":           {Doc: "For how many seconds a message that is delivered again is held back."},
			"settings.visibility_timeout_ms": {Doc: "For how many milliseconds a message that was pulled is held back from others."},
		},
		Observe: []string{"type", "queue_name", "dead_letter_queue", "created_on"},
		Columns: []string{"QUEUE=queue_name", "TYPE=type"},
		ID:      "consumer_id",
		Natural: []string{"type"},
		Gone:    []kind.Code{{Status: 404}},
		Exists:  []kind.Code{{Code: 11004}},
		Refused: []kind.Refusal{
			{Code: kind.Code{Code: 11001}, Reason: "QueueHandlerMissing", Remedy: "give the code of the Worker a handler named queue"},
		},
		ReadOnly: []string{"consumer_id", "created_on", "queue_name"},

		Permissions: []string{"Queues Write", "Workers Scripts Write"}, Plan: "All plans",
		Excused: map[string]string{
			"Busy":        "nothing refers to it",
			"ManyOneList": "a queue has one",
		},
	}
}
