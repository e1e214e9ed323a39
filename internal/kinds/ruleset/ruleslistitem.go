// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ruleset

import (
	"net/netip"
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// RulesListItem describes one item of a list.
func RulesListItem() kind.Description {
	return kind.Description{
		Group: "ruleset", Name: "RulesListItem", Short: "cfrli", Noun: "list item", Scope: kind.Account, Shape: kind.Fragment,
		Doc:       "A RulesListItem is one item of a list: an address or a network, a host name, an AS number or a redirect. Many objects, of several namespaces, too, share a list, and items that no object declares stay as they are. An object is for one value, which is its external name. Changes are sent in groups: Cloudflare carries out one operation of an account at a time, which takes some seconds.",
		Terraform: "cloudflare_list_item",
		List:      "GET /accounts/{account_id}/rules/lists/{list_id}/items",
		Create:    "POST /accounts/{account_id}/rules/lists/{list_id}/items",
		Update:    "POST /accounts/{account_id}/rules/lists/{list_id}/items",
		Delete:    "DELETE /accounts/{account_id}/rules/lists/{list_id}/items",
		Bulk:      "GET /accounts/{account_id}/rules/lists/bulk_operations/{operation_id}",
		Page:      kind.Page{Max: 500, Cursor: true}, Part: "[]",
		Choice: &kind.OneOf{
			Members: []string{"asn", "hostname", "ip", "redirect"},
			Parents: "GET /accounts/{account_id}/rules/lists", Parameter: "list_id", By: "kind", Noun: "list",
		},
		Fields: map[string]kind.Field{
			"list_id":               {Ref: "RulesList", Doc: "The list that the item is in."},
			"ip":                    {Immutable: true, Canonical: address, Doc: "An IPv4 or IPv6 address, or a network in CIDR notation, for a list of the kind ip."},
			"asn":                   {Immutable: true, Doc: "The number of an autonomous system, for a list of the kind asn."},
			"hostname":              {Doc: "A host name, for a list of the kind hostname."},
			"hostname.url_hostname": {Immutable: true, Canonical: strings.ToLower, Doc: "The host name, or a wildcard such as *.example.com."},
			"id":                    {Name: "itemId", Doc: "ID of the item at Cloudflare."},

			"redirect":                       {Doc: "A redirect, for a list of the kind redirect."},
			"redirect.source_url":            {Immutable: true, Canonical: sourceURL, Doc: "What is redirected: a URL with or without its scheme."},
			"redirect.target_url":            {Doc: "Where requests are redirected to."},
			"redirect.status_code":           {Doc: "The HTTP status of the redirect."},
			"redirect.include_subdomains":    {Doc: "Whether subdomains of the source are redirected, too."},
			"redirect.subpath_matching":      {Doc: "Whether paths below that of the source are redirected, too."},
			"redirect.preserve_path_suffix":  {Doc: "With subpathMatching, whether the rest of the path is added to the target."},
			"redirect.preserve_query_string": {Doc: "Whether the query of a request is kept."},
		},
		Observe:  []string{"id", "ip", "asn", "hostname", "redirect", "comment", "created_on", "modified_on"},
		Columns:  []string{"COMMENT=comment", "-ITEM=id"},
		Natural:  []string{"ip", "hostname.url_hostname", "redirect.source_url", "asn"},
		Gone:     []kind.Code{{Status: 404}},
		ReadOnly: []string{"id", "created_on", "modified_on"},

		Permissions: []string{"Account Filter Lists Edit"}, Plan: "All plans, with a number of items by plan", Sweep: time.Minute,
		Excused: map[string]string{
			"Busy":         "nothing refers to it",
			"FalseOmitted": "the item of the example has no flags: TestFlagsOfRedirects shows one that has",
		},
	}
}

// address returns an address or a network as Cloudflare stores it: without the prefix length of a
// host, the bits behind the prefix, and the zeros that IPv6 may leave out.
func address(text string) string {
	if a, err := netip.ParseAddr(text); err == nil {
		return a.String()
	}
	p, err := netip.ParsePrefix(text)
	switch {
	case err != nil:
		return text
	case p.IsSingleIP():
		return p.Addr().String()
	}
	return p.Masked().String()
}

// sourceURL returns a URL with its scheme and host in lower case, and with a path.
func sourceURL(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		scheme, rest = "", text
	} else {
		scheme = strings.ToLower(scheme) + "://"
	}
	if rest == "" {
		return text
	}
	host, path := rest, "/"
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	return scheme + strings.ToLower(host) + path
}
