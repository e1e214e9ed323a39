// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import "net/http"

// Codes of D1 that Cloudflare's own client handles (cloudflare/workers-sdk, packages/wrangler/src/d1).
const (
	CodeDatabaseNotFound = 7404
	CodeDatabaseExists   = 7502
)

// emptyDatabase is the size in bytes of a database without tables.
const emptyDatabase = 12288

// databaseFamily returns D1 databases. By the document, a list leaves out the replication, the size and the
// number of tables. The source for read_replication as {mode} or absent is the Terraform provider's commit
// 298799b.
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

// prepareDatabase sets the members that the server generates for a new database. It drops the hint for the
// location, which no response has.
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
