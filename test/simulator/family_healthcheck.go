// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"maps"
	"regexp"
	"slices"
)

// healthcheckFamily returns the health checks of a zone that belong to no load balancer. The defaults of
// their configuration depend on the type.
func healthcheckFamily() *family {
	return &family{
		list: "/zones/{zone_id}/healthchecks", parameter: "healthcheck_id", shape: idHex,
		prepare: prepareHealthcheck,
	}
}

func prepareHealthcheck(_ *resourceCall, _ *resource, doc map[string]any) *Error {
	kind := textOf(doc, "type")
	if !slices.Contains([]string{"", "HTTP", "HTTPS", "TCP"}, kind) || !isCheckName(textOf(doc, "name")) {
		return invalid(CodeResourceInvalid, "The type has to be HTTP, HTTPS or TCP, and the name to have letters, digits, hyphens and underscores alone.")
	}
	by, other := "http_config", "tcp_config"
	config := map[string]any{
		"method": "GET", "port": 80, "path": "/", "expected_codes": []any{"200"}, "expected_body": "", "follow_redirects": false,
		"allow_insecure": false, "header": nil,
	}
	if kind == "HTTPS" {
		config["port"] = 443
	}
	if kind == "TCP" {
		by, other = other, by
		config = map[string]any{"method": "connection_established", "port": 80}
	}
	given, _ := doc[by].(map[string]any)
	maps.Copy(config, given)
	doc[by], doc[other] = config, nil
	doc["status"], doc["failure_reason"] = "healthy", ""
	if doc["suspended"] == true {
		doc["status"] = "suspended"
	}
	return nil
}

// isCheckName reports whether a name follows the rule that the document states in words.
func isCheckName(name string) bool { return regexp.MustCompile(`^[A-Za-z0-9_-]+$`).MatchString(name) }
