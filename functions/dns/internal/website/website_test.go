// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package website_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/website"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden plans each spec of testdata and compares all of the plan with the file
// beside it.
func TestGolden(t *testing.T) {
	t.Parallel()
	specs, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(specs) == 0 {
		t.Fatalf("%d specs: %v", len(specs), err)
	}
	for _, file := range specs {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var s website.Spec
			if err := yaml.UnmarshalStrict(raw, &s); err != nil {
				t.Fatal(err)
			}
			p, err := website.Make(s)
			if err != nil {
				t.Fatal(err)
			}
			golden := strings.TrimSuffix(file, ".yaml") + ".golden"
			got := text(p)
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("run with -update if this is meant (-want +got):\n%s", diff)
			}
			consistent(t, p)
		})
	}
}

// text writes a plan, one line for each thing.
func text(p website.Plan) string {
	var b strings.Builder
	for _, r := range p.Records {
		fmt.Fprintf(&b, "%s: %s %s", r.ID, r.FQDN(), r.Type)
		if r.Priority != nil {
			fmt.Fprintf(&b, " %d", *r.Priority)
		}
		fmt.Fprintf(&b, " %s", r.Content)
		if r.Proxied != nil {
			fmt.Fprintf(&b, " proxied=%v", *r.Proxied)
		}
		b.WriteByte('\n')
	}
	for _, m := range p.Missing {
		fmt.Fprintf(&b, "missing: %s\n", m)
	}
	return b.String()
}

// consistent holds whatever the spec: what Crossplane, Cloudflare and the RFCs demand.
func consistent(t *testing.T, p website.Plan) {
	t.Helper()
	ids, policies, exclusive, others := map[string]bool{}, map[string]int{}, map[string]int{}, map[string]int{}
	for _, r := range p.Records {
		if ids[r.ID] {
			t.Errorf("two records have the ID %s: one would overwrite the other", r.ID)
		}
		ids[r.ID] = true
		switch {
		case r.Type == "TXT" && (strings.HasPrefix(r.Content, "v=spf1") || strings.HasPrefix(r.Content, "v=DMARC1")):
			policies[r.FQDN()+" "+r.Content[:5]]++
		case r.Type == "CNAME":
			exclusive[r.FQDN()]++
		case r.Type == "A" || r.Type == "AAAA":
			others[r.FQDN()]++
		}
		if can := slices.Contains([]string{"A", "AAAA", "CNAME"}, r.Type); can != (r.Proxied != nil) {
			t.Errorf("%s: proxied is said to be %v of a %s", r.ID, r.Proxied, r.Type)
		}
		if strings.Contains(r.Name, "_domainkey") && r.Proxied != nil && *r.Proxied {
			t.Errorf("%s is proxied: nobody would find the key", r.ID)
		}
	}
	for name, n := range policies {
		if n > 1 {
			t.Errorf("%d policies at %s: receivers use none then", n, name)
		}
	}
	for name, n := range exclusive {
		if n > 1 || others[name] > 0 {
			t.Errorf("a CNAME at %s is not alone", name)
		}
	}
	if p.Missing == nil {
		t.Error("missing is nil, and would be null in a status")
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		spec   string
		want   string
		reason string
	}{
		"UnknownProvider": {
			spec:   `{domain: example.net, origin: {ipv4: 192.0.2.1}, mail: {provider: pigeon}}`,
			want:   "spec.mail.provider",
			reason: "an XRD may be wider than the function; a domain without MX for a typing error is worse than none",
		},
		"NoOrigin": {
			spec:   `{domain: example.net, mail: {provider: none}}`,
			want:   "spec.origin is empty",
			reason: "there is nothing to lead to",
		},
		"HostnameAndAddress": {
			spec:   `{domain: example.net, origin: {hostname: a.example.org, ipv6: "2001:db8::1"}, mail: {provider: none}}`,
			want:   "not both",
			reason: "Cloudflare refuses a CNAME beside an AAAA, after half of the records are made",
		},
		"LeadsToItself": {
			spec:   `{domain: example.net, origin: {hostname: example.net}, mail: {provider: none}}`,
			want:   "lead to itself",
			reason: "a loop",
		},
		"LeadsToItsWWW": {
			spec:   `{domain: example.net, www: true, origin: {hostname: www.example.net}, mail: {provider: none}}`,
			want:   "lead to itself",
			reason: "www leads to the domain, which would lead to www",
		},
		"ProxyToPrivateAddress": {
			spec:   `{domain: example.net, proxied: true, origin: {ipv4: 10.0.0.1}, mail: {provider: none}}`,
			want:   "private address",
			reason: "Cloudflare refuses it (9003)",
		},
		"SendersWithoutMail": {
			spec:   `{domain: example.net, origin: {ipv4: 192.0.2.1}, mail: {provider: none, senders: [sendgrid.net]}}`,
			want:   "the domain has no mail",
			reason: "the two contradict each other",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s website.Spec
			if err := yaml.UnmarshalStrict([]byte(tc.spec), &s); err != nil {
				t.Fatal(err)
			}
			p, err := website.Make(s)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: got error %v, want one with %q", tc.reason, err, tc.want)
			}
			if len(p.Records) > 0 {
				t.Errorf("%s: got %d records all the same", tc.reason, len(p.Records))
			}
		})
	}
}

// TestAnotherProviderTakesTheSamePlaces tells of the IDs: an MX that changes its host
// in place leaves no moment without one.
func TestAnotherProviderTakesTheSamePlaces(t *testing.T) {
	t.Parallel()
	ids := func(provider string) map[string]bool {
		s := website.Spec{Domain: "example.net", Origin: website.Origin{IPv4: "192.0.2.1"}}
		s.Mail.Provider = provider
		p, err := website.Make(s)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]bool{}
		for _, r := range p.Records {
			out[r.ID] = true
		}
		return out
	}
	for _, provider := range []string{"google", "microsoft365", "fastmail", "proton", "none"} {
		got := ids(provider)
		for _, id := range []string{"mx-1", "spf", "dmarc", "apex-a"} {
			if !got[id] {
				t.Errorf("%s has no record %s: changing to it would delete one and make another", provider, id)
			}
		}
	}
}
