// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"time"
)

// Options are the options of a Pool.
type Options struct {
	// Idle is the time without questions after which sweeps of a collection end, and
	// those of a row that is swept by GETs. 0 is two hours, which is longer than the poll
	// interval of objects.
	Idle time.Duration
	// CallTimeout bounds one call of a list. 0 is 90 s.
	CallTimeout time.Duration
	// Load is what all sweeps of the process cost. Nil means that there are no other
	// sweeps.
	Load *SweepLoad
	// OnPace is called when the pace of a credential's sweeps changes, with its
	// fingerprint, by several goroutines. Nil is ignored.
	OnPace func(fingerprint string, pace Pace)
	// OnSwept is called after each sweep of a collection, for metrics. Nil is ignored.
	OnSwept func(err error)
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	if o.Idle == 0 {
		o.Idle = 2 * time.Hour
	}
	if o.CallTimeout == 0 {
		o.CallTimeout = 90 * time.Second
	}
	if o.Load == nil {
		o.Load = NewLoad()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// A Pool holds the collections in use, one for each credential and key. It is safe for
// concurrent use.
type Pool[R Row[R]] struct {
	bg     *Background
	o      Options
	sweeps *Sweeps[*Collection[R]]
}

// NewPool makes an empty Pool.
func NewPool[R Row[R]](o Options) *Pool[R] {
	o = o.withDefaults()
	bg := NewBackground()
	return &Pool[R]{bg: bg, o: o, sweeps: NewSweeps[*Collection[R]](bg, SweepsOptions{
		Idle: o.Idle, Load: o.Load, OnPace: o.OnPace, OnSwept: o.OnSwept, Now: o.Now,
	})}
}

// Collection returns the collection of that key (a kind and the path of its parent) as
// src's credential sees it. A caller asks for it at each use, because the Pool forgets a
// collection that is not used for a while, or whose credential is refused. The source and
// the terms take effect only when the collection is made.
func (p *Pool[R]) Collection(key string, src Source[R], terms CollectionOptions) *Collection[R] {
	terms = terms.withDefaults()
	at := MemberKey{Credential: src.Fingerprint(), Key: key}
	return p.sweeps.Parent(at, terms.Interval, func(fresh func(time.Duration) time.Duration) Member[*Collection[R]] {
		asked := terms.Interval + terms.Interval/2
		c := newCollection(key, src, terms, p.bg, p.o, func() time.Duration { return fresh(asked) })
		return Member[*Collection[R]]{Parent: c, Lists: c.lists, Rate: src.SweepRate}
	})
}

// Run sweeps the collections in use, each once an interval, until ctx ends.
func (p *Pool[R]) Run(ctx context.Context, h Handler) { p.sweeps.Run(ctx, h) }

// Sweep sweeps every collection in use, once.
func (p *Pool[R]) Sweep(ctx context.Context, h Handler) { p.sweeps.Sweep(ctx, h) }

// Pace returns how often a credential's collections are swept, by its fingerprint. If
// there are several intervals, it is the pace that is furthest from what was asked for.
// It returns false if nothing is swept, or nothing was swept yet.
func (p *Pool[R]) Pace(fingerprint string) (Pace, bool) { return p.sweeps.Pace(fingerprint) }

// Rounds returns the state of all sweeps, for metrics.
func (p *Pool[R]) Rounds() []SweepStatus { return p.sweeps.Rounds() }

// Drain returns when every list under way has ended, or with an error when ctx ends
// first. Lists that wait for their turn in a budget stop waiting.
func (p *Pool[R]) Drain(ctx context.Context) error { return p.bg.Drain(ctx) }
