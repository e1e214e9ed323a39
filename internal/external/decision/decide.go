// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package decision

import (
	"fmt"
	"slices"
)

// Decide returns the next step.
func Decide(f Facts) Step {
	if f.Object.Deleting && f.Object.DeletionConfirmed {
		return Step{Do: Gone}
	}
	for _, look := range []func(Facts) (Step, bool){byID, byStatus, byAttempt, byKey} {
		if s, ok := look(f); ok {
			return s
		}
	}
	return absent(f)
}

// byID decides by the external name. It returns false if there is none, or no resource has that ID.
func byID(f Facts) (Step, bool) {
	switch a := f.ByID; {
	case f.Object.ExternalName == "":
		return Step{}, false
	case f.Object.Deleting && f.nothingOwn():
		return refuse(f, neverTaken(f, f.Object.ExternalName)), true
	case a.Result == Unasked:
		return Step{Do: AskID}, true
	case a.Result == Found && f.requested(a.Live[0]):
		return requested(f, a.Live[0])
	case a.Result == Found:
		return found(f, a.Live[0], "")
	case a.Result == Absent:
		return Step{}, false
	case a.Result == Unproven && f.Object.Deleting && f.Object.DeletionSent:
		return deleted(f, a.Err), true
	default:
		return refuse(f, a), true
	}
}

// byStatus decides about an object that lost its external name, by the ID that its status shows as
// its own. It returns false if there is no such ID, or no resource has it. If the resource seems to
// be gone, it returns false as well, because a user removes the name to say so. An object that is
// being deleted leaves such a resource.
func byStatus(f Facts) (Step, bool) {
	if !f.lostName() {
		return Step{}, false
	}
	switch a := f.ByStatus; {
	case a.Result == Unasked:
		return Step{Do: AskStatus}, true
	case a.Result == Found:
		return found(f, a.Live[0], "its status says that it is this object's")
	case a.Result == Failed, a.Result == NoID && !f.Object.Deleting:
		return refuse(f, a), true
	case a.Result == Unproven && f.Object.Deleting:
		return refuse(f, Answer{Result: NoID, Err: a.Err}), true
	}
	return Step{}, false
}

// lostName reports whether the object has no external name, and a status that shows a resource of
// its own.
func (f Facts) lostName() bool {
	o := f.Object
	return o.ExternalName == "" && o.SeenID != "" && slices.Contains(o.OwnIDs, o.SeenID)
}

// deleted decides about an object whose own deletion may have been carried out.
func deleted(f Facts, err error) Step {
	switch f.Deleted.Result {
	case Unasked:
		return Step{Do: AskDeleted}
	case Absent:
		// This proof lets only this object go: it relies on annotations, which its user can write.
		return Step{Do: Gone}
	case Failed:
		return refuse(f, f.Deleted)
	}
	return refuse(f, Answer{Err: err})
}

// byAttempt decides by what an earlier attempt may have made. For a while it does not believe that
// there is nothing: a list may be stale, and the server may not have handled the request yet. Until
// then the object may only try the same again. Any other step would leave an orphan.
func byAttempt(f Facts) (Step, bool) {
	switch {
	case f.Attempt.Lost != nil:
		return refuse(f, Answer{Err: f.Attempt.Lost}), true
	case !f.Attempt.Pending:
		return Step{}, false
	}
	switch a := f.ByAttempt; a.Result {
	case Unasked:
		return Step{Do: AskAttempt}, true
	case Found:
		l := a.Live[0]
		if f.Object.Manages && !f.askedForMark(l) {
			// If the attempt made nothing, another controller may have made the very same.
			return Step{Do: AskMark, Live: l}, true
		}
		// A resource of another owner excludes a second one like it. So nothing is left to find,
		// and the spec may have changed since.
		others := somebodyElses(f, l)
		switch {
		case others == nil:
			return found(f, l, "created by this object before its creation could be recorded")
		case f.Object.Deleting:
			return refuse(f, Answer{Result: NoID, Err: others}), true
		}
	case Absent:
	default:
		return refuse(f, a), true
	}
	if f.Attempt.Open && !triesAgain(f) {
		return refuse(f, Answer{Err: f.Attempt.Err}), true
	}
	return Step{}, false
}

// AttemptMadeNothing reports whether the only possible result of an earlier attempt belongs to
// another owner, and the attempt can show nothing else.
func AttemptMadeNothing(f Facts) bool {
	a := f.ByAttempt
	return a.Result == Found && !f.Attempt.Open && somebodyElses(f, a.Live[0]) != nil
}

// triesAgain reports whether the object can only create the same again, which the API refuses if it
// exists.
func triesAgain(f Facts) bool {
	o := f.Object
	return !o.Deleting && o.Declared && f.Attempt.Same && o.Creates && o.Adoption != AdoptNameAndType
}

// found decides about the resource l. adopt is the reason to adopt it. If adopt is empty, the
// object has it by its external name.
func found(f Facts, l ResourceFacts, adopt string) (Step, bool) {
	o := f.Object
	switch {
	case o.Manages && l.Foreign != nil:
		return refuse(f, Answer{Result: NoID, Err: l.Foreign}), true
	case l.Mismatch != nil && !o.Deleting:
		return refuse(f, Answer{Err: l.Mismatch}), true
	case adopt != "" && o.Confirms && f.Confirmed.ID != l.ID:
		return Step{Do: Confirm, Live: l}, true
	case adopt != "" && o.Confirms && f.Confirmed.Err != nil:
		return refuse(f, Answer{Err: f.Confirmed.Err}), true
	}
	if s, ok := unclaimed(f, l); ok {
		return s, true
	}
	if adopt != "" {
		return Step{Do: Adopt, Live: l, Why: adopt}, true
	}
	return own(f, l), true
}

// unclaimed decides about a resource that is not claimed for the object. An object that only
// observes needs no claim.
func unclaimed(f Facts, l ResourceFacts) (Step, bool) {
	if !f.Object.Manages {
		return Step{}, false
	}
	claim := f.Claims[l.ID]
	switch claim.Holder {
	case HolderOurs:
		return Step{}, false
	case HolderUnasked:
		return Step{Do: AskClaim, Live: l}, true
	case HolderOther:
		return refuse(f, Answer{Result: NoID, Err: claim.Err}), true
	}
	return refuse(f, Answer{Err: claim.Err}), true
}

// askedForMark reports whether the marks of other controllers on l are known.
func (f Facts) askedForMark(l ResourceFacts) bool {
	_, asked := f.Marks[l.ID]
	return asked
}

// somebodyElses returns the error that names another owner of l. It returns nil if no fact known so
// far names one.
func somebodyElses(f Facts, l ResourceFacts) error {
	switch {
	case f.Object.Manages && l.Foreign != nil:
		return l.Foreign
	case f.Object.Manages && f.Marks[l.ID].Err != nil:
		return f.Marks[l.ID].Err
	case f.Object.Manages && f.Claims[l.ID].Holder == HolderOther:
		return f.Claims[l.ID].Err
	}
	return nil
}

// requested reports whether the external name only requests l: the object may manage, and has
// neither created nor taken over l.
func (f Facts) requested(l ResourceFacts) bool {
	return f.Object.Manages && !slices.Contains(f.Object.OwnIDs, l.ID)
}

// requested decides about a resource that the external name requests. It first looks for what an
// attempt of the object made, because the two may be the same. The rules for a match by the natural
// key hold here as well: the adoption policy, the marks of other controllers, the claim. An object
// only looks at the resource if its spec declares too little to compare it with.
func requested(f Facts, l ResourceFacts) (Step, bool) {
	if s, ok := byAttempt(f); ok && f.Attempt.Lost == nil {
		return s, true
	}
	o := f.Object
	switch {
	case o.Deleting:
		return refuse(f, neverTaken(f, l.ID)), true
	case !o.Declared:
		return Step{Do: Keep, Live: l}, true
	case l.Foreign != nil:
		return refuse(f, Answer{Result: NoID, Err: l.Foreign}), true
	case l.Mismatch != nil:
		return refuse(f, Answer{Err: l.Mismatch}), true
	case !l.Named:
		return refuse(f, Answer{Err: &NameMismatchError{Name: f.Noun.Name, ID: l.ID, Label: l.Label}}), true
	case o.Adoption == AdoptNever:
		return refuse(f, Answer{Err: refused(f, l)}), true
	case !l.Alike && o.Adoption != AdoptNameAndType:
		return refuse(f, Answer{Err: &AdoptionMismatchError{Name: f.Noun.Name, ID: l.ID, Change: f.Noun.Change}}), true
	case !f.askedForMark(l):
		return Step{Do: AskMark, Live: l}, true
	case f.Marks[l.ID].Err != nil:
		return refuse(f, Answer{Err: f.Marks[l.ID].Err}), true
	}
	if s, ok := unclaimed(f, l); ok {
		return s, true
	}
	return Step{Do: BeginToManage, Live: l, Why: given(f, l)}, true
}

// nothingOwn reports whether the object may manage, has neither created nor taken over the resource
// that its external name names, and has no earlier attempt that may have made it.
func (f Facts) nothingOwn() bool {
	o := f.Object
	return o.Manages && !slices.Contains(o.OwnIDs, o.ExternalName) && !f.Attempt.Pending && f.Attempt.Lost == nil
}

func neverTaken(f Facts, id string) Answer {
	return Answer{Result: NoID, Err: &NotOwnedError{Name: f.Noun.Name, ID: id}}
}

// given returns why an object takes over the resource that its external name names.
func given(f Facts, l ResourceFacts) string {
	why := fmt.Sprintf("annotation %s names it", annotation)
	switch seen := f.Object.SeenID; seen {
	case "":
		return why
	case l.ID:
		return "it was only observed before"
	default: // It was renamed.
		return why + fmt.Sprintf(" now, and %s %s is left alone", f.Noun.Short, seen)
	}
}

// own decides about a resource of the object's own, or one that it only observes.
func own(f Facts, l ResourceFacts) Step {
	o := f.Object
	s := Step{Do: Keep, Live: l}
	switch {
	case o.Deleting && o.Deletes:
		s.Do = Delete
	case o.Deleting:
	case o.Fills && l.Open:
		s.Do = Fill
	case l.Differs && o.Updates:
		s.Do = Update
	}
	return s
}

// absent decides about an object whose external resource is proven not to exist.
func absent(f Facts) Step {
	o := f.Object
	if o.Deleting {
		return Step{Do: Gone}
	}
	s := Step{Do: None}
	if o.SeenID == o.ExternalName {
		s.Vanished = o.SeenID
	}
	switch {
	case !o.Creates:
	case o.Declared && f.Paused != nil:
		// Recording a creation that cannot be tried, and its failure, would cost three requests to
		// the Kubernetes API at each attempt.
		s.Do, s.Err = Refuse, fmt.Errorf("cannot create the %s: %w", f.Noun.Name, f.Paused)
	case o.Declared && f.Refused != nil:
		s.Do, s.Err = Refuse, f.Refused
	default:
		s.Do, s.TriesAgain = Create, f.Attempt.Pending && f.Attempt.Same
	}
	return s
}

// refuse returns the step for an answer that is an obstacle. An object that is being deleted is let
// go in two cases: the answer says that it has nothing of its own, or its resource went with the
// parent.
func refuse(f Facts, a Answer) Step {
	switch {
	case !f.Object.Deleting:
		return Step{Do: Refuse, Err: a.Err}
	case a.Result == NoID:
		return Step{Do: Leave, Err: a.Err}
	case f.ParentGone:
		return Step{Do: Gone}
	case f.Noun.Stuck != "":
		return Step{Do: Refuse, Err: fmt.Errorf("%w (%s)", a.Err, f.Noun.Stuck)}
	}
	return Step{Do: Refuse, Err: a.Err}
}

func refused(f Facts, l ResourceFacts) error {
	return &AdoptionDeniedError{Existing: l.Existing, ID: l.ID, Policy: f.Object.Adoption, Allow: f.Noun.Allow}
}
