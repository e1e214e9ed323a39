// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"slices"
	"time"
)

// notes are the creations that have to be noted before they are sent. They are noted
// beside the writer's calls, however long that takes. The next ones are noted when those
// before have their outcomes: their callers may have more to create, which then shares
// both the note and the call. A tenant who has nothing without an outcome waits no longer than
// maxWait for the others.
type notes struct {
	queue []*pendingWrite
	// under is how many are being noted, and unsettled how many of each tenant were and have no outcome
	// yet.
	under     int
	unsettled map[string]int
	active    bool // a goroutine notes what is queued
	// changed is poked when a queue or the concurrency changes.
	changed chan struct{}
}

// addNote has a creation wait for its note. It returns false if writes are drained. w.mu is held.
func (w *writer) addNote(p *pendingWrite) bool {
	if w.z.sending.Closed() {
		return false
	}
	w.notes.queue = append(w.notes.queue, p)
	w.poke()
	if !w.notes.active {
		w.notes.active = true
		w.z.running.Begin()
		go w.note()
	}
	return true
}

// note notes what is queued for it until nothing is.
func (w *writer) note() {
	defer w.z.running.End()
	for w.gather(w.notes.changed, w.settledBefore) && w.gather(w.notes.changed, w.readyToNote) {
		if group := w.takeNotes(); len(group) > 0 {
			unsent := w.noted(group, w.before(group))
			if len(unsent) > 0 && w.z.o.Unsent != nil {
				w.z.o.Unsent(unsent)
			}
		}
	}
}

// settledBefore reports whether all that was noted has its outcome, or that of a tenant who waited for long enough.
func (w *writer) settledBefore(waited time.Duration) (some, enough bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return true, len(w.notes.unsettled) == 0 || waited >= maxWait && slices.ContainsFunc(w.notes.queue, w.notes.settled)
}

// settled reports whether all that was noted for the tenant of p has its outcome.
func (n *notes) settled(p *pendingWrite) bool { return n.unsettled[p.tenant] == 0 }

func (w *writer) readyToNote(waited time.Duration) (some, enough bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.z.sending.Closed() {
		w.refuse(w.notes.queue)
		w.notes.queue = nil
	}
	if len(w.notes.queue) == 0 {
		w.notes.active = false
		return false, false
	}
	return true, w.enough(w.notes.queue, waited)
}

// takeNotes takes all that wait to be noted and are of tenants who wait for nothing else: how many leave in one call is
// decided when they do.
func (w *writer) takeNotes() (group []*pendingWrite) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.notes.queue {
		if w.notes.settled(p) {
			p.noting = true
			w.count(p)
			group = append(group, p)
		}
	}
	w.notes.queue = slices.DeleteFunc(w.notes.queue, w.notes.settled)
	w.notes.under = len(group)
	return group
}

// before calls Options.BeforeCreate for a group.
func (w *writer) before(group []*pendingWrite) error {
	ctx, cancel := context.WithTimeout(context.Background(), w.z.o.CallTimeout)
	defer cancel()
	intents := make([]any, 0, len(group))
	for _, p := range group {
		intents = append(intents, p.op.intent)
	}
	return w.z.o.BeforeCreate(ctx, intents)
}

// noted has those of a group wait for their call whose callers are still there, or gives
// them the reason why there is none. Those who left know that nothing is sent: it gives the
// intents that were noted and are not sent.
func (w *writer) noted(group []*pendingWrite, err error) (unsent []any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notes.under = 0
	for _, p := range group {
		p.noting = false
		switch {
		case p.left && err == nil:
			unsent = append(unsent, p.op.intent)
		case p.left:
		case err != nil:
			w.settled(p, outcome{err: p.op.failed(&WithdrawnError{Cause: err})})
		default:
			p.noted = true
			w.notes.unsettled[p.tenant]++
			if !w.enqueue(p) {
				w.refuse([]*pendingWrite{p})
			}
		}
	}
	return unsent
}
