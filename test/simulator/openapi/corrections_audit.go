// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi

import (
	"errors"
	"slices"
)

const auditLogs = "/accounts/{account_id}/logs/audit"

// auditCorrections returns the corrections for the audit logs.
func auditCorrections() []correction {
	return []correction{{
		name: "times of audit logs",
		reason: "The window of the audit logs is said to be of dates alone; the description of both parameters, and " +
			"Cloudflare's page about audit logs, have times as well.",
		apply: correctAuditWindow,
	}}
}

func correctAuditWindow(doc tree) error {
	get, err := object(doc, "paths", auditLogs, "get")
	if err != nil {
		return err
	}
	parameters, _ := get["parameters"].([]any)
	corrected := 0
	for _, p := range parameters {
		parameter, _ := p.(tree)
		name, _ := parameter["name"].(string)
		if !slices.Contains([]string{"since", "before"}, name) {
			continue
		}
		schema, err := object(parameter, "schema")
		if err != nil {
			return err
		}
		if schema["format"] != "date" {
			return errors.New("the window of the audit logs is not of dates alone")
		}
		parameter["schema"] = tree{"anyOf": []any{
			tree{"type": "string", "format": "date"}, tree{"type": "string", "format": "date-time"},
		}}
		corrected++
	}
	if corrected != 2 {
		return errors.New("the audit logs have no window")
	}
	return nil
}
