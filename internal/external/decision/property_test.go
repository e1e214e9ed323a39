// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package decision

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// anyLive returns any external resource.
func anyLive(t *rapid.T, id string) ResourceFacts {
	l := ResourceFacts{ID: id, Existing: "one", Several: "ones"}
	l.Alike, l.Open, l.Differs = rapid.Bool().Draw(t, "alike"), rapid.Bool().Draw(t, "open"), rapid.Bool().Draw(t, "differs")
	l.Named = l.Alike || rapid.Bool().Draw(t, "named")
	if rapid.IntRange(0, 4).Draw(t, "foreign") == 0 {
		l.Foreign = errForeign
	}
	if rapid.IntRange(0, 4).Draw(t, "mismatch") == 0 {
		l.Mismatch = errMismatch
	}
	return l
}

// anyAnswer returns any outcome of a look.
func anyAnswer(t *rapid.T, name string, most int) Answer {
	a := Answer{Result: rapid.SampledFrom([]LookupResult{Found, Found, Absent, Absent, NoID, Unproven, Failed}).Draw(t, name)}
	if a.Result != Found {
		a.Err = errDown
		return a
	}
	for i := range rapid.IntRange(1, most).Draw(t, name+" found") {
		a.Live = append(a.Live, anyLive(t, string(rune('x'+i))))
	}
	return a
}

func anyObject(t *rapid.T) Object {
	id := rapid.SampledFrom([]string{"", "x", "y"})
	b := func(name string) bool { return rapid.Bool().Draw(t, name) }
	o := Object{
		Deleting: b("deleting"), Creates: b("creates"), Updates: b("updates"), Deletes: b("deletes"), Fills: b("fills"),
		Adoption: rapid.SampledFrom([]string{"", AdoptIdentical, AdoptNameAndType, AdoptNever}).Draw(t, "adoption"),
		Declared: b("declared"), ExternalName: id.Draw(t, "external name"), SeenID: id.Draw(t, "seen"), OwnIDs: []string{id.Draw(t, "own")},
		Confirms: b("confirms"), DeletionSent: b("sent"), DeletionConfirmed: rapid.IntRange(0, 9).Draw(t, "confirmed") == 0,
	}
	o.Manages = o.Creates || o.Updates || o.Deletes
	return o
}

// reply adds any answer to the question of a step to the facts. It returns false for a step that
// ends the observation.
func reply(t *rapid.T, f *Facts, s Step) bool {
	switch s.Do {
	case AskID:
		f.ByID = anyAnswer(t, "by ID", 1)
		if f.ByID.Result == Found {
			f.ByID.Live[0].ID = f.Object.ExternalName
		}
	case AskStatus:
		f.ByStatus = anyAnswer(t, "by status", 1)
		if f.ByStatus.Result == Found {
			f.ByStatus.Live[0].ID = f.Object.SeenID
		}
	case AskAttempt:
		f.ByAttempt = anyAnswer(t, "by attempt", 1)
	case AskKey:
		f.ByKey = anyAnswer(t, "by key", 3)
	case AskTaken:
		f.Taken = Taken{Asked: true, IDs: map[string]bool{"x": rapid.Bool().Draw(t, "taken")}}
	case AskMark:
		mark := Mark{}
		if rapid.IntRange(0, 4).Draw(t, "marked") == 0 {
			mark.Err = errMarked
		}
		f.Marks[s.Live.ID] = mark
	case Confirm:
		f.Confirmed = Confirmation{ID: s.Live.ID}
	case AskClaim:
		f.Claims[s.Live.ID] = Claim{Holder: rapid.SampledFrom([]Holder{HolderOurs, HolderOurs, HolderOther, HolderUnknown}).Draw(t, "holder"), Err: errConflict}
	case AskDeleted:
		f.Deleted = anyAnswer(t, "deleted", 1)
	case Adopt:
		f.Object.ExternalName, f.ByID = s.Live.ID, Answer{Result: Found, Live: []ResourceFacts{s.Live}}
		if f.Object.Manages {
			f.Object.OwnIDs = append(f.Object.OwnIDs, s.Live.ID)
		}
	case BeginToManage:
		f.Object.OwnIDs = append(f.Object.OwnIDs, s.Live.ID)
	case Fill:
		f.ByID.Live[0].Open = false
	default:
		return false
	}
	return true
}

// TestAnyFacts runs reconciles with any facts, and checks each step against the rules of the
// package.
func TestAnyFacts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Facts{Noun: noun, Object: anyObject(t), Marks: map[string]Mark{}, Claims: map[string]Claim{}}
		if rapid.Bool().Draw(t, "tried") {
			f.Attempt = Attempt{Pending: true, Same: rapid.Bool().Draw(t, "same"), Open: rapid.Bool().Draw(t, "open"), Err: errOpen}
		}
		if rapid.IntRange(0, 9).Draw(t, "lost") == 0 {
			f.Attempt = Attempt{Lost: errLost}
		}
		f.ParentGone = rapid.IntRange(0, 9).Draw(t, "parent gone") == 0
		var steps []Action
		for {
			s := Decide(f)
			lawful(t, f, s)
			if steps = append(steps, s.Do); len(steps) > 20 {
				t.Fatalf("it does not come to an end: %v", steps)
			}
			if !reply(t, &f, s) {
				break
			}
		}
	})
}

// lawful fails the test if a step breaks a rule.
func lawful(t *rapid.T, f Facts, s Step) {
	o := f.Object
	claimed := f.Claims[s.Live.ID].Holder == HolderOurs
	is := func(all ...Action) bool { return slices.Contains(all, s.Do) }
	switch {
	case is(Refuse, Leave) && s.Err == nil:
		t.Fatalf("%s does not say why", s.Do)
	case is(Adopt, BeginToManage, Update, Delete) && o.Manages && !claimed:
		t.Fatalf("%s without a claim", s.Do)
	case is(Update, Delete) && !slices.Contains(o.OwnIDs, s.Live.ID):
		t.Fatalf("%s of what the object has neither created nor taken over", s.Do)
	case is(Adopt, BeginToManage) && o.Manages && f.ByAttempt.Result != Found && !slices.Contains(o.OwnIDs, s.Live.ID) && (o.Adoption == AdoptNever || !s.Live.Alike && o.Adoption != AdoptNameAndType):
		t.Fatalf("%s although the adoption policy is %q", s.Do, o.Adoption)
	case is(BeginToManage) && (!s.Live.Named || !o.Declared || o.Deleting || s.Live.ID != o.ExternalName):
		t.Fatalf("%s of what the object does not declare", s.Do)
	case is(Update, Delete, Create, BeginToManage) && !o.Manages:
		t.Fatalf("who only observes: %s", s.Do)
	case is(Create) && (!o.Creates || o.Deleting), is(Update) && (!o.Updates || o.Deleting), is(Delete) && (!o.Deletes || !o.Deleting), is(Fill) && (!o.Fills || o.Deleting):
		t.Fatalf("no policy lets it %s", s.Do)
	case is(Adopt, Update, Delete) && o.Manages && s.Live.Foreign != nil:
		t.Fatalf("%s of another product's", s.Do)
	case is(Adopt, BeginToManage) && o.Manages && f.Marks[s.Live.ID].Err != nil:
		t.Fatalf("%s of what another controller marks", s.Do)
	case is(Create) && f.Attempt.Pending && f.Attempt.Open && (!f.Attempt.Same || !o.Declared || o.Adoption == AdoptNameAndType):
		t.Fatalf("a creation while another one may show what it made")
	case is(Create, None, Gone) && f.Attempt.Lost != nil && !f.ParentGone && !o.DeletionConfirmed && f.Deleted.Result != Absent:
		t.Fatalf("%s although nothing tells what an attempt made", s.Do)
	case is(Create, None) && (o.ExternalName != "" && f.ByID.Result != Absent || f.Attempt.Pending && f.ByAttempt.Result != Absent && f.ByAttempt.Result != Found || f.ByKey.Result == Unasked):
		t.Fatalf("%s without proof that there is none", s.Do)
	case is(Create, None, Gone) && f.lostName() && !f.ParentGone && !o.DeletionConfirmed && (f.ByStatus.Result == Unasked || f.ByStatus.Result == Found || f.ByStatus.Result == Failed):
		t.Fatalf("%s although the status shows what is the object's", s.Do)
	case is(Create) && f.lostName() && f.ByStatus.Result == NoID:
		t.Fatalf("a creation although the status shows that there is a resource, by what is no ID")
	case is(Gone) && !f.ParentGone && !o.DeletionConfirmed && o.ExternalName != "" && f.ByID.Result != Absent && f.Deleted.Result != Absent:
		t.Fatalf("gone without proof")
	case is(Gone, Leave) && !o.Deleting:
		t.Fatalf("%s of an object that stays", s.Do)
	case is(Adopt) && o.Confirms && f.Confirmed.ID != s.Live.ID:
		t.Fatalf("an ID is kept that nobody confirmed")
	}
}
