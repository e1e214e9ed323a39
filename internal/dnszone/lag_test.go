// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
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
			pass(lag / 10)
		}
		if f.count("get") != 0 {
			t.Errorf("%d GETs, want none for a moment's lag", f.count("get"))
		}

		// Behind for longer than that, what is missing is looked at, and is there.
		pass(lag)
		reported := sweep(t, p)
		if diff := cmp.Diff([]Change{{ZoneID: testZone, RecordIDs: []string{made}}}, reported); diff != "" {
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
		// after is how long after our write they act and are listed.
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
