// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

func TestAListThatLagsBehindOurWritesUndoesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		for _, l := range twoRecords().records {
			f.set(l)
		}
		p := NewPool(Options{})
		z := p.Zone(f, testZone)
		sweep(t, p)
		f.lag()
		results := together(t, z, mixed(t, z)...)
		if failed := failures(results); failed != nil {
			t.Fatal(results)
		}
		made := results[0].entry.Live.ID
		for range 10 {
			if reported := sweep(t, p); len(reported) != 0 {
				t.Errorf("reported %v of a list that lags", reported)
			}
			if e := mustGet(t, z, id(1)); e.Record.Content != "192.0.2.9" {
				t.Errorf("got %v, want what was written", e.Live)
			}
			if e := mustGet(t, z, made); e.Record.Content != "192.0.2.9" {
				t.Errorf("got %v, want what was created", e.Live)
			}
			if _, err := z.Get(t.Context(), id(2)); !errors.Is(err, ErrNotFound) {
				t.Errorf("what was deleted is back: %v", err)
			}
			pass(parent.Lag / 10)
		}
		if f.count("get") != 0 {
			t.Errorf("%d GETs, want none for a moment's lag", f.count("get"))
		}

		// After that time a missing record is looked for, and it is there.
		pass(parent.Lag)
		reported := sweep(t, p)
		if diff := cmp.Diff([]Change{{Key: testZone, IDs: []string{made}}}, reported); diff != "" {
			t.Errorf("reported (-want +got):\n%s", diff)
		}
		if e := mustGet(t, z, made); e.Record.Content != "192.0.2.9" || f.count("get") != 1 {
			t.Errorf("got %v with %d GETs, want it by its ID", e.Live, f.count("get"))
		}
		f.catchUp()
		if reported := sweep(t, p); len(reported) != 0 {
			t.Errorf("reported %v of a list that has caught up", reported)
		}
		pass(time.Hour)
		sweep(t, p)
		if e := mustGet(t, z, id(1)); e.Record.Content != "192.0.2.9" {
			t.Errorf("got %v an hour later, want what was written last", e.Live)
		}
		if _, err := z.Get(t.Context(), id(2)); !errors.Is(err, ErrNotFound) {
			t.Errorf("what was deleted is back an hour later: %v", err)
		}
	})
}

func TestAListThatIsNewerThanOurWritesCounts(t *testing.T) {
	tests := []struct {
		reason string
		others func(f *fake, made string)
		// after is how long after our write others act and a list begins.
		after    time.Duration
		reported bool
	}{
		{"edited since", func(f *fake, made string) {
			l := a(0, "n", "203.0.113.1")
			l.ID = made
			f.set(l)
		}, 0, true},
		{"deleted long since", func(f *fake, made string) { f.remove(made) }, time.Minute, true},
		{"deleted at once: reported by the list after the next", func(f *fake, made string) { f.remove(made) }, 0, false},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				p := NewPool(Options{})
				z := p.Zone(f, testZone)
				sweep(t, p)
				made, err := z.Apply(t.Context(), Create(wantA(t, "n", "192.0.2.9")))
				if err != nil {
					t.Fatal(err)
				}
				pass(tc.after)
				tc.others(f, made.Live.ID)
				if reported := sweep(t, p); (len(reported) == 1) != tc.reported {
					t.Errorf("%s: reported %v", tc.reason, reported)
				}
				if !tc.reported {
					pass(time.Minute)
					if reported := sweep(t, p); len(reported) != 1 {
						t.Errorf("%s: reported %v a minute later", tc.reason, reported)
					}
				}
				if e, err := z.Get(t.Context(), made.Live.ID); err == nil && e.Record.Content != "203.0.113.1" {
					t.Errorf("%s: got %v", tc.reason, e.Live)
				}
			})
		})
	}
}

// TestAnOlderCopyAfterANewerOneUndoesNothing has lists come in turns from a copy that has our
// writes and from one that does not, within the lag.
func TestAnOlderCopyAfterANewerOneUndoesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		for _, l := range twoRecords().records {
			f.set(l)
		}
		p := NewPool(Options{})
		z := p.Zone(f, testZone)
		sweep(t, p)
		f.lag()
		older := f.stale
		f.catchUp()
		results := together(t, z, mixed(t, z)...)
		if failed := failures(results); failed != nil {
			t.Fatal(results)
		}
		made := results[0].entry.Live.ID
		for n := range 8 {
			f.stale = nil
			if n%2 == 1 {
				f.stale = older
			}
			if reported := sweep(t, p); len(reported) != 0 {
				t.Errorf("list %d: reported %v, want no drift where there is none", n, reported)
			}
			for _, written := range []string{id(1), made} {
				if e := mustGet(t, z, written); e.Record.Content != "192.0.2.9" {
					t.Errorf("list %d: got %v, want what was written", n, e.Live)
				}
			}
			if _, err := z.Get(t.Context(), id(2)); !errors.Is(err, ErrNotFound) {
				t.Errorf("list %d: what was deleted is back: %v", n, err)
			}
			pass(parent.Lag / 10)
		}
		if n := f.count("get"); n != 0 {
			t.Errorf("%d GETs, want none for a moment's lag", n)
		}
		f.catchUp()
		pass(parent.Lag)
		if reported := sweep(t, p); len(reported) != 0 {
			t.Errorf("reported %v when copies had caught up", reported)
		}
	})
}

func TestTheNextForeignChangeOfWhatWeWroteIsReported(t *testing.T) {
	tests := []struct {
		reason string
		// lists are the times after our write of the lists that confirm it, before others
		// act.
		lists  []time.Duration
		others func(f *fake)
	}{
		{"edited, with no list in between", nil, func(f *fake) { f.set(a(1, "n", "203.0.113.1")) }},
		{"edited after a list has confirmed the write", []time.Duration{time.Second}, func(f *fake) { f.set(a(1, "n", "203.0.113.1")) }},
		{"edited after several have", []time.Duration{time.Second, 4 * time.Second}, func(f *fake) { f.set(a(1, "n", "203.0.113.1")) }},
		{"deleted after a list has confirmed the write", []time.Duration{time.Second}, func(f *fake) { f.remove(id(1)) }},
		{"set back to what it was before us", []time.Duration{time.Second}, func(f *fake) { f.set(a(1, "n", "192.0.2.1")) }},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				f.set(a(1, "n", "192.0.2.1"))
				p := NewPool(Options{})
				z := p.Zone(f, testZone)
				sweep(t, p)
				began := time.Now()
				if _, err := z.Apply(t.Context(), Update(mustGet(t, z, id(1)), wantA(t, "n", "192.0.2.9"))); err != nil {
					t.Fatal(err)
				}
				for _, at := range tc.lists {
					pass(time.Until(began.Add(at)))
					if reported := sweep(t, p); len(reported) != 0 {
						t.Errorf("%s: reported %v of our own write", tc.reason, reported)
					}
				}
				tc.others(f)
				pass(time.Until(began.Add(parent.Lag + time.Second)))
				if diff := cmp.Diff([]Change{{Key: testZone, IDs: []string{id(1)}}}, sweep(t, p)); diff != "" {
					t.Errorf("%s: the next list reported (-want +got):\n%s", tc.reason, diff)
				}
			})
		})
	}
}
