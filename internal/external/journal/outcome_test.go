// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
)

// TestAnEntryStaysUntilNobodyNeedsIt checks that an entry stays while its object may vanish, and
// while only the entry says what the object has created.
func TestAnEntryStaysUntilNobodyNeedsIt(t *testing.T) {
	const most = 40 * time.Second
	tests := []struct {
		reason string
		do     func(s *stage, j *Journal, e Entry)
		stays  bool
	}{
		{"the object has what was created", func(s *stage, j *Journal, e Entry) { j.Made(e, "made"); s.has(e, "made") }, false},
		{"the object had it once", func(_ *stage, j *Journal, e Entry) {
			j.Made(e, "made")
			e.ResultID = "made"
			j.Stored(e)
		}, false},
		{"nothing was created", func(_ *stage, j *Journal, e Entry) { j.Void(e) }, false},
		{"the object does not know what was created", func(_ *stage, j *Journal, e Entry) { j.Made(e, "made") }, true},
		{"the object has another one", func(s *stage, j *Journal, e Entry) { j.Made(e, "made"); s.has(e, "other") }, true},
		{"nothing tells what was created", func(s *stage, _ *Journal, e Entry) { s.has(e, "other") }, true},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			run(t, func(s *stage) {
				j, die := s.journal()
				defer die()
				e := s.object("a")
				s.create(j, e)
				tc.do(s, j, e)
				pass(DefaultRetention - most/2)
				s.expect("the object may vanish still", 0, 1)
				pass(most)
				want := 0
				if tc.stays {
					want = 1
				}
				s.expect(tc.reason, 0, want)
				if n, complete := j.Open(all); n != want || !complete {
					t.Errorf("%d entries are open, complete: %t", n, complete)
				}
			})
		})
	}
}

// TestCreations checks that each process knows the creations of an object whose outcome is open,
// and does not return those that were certainly not carried out.
func TestCreations(t *testing.T) {
	run(t, func(s *stage) {
		j, die := s.journal()
		e, other := s.object("a"), s.object("b")
		s.create(j, e)
		s.create(j, other)
		j.Void(other)
		creations := func(j *Journal, e Entry) int {
			t.Helper()
			got, err := j.Creations(s.t.Context(), e.UID)
			if err != nil {
				t.Fatal(err)
			}
			return len(got)
		}
		if a, b := creations(j, e), creations(j, other); a != 1 || b != 0 {
			t.Errorf("there are %d creations, and %d that were carried out for certain not; want 1 and 0", a, b)
		}
		die()
		next, die := s.journal()
		defer die()
		if n := creations(next, e); n != 1 {
			t.Errorf("the next process knows %d creations, want 1", n)
		}
		ctx, cancel := context.WithCancel(s.t.Context())
		cancel()
		if _, err := New(Options{Kube: s, API: s, Log: logging.NewNopLogger()}).Creations(ctx, e.UID); !errors.Is(err, errNotLoaded) {
			t.Errorf("who does not wait until the journal is loaded gets %v", err)
		}
	})
}

// TestAnOutcomeIsThatOfItsAttempt checks an object that has begun the same creation twice, at such
// an interval that both attempts have an entry. The outcome of one attempt does not change the
// other, also in the next process.
func TestAnOutcomeIsThatOfItsAttempt(t *testing.T) {
	outcomes := map[string]func(s *stage, j *Journal, e Entry){
		"it made what the object has": func(s *stage, j *Journal, e Entry) { s.has(e, "made"); j.Made(e, "made") },
		"it made nothing":             func(_ *stage, j *Journal, e Entry) { j.Void(e) },
	}
	for outcome, note := range outcomes {
		for _, nth := range []int{0, 1} {
			run(t, func(s *stage) {
				j, die := s.journal()
				e := s.object("a")
				s.create(j, e)
				pass(DefaultRetention + time.Second)
				e.Begun = time.Now()
				s.create(j, e)
				die()
				next, die := s.journal()
				defer die()
				both, err := next.Creations(s.t.Context(), e.UID)
				if err != nil || len(both) != 2 {
					t.Fatalf("%d creations are open, want 2: %v", len(both), err)
				}
				note(s, next, both[nth])
				pass(2 * DefaultRetention)
				left, err := next.Creations(s.t.Context(), e.UID)
				if err != nil || len(left) != 1 || !left[0].Begun.Equal(both[1-nth].Begun) {
					t.Errorf("of attempt %d is known that %s: open are %v, want the other: %v", nth, outcome, left, err)
				}
			})
		}
	}
}
