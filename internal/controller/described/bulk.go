// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

const (
	// lull is how long nothing must come before a group is sent, and longestGather how long
	// the first of a group waits at most.
	lull          = 100 * time.Millisecond
	longestGather = time.Second
	// groupTimeout bounds what becomes of a group.
	groupTimeout = 5 * time.Minute
)

// A target is where fragments are written to, and read from.
type target struct {
	d    kind.Description
	all  kindapi.Resources
	list *parent.Collection[Live]
	// place tells it from all others: a parent, as one credential sees it.
	place string
	// document is what the fragments are in, whoever's credential it is.
	document documentAt
}

// A bulkChange is one fragment's part in an asynchronous operation.
type bulkChange struct {
	*change

	to target
	at time.Time // when it was queued
	// left is set once its caller has gone while its turn came.
	left atomic.Bool
	// before is the fragment before the operation, nil where there was none, and body what is
	// sent of it.
	before *Live
	body   kind.Document
}

// sharesWith reports whether one operation can have both changes.
func (c *bulkChange) sharesWith(o *bulkChange) bool {
	return c.to.place == o.to.place && (c.want == nil) == (o.want == nil)
}

// A BulkWithdrawnError says that a change was not sent: who asked for it did not wait for its
// turn.
type BulkWithdrawnError struct{ Cause error }

func (e *BulkWithdrawnError) Error() string {
	if errors.Is(e.Cause, parent.ErrEnding) {
		return fmt.Sprintf("the change was not sent: %v", e.Cause)
	}
	return fmt.Sprintf("the change was not sent: other changes of the account came first: %v", e.Cause)
}

// An UnsettledError says that nobody knows yet what became of a change.
type UnsettledError struct {
	Noun  string
	Cause error
}

func (e *UnsettledError) Error() string {
	return fmt.Sprintf("nobody knows yet whether the %s was changed: %v", e.Noun, e.Cause)
}

// Unwrap gives why.
func (e *UnsettledError) Unwrap() error { return e.Cause }

// bulks write fragments by asynchronous operations. One goroutine writes in an account at a
// time, whatever the list and the credential, for Cloudflare carries out one operation of an
// account at a time. What arrives while one is under way is in the next one.
type bulks struct {
	// sending are the groups of writes under way.
	sending *parent.Background

	mu       sync.Mutex
	accounts map[string]*bulkQueue
}

// A bulkQueue has the changes in an account that no operation has yet.
type bulkQueue struct {
	// active is true while a goroutine writes in the account.
	active  bool
	waiting []*bulkChange
	// wrote is when the last operation ended. Only the goroutine that writes uses it.
	wrote time.Time
	// came is poked when a change comes.
	came chan struct{}
}

// apply carries out a change, and gives the fragment after it, nil where there is none. Where
// ctx ends first, the change is not sent, or the error is an *UnsettledError: it goes on.
func (b *bulks) apply(ctx context.Context, account string, c *bulkChange) (kind.Document, error) {
	c.done, c.at = make(chan struct{}), time.Now()
	q, first := b.add(account, c)
	if q == nil {
		return nil, &BulkWithdrawnError{Cause: parent.ErrEnding}
	}
	if first {
		go b.run(context.WithoutCancel(ctx), q)
	}
	select {
	case <-c.done:
		return c.after, c.err
	case <-ctx.Done():
	}
	if b.withdraw(q, c) {
		return nil, &BulkWithdrawnError{Cause: ctx.Err()}
	}
	c.left.Store(true)
	return nil, &UnsettledError{Noun: c.to.d.Noun, Cause: ctx.Err()}
}

// add queues a change. It reports whether nobody writes in the account yet. The queue is nil
// where no write begins any more.
func (b *bulks) add(account string, c *bulkChange) (*bulkQueue, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.accounts == nil {
		b.accounts = map[string]*bulkQueue{}
	}
	q := b.accounts[account]
	if q == nil {
		q = &bulkQueue{came: make(chan struct{}, 1)}
		b.accounts[account] = q
	}
	first := !q.active
	if first && !b.sending.TryBegin() {
		return nil, false
	}
	q.active = true
	q.waiting = append(q.waiting, c)
	select {
	case q.came <- struct{}{}:
	default:
	}
	return q, first
}

// withdraw takes a change out of the queue. It gives false when its turn has come.
func (b *bulks) withdraw(q *bulkQueue, c *bulkChange) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.Index(q.waiting, c)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	return true
}

// run writes group after group until nobody waits. Once no write begins any more, those who
// wait get a BulkWithdrawnError.
func (b *bulks) run(ctx context.Context, q *bulkQueue) {
	defer b.sending.End()
	for b.busy(q) {
		q.gather()
		group := b.take(q)
		if len(group) == 0 {
			continue // They have left.
		}
		if b.sending.Closed() {
			outcome(group, &BulkWithdrawnError{Cause: parent.ErrEnding})
		} else {
			ctx, cancel := context.WithTimeout(ctx, groupTimeout)
			q.wrote = writeBulk(ctx, group, q.wrote, b.sending)
			cancel()
		}
		for _, c := range group {
			close(c.done)
		}
	}
}

// gather returns when nothing has come for a moment, or the first has waited long enough.
func (q *bulkQueue) gather() {
	longest := time.NewTimer(longestGather)
	defer longest.Stop()
	for {
		quiet := time.NewTimer(lull)
		select {
		case <-q.came:
			quiet.Stop()
		case <-quiet.C:
			return
		case <-longest.C:
			quiet.Stop()
			return
		}
	}
}

// busy reports whether somebody waits. Where nobody does, the account is written to no longer.
func (b *bulks) busy(q *bulkQueue) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	q.active = len(q.waiting) > 0
	return q.active
}

// take takes the changes that share an operation with the one that has waited longest. Of
// those for one fragment each has its own.
func (b *bulks) take(q *bulkQueue) []*bulkChange {
	b.mu.Lock()
	defer b.mu.Unlock()
	var group, rest []*bulkChange
	taken := map[string]bool{}
	for _, c := range q.waiting {
		if !c.sharesWith(q.waiting[0]) || taken[c.key] {
			rest = append(rest, c)
			continue
		}
		taken[c.key] = true
		group = append(group, c)
	}
	q.waiting = rest
	return group
}
