// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"

	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// A Pace is how often the zones of a credential are swept.
type Pace = parent.Pace

// A Change names the records of a zone that are changed, gone or new since the sweep
// before, other than by this process's own writes. Its key is the zone's ID. The first
// list of a zone shows no change, because there is no earlier list to compare with.
type Change = parent.Change

// Run sweeps the zones in use, each once an interval, until ctx ends. Each credential has
// a rhythm of its own, which is slower than the interval if its budget does not allow for
// that many lists (see Pace).
func (p *Pool) Run(ctx context.Context, handler parent.Handler) {
	p.sweeps.Run(ctx, handler)
}

// Sweep lists every zone in use, once.
func (p *Pool) Sweep(ctx context.Context, handler parent.Handler) {
	p.sweeps.Sweep(ctx, handler)
}

// Outdate makes what was seen with the credential of that fingerprint invalid, because
// the credential is refused.
func (p *Pool) Outdate(fingerprint string) { p.sweeps.Outdate(fingerprint) }

// Pace returns how often the zones of a credential are swept, by its fingerprint. It
// returns false if no zone is swept, or none was swept yet.
func (p *Pool) Pace(fingerprint string) (Pace, bool) { return p.sweeps.Pace(fingerprint) }
