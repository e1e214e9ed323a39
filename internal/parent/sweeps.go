// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// SweepsOptions are the options of Sweeps.
type SweepsOptions struct {
	// Idle is the time without questions after which sweeps of a parent end.
	Idle time.Duration
	// Load is what all sweeps of the process cost.
	Load *SweepLoad
	// OnPace is called when the pace of a credential's sweeps changes, by several
	// goroutines. Nil is ignored.
	OnPace func(credential string, pace Pace)
	// OnSwept is called after each sweep of a parent. Nil is ignored.
	OnSwept func(err error)
	// Now is the clock.
	Now func() time.Time
}

// A Change names the rows of a parent that are changed, gone or new since the sweep before,
// other than by this process's own writes. The first list of a parent shows no change,
// because there is no earlier list to compare with.
type Change struct {
	// Key is the key of the parent.
	Key string
	IDs []string
	// Err says why the parent could not be listed. IDs is empty then.
	Err error
}

// A Handler handles what sweeps find.
type Handler struct {
	// InUse reports whether a parent is in use. A parent that is not in use is not swept. A
	// nil InUse means that every parent is in use.
	InUse func(key string) bool
	// OnChange is called for each parent that changed or could not be listed, by one
	// goroutine at a time.
	OnChange func(Change)
}

func (h Handler) inUse(key string) bool { return h.InUse == nil || h.InUse(key) }

// A MemberKey identifies a parent among all. Two credentials never share one.
type MemberKey struct{ Credential, Key string }

// A Member is a parent that is swept.
type Member[P any] struct {
	// Parent is the value that owns the lists.
	Parent P
	Lists  *Lists
	// Rate is how many calls a second sweeps with the credential may make in the long run.
	Rate func() float64

	place    MemberKey
	schedule *schedule
}

// Sweeps hold the parents in use, and sweep each of them once an interval. Parents with the
// same credential and interval are swept in one rhythm, which is slower if the credential's
// budget does not allow for that many calls. They are safe for concurrent use.
type Sweeps[P any] struct {
	bg *Background
	o  SweepsOptions
	// fresh gets a value when there is a schedule that does not run yet.
	fresh chan struct{}

	mu        sync.Mutex
	schedules map[rhythm]*schedule
	members   map[MemberKey]*Member[P]
}

// NewSweeps makes Sweeps of no parent.
func NewSweeps[P any](bg *Background, o SweepsOptions) *Sweeps[P] {
	return &Sweeps[P]{
		bg: bg, o: o, fresh: make(chan struct{}, 1),
		schedules: map[rhythm]*schedule{}, members: map[MemberKey]*Member[P]{},
	}
}

// Parent returns the parent at a place. If there is none, enter makes it, and it is swept
// once an interval from then on. fresh, the argument of enter, returns the age up to which a
// list still answers; its argument asked is that age while sweeps keep to their interval.
func (s *Sweeps[P]) Parent(at MemberKey, interval time.Duration, enter func(fresh func(asked time.Duration) time.Duration) Member[P]) P {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, ok := s.members[at]
	if !ok {
		sch := s.schedule(rhythm{at.Credential, interval})
		entered := enter(sch.fresh)
		m = &entered
		m.place, m.schedule = at, sch
		s.members[at] = m
	}
	return m.Parent
}

// schedule returns the schedule of a rhythm, and makes it if there is none. s.mu is held.
func (s *Sweeps[P]) schedule(r rhythm) *schedule {
	sch, ok := s.schedules[r]
	if !ok {
		sch = &schedule{rhythm: r, endedAt: s.o.Now()}
		s.schedules[r] = sch
		select {
		case s.fresh <- struct{}{}:
		default:
		}
	}
	return sch
}

// Forget forgets the parents whose keys match, for all credentials.
func (s *Sweeps[P]) Forget(match func(key string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at := range s.members {
		if match(at.Key) {
			delete(s.members, at)
		}
	}
}

func (s *Sweeps[P]) forget(m *Member[P]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.members[m.place] == m {
		delete(s.members, m.place)
	}
}

// All returns the members, by key and credential.
func (s *Sweeps[P]) All() []*Member[P] { return s.where(func(*Member[P]) bool { return true }) }

func (s *Sweeps[P]) where(wanted func(*Member[P]) bool) []*Member[P] {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*Member[P]
	for _, m := range s.members {
		if wanted(m) {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b *Member[P]) int {
		if order := strings.Compare(a.place.Key, b.place.Key); order != 0 {
			return order
		}
		return strings.Compare(a.place.Credential, b.place.Credential)
	})
	return out
}

// Place returns the place of the parent.
func (m *Member[P]) Place() MemberKey { return m.place }

// due returns the parents of a schedule that are to be swept, by key. It forgets the parents
// that are not in use any more: no object is in them, or their objects are seen with another
// credential by now.
func (s *Sweeps[P]) due(sch *schedule, h Handler) []*Member[P] {
	var out []*Member[P]
	for _, m := range s.where(func(m *Member[P]) bool { return m.schedule == sch }) {
		inUse, idle := h.inUse(m.place.Key), m.Lists.Idle() > s.o.Idle
		m.Lists.setInUse(inUse)
		switch {
		case idle && (!inUse || h.InUse == nil || s.seenElsewhere(m)):
			s.forget(m)
		case inUse:
			out = append(out, m)
		}
	}
	return out
}

// seenElsewhere reports whether another credential was asked for the parent later.
func (s *Sweeps[P]) seenElsewhere(m *Member[P]) bool {
	later := s.where(func(o *Member[P]) bool {
		return o.place.Key == m.place.Key && o != m && o.Lists.Idle() < m.Lists.Idle()
	})
	return len(later) > 0
}

// sweep looks for changes of one parent, and reports them.
func (s *Sweeps[P]) sweep(ctx context.Context, m *Member[P], h Handler) {
	ids, err := m.Lists.Changes(ctx)
	if s.o.OnSwept != nil {
		s.o.OnSwept(err)
	}
	if ctx.Err() != nil || (err == nil && len(ids) == 0) {
		return
	}
	listed := m.Lists.Listed()
	invalid, mayBe := refused(err)
	switch {
	case invalid:
		// The credential may have been replaced. The handler causes the parent to be asked
		// for again, with the credential of that time.
		s.forget(m)
	case mayBe:
		// Later questions must not be answered from what was seen before.
		m.Lists.Outdate()
	case cloudflare.IsForbidden(err) && listed:
		// A permission is missing by now, or the parent is gone. What was seen before may
		// not be there any more.
		m.Lists.Outdate()
	case cloudflare.IsForbidden(err) && m.Lists.Outdated():
		return // That was reported.
	}
	if (invalid || mayBe) && !listed {
		// Nothing was seen with the credential, so nothing can have changed. A user can name
		// a parent without any right to it, and must not wake the objects of users who have
		// such a right.
		return
	}
	h.OnChange(Change{Key: m.place.Key, IDs: ids, Err: err})
}
