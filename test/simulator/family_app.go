// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"slices"
)

// prepareApp sets an application's audience and the parts of its type, and reduces its
// policies to their IDs in order.
func prepareApp(c *resourceCall, before *resource, doc map[string]any) *Error {
	if before == nil {
		doc["aud"] = c.s.newID() + c.s.newID()
	}
	if doc["type"] == "self_hosted" && (doc["domain"] == nil || doc["domain"] == "") {
		return invalid(CodeResourceInvalid, "A self-hosted application must have a domain.")
	}
	if err := prepareSaas(c, before, doc); err != nil {
		return err
	}
	return c.bindPolicies(before, doc)
}

// bindPolicies reads the policies of a body: IDs, or objects with an ID and a
// precedence. A PUT without policies keeps those of the application: null means
// unchanged there (Terraform provider, pull requests 3469 and 5817).
func (c *resourceCall) bindPolicies(before *resource, doc map[string]any) *Error {
	list, given := doc["policies"].([]any)
	if !given {
		doc["policies"] = []any{}
		if before != nil {
			doc["policies"] = before.doc["policies"]
		}
		return nil
	}
	type bound struct {
		id         string
		precedence float64
	}
	var policies []bound
	for i, p := range list {
		b := bound{precedence: float64(i + 1)}
		switch p := p.(type) {
		case string:
			b.id = p
		case map[string]any:
			b.id, _ = p["id"].(string)
			if n, ok := number(p["precedence"]); ok {
				b.precedence = n
			}
		}
		if c.inAccount("/access/policies").items[b.id] == nil {
			return invalid(CodeResourceInvalid, "There is no reusable policy of this ID.")
		}
		policies = append(policies, b)
	}
	slices.SortStableFunc(policies, func(a, b bound) int { return int(a.precedence - b.precedence) })
	ids := make([]any, 0, len(policies))
	for _, p := range policies {
		ids = append(ids, p.id)
	}
	doc["policies"] = ids
	return nil
}

// prepareSaas sets the parts of an application of type saas that the server generates.
func prepareSaas(c *resourceCall, before *resource, doc map[string]any) *Error {
	app, _ := doc["saas_app"].(map[string]any)
	if doc["type"] != "saas" {
		return nil
	}
	if app == nil {
		return invalid(CodeResourceInvalid, "An application of type saas must have saas_app.")
	}
	var former map[string]any
	if before != nil {
		former, _ = before.doc["saas_app"].(map[string]any)
	}
	made := map[string]string{"public_key": "MIIB" + c.s.newID(), "client_id": c.s.newID(), "client_secret": c.s.newID() + c.s.newID()}
	names := []string{"public_key"}
	if app["auth_type"] == "oidc" {
		names = []string{"public_key", "client_id", "client_secret"}
	} else {
		made["idp_entity_id"] = "https://example.cloudflareaccess.com"
		made["sso_endpoint"] = "https://example.cloudflareaccess.com/cdn-cgi/access/sso/saml/" + c.s.newID()
		names = append(names, "idp_entity_id", "sso_endpoint")
	}
	for _, name := range names {
		if former[name] != nil {
			app[name] = former[name]
		} else if app[name] == nil {
			app[name] = made[name]
		}
	}
	return nil
}

// revealSaasSecret shows the client's secret. It runs on creation only.
func revealSaasSecret(_ *resourceCall, r *resource, shown map[string]any) {
	stored, _ := r.doc["saas_app"].(map[string]any)
	app, _ := shown["saas_app"].(map[string]any)
	if app != nil && stored["client_secret"] != nil {
		app["client_secret"] = stored["client_secret"]
	}
}

// showApp expands the policies (Terraform provider, issues 5495 and 5499).
func showApp(c *resourceCall, r *resource, shown map[string]any) {
	expanded := []any{}
	policies := c.inAccount("/access/policies")
	for i, id := range policiesOf(r.doc) {
		policy := policies.items[id]
		if policy == nil {
			continue
		}
		object := copyOf(policy.doc)
		object["precedence"] = i + 1
		delete(object, "reusable")
		expanded = append(expanded, object)
	}
	shown["policies"] = expanded
	if app, ok := shown["saas_app"].(map[string]any); ok && c.r.Method == http.MethodGet {
		delete(app, "client_secret")
	}
}
