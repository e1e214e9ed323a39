// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package zone describes the kinds of zones.
package zone

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// ZoneSetting describes the settings of a zone.
func ZoneSetting() kind.Description {
	return kind.Description{
		Group: "zone", Name: "ZoneSetting", Short: "cfzs", Noun: "setting", Scope: kind.Zone, Shape: kind.Singleton,
		Doc:       "A ZoneSetting is one setting of a zone, such as its minimum TLS version.",
		Terraform: "cloudflare_zone_setting",
		List:      "GET /zones/{zone_id}/settings",
		Read:      "GET /zones/{zone_id}/settings/{setting_id}",
		Update:    "PATCH /zones/{zone_id}/settings/{setting_id}",
		Mode:      kind.DeclaredOnly,
		Fields: map[string]kind.Field{
			"setting_id": {Doc: `The setting, such as "ssl" or "min_tls_version". The page of this kind in the documentation lists all, with the values that each takes.`, Pattern: "^[a-z0-9_]{1,64}$", Because: "Cloudflare adds settings"},
			"value": {
				Variant: "any", Required: true, KeepZero: true, Set: true, Because: "each setting has a type of its own; the only list, ciphers, is a set",
				Doc: `The value of the setting: for most settings a string such as "on", for some a number, an array or an object. Strings such as "on", "off" and "1.2" need quotes.`,
			},
			"value.hostnames": {Set: true}, // A member of automatic_platform_optimization.
			"enabled":         {Doc: "Whether ssl_recommender is on. No other setting has it."},
		},
		VariantBy: "setting_id",
		Editable:  editable,
		OnDelete:  kind.Deletion{Verb: "PATCH /zones/{zone_id}/settings/{setting_id}", By: "onDelete"},
		Options: []kind.ProviderField{{
			Name: "onDelete", Enum: []string{kind.Leave, kind.Restore, kind.Reset}, Default: kind.Leave,
			Doc: "What the deletion of this object does where deletionPolicy is Delete. Leave keeps the value as it is. Restore sets the value that the setting had when this object took it over, which status.sync.before has. Reset sets the default of Cloudflare's document, which the page of this kind shows.",
		}},
		Observe: []string{"value", "enabled", "editable", "modified_on"},
		Columns: []string{"VALUE=value", "EDITABLE=editable", "-MODIFIED=modified_on"},

		Permissions: []string{"Zone Settings Write"}, Plan: "All plans, each setting with its own limits: see status.atProvider.editable",
		Excused: map[string]string{
			"LostAnswer":  "it is never created",
			"Busy":        "it is never deleted",
			"GoneOutside": "it exists with its parent",
			"ManyOneList": "each is read by itself, for a list of settings is not one of objects",

			"SetReordered":     "the value of the example is no set: TestTrapsOfSettings shows one that is",
			"FalseOmitted":     "the setting of the example has no flag: TestTrapsOfSettings shows one that has",
			"EchoIsNoDrift":    "the value of the example is one of a few words: TestTrapsOfSettings shows one that may be any",
			"UndeclaredIsLeft": "the value of the example has no parts: TestPartOfASetting shows one that has",
		},
	}
}

// editable says why a setting must not be changed. Only an answer shows whether the plan allows it.
func editable(setting map[string]any) string {
	if may, said := setting["editable"].(bool); said && !may {
		return "the zone's plan does not include it, or Cloudflare has frozen it: change the plan, or delete this object"
	}
	return ""
}
