// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
)

// maxVisits is the most namespaces that a user has at a time.
const maxVisits = 3

// nextVisit creates namespaces with Records, and deletes them with all their objects.
func (a *actor) nextVisit() step {
	n := a.rng.IntN(100)
	switch {
	case len(a.visits) == 0, len(a.visits) < maxVisits && n < 35:
		all := a.visit()
		if a.rng.IntN(3) == 0 {
			return step{Do: doLateLeave, Things: all}
		}
		a.visits = append(a.visits, all)
		return step{Do: doVisit, Things: slices.Clone(all)}
	case n < 65:
		all := a.visits[a.rng.IntN(len(a.visits))]
		for i := range all {
			a.change(&all[i])
		}
		return step{Do: doVisitEdit, Things: slices.Clone(all)}
	default:
		i := a.rng.IntN(len(a.visits))
		all := a.visits[i]
		a.visits = slices.Delete(a.visits, i, i+1)
		return step{Do: doLeave, Things: all}
	}
}

// visit returns the objects of a new namespace.
func (a *actor) visit() []thing {
	ns := fmt.Sprintf("%s%d", visitPrefix, a.count())
	out := make([]thing, 3+a.rng.IntN(15))
	for i := range out {
		out[i] = a.thing()
		out[i].Namespace, out[i].Zone = ns, visitZone()
		out[i].Name = label(out[i].Value.Type, a.name())
	}
	return out
}
