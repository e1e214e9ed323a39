// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// WorkerCronTrigger describes when Cloudflare calls a Worker.
func WorkerCronTrigger() kind.Description {
	const schedules = "/accounts/{account_id}/workers/scripts/{script_name}/schedules"
	return kind.Description{
		Group: "workers", Name: "WorkerCronTrigger", Short: "cfwc", Noun: "cron trigger", Scope: kind.Account, Shape: kind.Singleton,
		Doc:       "A WorkerCronTrigger says when Cloudflare calls a Worker: it holds all schedules of the Worker, whose code must have a handler named scheduled. Its deletion removes them.",
		Terraform: "cloudflare_workers_cron_trigger",
		Read:      "GET " + schedules,
		Update:    "PUT " + schedules, Bare: "schedules",
		Fields: map[string]kind.Field{
			"script_name":      {Ref: "WorkerScript", Doc: "The name of the Worker."},
			"schedules":        {Set: true, Key: "cron", MinItems: 1, MaxItems: 100, Doc: "The schedules. One that is not declared is removed. To have none, delete this object."},
			"schedules[].cron": {Required: true, MaxLen: 255, Doc: `When to call the Worker, in UTC: a cron expression with five fields, such as "*/30 * * * *".`},
		},
		Observe:  []string{"schedules"},
		Columns:  []string{"SCHEDULE=schedules[0].cron"},
		ID:       "script_name",
		Gone:     []kind.Code{{Code: 10007}},
		Skip:     unscheduled,
		ReadOnly: []string{"schedules[].created_on", "schedules[].modified_on"},
		OnDelete: kind.Deletion{Verb: "PUT " + schedules, Body: map[string]any{"schedules": []any{}}},

		Permissions: []string{"Workers Scripts Write"}, Plan: "All plans, with a limit for each account",
		Excused: map[string]string{
			"LostAnswer":  "it is never created",
			"Busy":        "nothing refers to it",
			"GoneOutside": "it belongs to its Worker",
			"ManyOneList": "a Worker has one",

			"FieldUpdated":          "a schedule has nothing but its expression, by which it is known: TestSchedules changes them",
			"ForeignChangeReverted": "the same: TestSchedules has somebody else change them",
		},
	}
}

// unscheduled reports whether a Worker has no schedules.
func unscheduled(doc kind.Document) bool {
	schedules, _ := doc["schedules"].([]any)
	return len(schedules) == 0
}
