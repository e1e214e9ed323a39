// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// newEntry returns the entry of a creation for an object that does not exist.
func newEntry(n int) Entry {
	name := fmt.Sprint("o", n)
	return Entry{Kind: kind, Namespace: "ns", Name: name, UID: types.UID(name), Subject: json.RawMessage(`1`), Begun: time.Now()}
}

// openOf returns the number of entries that may stand for a resource of e's object.
func openOf(j *Journal, e Entry) int {
	n, _ := j.Open(func(o Entry) bool { return o.UID == e.UID })
	return n
}

// endsWith is a context that is already done when its Done channel is read. Done returns only after
// the write has succeeded, so that both channels are ready.
type endsWith struct {
	context.Context

	done chan struct{}
}

func (c endsWith) Done() <-chan struct{} {
	synctest.Wait() // The write has succeeded.
	return c.done
}

func (c endsWith) Err() error { return context.Canceled }

func TestBeginFailsOnlyWhereNothingIsOpen(t *testing.T) {
	run(t, func(s *stage) {
		j, die := s.journal()
		defer die()
		ended := make(chan struct{})
		close(ended)
		for n := range 64 { // If both are ready, a select takes either.
			e := newEntry(n)
			err := j.Begin(endsWith{s.t.Context(), ended}, e)
			if open := openOf(j, e); (err == nil) != (open == 1) {
				t.Fatalf("round %d: Begin gave %v, and %d entries are open", n, err, open)
			}
		}
	})
}

func TestWhoLeavesBeforeTheWriteEndsLeavesNothingOpen(t *testing.T) {
	run(t, func(s *stage) {
		j, die := s.journal()
		defer die()
		gate := make(chan struct{})
		s.fail = func(string) error {
			s.mu.Unlock()
			<-gate
			s.mu.Lock()
			return nil
		}
		ctx, cancel := context.WithCancel(s.t.Context())
		e, err := newEntry(1), make(chan error)
		go func() { err <- j.Begin(ctx, e) }()
		synctest.Wait()
		cancel()
		if got := <-err; !errors.Is(got, context.Canceled) {
			t.Errorf("got %v, want that nobody waits any more", got)
		}
		close(gate)
		synctest.Wait()
		if openOf(j, e) != 0 {
			t.Error("an entry is open of what nobody creates")
		}
	})
}

// TestAKnownEntryIsOpenAgainOnlyForWhatBegins calls Begin with a durable entry and with one that
// cannot be made durable.
func TestAKnownEntryIsOpenAgainOnlyForWhatBegins(t *testing.T) {
	tests := []struct {
		reason string
		// earlier records the outcome of the attempt before.
		earlier func(*Journal, Entry)
		open    int
	}{
		{"nothing was created before", (*Journal).Void, 0},
		{"something may have been created before", (*Journal).Unanswered, 1},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			run(t, func(s *stage) {
				j, die := s.journal()
				defer die()
				e := newEntry(1)
				s.create(j, e)
				tc.earlier(j, e)
				pass(time.Second)
				again := newEntry(1)
				s.fail = func(string) error { return errors.New("down") }
				if err := j.Begin(s.t.Context(), again, newEntry(2)); err == nil {
					t.Error("the other entry is not durable")
				}
				s.fail = nil
				if open := openOf(j, e); open != tc.open {
					t.Errorf("%s: %d entries are open, want %d", tc.reason, open, tc.open)
				}
				s.create(j, again)
				if open := openOf(j, e); open != 1 {
					t.Errorf("%s: %d entries are open of the attempt that begins", tc.reason, open)
				}
			})
		})
	}
}
