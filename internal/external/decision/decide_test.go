// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package decision

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var (
	errDown     = errors.New("down")
	errForeign  = errors.New("a product's")
	errConflict = errors.New("another object's")
	errMarked   = errors.New("another controller's")
	errMismatch = errors.New("something else")
	errOpen     = errors.New("an attempt is open")
	errBadID    = errors.New("no ID")
	errHidden   = errors.New("hidden")
	errLost     = errors.New("the journal is lost")
)

var noun = Noun{Name: "DNS record", Short: "record", Alike: ", alike", Only: ", the only one", Allow: "allow it", Change: "change it"}

// lives are external resources of one natural key. same is the one that the object declares.
var (
	same  = ResourceFacts{ID: "same", Existing: "an identical record", Several: "records a of type A", Alike: true, Named: true}
	other = ResourceFacts{ID: "other", Existing: "another record", Several: "records a of type A", Named: true}
	third = ResourceFacts{ID: "third", Several: "records a of type A", Named: true}
	// strange has another name.
	strange = ResourceFacts{ID: "strange", Label: "A b"}
)

// facts returns the facts of an object that may do anything, with changes.
func facts(changes ...func(*Facts)) Facts {
	f := Facts{Noun: noun, Object: Object{
		Manages: true, Creates: true, Updates: true, Deletes: true, Fills: true, Adoption: AdoptIdentical, Declared: true,
	}}
	for _, change := range changes {
		change(&f)
	}
	return f
}

type change = func(*Facts)

func all(changes ...change) change {
	return func(f *Facts) {
		for _, c := range changes {
			c(f)
		}
	}
}

func there(l ...ResourceFacts) Answer { return Answer{Result: Found, Live: l} }

// named makes the object name an ID.
func named(id string) change { return func(f *Facts) { f.Object.ExternalName = id } }

// requestedIs makes the look by the external name find l. No fact says that l is the object's own.
func requestedIs(l ResourceFacts) change {
	return all(named(l.ID), func(f *Facts) { f.ByID = there(l) })
}

// byIDFound makes the look by the external name find l, which is the object's own and claimed for
// it.
func byIDFound(l ResourceFacts) change { return all(requestedIs(l), owns(l.ID), ours(l)) }

func owns(id string) change { return func(f *Facts) { f.Object.OwnIDs = append(f.Object.OwnIDs, id) } }

func byIDIs(r LookupResult, err error) change {
	return all(named("x"), owns("x"), func(f *Facts) { f.ByID = Answer{Result: r, Err: err} })
}

func ours(l ResourceFacts) change {
	return func(f *Facts) { f.Claims = map[string]Claim{l.ID: {Holder: HolderOurs}} }
}

func others(l ResourceFacts) change {
	return func(f *Facts) { f.Claims = map[string]Claim{l.ID: {Holder: HolderOther, Err: errConflict}} }
}

func byKeyIs(l ...ResourceFacts) change {
	return func(f *Facts) {
		if f.ByKey = there(l...); len(l) == 0 {
			f.ByKey = Answer{Result: Absent}
		}
	}
}

func adoption(p string) change { return func(f *Facts) { f.Object.Adoption = p } }

func taken(ids ...string) change {
	return func(f *Facts) {
		f.Taken = Taken{Asked: true, IDs: map[string]bool{}}
		for _, id := range ids {
			f.Taken.IDs[id] = true
		}
	}
}

func mark(l ResourceFacts, err error) change {
	return func(f *Facts) { f.Marks = map[string]Mark{l.ID: {Err: err}} }
}

func deleting(f *Facts) { f.Object.Deleting = true }

func observes(f *Facts) {
	f.Object.Manages, f.Object.Creates, f.Object.Updates, f.Object.Deletes, f.Object.Fills = false, false, false, false, false
}

func attempt(open, same bool) change {
	return func(f *Facts) {
		f.Attempt = Attempt{Pending: true, Open: open, Same: same, Err: errOpen}
		if f.ByAttempt.Result == Unasked {
			f.ByAttempt = Answer{Result: Absent}
		}
	}
}

func madeBefore(l ResourceFacts) change { return func(f *Facts) { f.ByAttempt = there(l) } }

func withForeign(l ResourceFacts) ResourceFacts   { l.Foreign = errForeign; return l }
func withMismatch(l ResourceFacts) ResourceFacts  { l.Mismatch = errMismatch; return l }
func withDiffers(l ResourceFacts) ResourceFacts   { l.Differs = true; return l }
func withOpenField(l ResourceFacts) ResourceFacts { l.Open = true; return l }

const earlier = "created by this object before its creation could be recorded"

type row struct {
	reason string
	change change
	want   Step
}

func check(t *testing.T, rows []row) {
	t.Helper()
	for _, tc := range rows {
		got := Decide(facts(tc.change))
		if diff := cmp.Diff(tc.want, got, cmpopts.EquateErrors()); diff != "" && (tc.want.Err == nil || got.Err == nil || tc.want.Err.Error() != got.Err.Error() || tc.want.Do != got.Do) {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestByID checks the decisions about an object that has an external name.
func TestByID(t *testing.T) {
	keep := func(l ResourceFacts) Step { return Step{Do: Keep, Live: l} }
	seen := func(f *Facts) { f.Object.SeenID = f.Object.ExternalName }
	check(t, []row{
		{"it is looked for first", named("x"), Step{Do: AskID}},
		{"the claim is asked before anything is done", all(requestedIs(same), owns("same")), Step{Do: AskClaim, Live: same}},
		{"an observer needs no claim", all(observes, named("same"), func(f *Facts) { f.ByID = there(same) }), keep(same)},
		{"it is as declared", all(byIDFound(same), seen), keep(same)},
		{"it differs", all(byIDFound(withDiffers(same)), seen), Step{Do: Update, Live: withDiffers(same)}},
		{"it differs, and no policy lets it be changed", all(byIDFound(withDiffers(same)), seen, func(f *Facts) { f.Object.Updates = false }), keep(withDiffers(same))},
		{"an observer changes nothing", all(observes, byIDFound(withDiffers(same)), seen), keep(withDiffers(same))},
		{"the spec leaves something open", all(byIDFound(withOpenField(withDiffers(same))), seen), Step{Do: Fill, Live: withOpenField(withDiffers(same))}},
		{"the spec leaves something open for good", all(byIDFound(withOpenField(same)), seen, func(f *Facts) { f.Object.Fills = false }), keep(withOpenField(same))},
		{"another object manages it", all(requestedIs(same), owns("same"), others(same)), Step{Do: Refuse, Err: errConflict}},
		{"nobody knows who manages it", all(requestedIs(same), owns("same"), func(f *Facts) {
			f.Claims = map[string]Claim{"same": {Holder: HolderUnknown, Err: errDown}}
		}), Step{Do: Refuse, Err: errDown}},
		{"a claim on another one does not count", all(requestedIs(same), owns("same"), ours(other)), Step{Do: AskClaim, Live: same}},
		{"another product's", byIDFound(withForeign(same)), Step{Do: Refuse, Err: errForeign}},
		{"another product's may be observed", all(observes, byIDFound(withForeign(same))), keep(withForeign(same))},
		{"it can never be what is declared", byIDFound(withMismatch(same)), Step{Do: Refuse, Err: errMismatch}},
		{"what cannot be an ID", byIDIs(NoID, errBadID), Step{Do: Refuse, Err: errBadID}},
		{"nobody could look", byIDIs(Failed, errDown), Step{Do: Refuse, Err: errDown}},
		{"it seems to be gone, which is no proof", byIDIs(Unproven, errHidden), Step{Do: Refuse, Err: errHidden}},
		{"it is gone, so another one may be taken over", byIDIs(Absent, nil), Step{Do: AskKey}},
		{"it is gone, and is made again", all(byIDIs(Absent, nil), byKeyIs(), func(f *Facts) { f.Object.SeenID = "x" }), Step{Do: Create, Vanished: "x"}},
		{"what it never had did not vanish", all(byIDIs(Absent, nil), byKeyIs()), Step{Do: Create}},
		{"what it had under another name did not vanish", all(byIDIs(Absent, nil), byKeyIs(), func(f *Facts) { f.Object.SeenID = "y" }), Step{Do: Create}},
	})
}

// TestByStatus checks the decisions about an object that lost its external name and has a resource by its status.
func TestByStatus(t *testing.T) {
	lost := func(f *Facts) { f.Object.SeenID, f.Object.OwnIDs = "same", []string{"same"} }
	status := func(r LookupResult, err error, l ...ResourceFacts) change {
		return all(lost, ours(same), func(f *Facts) { f.ByStatus = Answer{Result: r, Err: err, Live: l} })
	}
	check(t, []row{
		{"it is looked for first", lost, Step{Do: AskStatus}},
		{"it has its name again", status(Found, nil, same), Step{Do: Adopt, Live: same, Why: "its status says that it is this object's"}},
		{"the look failed", status(Failed, errDown), Step{Do: Refuse, Err: errDown}},
		{"what cannot be an ID is no reason for a second one", status(NoID, errBadID), Step{Do: Refuse, Err: errBadID}},
		{"it is gone, so another one may be taken over", status(Absent, nil), Step{Do: AskKey}},
		{"it seems to be gone: its user removed the name to say so", status(Unproven, errHidden), Step{Do: AskKey}},
		{"it seems to be gone, and the deletion leaves it", all(deleting, status(Unproven, errHidden)), Step{Do: Leave, Err: errHidden}},
	})
}

// TestDeleting checks the decisions about an object that is being deleted.
func TestDeleting(t *testing.T) {
	sent := func(f *Facts) { f.Object.DeletionSent = true }
	listed := func(r LookupResult, err error) change {
		return func(f *Facts) { f.Deleted = Answer{Result: r, Err: err} }
	}
	stuck := func(f *Facts) { f.Noun.Stuck = "see there" }
	check(t, []row{
		{"it deletes what it has", all(deleting, byIDFound(same)), Step{Do: Delete, Live: same}},
		{"whether it differs does not matter", all(deleting, byIDFound(withDiffers(withOpenField(withMismatch(same))))), Step{Do: Delete, Live: withDiffers(withOpenField(withMismatch(same)))}},
		{"without the policy it deletes nothing", all(deleting, byIDFound(same), func(f *Facts) { f.Object.Deletes = false }), Step{Do: Keep, Live: same}},
		{"it deletes nothing unclaimed", all(deleting, requestedIs(same), owns("same")), Step{Do: AskClaim, Live: same}},
		{"another object's is left", all(deleting, requestedIs(same), owns("same"), others(same)), Step{Do: Leave, Err: errConflict}},
		{"another product's is left", all(deleting, byIDFound(withForeign(same))), Step{Do: Leave, Err: errForeign}},
		{"what never was an ID leads to nothing", all(deleting, byIDIs(NoID, errBadID)), Step{Do: Leave, Err: errBadID}},
		{"what it has never taken over is left", all(deleting, requestedIs(same), ours(same)), Step{Do: Leave, Err: &NotOwnedError{Name: "DNS record", ID: "same"}}},
		{"that needs no look", all(deleting, named("same")), Step{Do: Leave, Err: &NotOwnedError{Name: "DNS record", ID: "same"}}},
		{"another one is its own: what its user has named since is left", all(deleting, requestedIs(same), owns("old")), Step{Do: Leave, Err: &NotOwnedError{Name: "DNS record", ID: "same"}}},
		{"nothing is left", all(deleting, byIDIs(Absent, nil)), Step{Do: Gone}},
		{"nobody could look: that proves nothing", all(deleting, byIDIs(Failed, errDown)), Step{Do: Refuse, Err: errDown}},
		{"it says what frees it", all(deleting, stuck, byIDIs(Failed, errDown)), Step{Do: Refuse, Err: fmt.Errorf("%w (see there)", errDown)}},
		{"it went with its parent", all(deleting, byIDIs(Failed, errDown), func(f *Facts) { f.ParentGone = true }), Step{Do: Gone}},
		{"nobody knows who manages it: that proves nothing", all(deleting, named("same"), owns("same"), func(f *Facts) {
			f.ByID, f.Claims = there(same), map[string]Claim{"same": {Holder: HolderUnknown, Err: errDown}}
		}), Step{Do: Refuse, Err: errDown}},
		{"nothing is taken over on the way out", all(deleting), Step{Do: Gone}},
		{"the API confirmed its deletion", all(deleting, named("x"), func(f *Facts) { f.Object.DeletionConfirmed = true }), Step{Do: Gone}},
		{"a confirmation means nothing for an object that stays", all(named("x"), func(f *Facts) { f.Object.DeletionConfirmed = true }), Step{Do: AskID}},
		{"it seems to be gone, and it did not delete it", all(deleting, byIDIs(Unproven, errHidden)), Step{Do: Refuse, Err: errHidden}},
		{"it seems to be gone after its deletion", all(deleting, sent, byIDIs(Unproven, errHidden)), Step{Do: AskDeleted}},
		{"lists do not show it any more", all(deleting, sent, byIDIs(Unproven, errHidden), listed(Absent, nil)), Step{Do: Gone}},
		{"lists still show it", all(deleting, sent, byIDIs(Unproven, errHidden), listed(Found, nil)), Step{Do: Refuse, Err: errHidden}},
		{"nobody could list", all(deleting, sent, byIDIs(Unproven, errHidden), listed(Failed, errDown)), Step{Do: Refuse, Err: errDown}},
		{"a deletion that was sent means nothing for an object that stays", all(sent, byIDIs(Unproven, errHidden)), Step{Do: Refuse, Err: errHidden}},
	})
}

// TestByAttempt checks the decisions about an object that does not know the outcome of a creation.
func TestByAttempt(t *testing.T) {
	unmarked := mark(same, nil)
	check(t, []row{
		{"what it made is looked for first", func(f *Facts) { f.Attempt.Pending = true }, Step{Do: AskAttempt}},
		{"it is looked for where what it names is gone", all(byIDIs(Absent, nil), func(f *Facts) { f.Attempt.Pending = true }), Step{Do: AskAttempt}},
		{"nobody could look", all(attempt(true, true), func(f *Facts) { f.ByAttempt = Answer{Result: Failed, Err: errDown} }), Step{Do: Refuse, Err: errDown}},
		{"another controller may have made it", all(attempt(true, true), madeBefore(same)), Step{Do: AskMark, Live: same}},
		{"a mark on another one does not count", all(attempt(true, true), madeBefore(same), mark(other, errMarked)), Step{Do: AskMark, Live: same}},
		{"an observer needs no mark", all(observes, attempt(true, true), madeBefore(same)), Step{Do: Adopt, Live: same, Why: earlier}},
		{"another controller has made it, and the attempt may still show what it made", all(attempt(true, false), madeBefore(same), mark(same, errMarked)), Step{Do: Refuse, Err: errOpen}},
		{"another controller has made it, and the attempt nothing", all(attempt(false, false), madeBefore(same), mark(same, errMarked)), Step{Do: AskKey}},
		{"another controller's is not adopted by the natural key either", all(attempt(false, false), madeBefore(same), byKeyIs(same), mark(same, errMarked)), Step{Do: Refuse, Err: errMarked}},
		{"another controller has made it, on the way out", all(deleting, attempt(true, false), madeBefore(same), mark(same, errMarked)), Step{Do: Leave, Err: errMarked}},
		{"what it made is claimed", all(attempt(true, true), madeBefore(same), unmarked), Step{Do: AskClaim, Live: same}},
		{"what it made is adopted", all(attempt(true, true), madeBefore(same), unmarked, ours(same)), Step{Do: Adopt, Live: same, Why: earlier}},
		{"whatever the adoption policy", all(attempt(true, true), adoption(AdoptNever), madeBefore(same), unmarked, ours(same)), Step{Do: Adopt, Live: same, Why: earlier}},
		{"even on the way out, to be deleted", all(deleting, attempt(true, false), madeBefore(same), unmarked, ours(same)), Step{Do: Adopt, Live: same, Why: earlier}},
		{"it is read once more by its ID", all(attempt(true, true), madeBefore(same), unmarked, func(f *Facts) { f.Object.Confirms = true }), Step{Do: Confirm, Live: same}},
		{"its ID is another one's", all(attempt(true, true), madeBefore(same), unmarked, func(f *Facts) {
			f.Object.Confirms, f.Confirmed = true, Confirmation{ID: "same", Err: errDown}
		}), Step{Do: Refuse, Err: errDown}},
		{"that of another ID is no confirmation", all(attempt(true, true), madeBefore(same), unmarked, func(f *Facts) {
			f.Object.Confirms, f.Confirmed = true, Confirmation{ID: "other"}
		}), Step{Do: Confirm, Live: same}},
		{"another object has taken it, so there is none to wait for", all(attempt(false, false), madeBefore(same), unmarked, others(same)), Step{Do: AskKey}},
		{"another object has taken it, and it may still appear elsewhere", all(attempt(true, false), madeBefore(same), unmarked, others(same)), Step{Do: Refuse, Err: errOpen}},
		{"another object has taken it, on the way out", all(deleting, attempt(true, false), madeBefore(same), unmarked, others(same)), Step{Do: Leave, Err: errConflict}},
		{"another product has taken it", all(attempt(false, false), madeBefore(withForeign(same)), unmarked), Step{Do: AskKey}},
		{"the same creation again, which the API refuses if it exists", attempt(true, true), Step{Do: AskKey}},
		{"the object is another one now", attempt(true, false), Step{Do: Refuse, Err: errOpen}},
		{"what it declares is not known", all(attempt(true, true), func(f *Facts) { f.Object.Declared = false }), Step{Do: Refuse, Err: errOpen}},
		{"a deleted object would go, and leave it", all(deleting, attempt(true, true)), Step{Do: Refuse, Err: errOpen}},
		{"it would take over another one", all(attempt(true, true), adoption(AdoptNameAndType)), Step{Do: Refuse, Err: errOpen}},
		{"it may not create any more", all(attempt(true, true), func(f *Facts) { f.Object.Creates = false }), Step{Do: Refuse, Err: errOpen}},
		{"it has shown all it ever will", attempt(false, false), Step{Do: AskKey}},
		{"it has shown all, and the object is on its way out", all(deleting, attempt(false, false)), Step{Do: Gone}},
		{"it is tried again", all(attempt(true, true), byKeyIs()), Step{Do: Create, TriesAgain: true}},
		{"another one is created after it", all(attempt(false, false), byKeyIs()), Step{Do: Create}},
	})
}

// TestByKey checks which resource an object takes over.
func TestByKey(t *testing.T) {
	adopt := func(l ResourceFacts, why string) Step {
		return Step{Do: Adopt, Live: l, Why: "it existed before" + why}
	}
	free := func(l ResourceFacts) change { return all(mark(l, nil), ours(l)) }
	undeclared := func(f *Facts) { f.Object.Declared = false }
	notCreating := func(f *Facts) { f.Object.Creates = false }
	refused := func(policy string) Step {
		return Step{Do: Refuse, Err: &AdoptionDeniedError{Existing: "an identical record", ID: "same", Policy: policy, Allow: "allow it"}}
	}
	ambiguous := func(ids ...string) Step {
		return Step{Do: Refuse, Err: &AmbiguousError{What: "records a of type A", IDs: ids}}
	}
	check(t, []row{
		{"nobody looked yet", func(*Facts) {}, Step{Do: AskKey}},
		{"nobody could look", func(f *Facts) { f.ByKey = Answer{Result: Failed, Err: errDown} }, Step{Do: Refuse, Err: errDown}},
		{"nothing is there", byKeyIs(), Step{Do: Create}},
		{"nothing is there, and creations pause", all(byKeyIs(), func(f *Facts) { f.Paused = errDown }), Step{Do: Refuse, Err: fmt.Errorf("cannot create the DNS record: %w", errDown)}},
		{"nothing is there, and the very same was refused", all(byKeyIs(), func(f *Facts) { f.Refused = errDown }), Step{Do: Refuse, Err: errDown}},
		{"the very same was refused, and each looks alone", func(f *Facts) { f.Refused, f.Alone = errDown, true }, Step{Do: Refuse, Err: errDown}},
		{"the very same was refused, and it may not create", all(notCreating, func(f *Facts) { f.Refused, f.Alone = errDown, true }), Step{Do: AskKey}},
		{"the very same was refused, and all look together", func(f *Facts) { f.Refused = errDown }, Step{Do: AskKey}},
		{"a creation that lacks something says so itself", all(byKeyIs(), undeclared, func(f *Facts) { f.Paused = errDown }), Step{Do: Create}},
		{"nothing is there, and it may not create", all(byKeyIs(), notCreating), Step{Do: None}},
		{"an identical one", all(byKeyIs(same), free(same)), adopt(same, ", alike")},
		{"an identical one among others", all(byKeyIs(other, same, third), free(same)), adopt(same, ", alike")},
		{"no policy is Identical", all(adoption(""), byKeyIs(same), free(same)), adopt(same, ", alike")},
		{"others may mark it", byKeyIs(same), Step{Do: AskMark, Live: same}},
		{"others may manage it", all(byKeyIs(same), mark(same, nil)), Step{Do: AskClaim, Live: same}},
		{"round robin: other content is another one", byKeyIs(other), Step{Do: Create}},
		{"no policy takes no other content", all(adoption(""), byKeyIs(other)), Step{Do: Create}},
		{"an identical one of another object is refused", all(byKeyIs(same), mark(same, nil), others(same)), Step{Do: Refuse, Err: errConflict}},
		{"an identical one of another product is refused", all(byKeyIs(withForeign(same)), mark(same, nil)), Step{Do: Refuse, Err: errForeign}},

		{"Never takes no identical one", all(adoption(AdoptNever), byKeyIs(same), free(same)), refused(AdoptNever)},
		{"Never takes none for an attempt at something else", all(adoption(AdoptNever), attempt(false, false), byKeyIs(same), free(same)), refused(AdoptNever)},
		{"Never minds no other one", all(adoption(AdoptNever), byKeyIs(other)), Step{Do: Create}},
		{"Never refuses first", all(adoption(AdoptNever), byKeyIs(same), mark(same, errMarked)), refused(AdoptNever)},

		{"NameAndType asks what others manage", all(adoption(AdoptNameAndType), byKeyIs(other)), Step{Do: AskTaken}},
		{"NameAndType takes the only one", all(adoption(AdoptNameAndType), byKeyIs(other), taken(), free(other)), adopt(other, ", the only one")},
		{"NameAndType prefers the identical one", all(adoption(AdoptNameAndType), byKeyIs(other, same), free(same)), adopt(same, ", alike")},
		{"NameAndType does not guess", all(adoption(AdoptNameAndType), byKeyIs(other, third), taken()), ambiguous("other", "third")},
		{"NameAndType leaves what others manage", all(adoption(AdoptNameAndType), byKeyIs(other, third), taken("other"), free(third)), adopt(third, ", the only one")},
		{"NameAndType finds nothing free", all(adoption(AdoptNameAndType), byKeyIs(other), taken("other")), Step{Do: Create}},
		{"NameAndType cannot tell what others manage", all(adoption(AdoptNameAndType), byKeyIs(other), func(f *Facts) { f.Taken = Taken{Asked: true, Err: errDown} }), Step{Do: Refuse, Err: errDown}},
		{"an identical one of another object is for the claim to refuse", all(adoption(AdoptNameAndType), byKeyIs(same), taken("same"), free(same)), adopt(same, ", alike")},

		{"a marked one is refused", all(byKeyIs(same), mark(same, errMarked)), Step{Do: Refuse, Err: errMarked}},
		{"a marked one is refused under NameAndType", all(adoption(AdoptNameAndType), byKeyIs(same), mark(same, errMarked)), Step{Do: Refuse, Err: errMarked}},
		{"a marked one that would be changed is refused", all(adoption(AdoptNameAndType), byKeyIs(other), taken(), mark(other, errMarked)), Step{Do: Refuse, Err: errMarked}},
		{"the mark of what is not taken over is nobody's business", all(byKeyIs(other), mark(other, errMarked)), Step{Do: Create}},
		{"who only observes is not asked", all(observes, byKeyIs(same), mark(same, errMarked)), adopt(same, ", alike")},

		{"observing, with content", all(observes, byKeyIs(other, same)), adopt(same, ", alike")},
		{"observing, with content that is not there", all(observes, byKeyIs(other)), Step{Do: None}},
		{"observing takes over nothing, so Never does not matter", all(observes, adoption(AdoptNever), byKeyIs(same)), adopt(same, ", alike")},
		{"observing content that is not there, whatever the policy", all(observes, adoption(AdoptNameAndType), byKeyIs(other)), Step{Do: None}},
		{"observing without content, the only one", all(observes, undeclared, byKeyIs(other)), adopt(other, ", the only one")},
		{"observing without content under Never", all(observes, undeclared, adoption(AdoptNever), byKeyIs(other)), adopt(other, ", the only one")},
		{"observing what another object manages", all(observes, undeclared, byKeyIs(other), taken("other")), adopt(other, ", the only one")},
		{"observing does not guess", all(observes, undeclared, byKeyIs(third, other)), ambiguous("third", "other")},
		{"observing nothing", all(observes, undeclared, byKeyIs()), Step{Do: None}},
	})
}

// TestRequested checks the decisions about a resource that an external name requests: no fact says
// that the object has created it or taken it over.
func TestRequested(t *testing.T) {
	seen := func(id string) change { return func(f *Facts) { f.Object.SeenID = id } }
	free := func(l ResourceFacts) change { return all(requestedIs(l), mark(l, nil), ours(l)) }
	begin := func(l ResourceFacts, why string) Step { return Step{Do: BeginToManage, Live: l, Why: why} }
	never := func(l ResourceFacts) Step {
		return Step{Do: Refuse, Err: &AdoptionDeniedError{Existing: l.Existing, ID: l.ID, Policy: AdoptNever, Allow: "allow it"}}
	}
	const why = "annotation crossplane.io/external-name names it"
	check(t, []row{
		{"who only observes looks at it", all(observes, requestedIs(same), seen("same")), Step{Do: Keep, Live: same}},
		{"who declares too little to tell looks at it", all(requestedIs(withOpenField(withDiffers(same))), func(f *Facts) { f.Object.Declared = false }), Step{Do: Keep, Live: withOpenField(withDiffers(same))}},
		{"others may mark it", requestedIs(same), Step{Do: AskMark, Live: same}},
		{"others may manage it", all(requestedIs(same), mark(same, nil)), Step{Do: AskClaim, Live: same}},
		{"its user has named it", free(same), begin(same, why)},
		{"its user has named another one", all(free(same), seen("old"), owns("old")), begin(same, why+" now, and record old is left alone")},
		{"it was observed before", all(free(same), seen("same")), begin(same, "it was only observed before")},
		{"an identical one under Never", all(free(same), adoption(AdoptNever)), never(same)},
		{"one that differs under Never", all(free(other), adoption(AdoptNever)), never(other)},
		{"one that differs is not taken over", free(other), Step{Do: Refuse, Err: &AdoptionMismatchError{Name: "DNS record", ID: "other", Change: "change it"}}},
		{"one that differs under NameAndType", all(free(other), adoption(AdoptNameAndType)), begin(other, why)},
		{"one of another name", free(strange), Step{Do: Refuse, Err: &NameMismatchError{Name: "DNS record", ID: "strange", Label: "A b"}}},
		{"one of another name under NameAndType", all(free(strange), adoption(AdoptNameAndType)), Step{Do: Refuse, Err: &NameMismatchError{Name: "DNS record", ID: "strange", Label: "A b"}}},
		{"a marked one", all(requestedIs(same), mark(same, errMarked)), Step{Do: Refuse, Err: errMarked}},
		{"another object's", all(requestedIs(same), mark(same, nil), others(same)), Step{Do: Refuse, Err: errConflict}},
		{"another product's", free(withForeign(same)), Step{Do: Refuse, Err: errForeign}},
		{"one that can never be what is declared", free(withMismatch(same)), Step{Do: Refuse, Err: errMismatch}},
		{"what an attempt made is looked for before", all(requestedIs(same), func(f *Facts) { f.Attempt.Pending = true }), Step{Do: AskAttempt}},
		{"it is what the attempt made", all(free(same), adoption(AdoptNever), attempt(false, false), madeBefore(same)), Step{Do: Adopt, Live: same, Why: earlier}},
		{"it is what the attempt made, on the way out", all(deleting, free(same), attempt(false, false), madeBefore(same)), Step{Do: Adopt, Live: same, Why: earlier}},
		{"the attempt made none", all(free(same), attempt(false, false)), begin(same, why)},
		{"the attempt made none, on the way out", all(deleting, free(same), attempt(false, false)), Step{Do: Leave, Err: &NotOwnedError{Name: "DNS record", ID: "same"}}},
		{"its user says what the attempt made, of which the journal is lost", all(free(same), func(f *Facts) { f.Attempt.Lost = errLost }), begin(same, why)},
	})
}

// TestLostJournal checks the decisions about an object with a note of a creation that the journal
// does not know: the note alone adopts nothing, creates nothing, and does not let the object go.
func TestLostJournal(t *testing.T) {
	lost := func(f *Facts) { f.Attempt.Lost = errLost }
	check(t, []row{
		{"it has no external name", lost, Step{Do: Refuse, Err: errLost}},
		{"what it names is gone", all(byIDIs(Absent, nil), lost), Step{Do: Refuse, Err: errLost}},
		{"it is on the way out", all(deleting, lost), Step{Do: Refuse, Err: errLost}},
		{"what it names is its own", all(byIDFound(same), lost), Step{Do: Keep, Live: same}},
	})
}

// TestErrorsNameWhatIsInTheWay checks the messages that users read.
func TestErrorsNameWhatIsInTheWay(t *testing.T) {
	zone := Noun{Name: "zone", Loss: "it would get other name servers"}
	for want, err := range map[string]error{
		"an identical record exists with ID abc, and spec.adoptionPolicy is Never: do that": &AdoptionDeniedError{Existing: "an identical record", ID: "abc", Policy: AdoptNever, Allow: "do that"},
		"there are 2 records n of type A (abc, def)":                                        &AmbiguousError{What: "records n of type A", IDs: []string{"abc", "def"}},
		"DNS record abc belongs to a tunnel":                                                &ManagedByProductError{Name: "DNS record", ID: "abc", Owner: "a tunnel"},
		"annotation crossplane.io/external-name names the DNS record abc, which this object has not taken over, and which is not as declared: set it so, or declare what it is":                                                           &AdoptionMismatchError{Name: "DNS record", ID: "abc", Change: "set it so"},
		"names the DNS record abc (A b), and spec.forProvider declares another one":                                                                                                                                                       &NameMismatchError{Name: "DNS record", ID: "abc", Label: "A b"},
		"zone abc does not exist any more. It is not created again by itself: it would get":                                                                                                                                               &MissingError{Noun: zone, ID: "abc"},
		"cannot read zone abc: hidden: the zone was deleted, or the credential may not read it. It is not created again by itself: it would get other name servers. If it was deleted, remove the annotation crossplane.io/external-name": &MissingError{Noun: zone, ID: "abc", Hidden: errHidden},
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if !errors.Is(&MissingError{Hidden: errHidden}, errHidden) {
		t.Error("the API's answer is lost")
	}
}
