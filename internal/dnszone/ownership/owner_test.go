// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ownership

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		reason, text, owner string
		ok                  bool
	}{
		{"what external-dns writes", "heritage=external-dns,external-dns/owner=default,external-dns/resource=service/default/shop", "default", true},
		{"any order, and keys of later versions", "external-dns/version=v2,external-dns/resource=crd/a/b,external-dns/owner=x-1,heritage=external-dns", "x-1", true},
		{"quotes within the quotes", `"heritage=external-dns,external-dns/owner=default"`, "default", true},
		{"blanks between the parts, put there by hand", "heritage=external-dns, external-dns/owner=default", "default", true},
		{"no owner", "heritage=external-dns", "", true},
		{"another's heritage", "heritage=mate,external-dns/owner=default", "", false},
		{"no heritage", "external-dns/owner=default", "", false},
		{"text about external-dns", "managed by heritage=external-dns", "", false},
		{"SPF", "v=spf1 -all", "", false},
		{"nothing", "", "", false},
	} {
		m, ok := Parse("a-shop.example.com", tc.text)
		if m.Sealed {
			t.Errorf("%s: Parse(%q) takes it for an encrypted mark", tc.reason, tc.text)
		}
		if ok != tc.ok || m.Owner != tc.owner || ok && m.Name != "a-shop.example.com" {
			t.Errorf("%s: Parse(%q) = %+v, %t", tc.reason, tc.text, m, ok)
		}
	}
}

// zone returns a zone of records such as "A shop" and marks such as "a-shop", by one
// owner.
func zone(records, marks []string) Zone {
	z := Zone{}
	at := map[string][]string{}
	for _, r := range records {
		typ, name, _ := strings.Cut(r, " ")
		at[full(name)] = append(at[full(name)], typ)
	}
	z.Types = func(name string) []string { return at[name] }
	for _, m := range marks {
		z.Marks = append(z.Marks, Mark{Name: full(m), Owner: "default"})
	}
	return z
}

// owner returns the text of the first owner, "" for none.
func (z Zone) owner(name, typ, content string) string {
	for _, o := range z.Owners(name, typ, content) {
		return o.Text
	}
	return ""
}

func full(name string) string {
	if name == "@" {
		return "example.com"
	}
	return name + ".example.com"
}

func TestOwner(t *testing.T) {
	const shop = "A shop"
	no := []string(nil)
	for _, tc := range []struct {
		reason         string
		record         string
		records, marks []string
		owned          bool
	}{
		{"no marks", shop, no, no, false},
		{"the type in front", shop, no, []string{"a-shop"}, true},
		{"the type in front, of a CNAME", "CNAME shop", no, []string{"cname-shop"}, true},
		{"the type in front, of a type we do not know", "CAA shop", no, []string{"caa-shop"}, true},
		{"the type in front, of an alias", shop, no, []string{"cname-shop"}, true},
		{"the old format", shop, no, []string{"shop"}, true},
		{"the old format stands for all types", "MX shop", no, []string{"shop"}, true},
		{"the old format does not stand for AAAA", "AAAA shop", no, []string{"shop"}, false},
		{"AAAA has a mark of its own", "AAAA shop", no, []string{"aaaa-shop"}, true},
		{"a prefix with a dot", shop, no, []string{"externaldns.a-shop"}, true},
		{"a prefix with a dot, in the old format", shop, no, []string{"externaldns.shop"}, true},
		{"a prefix with a dash", shop, no, []string{"dns-a-shop"}, true},
		{"a prefix without end", shop, no, []string{"dnsa-shop"}, true},
		{"a prefix without end, in the old format", shop, no, []string{"dnsshop"}, true},
		{"a prefix that sounds like a type", shop, no, []string{"txt.a-shop"}, true},
		{"a prefix that sounds like a type, in the old format", shop, no, []string{"txt-shop"}, true},
		{"a template as prefix", shop, no, []string{"a.shop"}, true},
		{"a template in a prefix", shop, no, []string{"x-a-y.shop"}, true},
		{"a template in a prefix, without dashes", "SRV shop", no, []string{"xsrvy.shop"}, true},
		{"a suffix", shop, no, []string{"a-shop-txt"}, true},
		{"a suffix in the old format", shop, no, []string{"shop-txt"}, true},
		{"a suffix with a dot", "A my.shop", no, []string{"a-my.dns.shop"}, true},
		{"a template as suffix", shop, no, []string{"shop-a"}, true},
		{"a template as suffix, with a dot", "CNAME shop", no, []string{"shop-.cname"}, true},
		{"the zone's own name", "A @", no, []string{"x-a"}, true},
		{"the zone's own name, in the old format", "A @", no, []string{"externaldns"}, true},
		{"a wildcard as it is", "A *.apps", no, []string{"a-*.apps"}, true},
		{"a wildcard with a replacement", "A *.apps", no, []string{"a-any.apps"}, true},
		{"a wildcard with a prefix and a replacement", "CNAME *.apps", no, []string{"externaldns.cname-any.apps"}, true},
		{"a wildcard with a suffix and a replacement", "A *.apps", no, []string{"a-any-txt.apps"}, true},
		{"a wildcard of the zone", "A *", no, []string{"a-any"}, true},

		{"another name", shop, no, []string{"a-blog"}, false},
		{"the same name elsewhere", shop, []string{"A shop.dev"}, []string{"a-shop.dev"}, false},
		{"a name below", "A my.shop", no, []string{"a-shop"}, false},
		{"another type", "MX shop", no, []string{"a-shop"}, false},
		{"another type of addresses", "AAAA shop", no, []string{"a-shop"}, false},
		{"TXT beside a CNAME's prefix", "TXT shop", no, []string{"x-cname-shop"}, false},
		{"the zone's own name, another type", "MX @", []string{"A shop"}, []string{"a-shop"}, false},
		{"a name above, whose mark it would be with an odd prefix", "A @", []string{"A shop"}, []string{"a-shop"}, false},
		{"the same in the old format", "MX @", []string{"A shop"}, []string{"shop"}, false},
		{"the same where the mark's own record is gone", "A @", no, []string{"a-shop"}, true},
		{"a name above, with a prefix that two marks show", "A @", []string{"A shop", "A blog"}, []string{"x.a-shop", "x.a-blog"}, false},
		{"a name above, with one mark", "A @", []string{"A shop"}, []string{"x.a-shop"}, true},
		{"a name above a wildcard", "A apps", []string{"A *.apps"}, []string{"a-any.apps", "a-blog"}, false},
		{"the zone's own name by a template, beside a host of one letter", "A @", []string{"A a"}, []string{"x-a", "x-cname.blog"}, true},
		{"the zone's own name by a bare template, beside a host of one letter", "A @", []string{"A a"}, []string{"a"}, true},
		{"a longer name that exists, where other marks show that there is no prefix", shop, []string{"A my-shop"}, []string{"a-my-shop", "cname-blog"}, false},
		{"a longer name that exists, where nothing shows that", shop, []string{"A my-shop"}, []string{"a-my-shop"}, true},
		{"a longer name that exists, where all marks have that prefix", shop, []string{"A my-shop"}, []string{"a-my-shop", "cname-my-blog"}, true},
		{"a longer name that does not exist", shop, no, []string{"a-my-shop", "cname-blog"}, true},
		{"a longer name of another type", shop, []string{"MX my-shop"}, []string{"a-my-shop", "cname-blog"}, true},
		{"a shorter beginning", "A sh", []string{"A shop"}, []string{"a-shop", "cname-blog"}, false},
		{"a shorter beginning, where all marks have that suffix", "A sh", []string{"A shop"}, []string{"a-shop", "cname-blogop"}, true},
		{"a shorter beginning beside a suffix", "A sh", []string{"A shop"}, []string{"a-shop-x", "cname-blog-x"}, false},
		{"a wildcard beside names", "A *", []string{"A shop", "A blog"}, []string{"a-shop", "a-blog"}, false},
		{"a wildcard beside names with a prefix", "A *", []string{"A shop", "A blog"}, []string{"x.a-shop", "x.a-blog"}, false},
		{"a wildcard whose replacement ends like a name", "A *", []string{"A c", "A shop"}, []string{"a-wc", "a-shop"}, true},
	} {
		typ, name, _ := strings.Cut(tc.record, " ")
		z := zone(append(tc.records, tc.record), tc.marks)
		if got := z.owner(full(name), typ, ""); (got != "") != tc.owned {
			t.Errorf("%s: %s beside %v and the marks %v: got %q, want owned %t", tc.reason, tc.record, tc.records, tc.marks, got, tc.owned)
		}
	}
}

func TestParseSealed(t *testing.T) {
	sealed := sealedText(72)
	for _, tc := range []struct {
		reason, text string
		want         bool
	}{
		{"the shortest mark that external-dns can encrypt", sealed, true},
		{"within quotes, as external-dns writes it", `"` + sealed + `"`, true},
		{"a longer one", sealedText(128), true},
		{"a token that is too short for a mark", sealedText(69), false},
		{"base64 without padding", strings.TrimRight(sealedText(73), "="), false},
		{"base64 for URLs", "-_" + sealed[2:], false},
		{"a key of DKIM", "v=DKIM1; k=rsa; p=" + sealed, false},
		{"nothing", "", false},
	} {
		m, ok := Parse("a-shop.example.com", tc.text)
		if want := (Mark{Name: "a-shop.example.com", Sealed: true}); ok != tc.want || ok && m != want {
			t.Errorf("%s: Parse(%q) = %+v, %t, want %t", tc.reason, tc.text, m, ok, tc.want)
		}
	}
}

// sealedText returns base64 of n bytes.
func sealedText(n int) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x9f", n)))
}

// TestOwnerBySealedMark checks that only the name of an encrypted mark decides.
func TestOwnerBySealedMark(t *testing.T) {
	for _, tc := range []struct {
		reason    string
		records   []string
		mark      string
		typ, name string
		owned     bool
	}{
		{"the type in front", []string{"A shop"}, "a-shop", "A", "shop", true},
		{"an alias, whose mark is of a CNAME", []string{"A shop"}, "cname-shop", "A", "shop", true},
		{"an AAAA record", []string{"AAAA shop"}, "aaaa-shop", "AAAA", "shop", true},
		{"a prefix and the type", []string{"A shop"}, "edns.a-shop", "A", "shop", true},
		{"a suffix with the type", []string{"A shop"}, "shop-a", "A", "shop", true},
		{"a wildcard that is replaced", []string{"A *.apps"}, "a-any.apps", "A", "*.apps", true},
		{"the mark of another type", []string{"A shop", "MX shop"}, "mx-shop", "A", "shop", false},
		{"without the type it may be any token", []string{"A shop"}, "shop", "A", "shop", false},
		{"nor does a prefix alone tell it from one", []string{"A shop"}, "token-shop", "A", "shop", false},
		{"another record explains it better", []string{"A shop", "A dev-shop"}, "a-dev-shop", "A", "shop", false},
		{"and is the owner's", []string{"A shop", "A dev-shop"}, "a-dev-shop", "A", "dev-shop", true},
		{"another name", []string{"A shop"}, "a-blog", "A", "shop", false},
	} {
		z := zone(tc.records, nil)
		z.Marks = []Mark{{Name: full(tc.mark), Sealed: true}, {Name: full("a-token.of.somebody"), Sealed: true}}
		if got := z.owner(full(tc.name), tc.typ, ""); (got != "") != tc.owned || tc.owned && !strings.Contains(got, "encrypted") {
			t.Errorf("%s: the owner of %s %s is %q", tc.reason, tc.typ, tc.name, got)
		}
	}
}

// TestSealedText checks that a text in base64 is taken for a mark only if a record exists
// whose mark it may be.
func TestSealedText(t *testing.T) {
	z := zone([]string{"A shop", "TXT token", "TXT a-blog"}, nil)
	for name, want := range map[string]bool{"a-shop": true, "token": false, "a-blog": false, "mx-shop": false} {
		if got := z.owner(full(name), "TXT", sealedText(90)); (got != "") != want {
			t.Errorf("the owner of the TXT record %s is %q, want one %t", name, got, want)
		}
	}
}

// TestOwnersAreTold checks that each controller has a name of its own by which a user
// consents.
func TestOwnersAreTold(t *testing.T) {
	const lead = "c1744f8b-faa1-48a4-9e5c-02ac921467fa.cfargotunnel.com"
	for _, tc := range []struct {
		reason, name, typ, content string
		want                       []Controller
	}{
		{"a CNAME to a tunnel", "shop.example.com", "CNAME", lead, []Controller{Tunnel}},
		{"as a user writes it", "shop.example.com", "CNAME", strings.ToUpper(lead) + ".", []Controller{Tunnel}},
		{"one that external-dns has made", "app.example.com", "CNAME", lead, []Controller{ExternalDNS, Tunnel}},
		{"a challenge that external-dns has made", "_acme-challenge.example.com", "TXT", "heritage=external-dns", []Controller{ExternalDNS, ACME}},
		{"a challenge", "_acme-challenge.example.com", "TXT", "x", []Controller{ACME}},
		{"a text about a tunnel", "shop.example.com", "TXT", lead, nil},
		{"a name of the tunnels' domain that is no tunnel", "shop.example.com", "CNAME", "www.cfargotunnel.com", nil},
		{"an ID that is none", "shop.example.com", "CNAME", "x" + lead[1:], nil},
		{"dashes elsewhere", "shop.example.com", "CNAME", "c1744f8bf-aa1-48a4-9e5c-02ac921467fa.cfargotunnel.com", nil},
		{"a name that only ends like it", "shop.example.com", "CNAME", strings.Replace(lead, ".cf", ".xcf", 1), nil},
	} {
		var got []Controller
		for _, o := range zone([]string{"CNAME app"}, []string{"cname-app"}).Owners(tc.name, tc.typ, tc.content) {
			got = append(got, o.Controller)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: the owners are %v, want %v", tc.reason, got, tc.want)
		}
	}
}

func TestOwnerIsNamed(t *testing.T) {
	none := zone(nil, nil)
	sealed := zone([]string{"A shop"}, nil)
	sealed.Marks = []Mark{{Name: "a-shop.example.com", Sealed: true}}
	for _, tc := range []struct {
		reason, name, typ, text, want string
		zone                          Zone
	}{
		{"the owner and the mark", "shop.example.com", "A", "", `external-dns (owner "default", by the TXT record a-shop.example.com)`, zone(nil, []string{"blog", "a-shop"})},
		{"the mark itself", "a-shop.example.com", "TXT", "heritage=external-dns,external-dns/owner=x", `external-dns (owner "x", by the TXT record a-shop.example.com)`, none},
		{"the object that it was made for", "a-shop.example.com", "TXT", "heritage=external-dns,external-dns/owner=x,external-dns/resource=ingress/web/shop", `external-dns (owner "x", resource "ingress/web/shop", by the TXT record a-shop.example.com)`, none},
		{"an encrypted mark", "shop.example.com", "A", "", "external-dns (its mark is encrypted, so that the owner is not known: the TXT record a-shop.example.com)", sealed},
		{"a tunnel", "shop.example.com", "CNAME", "c1744f8b-faa1-48a4-9e5c-02ac921467fa.cfargotunnel.com", "Cloudflare Tunnel (tunnel c1744f8b-faa1-48a4-9e5c-02ac921467fa, to which the record leads)", none},
		{"an ACME challenge", "_acme-challenge.shop.example.com", "TXT", "x", acmeClient, none},
		{"an ACME challenge of the zone", "_acme-challenge.example.com", "TXT", "x", acmeClient, none},
		{"an ACME challenge with an account's label", "_ujmmovf2vn55tgye._acme-challenge.example.com", "TXT", "x", acmeClient, none},
		{"a delegated challenge is somebody's lasting choice", "_acme-challenge.example.com", "CNAME", "", "", none},
		{"a name that only begins like it", "_acme-challenges.example.com", "TXT", "x", "", none},
		{"a host below it", "www._acme-challenge.example.com", "TXT", "x", "", none},
		{"any other text", "shop.example.com", "TXT", "heritage=mate", "", none},
	} {
		if got := tc.zone.owner(tc.name, tc.typ, tc.text); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
		}
	}
}
