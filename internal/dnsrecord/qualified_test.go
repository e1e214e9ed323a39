// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCheckQualified(t *testing.T) {
	tests := []struct {
		reason, name, common string
		// says is part of the error, "" for none.
		says string
	}{
		{"the zone has no records: only the API can tell", "a.b", "", ""},
		{"below all that records share", "www.example.com", "example.com", ""},
		{"the very name that records share", "example.com", "example.com", ""},
		{"in upper case, internationalised", "WWW.Bücher.example", "xn--bcher-kva.example", ""},
		{"the only record is a sibling", "api.example.com", "www.example.com", ""},
		{"the only records are deeper", "www.example.com", "a.b.dev.example.com", ""},
		{"shares nothing with the records", "a.b", "example.com", "trailing dot"},
		{"shares the end of a label only", "a.myexample.com", "example.com", "trailing dot"},
		{"shares only the top-level domain", "api.dev", "corp.dev", "trailing dot"},
		{"the zone has one label, as internal ones may", "www.corp", "corp", ""},
		{"the user says that it is fully qualified", "api.dev.", "www.dev", ""},
		{"the user says so, but it cannot be", "www.other.com.", "example.net", "outside the zone"},
		{"not a name", "a..b", "example.com", "empty label"},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			err := CheckQualified(tc.name, tc.common)
			var field *FieldError
			switch {
			case tc.says == "" && err != nil:
				t.Errorf("%s: %v", tc.reason, err)
			case tc.says != "" && (!errors.As(err, &field) || field.Field != "name" || !strings.Contains(err.Error(), tc.says)):
				t.Errorf("%s: got %v, want an error on name that says %q", tc.reason, err, tc.says)
			}
		})
	}
}

func TestCommonName(t *testing.T) {
	tests := []struct{ reason, a, b, want string }{
		{"the same", "example.com", "example.com", "example.com"},
		{"siblings", "www.example.com", "api.example.com", "example.com"},
		{"one is above the other", "example.com", "www.example.com", "example.com"},
		{"labels, not characters", "myexample.com", "example.com", "com"},
		{"nothing", "example.com", "example.net", ""},
		{"none", "", "example.net", ""},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			for _, got := range []string{CommonName(tc.a, tc.b), CommonName(tc.b, tc.a)} {
				if got != tc.want {
					t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
				}
			}
		})
	}
}

// TestQualifiedNameIsNeverRefused draws a zone with records and a name in it. It checks
// that a name that is written in full is accepted with and without a trailing dot, and
// that one that shares nothing with the records is not accepted.
func TestQualifiedNameIsNeverRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		label := rapid.SampledFrom([]string{"a", "b", "dev", "com", "example"})
		name := func(least, most int) string {
			return strings.Join(rapid.SliceOfN(label, least, most).Draw(t, "labels"), ".")
		}
		zone := name(2, 3)
		common := name(1, 3) + "." + zone
		for range rapid.IntRange(0, 3).Draw(t, "records") {
			common = CommonName(common, name(1, 3)+"."+zone)
		}
		if !InZone(common, zone) {
			t.Fatalf("records of %s share %q", zone, common)
		}
		full := name(1, 3) + "." + zone
		for _, written := range []string{full, full + "."} {
			if err := CheckQualified(written, common); err != nil {
				t.Errorf("%s in the zone %s, whose records share %s: %v", written, zone, common, err)
			}
		}
		if err := CheckQualified(name(1, 3)+".invalid", common); err == nil {
			t.Errorf("a name that shares nothing with %s is accepted", common)
		}
	})
}
