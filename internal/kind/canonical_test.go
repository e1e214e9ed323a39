// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

func TestCanonicalID(t *testing.T) {
	const (
		hex  = "023e105f4ecef8ad9ca31a8372d0c353"
		uuid = "f70ff985-a4ef-4643-bbbc-4a0ed4fc8415"
	)
	given := kind.Description{Read: "GET /things/{thing_id}", Natural: []string{"name"}}
	named := kind.Description{Read: "GET /things/{name}", ID: "name", Natural: []string{"name"}}
	host := named
	host.Fields = map[string]kind.Field{"name": {Canonical: strings.ToLower}}
	single := kind.Description{
		Shape: kind.Singleton, Read: "GET /tunnels/{tunnel_id}/scripts/{script_name}", ID: "script_name",
		Fields: map[string]kind.Field{"tunnel_id": {Canonical: func(v string) string { return "canonical " + v }}},
	}
	fragment := kind.Description{Shape: kind.Fragment, Natural: []string{"ref"}}
	for _, tc := range []struct {
		reason   string
		d        kind.Description
		id, want string
	}{
		{"an ID in hexadecimal digits", given, strings.ToUpper(hex), hex},
		{"a UUID", given, strings.ToUpper(uuid), uuid},
		{"a number", given, "0042", "42"},
		{"the number zero", given, "00", "0"},
		{"an ID of digits alone that begins with zeros is no number", given, "00000000000000000000000000000042", "00000000000000000000000000000042"},
		{"an ID of another form may differ in case alone", given, "0x4AAF00AAAABn0R22HWm-YUc", "0x4AAF00AAAABn0R22HWm-YUc"},
		{"a name that looks like an ID", named, strings.ToUpper(hex), strings.ToUpper(hex)},
		{"a name that looks like a number", named, "007", "007"},
		{"a name in the form that its field has", host, "WWW.Example.com", "www.example.com"},
		{"the parts of what belongs to something else", single, "x/" + strings.ToUpper(hex), "canonical x/" + hex},
		{"the parts are other ones", single, "X/Y/Z", "X/Y/Z"},
		{"a key of a document", fragment, strings.ToUpper(hex), strings.ToUpper(hex)},
		{"nothing", given, "", ""},
	} {
		if got := tc.d.CanonicalID(tc.id); got != tc.want {
			t.Errorf("%s: CanonicalID(%q) = %q, want %q", tc.reason, tc.id, got, tc.want)
		}
	}
}
