// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-acme/lego/v4/challenge/dns01"
	lego "github.com/go-acme/lego/v4/providers/dns/cloudflare"
	"github.com/miekg/dns"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// startOfAuthority serves the SOA record of the zone on loopback, because lego finds the zone
// of a name with DNS, not with Cloudflare's API.
func startOfAuthority(t *testing.T) string {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	must(t, "listen", err)
	soa := &dns.SOA{
		Hdr: dns.RR_Header{Name: zoneName + ".", Rrtype: dns.TypeSOA, Class: dns.ClassINET, Ttl: 60},
		Ns:  "ns." + zoneName + ".", Mbox: "dns." + zoneName + ".",
	}
	srv := &dns.Server{PacketConn: conn, Handler: dns.HandlerFunc(func(w dns.ResponseWriter, q *dns.Msg) {
		answer := new(dns.Msg).SetReply(q)
		switch asked := q.Question[0]; {
		case asked.Name != soa.Hdr.Name:
			answer.Rcode = dns.RcodeNameError
		case asked.Qtype == dns.TypeSOA:
			answer.Answer = append(answer.Answer, soa)
		}
		if err := w.WriteMsg(answer); err != nil {
			t.Errorf("cannot answer a DNS query: %v", err)
		}
	})}
	done := make(chan error, 1)
	go func() { done <- srv.ActivateAndServe() }()
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Errorf("Close(): %v", err)
		}
		<-done // It ends with an error, because its connection is closed.
	})
	return conn.LocalAddr().String()
}

func legoConfig(c *cloud) *lego.Config {
	config := lego.NewDefaultConfig()
	config.AuthToken, config.HTTPClient = c.token, c.client
	config.TTL, config.PropagationTimeout = 120, time.Second
	return config
}

// TestLego solves DNS-01 challenges as an ACME client does.
func TestLego(t *testing.T) {
	tests := map[string]struct {
		reason string
		config func(c *cloud) *lego.Config
	}{
		"Token": {
			reason: "One token that may read zones and edit DNS.",
			config: legoConfig,
		},
		"TwoTokens": {
			reason: "One token reads zones, another edits DNS.",
			config: func(c *cloud) *lego.Config {
				config := legoConfig(c)
				config.ZoneToken = c.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Zone: c.zone.ID, Permission: simulator.ZoneRead}}})
				config.AuthToken = c.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Zone: c.zone.ID, Permission: simulator.DNSWrite}}})
				return config
			},
		},
		"GlobalKey": {
			reason: "The older way to authenticate.",
			config: func(c *cloud) *lego.Config {
				config := legoConfig(c)
				config.AuthToken, config.AuthEmail = "", "owner@example.com"
				config.AuthKey = c.sim.AddGlobalKey(config.AuthEmail)
				return config
			},
		},
	}
	// lego stores its name servers for the whole process.
	must(t, "name server", dns01.AddRecursiveNameservers([]string{startOfAuthority(t)})(nil))
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			c := newCloud(t, simulator.PlanFree)
			provider, err := lego.NewDNSProviderConfig(tc.config(c))
			must(t, "NewDNSProviderConfig()", err)

			// A certificate for a name and its wildcard has two challenges for one name.
			plain := dns01.GetChallengeInfo("www.example.com", "plain")
			wild := dns01.GetChallengeInfo("www.example.com", "wild")
			must(t, "Present()", provider.Present("www.example.com", "token-1", "plain"))
			must(t, "Present()", provider.Present("www.example.com", "token-2", "wild"))
			c.wantRecords(t, "while both challenges stand ("+tc.reason+")",
				`TXT _acme-challenge.www.example.com "`+plain.Value+`"`,
				`TXT _acme-challenge.www.example.com "`+wild.Value+`"`)

			if err := provider.Present("www.example.com", "token-3", "plain"); err == nil || !strings.Contains(err.Error(), "81058") {
				t.Errorf("an identical record is refused in a way that lego can tell, got %v", err)
			}

			must(t, "CleanUp()", provider.CleanUp("www.example.com", "token-1", "plain"))
			c.wantRecords(t, "after the first clean-up", `TXT _acme-challenge.www.example.com "`+wild.Value+`"`)
			must(t, "CleanUp()", provider.CleanUp("www.example.com", "token-2", "wild"))
			c.wantRecords(t, "after the second clean-up")
		})
	}
}

// TestLegoRefused checks that lego understands the simulator's refusals.
func TestLegoRefused(t *testing.T) {
	must(t, "name server", dns01.AddRecursiveNameservers([]string{startOfAuthority(t)})(nil))
	tests := map[string]struct {
		reason string
		token  func(c *cloud) string
		want   string
	}{
		"WrongToken": {"A token that does not exist.", func(*cloud) string { return "cfut_" + strings.Repeat("x", 44) }, "9109"},
		"Malformed":  {"A header that cannot be one.", func(*cloud) string { return "two words" }, "6003"},
		"OtherScopes": {"A token that may not edit DNS.", func(c *cloud) string {
			return c.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Zone: c.zone.ID, Permission: simulator.ZoneRead}}})
		}, "10000"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			c := newCloud(t, simulator.PlanFree)
			config := legoConfig(c)
			config.AuthToken = tc.token(c)
			provider, err := lego.NewDNSProviderConfig(config)
			must(t, "NewDNSProviderConfig()", err)
			if err := provider.Present("www.example.com", "token", "auth"); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s Want an error with code %s, got %v", tc.reason, tc.want, err)
			}
			c.wantRecords(t, "after the refusal")
		})
	}
}
