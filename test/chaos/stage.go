// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// A stage is where the users are: what there is before they begin.
//
// The API allows a credential 1,200 calls in five minutes, four a second, and a
// provider that was just started spends three to five of them on each credential
// before it can write anything. So that a provider that is killed every other second
// still gets to write, each team has a credential of its own, and two zones.
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

// domainNamespaces are those whose users have Zones, each with a credential for the
// account of its own name.
func domainNamespaces() []string { return []string{"domains-a", "domains-b"} }

// newStage is the same for each run.
func newStage() stage {
	s := stage{Zones: map[string][]string{}, Foreign: map[string][]foreign{}}
	teamZones := zoneNames()[:len(zoneNames())-1]
	for i, zone := range teamZones {
		ns := "team-" + string(rune('a'+i))
		s.Namespaces = append(s.Namespaces, ns)
		// In a ring, so that each zone is reached by two teams.
		s.Zones[ns] = []string{zone, teamZones[(i+1)%len(teamZones)]}
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
	return []string{"alpha.example", "beta.example", "gamma.example", "delta.example", "epsilon.example", "zeta.example", "visit.example"}
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

// pairs are the zones that are looked at with a credential, each with each.
func (s stage) pairs() int {
	n := 1 // The visitors' one.
	for _, zones := range s.Zones {
		n += len(zones)
	}
	return n
}

// credentials is how many there are.
func (s stage) credentials() int { return len(s.Namespaces) + 1 + len(domainNamespaces()) }
