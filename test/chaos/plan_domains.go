// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
)

// A domain is a Zone in its user's desired state.
type domain struct {
	Namespace string `json:"namespace"`
	Object    string `json:"object"`
	Name      string `json:"name"`
	Paused    bool   `json:"paused,omitempty"`
	// Again is true if the zone was deleted and created again, which Cloudflare limits.
	Again bool `json:"again,omitempty"`
}

// maxDomains is the most Zones of a user. The provider reads each Zone once a drift interval
// and after each of its starts, all with one credential.
const maxDomains = 3

// nextDomain returns a step about one zone.
func (a *actor) nextDomain() step {
	n := a.rng.IntN(100)
	if len(a.domains) == 0 || len(a.domains) < maxDomains && n < 40 {
		d := a.domain()
		switch n := a.rng.IntN(10); {
		case n < 2:
			return step{Do: doZoneLate, Domain: &d}
		case n < 5:
			a.domains = append(a.domains, d)
			return step{Do: doZoneAdopt, Domain: &d}
		}
		a.domains = append(a.domains, d)
		return step{Do: doZone, Domain: &d}
	}
	i := a.rng.IntN(len(a.domains))
	d := &a.domains[i]
	switch n := a.rng.IntN(100); {
	case n < 45:
		d.Paused = !d.Paused
		return step{Do: doZonePause, Domain: new(*d)}
	case n < 55 && !d.Again:
		d.Again = true
		return step{Do: doZoneAgain, Domain: new(*d)}
	default:
		gone := *d
		a.domains = slices.Delete(a.domains, i, i+1)
		how := []deed{doZoneDelete, doZoneDelete, doZoneHold, doZoneOrphan}[a.rng.IntN(4)]
		return step{Do: how, Domain: &gone}
	}
}

func (a *actor) domain() domain {
	return domain{
		Namespace: domainNamespaces()[a.number-domainUser], Object: a.object(),
		Name: fmt.Sprintf("d%d-%d.example", a.number, a.count()), Paused: a.rng.IntN(3) == 0,
	}
}
