// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// A listing is one list, under way or done. Several callers may wait for it.
type listing struct {
	// began is when its first call is made, zero before that. Lists.mu guards it until
	// done is closed.
	began Moment
	done  chan struct{}
	// sweep is true for a list that has only a sweep's share of the budget.
	sweep bool
	// stuck is true once the list has waited for that share. stalled is closed then:
	// callers that are not sweeps leave the list and join another one. Lists.mu guards
	// stuck.
	stuck   bool
	stalled chan struct{}
	// err is set before done is closed.
	err error
}

// serves reports whether a caller can wait for r. sweep is true for a caller with only a
// sweep's share of the budget, and false for one that may use the whole budget.
func (r *listing) serves(sweep bool) bool {
	return sweep || !r.sweep || (!r.stuck && !cloudflare.IsThrottled(r.err))
}

// wait returns when a list that began after the logical time asked has landed.
func (l *Lists) wait(ctx context.Context, asked uint64, sweep bool) error {
	if err := l.breaker.Check(l.o.Now()); err != nil {
		return l.failed(err)
	}
	for {
		r := l.join(asked, sweep)
		stalled := r.stalled
		if sweep {
			stalled = nil // A sweep waits with the list.
		}
		select {
		case <-r.done:
		case <-stalled:
			continue
		case <-ctx.Done():
			return l.failed(context.Cause(ctx))
		}
		if r.began.Logical > asked && r.serves(sweep) {
			return r.err
		}
	}
}

// join returns the last list if it began after asked, else the list under way, or begins
// one. A list belongs to no caller: it goes on when its callers have left.
func (l *Lists) join(asked uint64, sweep bool) *listing {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last != nil && l.last.began.Logical > asked && l.last.serves(sweep) {
		return l.last
	}
	if l.current != nil && l.current.serves(sweep) {
		return l.current
	}
	r := &listing{done: make(chan struct{}), stalled: make(chan struct{}), sweep: sweep}
	l.current = r
	l.bg.Begin()
	var wait time.Duration
	if now := l.o.Now(); !sweep && l.fresh(now) {
		wait = l.proofs.ReserveN(now, min(l.calls, ProofBurst)).DelayFrom(now)
	}
	go l.run(r, wait)
	return r
}

// run makes one list, after a wait.
func (l *Lists) run(r *listing, wait time.Duration) {
	defer l.bg.End()
	if wait > 0 {
		l.bg.Sleep(context.Background(), wait)
	}
	began := l.begin(r)
	land, calls, err := l.o.List(&Pacer{lists: l, of: r})
	l.breaker.Record(err, l.o.Now())
	var changed []string
	if err == nil {
		changed = land(began)
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	l.note(changed) // The next sweep reports what the list showed, even if a question caused it.
	switch {
	case err != nil:
		r.err = l.failed(err)
	case began.Logical > l.listed.Logical: // It was not overtaken by a younger list.
		l.listed, l.calls, l.outdated = began, calls, false
	}
	if l.current == r {
		l.current = nil
	}
	if l.last == nil || l.last.began.Logical < began.Logical {
		l.last = r
	}
	close(r.done)
}

// begin sets the time of r's first call, and returns it.
func (l *Lists) begin(r *listing) Moment {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.began = Moment{Logical: l.clock.Tick(), Wall: l.o.Now()}
	return r.began
}

// Pacer grant the calls of one list their turn in the credential's budget.
type Pacer struct {
	lists *Lists
	of    *listing
}

// Call makes one call, with a timeout of its own. A sweep waits for its share of the
// budget between two calls, and does not begin the list again: such a list would never
// come to an end.
func (t *Pacer) Call(do func(context.Context) error) error {
	l := t.lists
	for {
		ctx, cancel := context.WithTimeout(context.Background(), l.o.CallTimeout)
		if t.of.sweep {
			ctx = cloudflare.ForSweep(ctx)
		}
		err := do(ctx)
		cancel()
		wait := cloudflare.RetryAfter(err)
		if !t.of.sweep || !cloudflare.IsThrottled(err) || wait == 0 {
			return err
		}
		t.stall()
		if !l.bg.Sleep(context.Background(), wait) {
			return err
		}
	}
}

// stall notes that a sweep's list waits for its share.
func (t *Pacer) stall() {
	t.lists.mu.Lock()
	defer t.lists.mu.Unlock()
	if !t.of.stuck {
		t.of.stuck = true
		close(t.of.stalled)
	}
}
