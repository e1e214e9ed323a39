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
	// lull is the pause without a new change after which a group is sent. longestGather is how long the first change of
	// a group waits at most.
	lull          = 100 * time.Millisecond
	longestGather = time.Second
	// groupTimeout bounds the time that a group takes.
	groupTimeout = 5 * time.Minute
)

// A target is where fragments are written and read.
type target struct {
	d    kind.Description
	all  kindapi.Resources
	list *parent.Collection[Live]
	// place identifies the target: a parent, as one credential sees it.
	place string
	// document is the document that contains the fragments. Its path is the same for all credentials.
	document documentAt
}

// A bulkChange is the change of one fragment, as a part of an asynchronous operation.
type bulkChange struct {
	*change

	to target
	at time.Time // when it was queued
	// left is set if the caller left after a group took the change.
	left atomic.Bool
	// before is the fragment before the operation, nil if there was none. body is what the operation sends of it.
	before *Live
	body   kind.Document
}

// sharesWith reports whether one operation can have both changes.
func (c *bulkChange) sharesWith(o *bulkChange) bool {
	return c.to.place == o.to.place && (c.want == nil) == (o.want == nil)
}

// A NotSentError reports that a change was not sent: its caller left before its turn, or no write may begin any
// more.
type NotSentError struct{ Cause error }

func (e *NotSentError) Error() string {
	if errors.Is(e.Cause, parent.ErrEnding) {
		return fmt.Sprintf("the change was not sent: %v", e.Cause)
	}
	return fmt.Sprintf("the change was not sent: other changes of the account came first: %v", e.Cause)
}

// An OutcomeUnknownError reports that the outcome of a change is not known yet.
type OutcomeUnknownError struct {
	Noun  string
	Cause error
}

func (e *OutcomeUnknownError) Error() string {
	return fmt.Sprintf("nobody knows yet whether the %s was changed: %v", e.Noun, e.Cause)
}

// Unwrap returns the cause.
func (e *OutcomeUnknownError) Unwrap() error { return e.Cause }

// bulks writes fragments by asynchronous operations. Cloudflare carries out one operation of an account at a time, so
// one goroutine writes in an account at a time, for all lists and credentials. The changes that arrive during an
// operation go into the next one.
type bulks struct {
	// sending tracks the groups of writes under way.
	sending *parent.Background

	mu       sync.Mutex
	accounts map[string]*bulkQueue
}

// A bulkQueue holds the changes in an account that no operation has yet.
type bulkQueue struct {
	// active is true while a goroutine writes in the account.
	active  bool
	waiting []*bulkChange
	// wrote is when the last operation ended. Only the goroutine that writes uses it.
	wrote time.Time
	// came is signaled when a change arrives.
	came chan struct{}
}

// apply carries out a change and returns the fragment after it, nil if there is none. If ctx ends first, either the
// change is not sent and the error is a *NotSentError, or the change goes on and the error is an
// *OutcomeUnknownError.
func (b *bulks) apply(ctx context.Context, account string, c *bulkChange) (kind.Document, error) {
	c.done, c.at = make(chan struct{}), time.Now()
	q, first := b.add(account, c)
	if q == nil {
		return nil, &NotSentError{Cause: parent.ErrEnding}
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
		return nil, &NotSentError{Cause: ctx.Err()}
	}
	c.left.Store(true)
	return nil, &OutcomeUnknownError{Noun: c.to.d.Noun, Cause: ctx.Err()}
}

// add queues a change. It reports whether no goroutine writes in the account yet. The queue is nil if no write may
// begin any more.
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

// withdraw takes a change out of the queue. It returns false if a group has taken the change.
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

// run writes group after group until no change waits. If no write may begin any more, the waiting changes fail with a
// *NotSentError.
func (b *bulks) run(ctx context.Context, q *bulkQueue) {
	defer b.sending.End()
	for b.busy(q) {
		q.gather()
		group := b.take(q)
		if len(group) == 0 {
			continue // All of them were withdrawn.
		}
		if b.sending.Closed() {
			outcome(group, &NotSentError{Cause: parent.ErrEnding})
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

// gather returns when no change has arrived for lull, or after longestGather.
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

// busy reports whether a change waits. If none does, it marks the queue as inactive: the goroutine that writes in the
// account has to end.
func (b *bulks) busy(q *bulkQueue) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	q.active = len(q.waiting) > 0
	return q.active
}

// take takes the changes that share an operation with the change that has waited longest. An operation has at most
// one change of each fragment.
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
