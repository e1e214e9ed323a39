// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

const (
	// maxWait bounds how long a call waits for the writes of callers that are at work on the zone.
	maxWait = time.Second
	// maxUrgentWait is that bound if the queue has urgent writes (Op.Soon), but no more than maxUrgent. These have to
	// reach Cloudflare in two seconds, regardless of other work. More urgent writes than maxUrgent wait for each
	// other.
	maxUrgentWait = 100 * time.Millisecond
	maxUrgent     = 4
	// recheck is how often a waiting call checks whether more writes are to come.
	recheck = 50 * time.Millisecond

	// freeBatch is how many operations a call may have on the Free plan, paidBatch on
	// others (the API's documentation of batch record changes).
	freeBatch = 200
	paidBatch = 3500
)

// A writer executes the writes of one zone in groups, one call at a time. A write that finds the zone idle is sent at
// once. Writes share a call if they come while a call is under way, or while most of the callers at work on the zone
// are about to write too. Creations with an intent join the queue once they are noted. Tenants take turns: while the
// faults in the writes of one tenant are sought, each other tenant has a call in between.
type writer struct {
	z *Zone

	mu          sync.Mutex
	queue       []*pendingWrite
	active      bool // a goroutine executes the queue
	notes       notes
	concurrency concurrency
	limit       int // operations in one call
	// unexplained is how many calls in a row were refused without a reason. It belongs to the execution that is under
	// way.
	unexplained int
	// creating counts the creations that left a queue, to be noted or sent, and have no outcome yet. unknown is when
	// a creation failed whose caller had left before.
	creating map[dnsrecord.Key]int
	unknown  map[dnsrecord.Key]time.Time
	// changed gets a value when queue or concurrency changes.
	changed chan struct{}
}

// A pendingWrite is a write that has no outcome yet.
type pendingWrite struct {
	op     Op
	tenant string    // the tenant that it is for, see cloudflare.ForTenant
	at     time.Time // when it was queued
	done   chan outcome
	// left is true once the caller has left. writer.mu guards it.
	left bool
	// noting is true while the write is noted, and noted once it was. counted is true once it is counted in
	// writer.creating. writer.mu guards them.
	noting, noted, counted bool
}

func newWriter(z *Zone) *writer {
	return &writer{
		z: z, creating: map[dnsrecord.Key]int{}, unknown: map[dnsrecord.Key]time.Time{}, limit: z.o.batch(paidBatch),
		changed: make(chan struct{}, 1), notes: notes{unsettled: map[string]int{}, changed: make(chan struct{}, 1)},
	}
}

// A NotSentError says that a write was not sent: its caller left before its turn, it could not be prepared, or the
// process ends.
type NotSentError struct {
	// Cause is the reason.
	Cause error
}

func (e *NotSentError) Error() string { return fmt.Sprintf("the change was not sent: %v", e.Cause) }

// Enter notes that a caller is at work on the zone and may write, until it calls leave. A call that other writes may
// share waits for such callers.
func (z *Zone) Enter() (leave func()) {
	z.writer.enter(1)
	return sync.OnceFunc(func() { z.writer.enter(-1) })
}

func (w *writer) enter(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.concurrency.add(n, w.z.o.Now())
	w.poke()
}

// poke wakes the goroutines that wait for more writes.
func (w *writer) poke() {
	for _, changed := range []chan struct{}{w.changed, w.notes.changed} {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
}

// Apply executes op and returns the record as it is then (for a Delete, as it was). Writes that come together share a
// call; each has an outcome of its own. If ctx ends before the write's turn, the error is a *NotSentError. If ctx
// ends later, the error is an *OutcomeUnknownError and the write goes on: its outcome is then in the snapshot, and another
// look shows it. If the API left the outcome open, Apply settles it by a look. If the look fails too, the error is an
// *OutcomeUnknownError.
func (z *Zone) Apply(ctx context.Context, op Op) (Entry, error) {
	if op.idle() {
		return op.live, nil
	}
	if err := op.check(); err != nil {
		return Entry{}, op.failed(err)
	}
	p := &pendingWrite{op: op, tenant: cloudflare.TenantOf(ctx), at: z.o.Now(), done: make(chan outcome, 1)}
	if !z.writer.add(p) {
		return Entry{}, op.failed(&NotSentError{Cause: parent.ErrEnding})
	}
	select {
	case o := <-p.done:
		return o.entry, o.err
	case <-ctx.Done():
	}
	if z.writer.withdraw(p) {
		return Entry{}, &NotSentError{Cause: context.Cause(ctx)}
	}
	select {
	case o := <-p.done:
		return o.entry, o.err
	default:
	}
	return Entry{}, &OutcomeUnknownError{Write: context.Cause(ctx), Look: errors.New("no time left to look")}
}

// add queues a write. It returns false if writes are drained.
func (w *writer) add(p *pendingWrite) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.op.intent != nil && w.z.o.BeforeCreate != nil {
		return w.addNote(p)
	}
	return w.enqueue(p)
}

// enqueue queues a write for its call. It returns false if writes are drained. w.mu is held.
func (w *writer) enqueue(p *pendingWrite) bool {
	if !w.active {
		if !w.z.sending.TryBegin() {
			return false
		}
		w.active = true
		go w.run()
	}
	w.queue = append(w.queue, p)
	w.poke()
	return true
}

// withdraw takes back a write that was not sent. It returns false if the write's turn has come.
func (w *writer) withdraw(p *pendingWrite) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(w.queue) + len(w.notes.queue)
	is := func(o *pendingWrite) bool { return o == p }
	w.queue, w.notes.queue = slices.DeleteFunc(w.queue, is), slices.DeleteFunc(w.notes.queue, is)
	if p.left = true; !p.noting && n == len(w.queue)+len(w.notes.queue) {
		return false
	}
	if p.counted {
		w.created(p, false)
	}
	w.poke()
	return true
}

// run executes the queue until it is empty.
func (w *writer) run() {
	defer w.z.sending.End()
	var (
		open []*segment // what is left of the groups that were refused, the segments of each tenant in their order
		t    turns
	)
	ready := func(waited time.Duration) (some, enough bool) { return w.ready(len(open) > 0, waited) }
	for w.gather(w.changed, ready) {
		tenant, ok := t.next(w.tenants(open))
		if !ok {
			continue // All callers have left since.
		}
		at := slices.IndexFunc(open, func(s *segment) bool { return s.has(tenant) })
		if at < 0 {
			at, open = len(open), append(open, w.take(open))
		}
		s := open[at]
		t.had(s.tenants)
		s.execution.tenant = tenant
		open = slices.Replace(open, at, at+1, s.execution.step(s)...)
		s.execution.confirm(open)
	}
}

// tenants returns the tenants that have an open segment or a queued write.
func (w *writer) tenants(open []*segment) (all []string) {
	for _, s := range open {
		all = append(all, s.tenants...)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.queue {
		all = append(all, p.tenant)
	}
	return all
}

// gather returns true when ready says that there is enough, and false when ready says that there is nothing. It calls
// ready again after each value from changed, and every recheck.
func (w *writer) gather(changed <-chan struct{}, ready func(waited time.Duration) (some, enough bool)) bool {
	again := time.NewTicker(recheck)
	defer again.Stop()
	for began := w.z.o.Now(); ; {
		if some, enough := ready(w.z.o.Now().Sub(began)); !some || enough {
			return some
		}
		select {
		case <-changed:
		case <-again.C:
		}
	}
}

// refuse delivers a *NotSentError to each write of a queue, because no write begins any more. w.mu is held.
func (w *writer) refuse(queue []*pendingWrite) {
	for _, p := range queue {
		w.count(p)
		w.settled(p, outcome{err: p.op.failed(&NotSentError{Cause: parent.ErrEnding})})
	}
}

// ready reports whether something is open or queued, and whether it is worth a call after it waited for so long. A
// creation that was noted is always worth a call, because it waited for others before its note.
func (w *writer) ready(open bool, waited time.Duration) (some, enough bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.z.sending.Closed() {
		w.refuse(w.queue)
		w.queue = nil
	}
	if open {
		return true, true
	}
	if len(w.queue) == 0 {
		w.active = false
		return false, false
	}
	noted := slices.ContainsFunc(w.queue, func(p *pendingWrite) bool { return p.noted })
	return true, noted || w.enough(w.queue, waited)
}

// enough reports whether a queue is worth a call after it waited for so long. It is if two thirds of the callers that
// were at work on the zone a moment ago wait for this call or another. To wait for the last of them would leave the
// Kubernetes API idle meanwhile. w.mu is held.
func (w *writer) enough(queue []*pendingWrite, waited time.Duration) bool {
	urgent := 0
	for _, p := range queue {
		if p.op.urgent {
			urgent++
		}
	}
	bound := maxWait
	if urgent > 0 && urgent <= maxUrgent {
		bound = maxUrgentWait
	}
	wait := len(w.queue) + len(w.notes.queue) + w.notes.under
	return waited >= bound || len(queue) >= w.limit || 3*wait >= 2*w.concurrency.estimate(w.z.o.Now())
}

// take takes a group of writes that share a call out of the queue, in the order in which they are executed. A write
// that conflicts with another one of the group stays for a later call. So does a write of a tenant that has an open
// segment.
func (w *writer) take(open []*segment) *segment {
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.SortStableFunc(w.queue, func(a, b *pendingWrite) int { return a.op.rank() - b.op.rank() })
	var group, rest []*pendingWrite
	taken := make(map[any]struct{}, len(w.queue))
	for _, p := range w.queue {
		subject := p.op.subject()
		_, conflicts := taken[subject]
		waits := slices.ContainsFunc(open, func(s *segment) bool { return s.has(p.tenant) })
		if conflicts || waits || len(group) >= w.limit {
			rest = append(rest, p)
			continue
		}
		taken[subject] = struct{}{}
		w.count(p)
		group = append(group, p)
	}
	w.queue = rest
	w.z.o.Metrics.waited(group, w.z.o.Now())
	return newSegment(&execution{z: w.z, writer: w}, group)
}

// allow sets how many operations the zone's plan allows in one call.
func (w *writer) allow(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limit = max(w.z.o.batch(n), 1)
}

// tooMany notes that a call was refused for the number of its operations, because none of them was at fault: the
// zone's plan allows fewer than assumed.
func (w *writer) tooMany() { w.allow(freeBatch) }

// batchOf returns how many operations a plan allows in one call.
func batchOf(p cloudflare.Plan) int {
	if p.LegacyID == "free" {
		return freeBatch
	}
	return paidBatch
}
