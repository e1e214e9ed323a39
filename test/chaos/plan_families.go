// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "slices"

// maxResources is the most objects of described kinds of a user.
const maxResources = 14

// nextResource returns a step about one resource of a described kind.
func (a *actor) nextResource() step {
	n := a.rng.IntN(100)
	switch {
	case n < 12:
		return a.editStranger()
	case len(a.resources) == 0, len(a.resources) < maxResources && n < 50:
		r := a.resource()
		if a.rng.IntN(6) == 0 {
			return step{Do: doKindLate, Resource: &r}
		}
		a.resources = append(a.resources, r)
		return step{Do: doKind, Resource: &r}
	}
	i := a.rng.IntN(len(a.resources))
	r := &a.resources[i]
	f := familyOf(r.Family)
	switch n := a.rng.IntN(100); {
	case n < 40:
		r.Value = a.count()
		return step{Do: doKindEdit, Resource: new(*r)}
	case n < 55 && f.edit != nil:
		other := *r
		other.Value = a.count()
		return step{Do: doKindDashEdit, Resource: &other}
	case n < 63 && f.remove != nil:
		return step{Do: doKindDashDelete, Resource: new(*r)}
	case n < 75:
		r.Value = a.count()
		return step{Do: doKindAgain, Resource: new(*r)}
	}
	gone := *r
	a.resources = slices.Delete(a.resources, i, i+1)
	if f.keys == nil && a.rng.IntN(4) == 0 {
		return step{Do: doKindOrphan, Resource: &gone}
	}
	return step{Do: doKindDelete, Resource: &gone}
}

// resource returns a resource that does not exist at Cloudflare yet. A setting always exists, so
// for settings it returns one that no other object declares.
func (a *actor) resource() resource {
	all := families()
	f := all[a.rng.IntN(len(all))]
	key := ""
	if f.keys != nil {
		key = a.freeKey(f)
	}
	for f.keys != nil && key == "" { // All keys are used.
		f = all[a.rng.IntN(len(all))]
	}
	r := resource{Family: f.name(), Namespace: f.namespaces[a.rng.IntN(len(f.namespaces))], Object: a.object(), Key: key, Value: a.count()}
	if f.keys == nil {
		r.Key = f.key(a.number, a.count())
	}
	return r
}

// freeKey returns one of the user's keys that none of the user's objects declares, "" if there
// is none.
func (a *actor) freeKey(f family) string {
	for i, key := range f.keys {
		own := i%kindUsers == a.number-kindUser
		if own && !slices.ContainsFunc(a.resources, func(r resource) bool { return r.Family == f.name() && r.Key == key }) {
			return key
		}
	}
	return ""
}

// editStranger returns a step about a foreign resource. Each user has one of each family.
func (a *actor) editStranger() step {
	all := slices.DeleteFunc(families(), func(f family) bool { return f.edit == nil || f.keys != nil })
	f := all[a.rng.IntN(len(all))]
	return step{Do: doStranger, Resource: &resource{Family: f.name(), Object: stranger(a.number - kindUser), Key: stranger(a.number - kindUser), Value: a.count()}}
}
