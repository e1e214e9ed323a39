// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// listed returns a Zone whose snapshot has the records of f.
func listed(t *testing.T, f *fake) *Zone {
	t.Helper()
	z := zoneOf(f)
	find(t, z, query(t, "of-the-first-list", "192.0.2.1"))
	return z
}

func mustGet(t *testing.T, z *Zone, id string) Entry {
	t.Helper()
	e, err := z.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestAWriteIsVisibleAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		z := listed(t, f)
		made, err := z.Apply(t.Context(), Create(wantA(t, "a", "192.0.2.1")))
		if err != nil || !cloudflare.ValidID(made.Live.ID) || made.Record.Content != "192.0.2.1" {
			t.Fatalf("create gives %v, %v", made, err)
		}
		if found := find(t, z, query(t, "a", "192.0.2.1")); len(found) != 1 || found[0].Live.ID != made.Live.ID {
			t.Errorf("found %v after the create", found)
		}

		now, err := z.Apply(t.Context(), Update(made, wantA(t, "b", "192.0.2.2")))
		if err != nil || now.Live.ID != made.Live.ID || now.Record.Content != "192.0.2.2" {
			t.Fatalf("update gives %v, %v", now, err)
		}
		if found := find(t, z, query(t, "b", "192.0.2.2")); len(found) != 1 {
			t.Errorf("found %v under the new name", found)
		}
		if got := mustGet(t, z, made.Live.ID); got.Record.Content != "192.0.2.2" {
			t.Errorf("got %v after the update", got)
		}

		was, err := z.Apply(t.Context(), Delete(now))
		if err != nil || was.Live.ID != made.Live.ID {
			t.Fatalf("delete gives %v, %v, want the record as it was", was, err)
		}
		if _, err := z.Get(t.Context(), made.Live.ID); !errors.Is(err, ErrNotFound) {
			t.Errorf("got %v after the delete", err)
		}
		if f.count("list") != 1 || f.count("get") != 0 {
			t.Errorf("%d lists and %d GETs, want no call but the first list", f.count("list"), f.count("get"))
		}
		// The old name and the deleted record are not found either.
		for _, q := range []Query{query(t, "a", "192.0.2.1"), query(t, "b", "192.0.2.2")} {
			if found := find(t, z, q); len(found) != 0 {
				t.Errorf("found %v", found)
			}
		}
	})
}

func TestAnOlderListNeverOverwritesAWrite(t *testing.T) {
	tests := []struct {
		reason string
		op     func(t *testing.T, z *Zone) Op
		// content is that of the record of the second ID afterwards, "" if it is gone.
		content string
		id      string
	}{
		{"a create the list did not see", func(t *testing.T, _ *Zone) Op { return Create(wantA(t, "new", "192.0.2.9")) }, "192.0.2.9", id(1001)},
		{"an update of what the list saw before", func(t *testing.T, z *Zone) Op {
			return Update(mustGet(t, z, id(1)), wantA(t, "a", "192.0.2.9"))
		}, "192.0.2.9", id(1)},
		{"a delete of what the list saw before", func(t *testing.T, z *Zone) Op { return Delete(mustGet(t, z, id(1))) }, "", id(1)},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, g := newFake(a(1, "a", "192.0.2.1")), newGate()
				pool := NewPool(Options{})
				z := pool.Zone(f, testZone)
				op := tc.op(t, z) // The record comes from a first list.

				f.hook(f.after, "list", g.hold)
				var reported []Change
				swept := make(chan struct{})
				go func() {
					pool.Sweep(t.Context(), parent.Handler{OnChange: func(c Change) { reported = append(reported, c) }})
					close(swept)
				}()
				<-g.entered // The list has read the zone and is not answered yet.
				if _, err := z.Apply(t.Context(), op); err != nil {
					t.Fatal(err)
				}
				close(g.open)
				<-swept

				e, err := z.Get(t.Context(), tc.id)
				switch {
				case tc.content == "" && !errors.Is(err, ErrNotFound):
					t.Errorf("%s: got %v, %v, want that it is gone", tc.reason, e, err)
				case tc.content != "" && (err != nil || e.Record.Content != tc.content):
					t.Errorf("%s: got %v, %v, want %s", tc.reason, e, err, tc.content)
				}
				if f.count("get") != 0 {
					t.Errorf("%s: the write was forgotten: %d GETs", tc.reason, f.count("get"))
				}
				if len(reported) != 0 {
					t.Errorf("%s: the sweep reported of our own write: %v", tc.reason, reported)
				}

				// A list that begins later shows the write itself, and reports nothing either.
				pass(parent.GoneKept + time.Second)
				pool.Sweep(t.Context(), parent.Handler{OnChange: func(c Change) { reported = append(reported, c) }})
				if len(reported) != 0 || len(z.view.changes) != 0 {
					t.Errorf("%s: the next sweep reported %v and kept %d changes", tc.reason, reported, len(z.view.changes))
				}
			})
		})
	}
}

func TestALaterListWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"))
		z := listed(t, f)
		if _, err := z.Apply(t.Context(), Update(mustGet(t, z, id(1)), wantA(t, "a", "192.0.2.2"))); err != nil {
			t.Fatal(err)
		}
		f.set(a(1, "a", "192.0.2.66"))
		find(t, z, query(t, "absent", "192.0.2.1"))
		if got := mustGet(t, z, id(1)); got.Record.Content != "192.0.2.66" {
			t.Errorf("got %v, want what was changed after our write", got)
		}
	})
}

func TestADeletedRecordStaysGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"))
		z := listed(t, f)
		if _, err := z.Apply(t.Context(), Delete(mustGet(t, z, id(1)))); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if _, err := z.Get(t.Context(), id(1)); !errors.Is(err, ErrNotFound) {
				t.Errorf("got %v, want that it is gone", err)
			}
		}
		if n := f.count("get"); n != 0 {
			t.Errorf("%d GETs of what we deleted ourselves", n)
		}
		// Later lists do not end that: a caller may have waited behind thousands of others.
		for range 50 {
			pass(time.Minute)
			find(t, z, query(t, "absent", "192.0.2.1"))
			if _, err := z.Get(t.Context(), id(1)); !errors.Is(err, ErrNotFound) || f.count("get") != 0 {
				t.Fatalf("got %v with %d GETs, want that it is gone, without one", err, f.count("get"))
			}
		}
		// Once the absence is forgotten, the API is asked, and the answer is remembered again.
		pass(parent.GoneKept)
		find(t, z, query(t, "absent", "192.0.2.1"))
		for range 3 {
			if _, err := z.Get(t.Context(), id(1)); !errors.Is(err, ErrNotFound) {
				t.Errorf("got %v, want that it is gone", err)
			}
		}
		if n := f.count("get"); n != 1 {
			t.Errorf("%d GETs, want one that proves it", n)
		}
	})
}

func TestAReadNeverUndoesAWrite(t *testing.T) {
	tests := []struct {
		reason string
		// meanwhile happens between the read and its answer.
		meanwhile func(t *testing.T, z *Zone, e Entry)
		content   string
	}{
		{"an update", func(t *testing.T, z *Zone, e Entry) {
			if _, err := z.Apply(t.Context(), Update(e, wantA(t, "a", "192.0.2.9"))); err != nil {
				t.Fatal(err)
			}
		}, "192.0.2.9"},
		{"a delete", func(t *testing.T, z *Zone, e Entry) {
			if _, err := z.Apply(t.Context(), Delete(e)); err != nil {
				t.Fatal(err)
			}
		}, ""},
		{"a delete, and a list after it", func(t *testing.T, z *Zone, e Entry) {
			if _, err := z.Apply(t.Context(), Delete(e)); err != nil {
				t.Fatal(err)
			}
			find(t, z, query(t, "absent", "192.0.2.1"))
		}, ""},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, g := newFake(a(1, "a", "192.0.2.1")), newGate()
				f.unlisted[id(1)] = true
				z := listed(t, f)
				f.hook(f.after, "get", g.hold)
				read := make(chan struct{})
				go func() {
					_, _ = z.Get(t.Context(), id(1))
					close(read)
				}()
				<-g.entered // The API has read the record and has not answered yet.
				tc.meanwhile(t, z, newEntry(a(1, "a", "192.0.2.1")))
				close(g.open)
				<-read
				e, err := z.Get(t.Context(), id(1))
				if tc.content == "" && !errors.Is(err, ErrNotFound) || tc.content != "" && e.Record.Content != tc.content {
					t.Errorf("%s: got %v, %v afterwards, want content %q", tc.reason, e, err, tc.content)
				}
			})
		})
	}
}

func TestUpdatesWhoseAnswersOvertookEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := newFake(a(1, "a", "192.0.2.1")), newGate()
		z := listed(t, f)
		was := mustGet(t, z, id(1))
		f.hook(f.after, "patch", g.hold)
		first := make(chan error)
		go func() {
			_, err := z.Apply(t.Context(), Update(was, wantA(t, "a", "192.0.2.2")))
			first <- err
		}()
		<-g.entered
		f.hook(f.after, "patch", nil)
		if _, err := z.Apply(t.Context(), Update(was, wantA(t, "a", "192.0.2.3"))); err != nil {
			t.Fatal(err)
		}
		close(g.open)
		if err := <-first; err != nil {
			t.Fatal(err)
		}
		if got := mustGet(t, z, id(1)); got.Record.Content != "192.0.2.3" {
			t.Errorf("got %v, want what the API holds: the second write", got)
		}
	})
}

func TestNothingToWriteIsNotWritten(t *testing.T) {
	f := newFake(a(1, "a", "192.0.2.1"))
	z := zoneOf(f)
	live := newEntry(a(1, "a", "192.0.2.1"))
	e, err := z.Apply(t.Context(), Update(live, wantA(t, "a", "192.0.2.1")))
	if err != nil || e.Live.ID != id(1) || len(f.calls) != 0 {
		t.Errorf("got %v, %v with calls %v, want the live record and no call", e, err, f.calls)
	}
}

func TestWritesOfWhatIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"), a(2, "b", "192.0.2.2"))
		z := listed(t, f)
		one, two := mustGet(t, z, id(1)), mustGet(t, z, id(2))
		f.remove(id(1))
		f.remove(id(2))
		if _, err := z.Apply(t.Context(), Update(one, wantA(t, "a", "192.0.2.9"))); !cloudflare.IsRecordGone(err) {
			t.Errorf("update gives %v, want that the record is gone", err)
		}
		if _, err := z.Apply(t.Context(), Delete(two)); err != nil {
			t.Errorf("delete of what is gone gives %v, want success", err)
		}
		for _, id := range []string{id(1), id(2)} {
			if _, err := z.Get(t.Context(), id); !errors.Is(err, ErrNotFound) {
				t.Errorf("got %v, want that the snapshot knows", err)
			}
		}
		if f.count("list") != 2 || f.count("get") != 0 {
			t.Errorf("calls %v, want one list for the deletion: what its answer says is not believed alone", f.calls)
		}
	})
}

// TestDeletionsOfWhatIsGoneShareAList has a change outside this process clear the zone while many records are to be
// deleted.
func TestDeletionsOfWhatIsGoneShareAList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all []dnsrecord.Live
		for i := range 40 {
			all = append(all, a(i+1, fmt.Sprint("r", i), "192.0.2.1"))
		}
		f := newFake(all...)
		z := listed(t, f)
		var group []*pendingWrite
		for _, l := range all {
			group = append(group, &pendingWrite{op: Delete(mustGet(t, z, l.ID)), done: make(chan outcome, 1)})
			f.remove(l.ID)
		}
		before := f.count("list")
		carryOut(z, group)
		for _, w := range group {
			if o := <-w.done; o.err != nil {
				t.Error(o.err)
			}
		}
		if lists := f.count("list") - before; lists != 1 {
			t.Errorf("%d lists, want one for the group", lists)
		}
	})
}

// TestOneWrong404ToADeletion has a copy that is behind answer a deletion with 404. It checks that the record stays
// known, because it exists.
func TestOneWrong404ToADeletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"))
		z := listed(t, f)
		one := mustGet(t, z, id(1))
		f.wrong404 = true
		var disputed *parent.DisputedError
		if _, err := z.Apply(t.Context(), Delete(one)); !errors.As(err, &disputed) {
			t.Errorf("got %v, want that the list shows it", err)
		}
		f.wrong404 = false
		if _, err := z.Apply(t.Context(), Delete(mustGet(t, z, id(1)))); err != nil || f.count("delete") != 2 {
			t.Errorf("got %v after calls %v, want a second deletion", err, f.calls)
		}
	})
}

func TestRefusedWritesChangeNothing(t *testing.T) {
	for what, op := range map[string]func(t *testing.T, e Entry) Op{
		"create": func(t *testing.T, _ Entry) Op { return Create(wantA(t, "n", "192.0.2.9")) },
		"patch":  func(t *testing.T, e Entry) Op { return Update(e, wantA(t, "a", "192.0.2.9")) },
		"delete": func(_ *testing.T, e Entry) Op { return Delete(e) },
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(a(1, "a", "192.0.2.1"))
				z := listed(t, f)
				no := refused(403, 10000)
				f.hook(f.before, what, func(context.Context) error { return no })
				_, err := z.Apply(t.Context(), op(t, mustGet(t, z, id(1))))
				var unsettled *OutcomeUnknownError
				if !errors.Is(err, no) || errors.As(err, &unsettled) {
					t.Errorf("got %v, want the refusal", err)
				}
				if got := mustGet(t, z, id(1)); got.Record.Content != "192.0.2.1" || f.count("list") != 1 {
					t.Errorf("got %v with %d lists, want what was and no look: the outcome is known", got, f.count("list"))
				}
			})
		})
	}
}

func TestLostAnswersAreSettledByLooking(t *testing.T) {
	create := func(t *testing.T, _ Entry) Op { return Create(wantA(t, "n", "192.0.2.9")) }
	update := func(t *testing.T, e Entry) Op { return Update(e, wantA(t, "a", "192.0.2.9")) }
	remove := func(_ *testing.T, e Entry) Op { return Delete(e) }
	down := refused(503, 0)
	tests := []struct {
		reason string
		what   string
		op     func(t *testing.T, e Entry) Op
		// applied is true if the API carried the write out.
		applied bool
		// blind is the call that makes the look fail, "" if it does not fail.
		blind string
	}{
		{"a create that was made", "create", create, true, ""},
		{"a create that was not", "create", create, false, ""},
		{"a create, and the list fails", "create", create, true, "list"},
		{"an update that was made", "patch", update, true, ""},
		{"an update that was not", "patch", update, false, ""},
		{"an update, and the list fails", "patch", update, true, "list"},
		{"a delete that was made", "delete", remove, true, ""},
		{"a delete that was not", "delete", remove, false, ""},
		{"a delete, and the list fails", "delete", remove, true, "list"},
		{"a delete, and the proof of absence fails", "delete", remove, true, "get"},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(a(1, "a", "192.0.2.1"))
				z := listed(t, f)
				live := mustGet(t, z, id(1))
				lose := f.before
				if tc.applied {
					lose = f.after
				}
				f.hook(lose, tc.what, func(context.Context) error { return errLost })
				if tc.blind != "" {
					f.hook(f.before, tc.blind, func(context.Context) error { return down })
				}
				e, err := z.Apply(t.Context(), tc.op(t, live))
				var unsettled *OutcomeUnknownError
				switch {
				case tc.blind != "":
					if !errors.As(err, &unsettled) || !errors.Is(err, errLost) || !errors.Is(err, down) {
						t.Errorf("%s: got %v, want an *OutcomeUnknownError of both causes", tc.reason, err)
					}
				case tc.applied:
					if err != nil || e.Live.ID == "" {
						t.Errorf("%s: got %v, %v, want success", tc.reason, e, err)
					}
				default:
					if !errors.Is(err, errLost) || errors.As(err, &unsettled) {
						t.Errorf("%s: got %v, want the write's own error", tc.reason, err)
					}
				}
				if n := f.count(tc.what); n != 1 {
					t.Errorf("%s: written %d times, want never again without looking", tc.reason, n)
				}
			})
		})
	}
}

func TestAnUpdateOfWhatListsMissIsSettledByItsID(t *testing.T) {
	down := refused(503, 0)
	for reason, look := range map[string]error{"the look finds it": nil, "the look fails": down} {
		t.Run(reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(a(1, "a", "192.0.2.1"))
				f.unlisted[id(1)] = true
				z := listed(t, f)
				live := mustGet(t, z, id(1))
				f.hook(f.after, "patch", func(context.Context) error { return errLost })
				f.hook(f.before, "get", func(context.Context) error { return look })
				e, err := z.Apply(t.Context(), Update(live, wantA(t, "a", "192.0.2.9")))
				var unsettled *OutcomeUnknownError
				switch {
				case look == nil && (err != nil || e.Record.Content != "192.0.2.9"):
					t.Errorf("%s: got %v, %v, want success", reason, e, err)
				case look != nil && (!errors.As(err, &unsettled) || !errors.Is(err, down)):
					t.Errorf("%s: got %v, want an *OutcomeUnknownError", reason, err)
				}
			})
		})
	}
}

func TestAWriteHasItsOwnTimeToLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := newFake(), newGate()
		z := listed(t, f)
		f.hook(f.after, "create", g.hold) // The record is made, and the call is never answered.
		start := time.Now()
		e, err := z.Apply(t.Context(), Create(wantA(t, "n", "192.0.2.9")))
		if err != nil || e.Record.Content != "192.0.2.9" || time.Since(start) != 90*time.Second {
			t.Errorf("got %v, %v after %v, want the record, found when the write's 90s were over", e, err, time.Since(start))
		}
	})
}

func TestAWriteGoesOnWithoutItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := newFake(), newGate()
		pool := NewPool(Options{})
		z := pool.Zone(f, testZone)
		find(t, z, query(t, "absent", "192.0.2.1"))
		f.hook(f.before, "create", g.hold)
		why := errors.New("reconcile timed out")
		ctx, cancel := context.WithCancelCause(t.Context())
		left := make(chan error)
		go func() {
			_, err := z.Apply(ctx, Create(wantA(t, "n", "192.0.2.9")))
			left <- err
		}()
		<-g.entered
		cancel(why)
		err := <-left
		var unsettled *OutcomeUnknownError
		if !errors.As(err, &unsettled) || !errors.Is(err, why) || !strings.Contains(err.Error(), "cannot tell") {
			t.Errorf("got %v, want an *OutcomeUnknownError because %v", err, why)
		}

		// A shutdown waits for it, but not without end.
		short, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		if err := pool.Drain(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Drain gives %v, want that its time ran out", err)
		}
		drained := make(chan error, 1)
		go func() { drained <- pool.Drain(t.Context()) }()
		synctest.Wait()
		if len(drained) != 0 {
			t.Error("Drain did not wait for the write")
		}
		close(g.open)
		if err := <-drained; err != nil {
			t.Errorf("Drain gives %v", err)
		}
		if found := find(t, z, query(t, "n", "192.0.2.9")); len(found) != 1 || f.count("list") != 1 {
			t.Errorf("found %v with %d lists, want the record in the snapshot", found, f.count("list"))
		}
	})
}

// TestAWriteToNothingSpoilsNoCall checks that a write to a record that was never found is refused by itself, and not
// with the writes that would share its call.
func TestAWriteToNothingSpoilsNoCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		z := listed(t, f)
		got := together(t, z, Create(wantA(t, "a", "192.0.2.1")), Update(Entry{}, wantA(t, "b", "192.0.2.2")), Delete(Entry{}),
			Create(wantA(t, "c", "192.0.2.3")))
		for i, r := range got {
			var bad *cloudflare.IDError
			if nothing := i == 1 || i == 2; errors.As(r.err, &bad) != nothing || (r.err != nil) != nothing {
				t.Errorf("write %d gives %v", i, r.err)
			}
		}
		if n := len(f.sizes()); n != 1 {
			t.Errorf("it took the calls %v, want one", f.sizes())
		}
	})
}

// TestNoWriteBeginsWhileDrained checks that a shutdown waits for the call under way, and that neither queued writes
// nor later ones are sent.
func TestNoWriteBeginsWhileDrained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		pool := NewPool(Options{})
		z := pool.Zone(f, testZone)
		g := newGate()
		f.hook(f.before, "create", g.hold)
		apply := func(name string) <-chan error {
			out := make(chan error, 1)
			go func() {
				_, err := z.Apply(t.Context(), Create(wantA(t, name, "192.0.2.1")))
				out <- err
			}()
			synctest.Wait()
			return out
		}
		first := apply("first")
		<-g.entered
		queued := apply("queued")
		drained := make(chan error, 1)
		go func() { drained <- pool.DrainWrites(t.Context()) }()
		synctest.Wait()
		late := apply("late")
		if len(first) != 0 || len(drained) != 0 {
			t.Fatal("the drain did not wait for the call under way")
		}
		close(g.open)
		if err := <-first; err != nil {
			t.Errorf("the call under way ended with %v", err)
		}
		if err := <-drained; err != nil {
			t.Errorf("the drain ended with %v", err)
		}
		for reason, got := range map[string]<-chan error{
			"it waited for its turn": queued, "it came while the call was drained": late, "it came after the end": apply("later"),
		} {
			var withdrawn *NotSentError
			if err := <-got; !errors.As(err, &withdrawn) || !errors.Is(withdrawn.Cause, parent.ErrEnding) {
				t.Errorf("%s: got %v, want that it was not sent", reason, err)
			}
		}
		if n := f.count("create"); n != 1 {
			t.Errorf("%d calls were made, want the one under way", n)
		}
	})
}
