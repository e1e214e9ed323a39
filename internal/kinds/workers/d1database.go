// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// D1Database describes databases of D1.
func D1Database() kind.Description {
	return kind.Description{
		Group: "workers", Name: "D1Database", Short: "cfd1", Noun: "D1 database", Scope: kind.Account,
		Doc:       "A D1Database is an SQL database that Workers query. Its deletion destroys all data in it.",
		Terraform: "cloudflare_d1_database",
		List:      "GET /accounts/{account_id}/d1/database",
		Create:    "POST /accounts/{account_id}/d1/database",
		Read:      "GET /accounts/{account_id}/d1/database/{database_id}",
		Update:    "PATCH /accounts/{account_id}/d1/database/{database_id}",
		Delete:    "DELETE /accounts/{account_id}/d1/database/{database_id}",
		Page:      kind.Page{Max: 1000}, Mode: kind.DeclaredOnly,
		Fields: map[string]kind.Field{
			"name":                  {Doc: "The name of the database, which is unique in the account."},
			"primary_location_hint": {WriteOnly: true, Doc: "Where to put the primary instance of the database. Cloudflare takes it as a hint, and only at the creation."},
			"jurisdiction":          {Doc: "The jurisdiction in which the database runs and stores data. A database with a jurisdiction takes no location hint."},
			"read_replication":      {Doc: "How the database is replicated for reads."},
			"read_replication.mode": {Doc: "Whether Cloudflare makes read replicas of the database (auto) or not (disabled)."},
			"num_tables":            {Doc: "How many tables the database has."},
			"version":               {Doc: "The version of D1 that the database has, such as production."},
		},
		Observe: []string{"name", "jurisdiction", "version", "read_replication", "num_tables", "file_size", "created_at"},
		Columns: []string{"DATABASE=name", "-JURISDICTION=jurisdiction", "-TABLES=num_tables"},
		ID:      "uuid", Natural: []string{"name"},
		ListOmits: []string{"read_replication"},
		Gone:      []kind.Code{{Status: 404, Code: 7404}}, Exists: []kind.Code{{Code: 7502}},
		Refused: []kind.Refusal{{Code: kind.Code{Code: 7406}, Reason: "TooManyDatabases", Remedy: "delete a database that nobody needs, or have Cloudflare raise the limit of the account"}},

		Permissions: []string{"D1 Write"}, Plan: "All plans",
	}
}
