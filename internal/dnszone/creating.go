// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"maps"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// deliver delivers an outcome to the caller of a write. If the caller has left, the next
// sweep reports the record as changed.
func (w *writer) deliver(p *pendingWrite, o outcome) {
	w.mu.Lock()
	left := p.left
	w.settled(p, o)
	w.mu.Unlock()
	if id := p.op.live.Live.ID; left && id != "" {
		w.z.lists.Note(id)
	}
}

// settled hands an outcome to the caller. w.mu is held.
func (w *writer) settled(p *pendingWrite, o outcome) {
	p.done <- o
	if p.op.kind == opCreate {
		w.created(p, p.left && o.err != nil)
	}
}

// lateness is how long a record may still appear after its creation failed, if the caller
// had left before the failure.
const lateness = 30 * time.Second

// count notes that a creation is under way. w.mu is held.
func (w *writer) count(p *pendingWrite) {
	if p.op.kind == opCreate && !p.counted {
		p.counted = true
		w.creating[p.op.want.Key()]++
	}
}

// created notes that a creation has an outcome, or is not sent. w.mu is held.
func (w *writer) created(p *pendingWrite, unknown bool) {
	if p.noted {
		w.notes.unsettled[p.tenant]--
		if w.notes.settled(p) {
			delete(w.notes.unsettled, p.tenant)
		}
		w.poke()
	}
	key := p.op.want.Key()
	w.creating[key]--
	if w.creating[key] <= 0 {
		delete(w.creating, key)
	}
	now := w.z.o.Now()
	maps.DeleteFunc(w.unknown, func(_ dnsrecord.Key, at time.Time) bool { return now.Sub(at) >= lateness })
	if unknown {
		w.unknown[key] = now
	}
}

// Creating reports whether a creation of a record of that key is under way, even if its
// caller has left. It also returns true for lateness after the failure of a creation
// whose caller had left.
func (z *Zone) Creating(key dnsrecord.Key) bool {
	w := z.writer
	w.mu.Lock()
	defer w.mu.Unlock()
	at, late := w.unknown[key]
	return w.creating[key] > 0 || late && z.o.Now().Sub(at) < lateness
}

// waiting returns the writes whose callers are still there.
func (w *writer) waiting(ws []*pendingWrite) (rest []*pendingWrite) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range ws {
		switch {
		case !p.left:
			rest = append(rest, p)
		case p.op.kind == opCreate:
			w.created(p, false) // It is not sent.
		}
	}
	return rest
}
