// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strings"
)

// gatewayFamilies returns the policies and the locations of Cloudflare Gateway, and the posture rules for
// devices.
func gatewayFamilies() []*family {
	zeroTrust := []string{"Zero Trust Write"}
	return []*family{
		{
			list: "/accounts/{account_id}/gateway/rules", parameter: "rule_id", shape: idUUID, groups: zeroTrust,
			prepare: prepareGatewayPolicy, deletion: emptyResult,
		},
		{
			list: "/accounts/{account_id}/gateway/locations", parameter: "location_id", shape: idUUID, groups: zeroTrust,
			unique: []uniqueness{{[]string{"name"}, func() *Error {
				return refuse(http.StatusConflict, CodeResourceConflict, "A location of this name exists already.")
			}}},
			seed: seedGatewayLocation, prepare: prepareGatewayLocation, busy: busyGatewayLocation, deletion: emptyResult,
		},
		{
			list: "/accounts/{account_id}/devices/posture", parameter: "rule_id", shape: idUUID, groups: zeroTrust,
			prepare: preparePosture,
		},
	}
}

// prepareGatewayPolicy formats the expressions, as the document says, and sets the settings that a request
// leaves out, as Cloudflare does (Terraform provider, issue 5394). The precedence of a policy that asks for
// none is not known. In the simulator it is the last.
func prepareGatewayPolicy(c *resourceCall, _ *resource, doc map[string]any) *Error {
	for _, name := range []string{"traffic", "identity", "device_posture"} {
		doc[name] = formatted(textOf(doc, name))
	}
	if doc["precedence"] == nil {
		doc["precedence"] = 1000 * (len(c.shelf.items) + 1)
	}
	settings := map[string]any{
		"block_page_enabled": false, "block_reason": "", "override_host": "", "override_ips": nil, "l4override": nil,
		"add_headers": nil, "check_session": nil, "insecure_disable_dnssec_validation": false, "egress": nil, "payload_log": nil,
	}
	given, _ := doc["rule_settings"].(map[string]any)
	maps.Copy(settings, given)
	doc["rule_settings"] = settings
	version, _ := doc["version"].(int)
	doc["version"], doc["read_only"], doc["sharable"], doc["source_account"], doc["deleted_at"], doc["warning_status"] = version+1, false, false, "", nil, nil
	return nil
}

// formatted returns an expression with one space between words, and no space after an opening or before a
// closing bracket. Quoted strings stay as they are.
func formatted(expression string) string {
	var out string
	for _, part := range regexp.MustCompile(`"(?:[^"\\]|\\.)*"?|[^\s"]+`).FindAllString(expression, -1) {
		if out != "" && !strings.ContainsAny(out[len(out)-1:], "({[") && !strings.ContainsAny(part[:1], ")}]") {
			out += " "
		}
		out += part
	}
	return out
}

// seedGatewayLocation adds the location that an account has from the start.
func seedGatewayLocation(s *Server, sh *shelf) {
	id := s.newUUID()
	doc := map[string]any{"id": id, "name": "Default Location", "client_default": true, "ecs_support": false, "networks": nil}
	giveResolver(doc)
	doc["created_at"], doc["updated_at"] = timestamp(s.now()), timestamp(s.now())
	s.put(sh, id, doc)
}

// giveResolver sets the addresses of a location, and its endpoints if the request has none.
func giveResolver(doc map[string]any) {
	short := strings.ReplaceAll(textOf(doc, "id"), "-", "")[:10]
	doc["doh_subdomain"], doc["ip"] = short, fmt.Sprintf("2a06:98c1:54::%s:%s", short[:4], short[4:8])
	doc["ipv4_destination"], doc["ipv4_destination_backup"] = "172.64.36.1", "172.64.36.2"
	if doc["endpoints"] == nil {
		doc["endpoints"] = map[string]any{
			"ipv4": map[string]any{"enabled": true}, "ipv6": map[string]any{"enabled": false, "networks": nil},
			"doh": map[string]any{"enabled": true, "networks": nil, "require_token": false}, "dot": map[string]any{"enabled": false, "networks": nil},
		}
	}
}

// prepareGatewayLocation completes a location. If it asks to be the default, the former default location loses
// the flag.
func prepareGatewayLocation(c *resourceCall, before *resource, doc map[string]any) *Error {
	giveResolver(doc)
	return c.takeDefault(before, doc, "client_default")
}

func busyGatewayLocation(_ *resourceCall, r *resource) *Error {
	if r.doc["client_default"] == true {
		return refuse(http.StatusConflict, CodeResourceConflict, "The default location cannot be deleted.")
	}
	return nil
}

// preparePosture sets the members that a request leaves out. Whether a rule is enabled is computed, says
// the document: a rule of Kolide that still uses issue_count is not, and every other rule is.
func preparePosture(_ *resourceCall, _ *resource, doc map[string]any) *Error {
	for _, name := range []string{"description", "expiration", "schedule"} {
		doc[name] = textOf(doc, name)
	}
	if doc["match"] == nil {
		doc["match"] = []any{}
	}
	input, _ := doc["input"].(map[string]any)
	doc["enabled"] = doc["type"] != "kolide" || input["issue_count"] == nil
	return nil
}
