// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package terraform

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		state string
		want  []string
		says  string
	}{
		"a state file": {
			`{"version":4,"terraform_version":"1.9.0","resources":[
			{"mode":"managed","type":"cloudflare_record","name":"www","instances":[{"attributes":{"id":"1","zone_id":"z","ttl":1,"data":[{"a":"b"}]}}]},
			{"module":"module.dns","mode":"managed","type":"cloudflare_dns_record","name":"all","instances":[
				{"index_key":0,"attributes":{"id":"2"}},{"index_key":"a.b","attributes":{"id":"3"}}]},
			{"mode":"data","type":"cloudflare_zone","name":"read","instances":[{"attributes":{"id":"4"}}]},
			{"mode":"managed","type":"aws_instance","name":"other","instances":[{"attributes":{"id":"5"}}]}]}`,
			[]string{
				"cloudflare_record.www cloudflare_dns_record 1 z", "module.dns.cloudflare_dns_record.all[0] cloudflare_dns_record 2 ",
				`module.dns.cloudflare_dns_record.all["a.b"] cloudflare_dns_record 3 `,
			},
			"",
		},
		"what terraform show prints": {
			`{"format_version":"1.0","values":{"root_module":{
			"resources":[{"address":"cloudflare_zone.one","mode":"managed","type":"cloudflare_zone","values":{"id":"z","zone":"example.com"}}],
			"child_modules":[{"resources":[{"address":"module.a.cloudflare_access_policy.p","mode":"managed","type":"cloudflare_access_policy","values":{"id":"p"}}]}]}}}`,
			[]string{"cloudflare_zone.one cloudflare_zone z ", "module.a.cloudflare_access_policy.p cloudflare_zero_trust_access_policy p "},
			"",
		},
		"an empty state":            {`{"format_version":"1.0"}`, nil, ""},
		"an empty state file":       {`{"version":4,"resources":[]}`, nil, ""},
		"a state file of long ago":  {`{"version":3,"modules":[]}`, nil, "version 3, want 4"},
		"something else":            {`{"apiVersion":"v1"}`, nil, "it is no state"},
		"a plan that is cut off":    {`{"version":4,"resou`, nil, "cannot read the state"},
		"a file of another program": {`PK`, nil, "cannot read the state"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Read(strings.NewReader(tc.state))
			if (err != nil) != (tc.says != "") || err != nil && !strings.Contains(err.Error(), tc.says) {
				t.Fatalf("got %v, want an error that says %q", err, tc.says)
			}
			var rows []string
			for _, r := range got {
				rows = append(rows, strings.Join([]string{r.Address, r.Type, r.ID, r.Attributes["zone_id"]}, " "))
			}
			if diff := cmp.Diff(tc.want, rows); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzRead expects that no file causes a panic.
func FuzzRead(f *testing.F) {
	f.Add(`{"version":4,"resources":[{"mode":"managed","type":"cloudflare_record","instances":[{"index_key":{},"attributes":{"id":1}}]}]}`)
	f.Add(`{"values":{"root_module":{"child_modules":[{}]}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Read(strings.NewReader(text))
		if err != nil && len(got) > 0 {
			t.Errorf("%d resources and %v", len(got), err)
		}
	})
}

// TestEveryKindHasAType expects the Terraform type of a kind to lead back to the kind, or to the
// document that it is a fragment of.
func TestEveryKindHasAType(t *testing.T) {
	t.Parallel()
	for _, d := range kinds.All() {
		if d.Terraform == "" {
			if d.Name != "WorkerSecret" { // Version 5 has dropped it.
				t.Errorf("%s has no type", d.Name)
			}
			continue
		}
		got, ok := Resource{Type: d.Terraform}.Kind(kinds.All())
		if !ok || got.Terraform != d.Terraform || got.Group != d.Group {
			t.Errorf("%s of %s leads to %s (%t)", d.Terraform, d.Name, got.Name, ok)
		}
		if now := currentName(d.Terraform); now != d.Terraform {
			t.Errorf("%s of version 5 is read as %s", d.Terraform, now)
		}
	}
	for _, typ := range []string{
		"cloudflare_tunnel", "cloudflare_tunnel_config", "cloudflare_access_application", "cloudflare_access_group",
		"cloudflare_access_policy", "cloudflare_access_service_token", "cloudflare_worker_script", "cloudflare_worker_route",
	} {
		if _, ok := (Resource{Type: currentName(typ)}).Kind(kinds.All()); !ok {
			t.Errorf("%s of version 4 leads to no kind", typ)
		}
	}
	if d, ok := (Resource{Type: "cloudflare_page_rule"}).Kind(kinds.All()); ok {
		t.Errorf("a page rule is of kind %s", d.Name)
	}
}

func TestIs(t *testing.T) {
	t.Parallel()
	of := func(name string) kind.Description {
		for _, d := range kinds.All() {
			if d.Name == name {
				return d
			}
		}
		t.Fatalf("there is no kind %s", name)
		return kind.Description{}
	}
	zone := map[string]string{"zone_id": "z"}
	for _, tc := range []struct {
		reason, kind string
		state        Resource
		live         kind.Resource
		want         bool
	}{
		{"its ID", "LoadBalancerPool", Resource{ID: "p"}, kind.Resource{ID: "p"}, true},
		{"its ID behind the account's", "LoadBalancerPool", Resource{ID: "a/p"}, kind.Resource{ID: "p"}, true},
		{"another", "LoadBalancerPool", Resource{ID: "q"}, kind.Resource{ID: "p"}, false},
		{
			"its name in another account", "R2Bucket",
			Resource{ID: "b", Attributes: map[string]string{"account_id": "other"}},
			kind.Resource{ID: "b", Parameters: map[string]string{"account_id": "a"}},
			false,
		},
		{"one for each zone", "DNSSEC", Resource{ID: "z", Attributes: zone}, kind.Resource{ID: "z", Parameters: zone}, true},
		{"that of another zone", "DNSSEC", Resource{ID: "y", Attributes: map[string]string{"zone_id": "y"}}, kind.Resource{ID: "z", Parameters: zone}, false},
		{
			"a setting", "ZoneSetting",
			Resource{ID: "ssl", Attributes: map[string]string{"zone_id": "z", "setting_id": "ssl"}},
			kind.Resource{ID: "z/ssl", Parameters: map[string]string{"zone_id": "z", "setting_id": "ssl"}},
			true,
		},
		{
			"another setting", "ZoneSetting",
			Resource{ID: "ssl", Attributes: map[string]string{"zone_id": "z", "setting_id": "ssl"}},
			kind.Resource{ID: "z/ipv6", Parameters: map[string]string{"zone_id": "z", "setting_id": "ipv6"}},
			false,
		},
		{
			"a document of which only the account is known", "TunnelConfiguration",
			Resource{ID: "t", Attributes: map[string]string{"account_id": "a"}},
			kind.Resource{ID: "a/t", Parameters: map[string]string{"account_id": "a", "tunnel_id": "t"}},
			false,
		},
	} {
		if got := tc.state.Is(of(tc.kind), tc.live); got != tc.want {
			t.Errorf("%s: %t, want %t", tc.reason, got, tc.want)
		}
	}
}
