// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package workers describes the kinds of Cloudflare Workers.
package workers

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// KVNamespace describes namespaces of Workers KV.
func KVNamespace() kind.Description {
	return kind.Description{
		Group: "workers", Name: "KVNamespace", Short: "cfkv", Noun: "KV namespace", Scope: kind.Account,
		Doc:       "A KVNamespace holds keys and values that Workers read at the edge. Its deletion deletes all keys in it.",
		Terraform: "cloudflare_workers_kv_namespace",
		List:      "GET /accounts/{account_id}/storage/kv/namespaces",
		Create:    "POST /accounts/{account_id}/storage/kv/namespaces",
		Read:      "GET /accounts/{account_id}/storage/kv/namespaces/{namespace_id}",
		Update:    "PUT /accounts/{account_id}/storage/kv/namespaces/{namespace_id}",
		Delete:    "DELETE /accounts/{account_id}/storage/kv/namespaces/{namespace_id}",
		Page:      kind.Page{Max: 1000}, ReadOnly: []string{"id", "supports_url_encoding"},
		Fields: map[string]kind.Field{
			"title": {Doc: "Title of the namespace, which is unique in the account."},
		},
		Observe: []string{"title", "supports_url_encoding"},
		Columns: []string{"TITLE=title"},
		Natural: []string{"title"},
		Gone:    []kind.Code{{Status: 404, Code: 10013}},
		Exists:  []kind.Code{{Code: 10014}},

		Permissions: []string{"Workers KV Storage Write"}, Plan: "All plans",
	}
}
