// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

const (
	// firstLook is the time from the start of an operation to the first look at it. longestLook is the longest time
	// between two looks.
	firstLook   = 250 * time.Millisecond
	longestLook = 5 * time.Second
	// recent is how old the list of the existing fragments may be when a change is queued. So the list that confirmed
	// the group before serves as well. A newer list would not be safer: only the API could keep another client from
	// writing in between.
	recent = 2 * time.Second
	// mostOperations bounds the operations of a group that fails as a whole: the changes at fault are found by halving
	// the group.
	mostOperations = 40
)

// The errors of a list that does not show a change after its operation.
var (
	errNotThere   = errors.New("the list does not show it yet")
	errStillThere = errors.New("the list still shows it")
	errAsBefore   = errors.New("the list still shows it as it was")
)

// writeBulk carries out the changes of a group: it reads the fragments, sends the changes, waits for the end of the
// operation, and reads again. Each change has its own outcome. wrote is when the last operation in the account ended.
// writeBulk returns that time, updated by the operations of this group.
func writeBulk(ctx context.Context, group []*bulkChange, wrote time.Time, sending *parent.Background) time.Time {
	to := group[0].to
	if err := to.list.CatchUp(ctx, shows(group, wrote)); err != nil {
		outcome(group, fmt.Errorf("cannot read what the %s is merged into: %w", to.d.Noun, err))
		return wrote
	}
	var left []*bulkChange
	for _, c := range group {
		if c.prepare() {
			left = append(left, c)
		}
	}
	if len(left) == 0 {
		return wrote
	}
	b := &bulkWrite{target: to, sending: sending, operations: mostOperations}
	b.send(ctx, left)
	wrote = time.Now()
	b.settle(ctx, slices.DeleteFunc(left, func(c *bulkChange) bool { return c.err != nil }))
	return wrote
}

// shows returns the time of the state that a list has to show for a group: shortly before the last change of the
// group was queued, and after the last operation in the account, also if another credential began it.
func shows(group []*bulkChange, wrote time.Time) time.Time {
	at := wrote.Add(-1) // The list that followed may have begun in the same instant.
	for _, c := range group {
		if t := c.at.Add(-recent); t.After(at) {
			at = t
		}
	}
	return at
}

// outcome sets the same outcome for all changes of a group.
func outcome(group []*bulkChange, err error) {
	for _, c := range group {
		c.err = err
	}
}

// prepare decides what to send of a change. It reports whether the change has to be sent.
func (c *bulkChange) prepare() bool {
	c.before = c.shown()
	switch {
	case c.left.Load():
		c.err = &NotSentError{Cause: context.Canceled}
	case c.exists != nil && c.before != nil:
		c.err = c.exists
	case c.want == nil && c.before == nil:
		c.err = c.missed()
	case c.still != nil && c.fails(c.still()):
	case c.want == nil:
		return true
	default:
		c.body = c.element()
		return c.before == nil || c.differs()
	}
	return false
}

// missed returns nil if the fragment is proven to be gone, or if the object does not know it as its own.
func (c *bulkChange) missed() error {
	if !c.own {
		return nil
	}
	_, err := c.to.document.missed(c.key)
	return err
}

func (c *bulkChange) fails(err error) bool {
	c.err = err
	return err != nil
}

// element returns the fragment to send: what is declared, merged over what exists.
func (c *bulkChange) element() kind.Document {
	if c.before == nil {
		return c.to.d.Element(c.want, nil)
	}
	return c.to.d.Element(c.want, c.before.doc)
}

// differs reports whether the fragment differs from what is declared. A fragment that does not differ is not sent.
func (c *bulkChange) differs() bool {
	if len(c.to.d.Differences(c.want, c.before.doc)) > 0 {
		return true
	}
	c.after = c.before.doc
	return false
}

// shown returns the fragment in the list, nil if the list does not have it.
func (c *bulkChange) shown() *Live {
	rows := c.to.list.Shown(c.key)
	if len(rows) == 0 {
		return nil
	}
	return &rows[0]
}

// A bulkWrite carries out the changes of one group.
type bulkWrite struct {
	target

	// sending, once it is closed, ends the wait for an operation. Cloudflare has the operation, and carries it out
	// before any operation of the next leader.
	sending *parent.Background
	// operations is how many more operations may be sent. refused is the error of the last part that was halved.
	operations int
	refused    error
}

// send carries out changes with one operation. If the operation is refused or fails because of its contents, send
// tries each half alone. So a change at fault blocks few other changes, and none for long.
func (b *bulkWrite) send(ctx context.Context, part []*bulkChange) {
	switch {
	case b.sending.Closed():
		outcome(part, &NotSentError{Cause: parent.ErrEnding})
		return
	case b.operations == 0:
		outcome(part, b.refused)
		return
	}
	b.operations--
	err := b.carryOut(ctx, part)
	if len(part) == 1 || !atFault(err) {
		outcome(part, err)
		return
	}
	b.refused = err
	b.send(ctx, part[:len(part)/2])
	b.send(ctx, part[len(part)/2:])
}

// atFault reports whether an error is about the contents of an operation.
func atFault(err error) bool {
	var failed *kindapi.OperationError
	return errors.As(err, &failed) || cloudflare.IsRejected(err) || cloudflare.IsBatchTooLarge(err)
}

// carryOut begins an operation and waits for its end.
func (b *bulkWrite) carryOut(ctx context.Context, part []*bulkChange) error {
	id, err := b.begin(ctx, part)
	if err != nil || id == "" {
		return err
	}
	for pause := firstLook; ; pause = min(2*pause, longestLook) {
		if !b.sending.Sleep(ctx, pause) {
			return &OutcomeUnknownError{Noun: b.d.Noun, Cause: cmp.Or(ctx.Err(), parent.ErrEnding)}
		}
		ended, err := b.all.Ended(ctx, id)
		var gone *kindapi.NotFoundError
		switch {
		case ended:
			return err
		case errors.As(err, &gone):
			return &OutcomeUnknownError{Noun: b.d.Noun, Cause: gone.Cause}
		}
		// A look that fails says nothing about the operation.
		pause = max(pause, cloudflare.RetryAfter(err)/2)
	}
}

// begin sends an operation and returns its ID.
func (b *bulkWrite) begin(ctx context.Context, part []*bulkChange) (string, error) {
	if part[0].want == nil {
		ids := make([]string, len(part))
		for i, c := range part {
			ids[i] = b.all.ID(c.before.doc)
		}
		return b.all.DeleteElements(ctx, ids)
	}
	bodies := make([]kind.Document, len(part))
	for i, c := range part {
		bodies[i] = c.body
	}
	return b.all.PutElements(ctx, bodies)
}

// settle reads the outcome of the changes that operations carried out.
func (b *bulkWrite) settle(ctx context.Context, done []*bulkChange) {
	if len(done) == 0 {
		return
	}
	for _, c := range done {
		b.list.Forget(c.key)
	}
	err := b.list.CatchUp(ctx, time.Time{})
	for _, c := range done {
		if err == nil {
			c.err = c.settled()
		} else {
			c.err = err
		}
		if c.err != nil {
			c.err = &OutcomeUnknownError{Noun: b.d.Noun, Cause: c.err}
		}
	}
}

// settled returns nil if the list shows the change. It also returns nil if lists have shown the fragment unchanged
// for long enough (see undone): then Cloudflare normalized what was sent to what existed.
func (c *bulkChange) settled() error {
	after := c.shown()
	switch {
	case c.want == nil && after != nil:
		return errStillThere
	case c.want == nil:
		return nil
	case after == nil:
		return errNotThere
	case c.before != nil && after.Same(*c.before) && !c.undone():
		return errAsBefore
	}
	c.after = after.doc
	return nil
}

// undone reports whether lists have shown the fragment as it was before for longer than any copy lags behind. Each of
// the lists came after an operation that sent the same body.
func (c *bulkChange) undone() bool {
	says := saysAsBefore + c.key + " " + c.before.digest + " " + kind.Hash(c.body)
	yes, _ := c.to.document.ask().stands(says, parent.GoneDisputed)
	return yes
}
