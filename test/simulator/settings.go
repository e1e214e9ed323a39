// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"maps"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"
)

// A setting is a changed value of a zone setting.
type setting struct {
	value      any
	modifiedOn time.Time
}

// setting returns the value of a setting at a time. It returns false if the setting was
// unchanged since the creation of the zone.
func (z *zone) setting(id string, at time.Time) (setting, bool) {
	versions := z.settings[id]
	for i := len(versions) - 1; i >= 0; i-- {
		if !versions[i].modifiedOn.After(at) {
			return versions[i], true
		}
	}
	return setting{}, false
}

// set changes a setting.
func (z *zone) set(id string, value any, now time.Time) {
	z.settings[id] = latest(append(slices.Clone(z.settings[id]), setting{value, now}))
}

// settingTime returns the time as of which a GET shows a setting. A fault may return a
// time in the past.
func (c *call) settingTime(id string) time.Time {
	age, stale := c.staleness()
	if !stale {
		return c.now
	}
	then := c.now.Add(-age)
	is, _ := c.zone.setting(id, c.now)
	if was, _ := c.zone.setting(id, then); !was.modifiedOn.Equal(is.modifiedOn) {
		c.faults.fire(FaultStaleGet)
	}
	return then
}

// staleness returns how old the document of a zone is that a fault makes a GET return. It returns
// false if there is no such fault, or if the request is no GET.
func (c *call) staleness() (time.Duration, bool) {
	stale, drawn := c.faults.find(FaultStaleGet)
	return stale.Delay, drawn && c.r.Method == http.MethodGet
}

// A settingRule has the default and the rules of a zone setting.
type settingRule struct {
	standard any
	check    func(value any) bool
	plans    []Plan // The plans that may change it; empty means all.
	frozen   bool   // Moved to another endpoint: it cannot be changed here.
}

// onOff returns the rule of a setting that is on or off.
func onOff(standard string, plans ...Plan) settingRule {
	return settingRule{standard: standard, check: among("on", "off"), plans: plans}
}

func oneWord(standard string, words ...string) settingRule {
	return settingRule{standard: standard, check: among(append(words, standard)...)}
}

func oneNumber(standard float64, numbers ...float64) settingRule {
	return settingRule{standard: standard, check: func(v any) bool {
		n, ok := number(v)
		return ok && slices.Contains(append(numbers, standard), n)
	}}
}

func (r settingRule) on(plans ...Plan) settingRule {
	r.plans = plans
	return r
}

// settingRules returns the rules of the zone settings of the OpenAPI document, with its
// defaults.
func settingRules() map[string]settingRule {
	paid := []Plan{PlanPro, PlanBusiness, PlanEnterprise}
	rules := map[string]settingRule{
		"cname_flattening":        {standard: "flatten_at_root", check: among("flatten_at_root", "flatten_all"), frozen: true},
		"browser_cache_ttl":       {standard: 14400.0, check: between(0, 31536000)},
		"cache_level":             oneWord("aggressive", "basic", "simplified"),
		"challenge_ttl":           oneNumber(1800, 300, 900, 2700, 3600, 7200, 10800, 14400, 28800, 57600, 86400, 604800, 2592000, 31536000),
		"ciphers":                 {standard: []any{}, check: isTextList},
		"edge_cache_ttl":          oneNumber(7200, 30, 60, 300, 1200, 1800, 3600, 10800, 14400, 18000, 28800, 43200, 57600, 72000, 86400, 172800, 259200, 345600, 432000, 518400, 604800),
		"h2_prioritization":       oneWord("off", "on", "custom").on(paid...),
		"image_resizing":          oneWord("off", "on", "open").on(PlanBusiness, PlanEnterprise),
		"max_upload":              oneNumber(100, 125, 150, 175, 200, 225, 250, 275, 300, 325, 350, 375, 400, 425, 450, 475, 500, 1000).on(PlanBusiness, PlanEnterprise),
		"min_tls_version":         oneWord("1.0", "1.1", "1.2", "1.3"),
		"polish":                  oneWord("off", "lossless", "lossy").on(paid...),
		"proxy_read_timeout":      {standard: 125.0, check: between(1, 6000), plans: []Plan{PlanEnterprise}},
		"pseudo_ipv4":             oneWord("off", "add_header", "overwrite_header"),
		"security_level":          oneWord("medium", "off", "essentially_off", "low", "high", "under_attack"),
		"ssl":                     oneWord("off", "flexible", "full", "strict"),
		"tls_1_3":                 oneWord("off", "on", "zrt"),
		"transformations":         oneWord("off", "on", "open"),
		"webmcp_packs":            {standard: "", check: func(v any) bool { s, ok := v.(string); return ok && utf8.RuneCountInString(s) <= 256 }},
		"origin_max_http_version": {standard: "2", check: among("1", "2")},
		"origin_h2_max_streams":   {standard: 200.0, check: between(1, 1000), plans: []Plan{PlanEnterprise}},
		"aegis": {
			standard: map[string]any{"enabled": false, "pool_id": ""}, plans: []Plan{PlanEnterprise},
			check: checks{"enabled": isBool, "pool_id": isString}.object,
		},
		"nel": {standard: map[string]any{"enabled": false}, check: checks{"enabled": isBool}.object},
		"automatic_platform_optimization": {
			standard: map[string]any{
				"enabled": false, "cf": false, "wordpress": false, "wp_plugin": false, "hostnames": []any{}, "cache_by_device_type": false,
			},
			check: allOf(checks{
				"enabled": isBool, "cf": isBool, "wordpress": isBool, "wp_plugin": isBool, "cache_by_device_type": isBool, "hostnames": isTextList,
			}),
		},
		"security_header": {
			standard: map[string]any{"strict_transport_security": map[string]any{
				"enabled": false, "include_subdomains": false, "max_age": 0, "nosniff": false, "preload": false,
			}},
			check: checks{"strict_transport_security": checks{
				"enabled": isBool, "include_subdomains": isBool, "max_age": between(0, 63072000), "nosniff": isBool, "preload": isBool,
			}.object}.object,
		},
		"transformations_allowed_origins": {standard: "", check: isString},
	}
	maps.Copy(rules, switches())
	return rules
}

// switches returns the rules of the settings that are on or off.
func switches() map[string]settingRule {
	rules := map[string]settingRule{}
	for _, id := range []string{"always_online", "automatic_https_rewrites", "browser_check", "email_obfuscation", "ip_geolocation", "opportunistic_encryption", "server_side_exclude"} {
		rules[id] = onOff("on")
	}
	for _, id := range []string{
		"0rtt", "always_use_https", "brotli", "content_converter", "development_mode", "early_hints", "hotlink_protection", "http2", "http3",
		"ipv6", "opportunistic_onion", "pre_render", "privacy_pass", "redirects_for_ai_training", "replace_insecure_js", "rocket_loader",
		"search_for_agents", "tls_1_2_only", "tls_client_auth", "webmcp_enabled", "websockets", "sha1_support",
	} {
		rules[id] = onOff("off")
	}
	for _, id := range []string{"mirage", "waf", "webp"} {
		rules[id] = onOff("off", PlanPro, PlanBusiness, PlanEnterprise)
	}
	for _, id := range []string{
		"advanced_ddos", "china_network_enabled", "origin_error_page_pass_thru", "prefetch_preload", "response_buffering",
		"sort_query_string_for_cache", "true_client_ip_header",
	} {
		rules[id] = onOff("off", PlanEnterprise)
	}
	rules["orange_to_orange"] = onOff("on", PlanEnterprise)
	return rules
}

func isTextList(v any) bool {
	list, ok := v.([]any)
	return ok && !slices.ContainsFunc(list, func(e any) bool { return !isString(e) })
}

// allOf returns a check that requires every member.
func allOf(c checks) func(any) bool {
	return func(v any) bool {
		object, ok := v.(map[string]any)
		return ok && len(object) == len(c) && c.object(v)
	}
}

func (z *zone) settingBody(id string, rule settingRule, at time.Time) map[string]any {
	b := map[string]any{
		"id": id, "value": rule.standard, "modified_on": nil,
		"editable": !rule.frozen && (len(rule.plans) == 0 || slices.Contains(rule.plans, z.plan)),
	}
	if changed, ok := z.setting(id, at); ok {
		b["value"], b["modified_on"] = changed.value, timestamp(changed.modifiedOn)
	}
	if id == "development_mode" {
		b["time_remaining"] = 0
	}
	return b
}

// sslRecommender is the only setting without a value. It is enabled or disabled.
const sslRecommender = "ssl_recommender"

func (z *zone) recommenderBody(at time.Time) map[string]any {
	is, _ := z.setting(sslRecommender, at)
	enabled, _ := is.value.(bool)
	return map[string]any{"id": sslRecommender, "enabled": enabled}
}

func listSettings(c *call) (reply, *Error) {
	rules := settingRules()
	list := []any{}
	for _, id := range slices.Sorted(maps.Keys(rules)) {
		list = append(list, c.zone.settingBody(id, rules[id], c.now))
	}
	return reply{result: list}, nil
}

func getSetting(c *call) (reply, *Error) {
	id := c.r.PathValue("setting_id")
	if id == sslRecommender {
		return reply{result: c.zone.recommenderBody(c.settingTime(id))}, nil
	}
	rule, ok := settingRules()[id]
	if !ok {
		return reply{}, errUnknownSetting(id)
	}
	return reply{result: c.zone.settingBody(id, rule, c.settingTime(id))}, nil
}

func errUnknownSetting(id string) *Error {
	return invalid(CodeSettingUndefined, "Unrecognized zone setting name: %s", id)
}

func patchSetting(c *call) (reply, *Error) {
	body, err := c.decode()
	if err != nil {
		return reply{}, err
	}
	id := c.r.PathValue("setting_id")
	if id == sslRecommender {
		if !isBool(body["enabled"]) {
			return reply{}, invalid(CodeSettingInvalid, "Invalid value for zone setting %s", id)
		}
		c.zone.set(id, body["enabled"], c.now)
		return reply{result: c.zone.recommenderBody(c.now)}, nil
	}
	rule, ok := settingRules()[id]
	if !ok {
		return reply{}, errUnknownSetting(id)
	}
	if editable := c.zone.settingBody(id, rule, c.now)["editable"]; editable == false {
		return reply{}, invalid(CodeSettingReadOnly, "Not allowed to edit setting for %s", id)
	}
	if value, given := body["value"]; !given || !rule.check(value) {
		return reply{}, invalid(CodeSettingInvalid, "Invalid value for zone setting %s", id)
	}
	c.zone.set(id, body["value"], c.now)
	return reply{result: c.zone.settingBody(id, rule, c.now)}, nil
}
