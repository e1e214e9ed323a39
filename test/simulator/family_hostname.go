// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"maps"
	"net/http"
	"strings"
)

// hostnameFamily returns the custom hostnames of SaaS zones. They are unique in the zone. Responses
// have the records that a tenant must publish. A hostname is pending until Options.TenantDelay is
// over, or until a test changes it (EditResource, or a trap of a converging status).
func hostnameFamily() *family {
	has := func(match func(have, want string) bool) filter {
		return func(r *resource, value string) bool { return match(r.text("hostname"), strings.ToLower(value)) }
	}
	return &family{
		list: "/zones/{zone_id}/custom_hostnames", parameter: "custom_hostname_id", shape: idUUID,
		unique: []uniqueness{{[]string{"hostname"}, func() *Error {
			return refuse(http.StatusConflict, CodeResourceConflict, "There is a custom hostname of this name already.")
		}}},
		prepare: prepareHostname, show: showHostname,
		filters: map[string]filter{
			"hostname.exact":      has(func(have, want string) bool { return have == want }),
			"hostname.contain":    has(strings.Contains),
			"hostname.startsWith": has(strings.HasPrefix),
			"hostname":            has(strings.Contains),
		},
	}
}

func prepareHostname(c *resourceCall, before *resource, doc map[string]any) *Error {
	name, _ := doc["hostname"].(string)
	name, ok := zoneName(name)
	if !ok {
		return invalid(CodeResourceInvalid, "The hostname must be a domain name.")
	}
	doc["hostname"] = name
	if before == nil {
		doc["status"] = "pending"
		doc["ownership_verification"] = map[string]any{"type": "txt", "name": "_cf-custom-hostname." + name, "value": c.s.newUUID()}
		doc["ownership_verification_http"] = map[string]any{
			"http_url": "http://" + name + "/.well-known/cf-custom-hostname-challenge/" + c.s.newUUID(), "http_body": c.s.newUUID(),
		}
	}
	if before != nil && c.published(before) {
		validateHostname(doc)
	}
	ssl, given := doc["ssl"].(map[string]any)
	if !given || (before != nil && !c.gives("ssl")) {
		return nil
	}
	return c.issue(name, ssl)
}

// showHostname shows a hostname as validated after its tenant has had the time to publish the
// records.
func showHostname(c *resourceCall, r *resource, shown map[string]any) {
	if c.published(r) {
		validateHostname(shown)
	}
}

// published reports whether the tenant has had the time to publish the records.
func (c *resourceCall) published(r *resource) bool {
	return c.s.options.TenantDelay > 0 && c.now.Sub(r.changed) >= c.s.options.TenantDelay
}

// validateHostname makes a hostname and its certificate active. The records to publish are removed
// (Terraform provider, issue 1466).
func validateHostname(doc map[string]any) {
	if doc["status"] == "pending" {
		doc["status"] = "active"
		delete(doc, "ownership_verification")
		delete(doc, "ownership_verification_http")
	}
	if ssl, _ := doc["ssl"].(map[string]any); ssl["status"] == "initializing" {
		ssl = maps.Clone(ssl)
		ssl["status"] = "active"
		delete(ssl, "validation_records")
		doc["ssl"] = ssl
	}
}

// issue starts a new certificate. Each PATCH of ssl does.
func (c *resourceCall) issue(name string, ssl map[string]any) *Error {
	ssl["id"], ssl["status"] = c.s.newUUID(), "initializing"
	for member, value := range map[string]any{
		"type": "dv", "method": "http", "certificate_authority": "google", "bundle_method": "ubiquitous", "wildcard": false,
		"settings": map[string]any{},
	} {
		if ssl[member] == nil {
			ssl[member] = value
		}
	}
	if ssl["method"] == "txt" {
		ssl["validation_records"] = []any{map[string]any{"status": "pending", "txt_name": "_acme-challenge." + name, "txt_value": c.s.newID()}}
	}
	return nil
}
