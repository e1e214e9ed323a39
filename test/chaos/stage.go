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

// A stage is what exists before the users begin.
//
// The API allows a credential 1,200 calls in five minutes, four a second. A provider that has
// started needs two calls for each credential and two for each of its zones before its first
// write. So that a provider that is killed every other second still writes, each team has a
// credential of its own, and one zone or two.
type stage struct {
	Namespaces []string             // the teams'
	Zones      map[string][]string  // those that a namespace's credential reaches
	Foreign    map[string][]foreign // the records that no object manages, by zone
}

// A foreign record has no object.
type foreign struct {
	Name  string
	Value value
}

const (
	// siblings is the number of foreign A records of a zone whose names Records of users share.
	siblings = 4
	// foreigners is the number of foreign records in a zone.
	foreigners = 25

	// keeper is the namespace of the Secret for the visitors' cluster-wide provider config.
	// home is the provider's namespace.
	keeper = "keeper"
	home   = "crossplane-system"

	// visitPrefix is the prefix of namespaces that come and go.
	visitPrefix = "visit-"
	// shared and visitors are ClusterProviderConfigs. own is the ProviderConfig of each
	// namespace with a credential.
	shared   = "shared"
	visitors = "visitors"
	own      = "main"

	// domainAccount is the account whose zones come and go.
	domainAccount = "Domains Inc"
)

// domainNamespaces returns the namespaces whose users have Zones. All are in one account, each
// with a credential of its own.
func domainNamespaces() []string { return []string{"domains-a", "domains-b"} }

// teamNamespaces returns the namespaces with objects of described kinds. All are in one account
// and one zone, each with a credential of its own.
func teamNamespaces() []string { return []string{"kinds-a", "kinds-b", "kinds-c", "kinds-d"} }

// newStage returns the stage, which is the same for each run.
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

// zoneNames returns the zones that no Zone manages. The last one belongs to the namespaces that
// come and go.
func zoneNames() []string {
	return []string{"alpha.example", "beta.example", "gamma.example", "delta.example", "visit.example"}
}

func visitZone() string { return zoneNames()[len(zoneNames())-1] }

// configOf returns the provider config of the objects in a namespace.
func configOf(namespace string) *xpv2.ProviderConfigReference {
	switch {
	case strings.HasPrefix(namespace, visitPrefix):
		return &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ClusterProviderConfigKind, Name: visitors}
	case namespace == "team-c":
		return &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ClusterProviderConfigKind, Name: shared}
	}
	return &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ProviderConfigKind, Name: own}
}

// A tenant is an owner of a credential.
type tenant struct {
	namespace string // the Secret's
	config    *xpv2.ProviderConfigReference
	zones     []string // those that the credential reaches
	account   string   // the one whose zones the tenant may create and delete
	families  int      // the number of families in its namespace
}

// tenants returns all tenants.
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

// pairs returns the number of pairs of a credential and a zone that it reads.
func (s stage) pairs() int {
	n := 0
	for _, t := range s.tenants() {
		n += len(t.zones)
	}
	return n
}

// families returns the number of pairs of a credential and a family that it reads.
func (s stage) families() int {
	n := 0
	for _, t := range s.tenants() {
		n += t.families
	}
	return n
}
