// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

func TestFQDN(t *testing.T) {
	long := strings.Repeat("a.", 125) + "a" // 251 characters
	cases := map[string]struct {
		reason     string
		zone, name string
		want       string
		wantReason string // of the error, "" for none
		wantField  string
	}{
		"Apex":            {"@ is the zone", zone, "@", "example.com", "", ""},
		"Relative":        {"a relative name is inside the zone", zone, "www", "www.example.com", "", ""},
		"RelativeDeep":    {"with several labels too", zone, "a.b", "a.b.example.com", "", ""},
		"Full":            {"a name that ends in the zone is fully qualified", zone, "www.example.com", "www.example.com", "", ""},
		"FullIsZone":      {"as is the zone itself", zone, "Example.com", "example.com", "", ""},
		"FullDot":         {"a trailing dot is dropped", zone, "www.example.com.", "www.example.com", "", ""},
		"ZoneDot":         {"also from the zone", "Example.com.", "www", "www.example.com", "", ""},
		"Case":            {"names are in lower case", zone, "WWW.EXAMPLE.COM", "www.example.com", "", ""},
		"IDN":             {"Unicode becomes punycode", zone, "bücher", "xn--bcher-kva.example.com", "", ""},
		"IDNZone":         {"in the zone too, so that a name in it is recognised", "bücher.example", "www.BÜCHER.example", "www.xn--bcher-kva.example", "", ""},
		"IDNDots":         {"an ideographic full stop is a dot", zone, "例え。example。com。", "xn--r8jz45g.example.com", "", ""},
		"Wildcard":        {"a wildcard is kept", zone, "*", "*.example.com", "", ""},
		"WildcardDeep":    {"also below a name", zone, "*.sub.example.com", "*.sub.example.com", "", ""},
		"Underscore":      {"service labels are kept", zone, "_sip._tcp", "_sip._tcp.example.com", "", ""},
		"Delegation":      {"classless reverse delegation (RFC 2317)", "2.0.192.in-addr.arpa", "0/25", "0/25.2.0.192.in-addr.arpa", "", ""},
		"LooksLikeZone":   {"a name that only ends in the zone's letters is relative", zone, "notexample.com", "notexample.com.example.com", "", ""},
		"OtherDomain":     {"without trailing dot another domain is relative, as in a zone file", zone, "www.example.org", "www.example.org.example.com", "", ""},
		"Outside":         {"with trailing dot it has to be inside", zone, "www.example.org.", "", "is outside the zone example.com", "name"},
		"Parent":          {"the zone's parent is outside", zone, "com.", "", "is outside the zone example.com", "name"},
		"NoZone":          {"without a zone a fully qualified name is enough", "", "WWW.example.com.", "www.example.com", "", ""},
		"NoZoneApex":      {"but @ is not", "", "@", "", "is relative to a zone whose name is not known", "name"},
		"NoZoneRelative":  {"nor is a single label", "", "www", "", "is relative to a zone whose name is not known", "name"},
		"NoZoneBad":       {"and the name has to be one", "", "a..b", "", "has an empty label", "name"},
		"Empty":           {"a name is required", zone, "", "", "is not a domain name", "name"},
		"Dot":             {"the root is in no zone", zone, ".", "", "is not a domain name", "name"},
		"EmptyLabel":      {"labels are not empty", zone, "a..b", "", "has an empty label", "name"},
		"LongLabel":       {"labels have at most 63 characters", zone, strings.Repeat("a", 64), "", "has a label longer than 63 characters", "name"},
		"LongName":        {"names have at most 253 characters", zone, long + ".a.a", "", "is longer than 253 characters", "name"},
		"LongTogether":    {"together with the zone", zone, long, "", "is longer than 253 characters together with its zone", "name"},
		"Blank":           {"blanks are not in names", zone, "a b", "", "is not a domain name", "name"},
		"Escape":          {"nor escapes", zone, `a\.b`, "", "is not a domain name", "name"},
		"BadIDN":          {"nor what IDNA disallows", zone, "a\u2028b", "", "is not a valid internationalised domain name", "name"},
		"BadZone":         {"an impossible zone is the zone's fault", "exa mple.com", "www", "", "is not a domain name", "zoneName"},
		"SurroundingDots": {"a leading dot is an empty label", zone, ".www", "", "has an empty label", "name"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := dnsrecord.FQDN(tc.zone, tc.name)
			if got != tc.want {
				t.Errorf("%s: FQDN(%q, %q) = %q, want %q", tc.reason, tc.zone, tc.name, got, tc.want)
			}
			checkFieldError(t, tc.reason, err, tc.wantField, tc.wantReason)
		})
	}
}

func TestZoneName(t *testing.T) {
	cases := map[string]struct {
		reason, name, want, wantReason string
	}{
		"Plain":    {"a plain name is canonical", "example.com", "example.com", ""},
		"Dressed":  {"case, dot and white space go", " EXAMPLE.com. ", "example.com", ""},
		"IDN":      {"Unicode becomes punycode", "bücher.example", "xn--bcher-kva.example", ""},
		"Wildcard": {"a zone has no wildcard", "*.example.com", "", "has a wildcard in it"},
		"Empty":    {"a name is required", "", "", "is not a domain name"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := dnsrecord.ZoneName(tc.name)
			if got != tc.want {
				t.Errorf("%s: ZoneName(%q) = %q, want %q", tc.reason, tc.name, got, tc.want)
			}
			wantField := ""
			if tc.wantReason != "" {
				wantField = "zoneName"
			}
			checkFieldError(t, tc.reason, err, wantField, tc.wantReason)
		})
	}
}

// checkFieldError expects no error if field is "", else a *FieldError that names the
// field and its fix.
func checkFieldError(t *testing.T, reason string, err error, field, wantReason string) {
	t.Helper()
	if field == "" {
		if err != nil {
			t.Errorf("%s: unexpected error: %v", reason, err)
		}
		return
	}
	var fe *dnsrecord.FieldError
	if !errors.As(err, &fe) {
		t.Fatalf("%s: error %v is no FieldError", reason, err)
	}
	if fe.Field != field || fe.Reason != wantReason {
		t.Errorf("%s: error is about %q, which %q; want %q, which %q", reason, fe.Field, fe.Reason, field, wantReason)
	}
	if fe.Fix == "" {
		t.Errorf("%s: %v does not say what to do", reason, err)
	}
}
