// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"

	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// A Pace is how often the zones of a credential are swept.
type Pace = parent.Pace

// A Change names the records of a zone that are not what they were at the sweep
// before, other than by this process's own writes: changed, gone or new. The first
// list of a zone shows no change, for nobody has seen anything before it.
type Change struct {
	ZoneID    string
	RecordIDs []string
	// Err says why the zone could not be listed; there are no RecordIDs then.
	Err error
}

// A ChangeHandler handles what a Pool's sweeps find.
type ChangeHandler struct {
	// InUse reports whether a zone is in use. One that is not is not swept. Nil is
	// always.
	InUse func(zoneID string) bool
	// OnChange is called for each zone that changed or could not be listed, by one
	// goroutine at a time.
	OnChange func(Change)
}

func (h ChangeHandler) ofParents() parent.Handler {
	return parent.Handler{InUse: h.InUse, OnChange: func(c parent.Change) {
		h.OnChange(Change{ZoneID: c.Key, RecordIDs: c.IDs, Err: c.Err})
	}}
}

// Run sweeps the zones in use, each once an interval, until ctx ends. Each
// credential has a rhythm of its own, which is slower than the interval where its
// budget does not allow for that many lists (see Pace).
func (p *Pool) Run(ctx context.Context, handler ChangeHandler) {
	p.sweeps.Run(ctx, handler.ofParents())
}

// Sweep lists every zone in use, once.
func (p *Pool) Sweep(ctx context.Context, handler ChangeHandler) {
	p.sweeps.Sweep(ctx, handler.ofParents())
}

// Pace gives how often the zones of a credential are swept, by its fingerprint;
// false where none are, or none were yet.
func (p *Pool) Pace(fingerprint string) (Pace, bool) { return p.sweeps.Pace(fingerprint) }
