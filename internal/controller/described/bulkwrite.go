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
	// firstLook is how long after its begin an operation is looked at, and longestLook the
	// longest time between two looks.
	firstLook   = 250 * time.Millisecond
	longestLook = 5 * time.Second
	// recent is how long before the changes of a group a list may have begun that shows what
	// there is: the one that showed the changes of the group before serves as well. Nothing
	// but the API could keep somebody else from writing in between.
	recent = 2 * time.Second
	// mostOperations bounds how many operations a group takes that fails as a whole: what is
	// wrong is found by halves.
	mostOperations = 40
)

// What a list after an operation does not show.
var (
	errNotThere   = errors.New("the list does not show it yet")
	errStillThere = errors.New("the list still shows it")
	errAsBefore   = errors.New("the list still shows it as it was")
)

// writeBulk carries out the changes of a group: it reads what there is, sends what has to be
// sent, waits for the end, and reads again. Each change has its own outcome. wrote is when the
// last operation in the account ended, and the result when that was after this group.
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

// shows is the time of which a list has to show what there was, for a group: shortly before
// the last of it was queued, and after the last operation, of another credential, too.
func shows(group []*bulkChange, wrote time.Time) time.Time {
	at := wrote.Add(-1) // The list that followed began in the same instant, or later.
	for _, c := range group {
		if t := c.at.Add(-recent); t.After(at) {
			at = t
		}
	}
	return at
}

// outcome gives all of a group the same one.
func outcome(group []*bulkChange, err error) {
	for _, c := range group {
		c.err = err
	}
}

// prepare decides what is sent of a change. It reports whether anything is.
func (c *bulkChange) prepare() bool {
	c.before = c.shown()
	switch {
	case c.left.Load():
		c.err = &BulkWithdrawnError{Cause: context.Canceled}
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

// missed is nil where the fragment is proven to be gone, or nobody knew that it was there.
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

// element is the fragment as it is sent: what is declared, over what there is.
func (c *bulkChange) element() kind.Document {
	if c.before == nil {
		return c.to.d.Element(c.want, nil)
	}
	return c.to.d.Element(c.want, c.before.doc)
}

// differs reports whether the fragment is not as it should be. What is, is not sent.
func (c *bulkChange) differs() bool {
	if len(c.to.d.Differences(c.want, c.before.doc)) > 0 {
		return true
	}
	c.after = c.before.doc
	return false
}

// shown is the fragment as the list has it, nil where it has not.
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

	// sending, once it is closed, ends the wait for an operation: Cloudflare has it, and carries
	// it out before any that the next leader begins.
	sending *parent.Background
	// operations is how many more there may be, and refused why the last group was not carried
	// out that was tried by halves.
	operations int
	refused    error
}

// send has an operation carry out changes. Where it is refused, or fails, for what it contains,
// each half is tried alone, so that what is wrong with one keeps few others, and none for long.
func (b *bulkWrite) send(ctx context.Context, part []*bulkChange) {
	switch {
	case b.sending.Closed():
		outcome(part, &BulkWithdrawnError{Cause: parent.ErrEnding})
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

// atFault reports whether an error is about what an operation contains.
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
			return &UnsettledError{Noun: b.d.Noun, Cause: cmp.Or(ctx.Err(), parent.ErrEnding)}
		}
		ended, err := b.all.Ended(ctx, id)
		var gone *kindapi.GoneError
		switch {
		case ended:
			return err
		case errors.As(err, &gone):
			return &UnsettledError{Noun: b.d.Noun, Cause: gone.Cause}
		}
		// A look that fails says nothing about the operation.
		pause = max(pause, cloudflare.RetryAfter(err)/2)
	}
}

// begin sends an operation, and gives its ID.
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

// settle reads what operations made of the changes that they carried out.
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
			c.err = &UnsettledError{Noun: b.d.Noun, Cause: c.err}
		}
	}
}

// settled is nil where the list shows the change, or shows again and again that nothing came of it: Cloudflare then made of
// what was sent what was there.
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

// undone reports whether lists have shown the fragment as it was before for longer than any copy is behind, each after an
// operation with the same.
func (c *bulkChange) undone() bool {
	says := saysAsBefore + c.key + " " + c.before.digest + " " + kind.Hash(c.body)
	yes, _ := c.to.document.ask().stands(says, parent.GoneDisputed)
	return yes
}
