// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"slices"
	"time"
)

// notes are the creations that have to be noted (Options.BeforeCreate) before they are sent. They are noted beside
// the writer's calls, so that a slow note holds up no call. The next creations are noted once those before have their
// outcomes: the callers may have more to create, which then shares both the note and the call. A tenant that has no
// noted creation without an outcome waits no longer than maxWait for the other tenants.
type notes struct {
	queue []*pendingWrite
	// under is how many creations are being noted. unsettled is how many creations of each tenant were noted and have
	// no outcome yet.
	under     int
	unsettled map[string]int
	active    bool // a goroutine notes the queue
	// changed gets a value when a queue or the concurrency changes.
	changed chan struct{}
}

// addNote queues a creation for its note. It returns false if writes are drained. w.mu is held.
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

// note notes the queued creations until none is left.
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

// settledBefore returns true for enough if all noted creations have their outcomes. After maxWait it also does so if
// a tenant with a queued creation has no noted creation without an outcome.
func (w *writer) settledBefore(waited time.Duration) (some, enough bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return true, len(w.notes.unsettled) == 0 || waited >= maxWait && slices.ContainsFunc(w.notes.queue, w.notes.settled)
}

// settled reports whether all noted creations of p's tenant have their outcomes.
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

// takeNotes takes the queued creations of tenants that have no noted creation without an outcome. It takes all of
// them: the size of a call is decided when the call is made.
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

// noted queues each write of a group for its call if the caller is still there, or delivers err to the caller if the
// note failed. Callers that left know that nothing is sent. noted returns the intents that were noted and are not
// sent because their callers left.
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
			w.settled(p, outcome{err: p.op.failed(&NotSentError{Cause: err})})
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
