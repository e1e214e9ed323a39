// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/record"
)

func TestFQDN(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"@":                   "example.com",
		"www":                 "www.example.com",
		"_dmarc":              "_dmarc.example.com",
		"www.example.com":     "www.example.com",
		"example.com":         "example.com",
		"notexample.com":      "notexample.com.example.com",
		"fm1._domainkey":      "fm1._domainkey.example.com",
		"a.b.c.d.example.com": "a.b.c.d.example.com",
	} {
		if got := (record.Record{Zone: "example.com", Name: name}).FQDN(); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	ready := record.Condition{Type: "Ready", Status: "True"}
	cases := map[string]struct {
		conditions []record.Condition
		ready      bool
		message    string
		reason     string
	}{
		"Absent":       {nil, false, "not created yet", "nothing is there"},
		"New":          {[]record.Condition{}, false, "not ready yet", "the provider has not looked at it"},
		"Ready":        {[]record.Condition{ready, {Type: "Synced", Status: "True"}}, true, "", "all is well"},
		"Failing":      {[]record.Condition{{Type: "Ready", Status: "False", Message: "gone"}, {Type: "Synced", Status: "False", Message: "no budget"}}, false, "no budget", "Synced says what to do"},
		"ReadyFailing": {[]record.Condition{ready, {Type: "Synced", Status: "False", Message: "no budget"}}, true, "no budget", "an update that fails does not take down what serves, but is reported"},
		"NotReady":     {[]record.Condition{{Type: "Ready", Status: "False", Message: "gone"}, {Type: "Synced", Status: "True"}}, false, "gone", "Ready says why"},
		"Unknown":      {[]record.Condition{{Type: "Ready", Status: "Unknown"}}, false, "not ready yet", "not known to be ready is not ready"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := record.Judge(record.Record{Zone: "example.com", Name: "@", Type: "A", Content: "192.0.2.1"}, tc.conditions)
			want := record.State{Type: "A", FQDN: "example.com", Content: "192.0.2.1", Ready: tc.ready, Message: tc.message}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestCanBeProxied(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"192.0.2.1": true, "100.63.255.255": true, "100.128.0.0": true, "2001:db8::1": true,
		"10.0.0.1": false, "172.16.0.1": false, "192.168.0.1": false, "127.0.0.1": false, "169.254.0.1": false,
		"100.64.0.0": false, "100.127.255.255": false, "0.0.0.0": false, "::": false, "::1": false, "fe80::1": false, "fd00::1": false,
		"224.0.0.1": false, "ff02::1": false,
	} {
		if got := record.CanBeProxied(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
}
