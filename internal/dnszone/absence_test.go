// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// copyWithout makes a copy that does not have the record answer each GET of it.
func copyWithout(f *fake) {
	f.hook(f.before, "get", func(context.Context) error { return gone() })
}

// wronglyGone returns a zone in which a list lacked the record "a" and a GET of it was wrong, as
// copies that are behind are.
func wronglyGone(t *testing.T) (*fake, *Zone) {
	t.Helper()
	f := newFake()
	z := listed(t, f)
	f.lag()
	f.set(a(1, "a", "192.0.2.1"))
	copyWithout(f)
	if _, err := z.Get(t.Context(), id(1)); !errors.Is(err, ErrNotFound) {
		t.Fatalf("want that it is gone, as both copies say: %v", err)
	}
	return f, z
}

// TestAWrongAbsenceEnds has a list lack a record and a GET of it be wrong, as copies that are
// behind are. It checks that a list that shows the record later is believed.
func TestAWrongAbsenceEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, z := wronglyGone(t)
		f.catchUp()
		pass(parent.Lag + time.Millisecond)
		if err := z.lists.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if e := mustGet(t, z, id(1)); e.Record.Content != "192.0.2.1" {
			t.Errorf("got %v, want the record that the list shows", e.Live)
		}
	})
}

// TestADeletionIsBelievedForLonger has lists lag half a minute behind a deletion.
func TestADeletionIsBelievedForLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"))
		z := listed(t, f)
		e := mustGet(t, z, id(1))
		f.lag()
		if _, err := z.Apply(t.Context(), Delete(e)); err != nil {
			t.Fatal(err)
		}
		if !z.Deleted(id(1)) {
			t.Error("it is not known who deleted it")
		}
		pass(parent.GoneDisputed)
		if err := z.lists.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if found, err := z.Find(t.Context(), Query{Key: e.Record.Key(), Guarded: true}); err != nil || len(found) > 0 {
			t.Errorf("a list that lags shows what was deleted: %v, %v", found, err)
		}
	})
}

// TestADeletionThatFailedIsNotTakenForDone has a deletion that is not carried out, and a wrong
// answer to the GET after it.
func TestADeletionThatFailedIsNotTakenForDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"))
		z := listed(t, f)
		e := mustGet(t, z, id(1))
		f.hook(f.before, "delete", func(context.Context) error { return errLost })
		copyWithout(f)
		if _, err := z.Apply(t.Context(), Delete(e)); !errors.Is(err, errLost) {
			t.Errorf("got %v, want the write's own error: the list shows the record", err)
		}
		f.hook(f.before, "delete", nil)
		if _, err := z.Apply(t.Context(), Delete(mustGet(t, z, id(1)))); err != nil || len(f.records) > 0 {
			t.Errorf("the record is left: %v, %v", f.records, err)
		}
	})
}

// TestGetSince checks that what was seen before a time does not prove that a record is gone.
func TestGetSince(t *testing.T) {
	tests := []struct {
		reason string
		after  func(f *fake)
		found  bool
	}{
		{"the copies have caught up", func(f *fake) { f.catchUp(); f.hook(f.before, "get", nil) }, true},
		{"the list lags for longer than the copy that a GET asks", func(f *fake) { f.hook(f.before, "get", nil) }, true},
		{"the copy that a GET asks lags for longer than the list", func(f *fake) { f.catchUp() }, true},
		{"it is gone", func(f *fake) { f.catchUp(); f.remove(id(1)) }, false},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, z := wronglyGone(t)
				since := time.Now().Add(30 * time.Second)
				pass(30 * time.Second)
				tc.after(f)
				if _, err := z.GetSince(t.Context(), id(1), since); tc.found != (err == nil) || !tc.found && !errors.Is(err, ErrNotFound) {
					t.Errorf("%s: %v", tc.reason, err)
				}
			})
		})
	}
}

// TestADisputedAbsenceIsAskedAgain has a GET that does not find a record, and a list soon after
// that shows it. It checks that the next question asks the API, and relies on neither.
func TestADisputedAbsenceIsAskedAgain(t *testing.T) {
	for _, tc := range []struct {
		reason string
		gone   bool
	}{
		{"the GET came from a copy that was behind", false},
		{"the list came from a copy that was behind", true},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, z := wronglyGone(t)
				f.catchUp()
				pass(parent.Lag / 2)
				if err := z.lists.Refresh(t.Context()); err != nil {
					t.Fatal(err)
				}
				if !tc.gone {
					f.hook(f.before, "get", nil)
				}
				for what, get := range map[string]func(context.Context, string) (Entry, error){"Get": z.Get, "GetGuarded": z.GetGuarded} {
					if _, err := get(t.Context(), id(1)); tc.gone != errors.Is(err, ErrNotFound) || !tc.gone && err != nil {
						t.Errorf("%s: %s gives %v", tc.reason, what, err)
					}
				}
			})
		})
	}
}
