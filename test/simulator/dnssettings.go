// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"maps"
	"slices"
)

// dnsSettingsBody returns a zone's DNS settings, with the defaults of a new zone.
func (z *zone) dnsSettingsBody() map[string]any {
	mname := any(nil)
	if len(z.nameServers) > 0 {
		mname = z.nameServers[0]
	}
	b := map[string]any{
		"flatten_all_cnames": false, "foundation_dns": false, "internal_dns": map[string]any{}, "multi_provider": false,
		"ns_ttl": 86400, "secondary_overrides": false, "zone_mode": "standard",
		"nameservers": map[string]any{"type": "cloudflare.standard"},
		"soa": map[string]any{
			"expire": 604800, "min_ttl": 1800, "mname": mname, "refresh": 10000, "retry": 2400,
			"rname": "dns.cloudflare.com", "ttl": 3600,
		},
	}
	merge(b, z.dnsSettings)
	return b
}

// merge copies members into an object. It merges members that are objects in both, one
// level deep.
func merge(into, from map[string]any) {
	for name, value := range from {
		have, _ := into[name].(map[string]any)
		if object, ok := value.(map[string]any); ok && have != nil {
			merged := maps.Clone(have)
			maps.Copy(merged, object)
			value = merged
		}
		into[name] = value
	}
}

// checks has the rules for members of an object, by name.
type checks map[string]func(value any) bool

func isBool(v any) bool   { _, ok := v.(bool); return ok }
func isString(v any) bool { _, ok := v.(string); return ok }

func between(least, most float64) func(any) bool {
	return func(v any) bool {
		n, ok := number(v)
		return ok && n >= least && n <= most
	}
}

func among(words ...string) func(any) bool {
	return func(v any) bool {
		s, ok := v.(string)
		return ok && slices.Contains(words, s)
	}
}

func (c checks) object(v any) bool {
	object, ok := v.(map[string]any)
	if !ok {
		return false
	}
	_, wrong := c.firstWrong(object)
	return !wrong
}

// firstWrong returns the first member, in order of names, that is unknown or breaks its
// rule. It returns false if there is none.
func (c checks) firstWrong(object map[string]any) (string, bool) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if check, known := c[name]; !known || !check(object[name]) {
			return name, true
		}
	}
	return "", false
}

func dnsSettingsChecks() checks {
	return checks{
		"flatten_all_cnames": isBool, "foundation_dns": isBool, "multi_provider": isBool, "secondary_overrides": isBool,
		"ns_ttl":       between(30, 86400),
		"zone_mode":    among("standard", "cdn_only", "dns_only"),
		"internal_dns": checks{"reference_zone_id": isString}.object,
		"nameservers": checks{
			"ns_set": between(1, 5),
			"type":   among("cloudflare.standard", "cloudflare.advanced", "custom.account", "custom.tenant", "custom.zone"),
		}.object,
		"soa": checks{
			"expire": between(86400, 2419200), "min_ttl": between(60, 86400), "refresh": between(600, 86400),
			"retry": between(600, 86400), "ttl": between(300, 86400), "rname": isString,
			"mname": func(v any) bool { return v == nil || isString(v) },
		}.object,
	}
}

// dnsSettingsPlans returns the plans of the members that some plans do not have.
func dnsSettingsPlans() map[string][]Plan {
	enterprise := []Plan{PlanEnterprise}
	return map[string][]Plan{
		"flatten_all_cnames": {PlanPro, PlanBusiness, PlanEnterprise},
		"foundation_dns":     enterprise, "secondary_overrides": enterprise, "zone_mode": enterprise,
	}
}

func getDNSSettings(c *call) (reply, *Error) { return reply{result: c.zone.dnsSettingsBody()}, nil }

// patchDNSSettings changes the given members, also inside of objects such as soa.
func patchDNSSettings(c *call) (reply, *Error) {
	body, err := c.decode()
	if err != nil {
		return reply{}, err
	}
	if name, wrong := dnsSettingsChecks().firstWrong(body); wrong {
		return reply{}, invalid(CodeSettingInvalid, "Invalid value for DNS setting %s.", name)
	}
	current := c.zone.dnsSettingsBody()
	for name, value := range body {
		plans, gated := dnsSettingsPlans()[name]
		if gated && value != current[name] && !slices.Contains(plans, c.zone.plan) {
			return reply{}, invalid(CodeZonePlan, "DNS setting %s is not available on this plan.", name)
		}
	}
	settings := map[string]any{}
	maps.Copy(settings, c.zone.dnsSettings)
	merge(settings, body)
	c.zone.dnsSettings = settings
	return reply{result: c.zone.dnsSettingsBody()}, nil
}
