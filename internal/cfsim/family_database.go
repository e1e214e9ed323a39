// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import "net/http"

// Codes of D1, which Cloudflare's own client decides on (cloudflare/workers-sdk, packages/wrangler/src/d1).
const (
	CodeDatabaseNotFound = 7404
	CodeDatabaseExists   = 7502
)

// emptyDatabase is the size in bytes of a database without tables.
const emptyDatabase = 12288

// databaseFamily is D1. A list leaves out whether a database is replicated, and what is in it; the document
// says so. That read_replication is {mode} or absent is of the Terraform provider's commit 298799b.
func databaseFamily() *family {
	const databases = "/accounts/{account_id}/d1/database"
	return &family{
		list: databases, parameter: "database_id", shape: idUUID, member: "uuid",
		unique: []uniqueness{{[]string{"name"}, func() *Error {
			return invalid(CodeDatabaseExists, "A database with that name already exists.")
		}}},
		missing: func() *Error {
			return refuse(http.StatusNotFound, CodeDatabaseNotFound, "The database could not be found.")
		},
		prepare: prepareDatabase,
		show: func(c *resourceCall, _ *resource, shown map[string]any) {
			if c.id != "" || c.r.Method != http.MethodGet {
				return
			}
			for _, name := range []string{"read_replication", "file_size", "num_tables"} {
				delete(shown, name)
			}
		},
		deletion: func(*resourceCall, *resource) any { return nil },
	}
}

// prepareDatabase gives a new database what the server alone says of it. Where it is to be is a hint, and in no
// answer.
func prepareDatabase(_ *resourceCall, before *resource, doc map[string]any) *Error {
	delete(doc, "primary_location_hint")
	if before != nil {
		return nil
	}
	doc["version"], doc["num_tables"], doc["file_size"] = "production", 0, emptyDatabase
	if _, given := doc["jurisdiction"]; !given {
		doc["jurisdiction"] = nil
	}
	if doc["read_replication"] == nil {
		doc["read_replication"] = map[string]any{"mode": "disabled"}
	}
	return nil
}
