// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// TestObjectNames expects valid names of Kubernetes objects, and another name for another record.
func TestObjectNames(t *testing.T) {
	t.Parallel()
	id := rapid.StringMatching(`[0-9a-f]{32}`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z0-9_*.\-]{1,253}`)).Draw(t, "name")
		typ := rapid.SampledFrom([]string{"A", "TXT", "OPENPGPKEY"}).Draw(t, "type")
		a, b := id.Draw(t, "a"), id.Draw(t, "b")
		got := objectName(name, typ, a)
		if why := validation.IsDNS1123Subdomain(got); len(why) > 0 {
			t.Fatalf("%q: %v", got, why)
		}
		if a[:idLength] != b[:idLength] && got == objectName(name, typ, b) {
			t.Fatalf("%q is the name of two", got)
		}
	})
}

func TestSubdomain(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, want, reason string }{
		{"www.example.com", "www.example.com", "it may stay as it is"},
		{"example.com.", "example.com", "a dot at the end says nothing"},
		{"*.dev.example.com", "wildcard.dev.example.com", "an asterisk has a word"},
		{"_sip._tcp.example.com", "sip.tcp.example.com", "underscores are left out in front"},
		{"a_b.example.com", "a-b.example.com", "and replaced within"},
		{"-.example.com", "x.example.com", "no label is empty"},
	} {
		if got := subdomain(tc.name); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.reason, got, tc.want)
		}
	}
}

func TestRelative(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ fqdn, want, reason string }{
		{"example.com", "@", "the zone itself"},
		{"www.example.com", "www", "a name in it"},
		{"a.b.example.com", "a.b", "with dots"},
		{"example.com.example.com", "example.com.example.com.", "relative, it would be read as the zone"},
		{"www.example.com.example.com", "www.example.com.example.com.", "and as a name in it"},
	} {
		if got := relative("example.com", tc.fqdn); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.reason, got, tc.want)
		}
	}
}

func raw(i int, typ, name, content, more string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"id":"%032x","type":%q,"name":%q,"content":%q,"ttl":1%s}`, i, typ, name, content, more))
}

// TestWholeZone expects that the order of the list has no effect, and that what is left out is reported.
func TestWholeZone(t *testing.T) {
	t.Parallel()
	zone := cloudflare.Zone{ID: strings.Repeat("f", 32), Name: "example.com", Type: "full"}
	records := []json.RawMessage{
		raw(0x30000000<<4, "A", "www.example.com", "192.0.2.1", ""),
		raw(2, "A", "app.example.com", "192.0.2.1", ""),
		raw(3, "TXT", "_acme-challenge.example.com", `"x"`, ""),
		raw(4, "MX", "example.com", "route1.mx.cloudflare.net", `,"priority":1,"meta":{"email_routing":true}`),
		raw(5, "NEW", "example.com", "x", ""),
		json.RawMessage(`{"id":5}`),
	}
	all := func(records []json.RawMessage) (names, left []string) {
		r := Options{Namespace: "ns"}.WholeZone(zone, records, Filter{})
		for _, o := range r.Objects {
			names = append(names, o.GetNamespace()+"/"+o.GetName())
		}
		for _, l := range r.LeftOut {
			left = append(left, l.What+": "+l.Why)
		}
		return names, left
	}
	names, left := all(records)
	if want := []string{"ns/example.com", "ns/app.example.com-a-00000000", "ns/www.example.com-a-00000000"}; cmp.Diff(want, names) != "" {
		t.Error(cmp.Diff(want, names))
	}
	for _, want := range []string{"a record: it cannot be read", "belongs to an ACME client", "belongs to Email Routing", "no Record can declare it"} {
		if !strings.Contains(strings.Join(left, "\n"), want) {
			t.Errorf("what is left out does not say %q: %q", want, left)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n, l := all(rapid.Permutation(records).Draw(t, "records"))
		if cmp.Diff(names, n)+cmp.Diff(left, l) != "" {
			t.Fatal("the order of the list shows")
		}
	})
}
