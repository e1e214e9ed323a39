// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"maps"
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
	ttl, other := int64(300), int64(60)
	ready, synced := record.Condition{Type: "Ready", Status: "True"}, record.Condition{Type: "Synced", Status: "True"}
	old := record.Condition{Type: "Ready", Status: "True", Generation: 1}
	refused := record.Condition{Type: "Synced", Status: "False", Message: "no budget"}
	gone := record.Condition{Type: "Ready", Status: "False", Message: "gone"}
	cases := map[string]struct {
		conditions []record.Condition
		ttl        *int64
		absent     bool
		ready      bool
		message    string
		reason     string
	}{
		"Absent":          {absent: true, message: "not created yet", reason: "nothing is there"},
		"New":             {message: "not ready yet", reason: "the provider has not looked at it"},
		"Ready":           {conditions: []record.Condition{ready, synced}, ready: true, reason: "all is well"},
		"ReadyAlone":      {conditions: []record.Condition{ready}, ready: true, reason: "without a word on Synced nothing is refused"},
		"Failing":         {conditions: []record.Condition{gone, refused}, message: "no budget", reason: "Synced says what to do"},
		"EditRefused":     {conditions: []record.Condition{ready, refused}, message: "no budget", reason: "what it serves is not what is wanted now"},
		"NotReady":        {conditions: []record.Condition{gone, synced}, message: "gone", reason: "Ready says why"},
		"Unknown":         {conditions: []record.Condition{{Type: "Ready", Status: "Unknown"}}, message: "not ready yet", reason: "not known to be ready is not ready"},
		"OfGenerationOne": {conditions: []record.Condition{old, synced}, message: "not ready yet", reason: "the provider has not looked at the edit"},
		"NotApplied":      {conditions: []record.Condition{ready, synced}, ttl: &other, message: "the change is not applied yet", reason: "it is ready for what was wanted before"},
		"ApplyRefused":    {conditions: []record.Condition{ready, refused}, ttl: &other, message: "no budget", reason: "a reason helps more than that it is not applied"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := record.Record{Zone: "example.com", Name: "@", Type: "A", Content: "192.0.2.1", TTL: &ttl}
			if tc.ttl != nil {
				r.TTL = tc.ttl
			}
			var o *record.Observed
			if !tc.absent {
				o = &record.Observed{Generation: 2, Conditions: tc.conditions, ForProvider: map[string]any{
					"zoneName": "example.com", "name": "@", "type": "A", "content": "192.0.2.1", "ttl": 300.0, "proxied": true,
				}}
			}
			want := record.State{Type: "A", FQDN: "example.com", Content: "192.0.2.1", Ready: tc.ready, Message: tc.message}
			if diff := cmp.Diff(want, record.Judge(r, o)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestUnready(t *testing.T) {
	t.Parallel()
	states := []record.State{{Type: "A", FQDN: "example.com", Ready: true}, {Type: "MX", FQDN: "example.com", Message: "no such zone"}, {Type: "TXT", FQDN: "_dmarc.example.com"}}
	if got, want := record.Unready(states), "MX record of example.com: no such zone; TXT record of _dmarc.example.com: not ready yet"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := record.Unready(states[:1]); got != "" {
		t.Errorf("all are ready, and it says %q", got)
	}
	if got := record.Count(states); got != "1/3" {
		t.Errorf("got %s ready, want 1/3", got)
	}
}

// TestKeep wants a Record's own fields, and none that somebody else may have added.
func TestKeep(t *testing.T) {
	t.Parallel()
	priority, proxied := int64(10), false
	r := record.Record{Zone: "example.com", Name: "@", Type: "MX", Content: "mx.example.org.", Priority: &priority, TTL: &priority, Proxied: &proxied}
	manifest := r.Manifest(record.Config{Kind: "ProviderConfig", Name: "team"})
	spec := manifest["spec"].(map[string]any)
	live := map[string]any{"providerConfigRef": spec["providerConfigRef"], "managementPolicies": []any{"*"}}
	declared := map[string]any{"comment": "theirs"}
	maps.Copy(declared, spec["forProvider"].(map[string]any))
	live["forProvider"] = declared
	if diff := cmp.Diff(manifest, record.Keep(live)); diff != "" {
		t.Errorf("what Manifest writes must be kept, and nothing else (-want +got):\n%s", diff)
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
