// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestWhatComesBack has lists show rows that were deleted: a name comes back, and an ID does
// not, unless the copy cannot be behind any more.
func TestWhatComesBack(t *testing.T) {
	for _, tc := range []struct {
		names bool
		after time.Duration
		want  string
	}{
		{true, time.Minute, "2"},
		{false, GoneDisputed, ""},
		{false, time.Minute, "2"},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(row("a", "1"))
			s := newStage(t, f, CollectionOptions{Names: tc.names})
			s.get("a")
			f.remove("a")
			s.things().Removed("a")
			if got := s.get("a"); got != "" || f.count("get") != 0 {
				t.Errorf("got %q with %d GETs of what we have just deleted", got, f.count("get"))
			}
			f.set("a", "2")
			pass(tc.after)
			s.sweep()
			if got := s.get("a"); got != tc.want {
				t.Errorf("got %q after %s, want %q (names %t)", got, tc.after, tc.want, tc.names)
			}
		})
	}
}

func TestLookAsksTheAPI(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(row("a", "1"))
		s := newStage(t, f, CollectionOptions{})
		s.get("a")
		f.set("a", "2") // For example by a call of ours that has no answer yet.
		if got := s.get("a"); got != "1" {
			t.Errorf("got %q, want what the list showed", got)
		}
		r, err := s.things().Look(t.Context(), "a")
		if err != nil || r.text != "2" || s.get("a") != "2" {
			t.Errorf("got %v (%v), then %q, want what there is", r, err, s.get("a"))
		}
		f.remove("a")
		if _, err := s.things().Look(t.Context(), "a"); !errors.Is(err, ErrNotFound) || s.get("a") != "" {
			t.Errorf("got %v, want that it is gone", err)
		}
	})
}

// TestAGetUndoesNothingNewer writes, lists or deletes a row while a GET of it is under way.
func TestAGetUndoesNothingNewer(t *testing.T) {
	tests := []struct {
		reason string
		do     func(s *stage)
		want   string
	}{
		{"it was written", func(s *stage) { s.write("a", "2") }, "2"},
		{"it was listed", func(s *stage) { s.set("a", "3"); s.sweep() }, "3"},
		{"it was deleted", func(s *stage) { s.remove("a"); s.things().Removed("a") }, ""},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(row("a", "1"))
				s := newStage(t, f, CollectionOptions{})
				s.get("a")
				open := make(chan struct{})
				f.hook("get", func(context.Context, string) error {
					<-open
					return nil
				})
				looked := make(chan struct{})
				go func() {
					_, _ = s.things().Look(t.Context(), "a")
					close(looked)
				}()
				synctest.Wait()
				tc.do(s)
				close(open)
				<-looked
				if got := s.get("a"); got != tc.want {
					t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
				}
			})
		})
	}
}

// TestLookBesideAList has a list land while a GET is under way, shortly after our own write. For
// Lag, that write hides what the list shows. It must not hide what the GET shows, or the next
// write undoes a change from outside.
func TestLookBesideAList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := &Clock{}
		v := newView[*thing](clock, time.Now, false)
		list := func(text string) {
			v.land(map[string]*thing{"a": row("a", text)}, nil, Moment{Logical: clock.Tick(), Wall: time.Now()})
		}
		list("created")
		v.written(row("a", "ours"))
		asked := clock.Now()
		pass(time.Second)
		list("theirs")
		if got := v.get("a"); got.row.text != "ours" {
			t.Errorf("the list is believed a second after our write: %q", got.row.text)
		}
		if got := v.read("a", row("a", "theirs"), true, asked); got.row.text != "theirs" {
			t.Errorf("the GET gives %q", got.row.text)
		}
		v.removed("a")
		if got := v.read("a", row("a", "ours"), true, asked); !got.gone {
			t.Errorf("the GET of what we have deleted since gives %q", got.row.text)
		}
	})
}
