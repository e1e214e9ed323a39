// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"testing"
)

// TestPostureIsEnabled verifies that no request decides whether a posture rule is enabled.
func TestPostureIsEnabled(t *testing.T) {
	const connection = "bc7cbfbb-600a-42e4-8a23-45b5e85f804f"
	firewall := object{"name": "a", "type": "firewall", "input": object{"operating_system": "windows", "enabled": true}}
	kolide := func(input object) object {
		return object{"name": "a", "type": "kolide", "input": with(input, object{"connection_id": connection})}
	}
	issues := kolide(object{"countOperator": ">", "issue_count": "1"})
	w := newResourceWorld(t)
	rules := w.in("devices/posture")
	for _, tc := range []struct {
		reason string
		body   object
		want   bool
	}{
		{"most rules are", firewall, true},
		{"false is not for a request to say", with(firewall, object{"enabled": false}), true},
		{"Kolide with states", kolide(object{"auth_state": []any{"Good"}}), true},
		{"Kolide with the deprecated number of issues", issues, false},
		{"true is not for a request to say", with(issues, object{"enabled": true}), false},
	} {
		made := w.make(rules, tc.body)
		put := w.object(w.must(http.MethodPut, rules+"/"+textOf(made, "id"), tc.body))
		if made["enabled"] != tc.want || put["enabled"] != tc.want {
			t.Errorf("%s: want %t, got %v and %v", tc.reason, tc.want, made, put)
		}
	}
}
