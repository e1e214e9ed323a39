// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// A stage is where the users are: what there is before they begin.
//
// The API allows a credential 1,200 calls in five minutes, four a second, and a
// provider that was just started spends two for each credential and two for each of
// its zones before it can write anything. So that a provider that is killed every other
// second still gets to write, each team has a credential of its own, and a zone or two.
type stage struct {
	Namespaces []string             // of the teams
	Zones      map[string][]string  // those that a namespace's credential reaches
	Foreign    map[string][]foreign // the records that nobody manages, by zone
}

// A foreign record belongs to nobody here.
type foreign struct {
	Name  string
	Value value
}

const (
	// siblings is how many foreign A records of a zone share their name with ours.
	siblings = 4
	// foreigners is how many foreign records a zone has.
	foreigners = 25

	// keeper is the namespace with the Secret of the visitors' cluster-wide provider
	// config, and home that of the provider.
	keeper = "keeper"
	home   = "crossplane-system"

	// visitPrefix begins the names of namespaces that come and go.
	visitPrefix = "visit-"
	// shared and visitors are ClusterProviderConfigs, own is the ProviderConfig of each
	// namespace that has a credential.
	shared   = "shared"
	visitors = "visitors"
	own      = "main"

	// domainAccount is the account whose zones come and go.
	domainAccount = "Domains Inc"
)

// domainNamespaces are those whose users have Zones, all in one account, each with a
// credential of its own.
func domainNamespaces() []string { return []string{"domains-a", "domains-b"} }

// teamNamespaces are those with objects of described kinds, all in one account and one zone, each with a credential of its own.
func teamNamespaces() []string { return []string{"kinds-a", "kinds-b", "kinds-c", "kinds-d"} }

// newStage is the same for each run.
func newStage() stage {
	s := stage{
		Namespaces: []string{"team-a", "team-b", "team-c", "team-d", "team-e", "team-f"},
		Zones: map[string][]string{
			"team-a": {"alpha.example"},
			"team-b": {"alpha.example", "beta.example"},
			"team-c": {"beta.example"},
			"team-d": {"gamma.example"},
			"team-e": {"gamma.example", "delta.example"},
			"team-f": {"delta.example"},
		},
		Foreign: map[string][]foreign{},
	}
	n := maxValues - 1000
	for _, zone := range zoneNames() {
		for i := range foreigners {
			typ, name := types()[i%len(types())], fmt.Sprintf("foreign-%d", i)
			if i >= foreigners-siblings {
				typ, name = "A", fmt.Sprintf("shared-%d", i)
			}
			n++
			s.Foreign[zone] = append(s.Foreign[zone], foreign{label(typ, name), value{typ, n}})
		}
	}
	return s
}

// zoneNames are the zones that nobody here manages. The last one is that of the
// namespaces that come and go.
func zoneNames() []string {
	return []string{"alpha.example", "beta.example", "gamma.example", "delta.example", "visit.example"}
}

func visitZone() string { return zoneNames()[len(zoneNames())-1] }

// configOf is the provider config that the objects of a namespace name.
func configOf(namespace string) *xpv2.ProviderConfigReference {
	switch {
	case strings.HasPrefix(namespace, visitPrefix):
		return &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ClusterProviderConfigKind, Name: visitors}
	case namespace == "team-c":
		return &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ClusterProviderConfigKind, Name: shared}
	}
	return &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ProviderConfigKind, Name: own}
}

// A tenant is who has a credential.
type tenant struct {
	namespace string // of its Secret
	config    *xpv2.ProviderConfigReference
	zones     []string // that the credential reaches
	account   string   // whose zones it may make and delete
	families  int      // of described kinds that its namespace has
}

// tenants are all of them.
func (s stage) tenants() []tenant {
	var out []tenant
	for _, ns := range s.Namespaces {
		out = append(out, tenant{namespace: ns, config: configOf(ns), zones: s.Zones[ns]})
	}
	for _, ns := range domainNamespaces() {
		out = append(out, tenant{namespace: ns, config: configOf(ns), account: domainAccount})
	}
	for _, ns := range teamNamespaces() {
		n := len(slices.DeleteFunc(families(), func(f family) bool { return !slices.Contains(f.namespaces, ns) }))
		out = append(out, tenant{namespace: ns, config: configOf(ns), families: n})
	}
	return append(out, tenant{namespace: keeper, config: configOf(visitPrefix), zones: []string{visitZone()}})
}

// pairs are the zones that are looked at with a credential, each with each.
func (s stage) pairs() int {
	n := 0
	for _, t := range s.tenants() {
		n += len(t.zones)
	}
	return n
}

// families are how many families are looked at with a credential, each with each.
func (s stage) families() int {
	n := 0
	for _, t := range s.tenants() {
		n += t.families
	}
	return n
}
