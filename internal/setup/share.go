// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// shares divides the workers of a controller among owners (provider configs), so
// that an owner whose calls hang does not take every worker. It is safe for
// concurrent use.
//
// An owner may have most workers, and no more than are left: so whoever comes
// next finds some, until about ten owners hang. Objects of an owner that has its share wait
// in a line of its own until one of them is done.
type shares struct {
	workers, most int
	// owner of an object, or "" for one that needs no share.
	owner func(reconcile.Request) string

	mu    sync.Mutex
	busy  map[string]int
	held  map[reconcile.Request]string // the owners of those that are worked on
	lines map[string]*line             // by owner; none is empty
}

func newShares(workers, most int, owner func(reconcile.Request) string) *shares {
	return &shares{
		workers: workers, most: most, owner: owner,
		busy: map[string]int{}, held: map[reconcile.Request]string{}, lines: map[string]*line{},
	}
}

// take reports whether item may be worked on now. Otherwise it waits until done
// hands it out.
func (s *shares) take(item reconcile.Request, priority int) bool {
	owner := s.owner(item)
	s.mu.Lock()
	defer s.mu.Unlock()
	if owner != "" && !s.mayTake(owner) {
		if s.lines[owner] == nil {
			s.lines[owner] = newLine()
		}
		s.lines[owner].add(item, priority)
		return false
	}
	if l := s.lines[owner]; l != nil {
		l.remove(item)
		s.tidy(owner)
	}
	s.busy[owner]++
	s.held[item] = owner
	return true
}

// mayTake reports whether an owner may have one worker more. One that has none may
// always: a worker asks.
func (s *shares) mayTake(owner string) bool {
	n := s.busy[owner]
	return n == 0 || (n < s.most && n < s.workers-len(s.held))
}

// done notes that item is no longer worked on, and gives what may be worked on in
// its place: the most urgent of each owner that has room. An owner whose objects
// wait has one that is worked on or was just handed out, so none waits for ever.
func (s *shares) done(item reconcile.Request) []waiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	owner, ok := s.held[item]
	if !ok {
		return nil
	}
	delete(s.held, item)
	s.busy[owner]--
	if s.busy[owner] == 0 {
		delete(s.busy, owner)
	}
	var next []waiter
	for o, l := range s.lines {
		if s.mayTake(o) {
			next = append(next, l.next())
			s.tidy(o)
		}
	}
	return next
}

func (s *shares) tidy(owner string) {
	if len(s.lines[owner].at) == 0 {
		delete(s.lines, owner)
	}
}

// waiting is how many objects wait.
func (s *shares) waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, l := range s.lines {
		n += len(l.at)
	}
	return n
}
