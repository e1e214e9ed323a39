// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/policy"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// maxSteps is more than any observation takes: each question is asked once for each resource that is found, and each
// write is made once.
const maxSteps = 50

var errNoEnd = errors.New("the decision does not come to an end")

// decide gathers facts, and carries out the writes that precede the end of an observation, until an end is decided.
func (c *Client[L]) decide(ctx context.Context, mg resource.Managed) (decision.Step, error) {
	c.facts = decision.Facts{
		Noun: c.kind.Noun, Object: c.object(mg), Attempt: c.attempt(), Alone: c.kind.LooksAlone,
		Marks: map[string]decision.Mark{}, Claims: map[string]decision.Claim{},
	}
	for range maxSteps {
		c.facts.Paused, c.facts.Refused = c.paused(), c.refusedBefore(mg)
		if a, ok := c.adapter.(Child); ok {
			c.facts.ParentGone = a.ParentGone()
		}
		step := decision.Decide(c.facts)
		done, err := c.ask(ctx, mg, step)
		if done || err != nil {
			return step, err
		}
	}
	return decision.Step{}, errNoEnd
}

// ask carries out a step that adds to the facts. It returns true if the step is an end.
func (c *Client[L]) ask(ctx context.Context, mg resource.Managed, step decision.Step) (done bool, err error) {
	switch step.Do {
	case decision.AskID:
		c.askID(ctx, mg)
	case decision.AskStatus:
		id := c.kind.SeenID(mg)
		live, err := c.adapter.Get(ctx, id)
		c.facts.ByStatus = c.answer([]L{live}, c.believed(ctx, mg, id, c.origin.owns(id), err))
	case decision.AskAttempt:
		return false, c.askAttempt(ctx, mg)
	case decision.AskKey:
		all, err := c.adapter.Find(ctx, c.window())
		c.facts.ByKey = c.answer(all, err)
	case decision.AskTaken:
		c.facts.Taken = c.taken(ctx, mg)
	case decision.AskMark:
		c.facts.Marks[step.Live.ID] = c.mark(step.Live.ID)
	case decision.Confirm:
		c.confirm(ctx, step.Live.ID)
	case decision.AskClaim:
		c.askClaim(ctx, mg, step.Live.ID)
	case decision.AskDeleted:
		c.facts.Deleted = c.deletion(ctx)
	default:
		return c.prepare(ctx, mg, step)
	}
	return false, nil
}

// prepare carries out a write to the object that another step follows. It returns true if the step is an end.
func (c *Client[L]) prepare(ctx context.Context, mg resource.Managed, step decision.Step) (done bool, err error) {
	switch step.Do {
	case decision.Adopt:
		return false, c.adopt(ctx, mg, step)
	case decision.BeginToManage:
		return false, c.beginToManage(ctx, mg, step)
	case decision.Fill:
		return false, c.fill(ctx, mg, step.Live.ID)
	case decision.Refuse:
		if step.Vanished == "" {
			return true, step.Err
		}
	}
	return true, nil
}

func (c *Client[L]) mark(id string) decision.Mark {
	out := decision.Mark{}
	if a, ok := c.adapter.(OwnershipChecker[L]); ok {
		out.Err = a.CheckOwnership(c.lives[id])
	}
	return out
}

func (c *Client[L]) object(mg resource.Managed) decision.Object {
	may := func(a xpv2.ManagementAction) bool { return policy.May(mg, a) }
	id := meta.GetExternalName(mg)
	o := decision.Object{
		Deleting:     meta.WasDeleted(mg),
		Manages:      policy.Manages(mg),
		Creates:      may(xpv2.ManagementActionCreate),
		Updates:      may(xpv2.ManagementActionUpdate),
		Deletes:      may(xpv2.ManagementActionDelete),
		Fills:        may(xpv2.ManagementActionLateInitialize),
		Adoption:     c.adapter.AdoptionPolicy(),
		Declared:     c.adapter.ValidateForCreate() == nil,
		ExternalName: id,
		SeenID:       c.kind.SeenID(mg),
		OwnIDs:       c.origin.own,
	}
	_, o.Confirms = c.adapter.(IDVerifier[L])
	if a, ok := c.adapter.(DeletionTracker[L]); ok && id != "" {
		o.DeletionSent = a.RecordedID() == id
		o.DeletionConfirmed = read(mg, c.kind.Notes.Deleted) == id
	}
	return o
}

// attempt returns what is known of the oldest creation of unknown outcome. It decides whether the attempt is open
// before there is a look for its result.
func (c *Client[L]) attempt() decision.Attempt {
	if len(c.origin.open) == 0 {
		return decision.Attempt{Lost: c.origin.lost}
	}
	e := c.origin.open[0]
	a, settled := c.adapter.Attempt(), c.settledAt(e)
	return decision.Attempt{
		Pending: true, Same: a.Same, Open: e.ResultID == "" && c.deps.Now().Before(settled) || a.UnderWay,
		Err: &reconciler.CreatePendingError{What: a.What, Until: settled},
	}
}

// settledAt returns the time at which a creation has shown all that it will ever show.
func (c *Client[L]) settledAt(e journal.Entry) time.Time {
	var unseen time.Duration
	if e.LastBegun.IsZero() && e.Begun.Before(c.began) {
		// An earlier process may have tried it again without writing another entry.
		unseen = cmp.Or(c.deps.Retention, journal.DefaultRetention)
	}
	return reconciler.AttemptSettledAt(reconciler.Attempt{Begun: e.Attempted(), Unseen: unseen, Ended: e.Ended}, c.began, c.deps.Settle)
}

// window returns the Window of the oldest creation of unknown outcome, zero if there is none.
func (c *Client[L]) window() Window {
	if len(c.origin.open) == 0 {
		return Window{}
	}
	return c.windowOf(c.origin.open[0])
}

func (c *Client[L]) windowOf(e journal.Entry) Window {
	settled := c.settledAt(e)
	return Window{Begun: e.Begun, Visible: reconciler.AttemptVisibleSince(e.Attempted(), settled, c.deps.Now()), Settled: settled}
}

// askAttempt looks for the resource that the oldest creation of unknown outcome made. If that creation made nothing,
// it is done, and the next one becomes the attempt.
func (c *Client[L]) askAttempt(ctx context.Context, mg resource.Managed) error {
	e := c.origin.open[0]
	live, err := c.findAttempt(ctx, mg, e)
	c.facts.ByAttempt = c.answer([]L{live}, err)
	if c.facts.ByAttempt.Result != decision.Absent || c.facts.Attempt.Open {
		return nil
	}
	c.deps.Journal.Void(e)
	if len(c.origin.open) == 1 {
		return nil
	}
	c.origin.open = c.origin.open[1:]
	if err := c.resume(); err != nil {
		return err
	}
	c.facts.Attempt, c.facts.ByAttempt = c.attempt(), decision.Answer{}
	return nil
}

// resolve finds out whether the object's own resource is the result of a creation whose outcome was lost with an
// earlier process. Until that is known, the journal keeps the entry, and the object is looked at again.
func (c *Client[L]) resolve(ctx context.Context, mg resource.Managed, id string) {
	if len(c.origin.open) == 0 || !c.origin.owns(id) || c.facts.ByAttempt.Result != decision.Unasked {
		return
	}
	e := c.origin.open[0]
	live, err := c.findAttempt(ctx, mg, e)
	switch {
	case err == nil && c.adapter.Facts(live).ID == id:
		c.deps.Journal.Made(e, id)
	case !c.facts.Attempt.Open && (errors.Is(err, ErrAbsent) || err == nil && c.isAnothers(ctx, mg, live)):
		c.deps.Journal.Void(e)
	default:
		reconciler.LookAgain(ctx, max(c.settledAt(e).Sub(c.deps.Now()), c.deps.Interval))
		return
	}
	if len(c.origin.open) > 1 {
		reconciler.LookAgain(ctx, c.deps.Interval)
	}
}

// findAttempt looks for the result of a creation. It looks by ID, or by the subject of the creation if the ID is not
// known or proves nothing.
func (c *Client[L]) findAttempt(ctx context.Context, mg resource.Managed, e journal.Entry) (L, error) {
	if live, known, err := c.result(ctx, mg, e); known {
		return live, err
	}
	return c.adapter.FindCreated(ctx, c.windowOf(e))
}

// result looks for the result of a creation, by the ID in the API's answer. It returns false if there is no such ID,
// or if a look by it proves nothing.
func (c *Client[L]) result(ctx context.Context, mg resource.Managed, e journal.Entry) (live L, known bool, err error) {
	if e.ResultID == "" {
		return live, false, nil
	}
	live, err = c.adapter.Get(ctx, e.ResultID)
	err = c.believed(ctx, mg, e.ResultID, true, err)
	var gone *decision.MissingError
	return live, !errors.As(err, &gone), err
}

func (c *Client[L]) askID(ctx context.Context, mg resource.Managed) {
	id := meta.GetExternalName(mg)
	live, err := c.adapter.Get(ctx, id)
	err = c.believed(ctx, mg, id, c.origin.owns(id), err)
	a := c.answer([]L{live}, err)
	if a.Result == decision.NoID {
		a.Err = fmt.Errorf("annotation %s: %w; remove it to have the %s found by its %s",
			meta.AnnotationKeyExternalName, err, c.kind.Noun.Short, c.kind.Noun.Natural)
	}
	c.facts.ByID = a
}

// believed returns err of a look by that ID. If an absence is not believed yet, it returns an error that says what it
// waits for. A wrong absence would make a deletion leave the resource, and an edit create a second one. A stale copy
// may not show a resource that was created a moment ago. For any other resource, two answers have to confirm the
// absence. own is true for a resource that is known to have existed.
func (c *Client[L]) believed(ctx context.Context, mg resource.Managed, id string, own bool, err error) error {
	a, ok := c.adapter.(AbsenceVerifier)
	if !ok || !errors.Is(err, ErrAbsent) {
		return err
	}
	if shown := meta.GetExternalCreateSucceeded(mg).Add(c.deps.Settle); c.deps.Now().Before(shown) && a.MayBeStale(id) {
		return &AbsenceUnconfirmedError{What: c.kind.Noun.Name, ID: id, Until: shown}
	}
	if !policy.Manages(mg) {
		return err // An absence has no effect on an object that only observes.
	}
	return cmp.Or(a.VerifyAbsence(ctx, id, own), err)
}

// answer returns the result of a look as a fact.
func (c *Client[L]) answer(all []L, err error) decision.Answer {
	var (
		badID *cloudflare.IDError
		gone  *decision.MissingError
	)
	switch {
	case errors.Is(err, ErrAbsent) || err == nil && len(all) == 0:
		return decision.Answer{Result: decision.Absent}
	case errors.As(err, &badID):
		return decision.Answer{Result: decision.NoID, Err: err}
	case errors.As(err, &gone):
		return decision.Answer{Result: decision.Unproven, Err: err}
	case err != nil:
		return decision.Answer{Result: decision.Failed, Err: err}
	}
	a := decision.Answer{Result: decision.Found}
	for _, l := range all {
		a.Live = append(a.Live, c.about(c.confirmed(l)))
	}
	return a
}

// confirmed returns what a read by ID showed of live, if there was one. A list may show less.
func (c *Client[L]) confirmed(live L) L {
	read := c.facts.Confirmed
	if read.ID == "" || read.Err != nil || c.adapter.Facts(live).ID != read.ID {
		return live
	}
	return c.lives[read.ID]
}

// about returns the facts of live, and remembers live.
func (c *Client[L]) about(live L) decision.ResourceFacts {
	out := c.adapter.Facts(live)
	diff, _ := c.adapter.Compare(live)
	out.Differs = len(diff) > 0
	c.lives[out.ID] = live
	return out
}

// isAnothers reports whether another object is known to manage live.
func (c *Client[L]) isAnothers(ctx context.Context, mg resource.Managed, live L) bool {
	is, err := c.deps.Claims.Taken(ctx, mg, c.adapter.Facts(live).ID)
	return err == nil && is
}

func (c *Client[L]) taken(ctx context.Context, mg resource.Managed) decision.Taken {
	out := decision.Taken{Asked: true, IDs: map[string]bool{}}
	for _, l := range c.facts.ByKey.Live {
		is, err := c.deps.Claims.Taken(ctx, mg, l.ID)
		if err != nil {
			out.Err = err
			return out
		}
		out.IDs[l.ID] = is
	}
	return out
}

func (c *Client[L]) confirm(ctx context.Context, id string) {
	c.facts.Confirmed = decision.Confirmation{ID: id}
	a, ok := c.adapter.(IDVerifier[L])
	if !ok {
		return
	}
	live, err := a.VerifyID(ctx, c.lives[id])
	if c.facts.Confirmed.Err = err; err != nil {
		return
	}
	for _, answer := range []decision.Answer{c.facts.ByStatus, c.facts.ByAttempt, c.facts.ByKey} {
		for i := range answer.Live {
			if answer.Live[i].ID == id {
				answer.Live[i] = c.about(live)
			}
		}
	}
}

// askClaim claims a resource that was found. If another object has meanwhile claimed what seemed to be the result of
// this object's attempt, the attempt is looked for again, because there may be another resource like it.
func (c *Client[L]) askClaim(ctx context.Context, mg resource.Managed, id string) {
	claimed := c.claim(ctx, mg, id)
	c.facts.Claims[id] = claimed
	if by := c.facts.ByAttempt; claimed.Holder == decision.HolderOther && by.Result == decision.Found && by.Live[0].ID == id {
		c.facts.ByAttempt = decision.Answer{}
	}
}

func (c *Client[L]) claim(ctx context.Context, mg resource.Managed, id string) decision.Claim {
	err := c.deps.Claims.Hold(ctx, mg, id)
	var conflict *claim.ConflictError
	switch {
	case err == nil:
		return decision.Claim{Holder: decision.HolderOurs}
	case errors.As(err, &conflict):
		return decision.Claim{Holder: decision.HolderOther, Err: err}
	}
	return decision.Claim{Holder: decision.HolderUnknown, Err: err}
}

// deletion finds out whether the object's own deletion was carried out.
func (c *Client[L]) deletion(ctx context.Context) decision.Answer {
	a, ok := c.adapter.(DeletionTracker[L])
	if !ok {
		return decision.Answer{Result: decision.Found}
	}
	gone, err := a.DeletionCompleted(ctx)
	switch {
	case err != nil:
		return decision.Answer{Result: decision.Failed, Err: fmt.Errorf("%w; looking for it by its name failed, too: %w", c.facts.ByID.Err, err)}
	case gone:
		return decision.Answer{Result: decision.Absent}
	}
	return decision.Answer{Result: decision.Found}
}
