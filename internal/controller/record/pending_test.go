// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"testing"

	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
)

// TestAttemptAtTheSame checks when the API would refuse a second record, so that the
// Record need not wait for an open attempt.
func TestAttemptAtTheSame(t *testing.T) {
	a := dnsrecord.Key{Name: "a.example.com", Type: "A", Rdata: "192.0.2.1"}
	tests := []struct {
		reason string
		name   *string
		noted  *dnsrecord.Key
		want   external.Attempt
	}{
		{"nothing was tried", ptr.To("a"), nil, external.Attempt{}},
		{"the same creation again", ptr.To("a"), &a, external.Attempt{Same: true, What: "the DNS record a.example.com A"}},
		{"the object is another one now", ptr.To("b"), &a, external.Attempt{What: "the DNS record a.example.com A"}},
		{"what it declares is not known", nil, &a, external.Attempt{What: "the DNS record a.example.com A"}},
	}
	for _, tc := range tests {
		mg := &v1alpha1.Record{}
		ad := &adapter{mg: mg, zone: dnszone.NewPool(dnszone.Options{}).Zone(cloudflare.New(cloudflare.NewToken("x"), cloudflare.Options{}), testZone)}
		if tc.noted != nil {
			ad.tried = &attempt{subject: subject{Zone: testZone, Key: *tc.noted}}
		}
		if tc.name != nil {
			want, err := dnsrecord.Parse("example.com", dnsrecord.Input{Name: *tc.name, Type: "A", Content: ptr.To("192.0.2.1")})
			if err != nil {
				t.Fatal(err)
			}
			ad.want = &want
		}
		if got := ad.Attempt(); got != tc.want {
			t.Errorf("%s: got %+v, want %+v", tc.reason, got, tc.want)
		}
	}
}
