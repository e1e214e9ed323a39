// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// ProofBurst lists can prove absence one right after the other, and one more every ProofInterval for
// each call that a list takes. Callers that come meanwhile share the next one: a thousand questions
// about absence must not use up the budget that the answers are needed for.
const (
	ProofBurst    = 10
	ProofInterval = 2 * time.Second
)

// ListsOptions are the options of Lists.
type ListsOptions struct {
	// Cannot is how the errors begin: "cannot list the zone's DNS records".
	Cannot string
	// List makes the calls of one list, each through Pacer. After an error, land is not called and
	// calls does not matter.
	List func(t *Pacer) (land CommitFunc, calls int, err error)
	// Fresh returns the greatest age of a list that answers questions about what is there.
	Fresh func() time.Duration
	// OnOutdate is called when Outdate is called. Nil is ignored.
	OnOutdate func()
	// CallTimeout bounds one call.
	CallTimeout time.Duration
	// Hold is the longest time for which lists are not made because they failed.
	Hold time.Duration
	// Now is the clock.
	Now func() time.Time
}

// A CommitFunc replaces what the list before showed with what this list showed, unless a younger list landed
// already. It returns the IDs of the rows that changed. The first list reports none, because there is
// no earlier list to compare with.
type CommitFunc func(began Moment) (changed []string)

// Lists are the lists of one parent: one is under way at a time, and all callers share it. They
// remember since when the newest list proves what is there, what lists have shown to have changed, and
// when a caller last asked. They are safe for concurrent use.
type Lists struct {
	bg      *Background
	clock   *Clock
	o       ListsOptions
	breaker *Breaker
	// proofs bounds how often the parent is listed although the newest list is fresh.
	proofs *rate.Limiter

	mu         sync.Mutex
	listed     Moment              // when the newest list that landed began; zero: none did
	sweeps     uint64              // how many sweeps have listed the parent
	swept      [2]time.Time        // when the lists of the last two sweeps began, the earlier first
	outdated   bool                // the newest list may not answer any more (Outdate)
	saw        bool                // something below the parent was read or written beside lists
	doubt      uint64              // logical time of the last sign that the newest list lacks a row
	calls      int                 // how many calls the last list took
	current    *listing            // the list under way, or nil
	last       *listing            // the last list that ended, or nil
	unreported map[string]struct{} // IDs of rows that lists showed to have changed, until a sweep reports them
	usedAt     time.Time
	unused     bool // the parent was not in use when it was last due to be swept
}

// NewLists makes Lists of a parent that was never listed. The clock is the one that counts the
// parent's writes.
func NewLists(bg *Background, clock *Clock, o ListsOptions) *Lists {
	return &Lists{
		bg: bg, clock: clock, o: o, breaker: NewBreaker(o.Hold, o.Now(), nil),
		proofs: rate.NewLimiter(rate.Every(ProofInterval), ProofBurst),
		calls:  1, unreported: map[string]struct{}{}, usedAt: o.Now(),
	}
}

// CatchUp returns when the newest list is fresh. A caller that asks for what is there can take a list
// that began before the question: a hundred callers that come together after a restart share one.
func (l *Lists) CatchUp(ctx context.Context) error {
	if l.Fresh() {
		return nil
	}
	l.mu.Lock()
	asked := l.clock.Now()
	if l.current != nil && l.current.began.Logical > 0 {
		asked = l.current.began.Logical - 1
	}
	l.mu.Unlock()
	return l.wait(ctx, asked, false)
}

// CatchUpSince is CatchUp for a caller that needs what is there since that time, zero for any: the
// newest list has to have begun later.
func (l *Lists) CatchUpSince(ctx context.Context, since time.Time) error {
	switch {
	case since.IsZero():
		return l.CatchUp(ctx)
	case l.Since(since):
		return nil
	}
	return l.Refresh(ctx)
}

// Refresh returns when a list that began after the call has landed. Callers that come
// while a list is under way share the next one.
func (l *Lists) Refresh(ctx context.Context) error {
	return l.wait(ctx, l.clock.Now(), false)
}

// Changes lists the parent with a sweep's share of the budget. It returns the IDs of the rows that
// lists have shown to be changed, gone or new since the last call, in order.
func (l *Lists) Changes(ctx context.Context) ([]string, error) {
	if err := l.wait(ctx, l.clock.Now(), true); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweeps++
	l.swept = [2]time.Time{l.swept[1], l.listed.Wall}
	ids := slices.Sorted(maps.Keys(l.unreported))
	clear(l.unreported)
	return ids, nil
}

// Note keeps IDs for the next sweep to report.
func (l *Lists) Note(ids ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.note(ids)
}

func (l *Lists) note(ids []string) {
	for _, id := range ids {
		l.unreported[id] = struct{}{}
	}
}

// Fresh reports whether the newest list may answer, and notes that a caller asked.
func (l *Lists) Fresh() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.o.Now()
	l.usedAt = now
	return l.fresh(now)
}

func (l *Lists) fresh(now time.Time) bool {
	return l.listed.Logical > 0 && !l.outdated && now.Sub(l.listed.Wall) <= l.o.Fresh()
}

// Since reports whether the newest list may answer and shows what was there at t. It returns false if
// t is zero.
func (l *Lists) Since(t time.Time) bool {
	if t.IsZero() || !l.Fresh() || l.Doubtful() {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.listed.Wall.After(t)
}

// Shows reports whether the newest list began after since and may answer. It returns true if since is
// zero.
func (l *Lists) Shows(since time.Time) bool { return since.IsZero() || l.Since(since) }

// Doubt notes a sign that the newest list lacks a row: the API refused to create one because it
// exists.
func (l *Lists) Doubt() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.doubt = l.clock.Tick()
}

// Doubtful reports whether there was such a sign since the newest list began, or there is no list.
func (l *Lists) Doubtful() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.doubt >= l.listed.Logical
}

// Outdate makes the newest list invalid: the parent has to be listed before the next answer.
func (l *Lists) Outdate() {
	l.mu.Lock()
	l.outdated = true
	l.mu.Unlock()
	if l.o.OnOutdate != nil {
		l.o.OnOutdate()
	}
}

// Outdated reports whether no list has landed since Outdate.
func (l *Lists) Outdated() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.outdated
}

// Saw notes that something below the parent was read or written beside lists.
func (l *Lists) Saw() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.saw = true
}

// Listed reports whether something was seen below the parent, by a list or beside lists, that still
// answers.
func (l *Lists) Listed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return (l.listed.Logical > 0 || l.saw) && !l.outdated
}

// Age returns how long ago the newest list began. It returns false if nothing was listed, or if the
// parent is not swept any more: the age of such a list is of no interest.
func (l *Lists) Age() (time.Duration, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.o.Now().Sub(l.listed.Wall), l.listed.Logical > 0 && !l.unused
}

// Looked returns how many sweeps have listed the parent so far, and when the list of the last but one
// began, zero if there is none. The changes that the last sweep reported were made after that time.
func (l *Lists) Looked() (before time.Time, sweeps uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.swept[0], l.sweeps
}

// Idle returns how long ago a caller last asked.
func (l *Lists) Idle() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.o.Now().Sub(l.usedAt)
}

// cost returns how many calls a list takes.
func (l *Lists) cost() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.calls
}

// setInUse notes whether the parent is in use.
func (l *Lists) setInUse(is bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unused = !is
}

// failed wraps an error in the words for what could not be done.
func (l *Lists) failed(err error) error { return fmt.Errorf("%s: %w", l.o.Cannot, err) }

// refused reports whether the API refused the credential (invalid), or may have (mayBe). A credential
// that was taken out of its Secret counts as mayBe only: what has to be cleaned up is deleted with it,
// and the record that this was done must not be lost.
func refused(err error) (invalid, mayBe bool) {
	withdrawn := errors.Is(err, cloudflare.ErrWithdrawn)
	return cloudflare.IsInvalidCredential(err) && !withdrawn, cloudflare.MayBeInvalidCredential(err) || withdrawn
}
