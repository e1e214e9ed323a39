// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// Queue describes queues of messages.
func Queue() kind.Description {
	return kind.Description{
		Group: "workers", Name: "Queue", Short: "cfq", Noun: "queue", Scope: kind.Account,
		Doc:       "A Queue holds messages that Workers send and receive. Its deletion deletes the messages in it.",
		Terraform: "cloudflare_queue",
		List:      "GET /accounts/{account_id}/queues",
		Create:    "POST /accounts/{account_id}/queues",
		Read:      "GET /accounts/{account_id}/queues/{queue_id}",
		Update:    "PATCH /accounts/{account_id}/queues/{queue_id}",
		Delete:    "DELETE /accounts/{account_id}/queues/{queue_id}",
		Mode:      kind.DeclaredOnly,
		Fields: map[string]kind.Field{
			"queue_name": {Doc: "The name of the queue, which is unique in the account."},
			"settings":   {Doc: "How messages are delivered and kept."},
		},
		Observe:  []string{"queue_name", "consumers_total_count", "producers_total_count", "created_on", "modified_on"},
		Columns:  []string{"QUEUE=queue_name", "CONSUMERS=consumers_total_count", "PRODUCERS=producers_total_count"},
		ID:       "queue_id",
		Natural:  []string{"queue_name"},
		Gone:     []kind.Code{{Status: 404}},
		Exists:   []kind.Code{{Code: 11009}, {Status: 409}},
		ReadOnly: []string{"queue_id", "consumers", "consumers_total_count", "producers", "producers_total_count", "created_on", "modified_on"},

		Permissions: []string{"Queues Write", "Workers Scripts Write"}, Plan: "All plans",
		Excused: map[string]string{"ImmutableRefused": "all that it has can be changed"},
	}
}
