// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package decision

// byKey decides by the natural key. An object that is being deleted takes nothing over.
func byKey(f Facts) (Step, bool) {
	switch {
	case f.Object.Deleting:
		return Step{}, false
	case f.ByKey.Result == Unasked && f.Alone && f.Refused != nil && f.Object.Creates && f.Object.Declared:
		return Step{}, false // A look would cost a call for each attempt.
	case f.ByKey.Result == Unasked:
		return Step{Do: AskKey}, true
	case f.ByKey.Result == Absent:
		return Step{}, false
	case f.ByKey.Result != Found:
		return refuse(f, f.ByKey), true
	}
	return choose(f)
}

// choose decides which of the resources found by the natural key the object takes. It returns false
// if the object takes none.
func choose(f Facts) (Step, bool) {
	o := f.Object
	for _, l := range f.ByKey.Live {
		switch {
		case !l.Alike:
		case o.Manages && o.Adoption == AdoptNever:
			return refuse(f, Answer{Err: refused(f, l)}), true
		default:
			return unmarked(f, l, "it existed before"+f.Noun.Alike)
		}
	}
	if o.Manages && o.Adoption != AdoptNameAndType || !o.Manages && o.Declared {
		return Step{}, false
	}
	free := f.ByKey.Live
	if o.Manages {
		switch {
		case !f.Taken.Asked:
			return Step{Do: AskTaken}, true
		case f.Taken.Err != nil:
			return refuse(f, Answer{Err: f.Taken.Err}), true
		}
		free = without(free, f.Taken.IDs)
	}
	return only(f, free)
}

// without returns the resources of all that no other object manages.
func without(all []ResourceFacts, taken map[string]bool) []ResourceFacts {
	var free []ResourceFacts
	for _, l := range all {
		if !taken[l.ID] {
			free = append(free, l)
		}
	}
	return free
}

// only takes the single free resource, and refuses to choose among several.
func only(f Facts, free []ResourceFacts) (Step, bool) {
	switch {
	case len(free) == 0:
		return Step{}, false
	case len(free) > 1:
		e := &AmbiguousError{What: free[0].Several}
		for _, l := range free {
			e.IDs = append(e.IDs, l.ID)
		}
		return refuse(f, Answer{Err: e}), true
	}
	return unmarked(f, free[0], "it existed before"+f.Noun.Only)
}

// unmarked decides about a resource that matches the natural key. It refuses the resource to an
// object that manages if another controller marks it as its own.
func unmarked(f Facts, l ResourceFacts, adopt string) (Step, bool) {
	switch {
	case !f.Object.Manages:
	case !f.askedForMark(l):
		return Step{Do: AskMark, Live: l}, true
	case f.Marks[l.ID].Err != nil:
		return refuse(f, Answer{Err: f.Marks[l.ID].Err}), true
	}
	return found(f, l, adopt)
}
