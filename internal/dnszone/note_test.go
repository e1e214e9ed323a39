// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// noted returns a zone that calls f to note creations before they are sent.
func noted(api *fake, f func(ctx context.Context, intents []any) error) (*Zone, *Pool) {
	p := NewPool(Options{BeforeCreate: f})
	z := p.Zone(api, testZone)
	return z, p
}

// slowly makes a call of the fake take d.
func slowly(d time.Duration) hook {
	return func(context.Context) error {
		pass(d)
		return nil
	}
}

// start applies op, and returns a channel for its result.
func start(ctx context.Context, z *Zone, op Op) <-chan result {
	out := make(chan result, 1)
	go func() {
		defer z.Enter()()
		var r result
		r.entry, r.err = z.Apply(ctx, op)
		out <- r
	}()
	return out
}

func TestWhatNeedsNoEntryLeavesWhileEntriesAreWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "edited", "192.0.2.1"), a(2, "deleted", "192.0.2.1"))
		const slow = 20 * time.Second
		z, _ := noted(f, func(context.Context, []any) error {
			pass(slow)
			return nil
		})
		began := time.Now()
		created := start(t.Context(), z, Create(wantA(t, "new", "192.0.2.1")).WithIntent("new"))
		pass(time.Second)
		asked := time.Now()
		others := map[string]<-chan result{
			"edit":                     start(t.Context(), z, Update(mustGet(t, z, id(1)), wantA(t, "edited", "192.0.2.2")).Soon()),
			"deletion":                 start(t.Context(), z, Delete(mustGet(t, z, id(2)))),
			"creation without a trace": start(t.Context(), z, Create(wantA(t, "plain", "192.0.2.1"))),
		}
		for what, done := range others {
			if r := <-done; r.err != nil || time.Since(asked) > 2*time.Second {
				t.Errorf("%s: %v after %v, want success within two seconds", what, r.err, time.Since(asked))
			}
		}
		pass(slow - time.Second - time.Since(asked) - time.Millisecond)
		if n := f.count("create"); n > 1 {
			t.Errorf("%d creations were sent before the entry was written", n)
		}
		if r := <-created; r.err != nil || time.Since(began) < slow || time.Since(began) > slow+time.Second {
			t.Errorf("the creation: %v after %v, want success once its entry was written", r.err, time.Since(began))
		}
	})
}

func TestACreationIsWithdrawnWhileItIsNoted(t *testing.T) {
	tests := []struct {
		reason string
		// leaves is when the caller leaves. A second creation, whose caller stays, comes after
		// the first.
		leaves time.Duration
		fails  error
	}{
		{"its entry is being written", 5 * time.Second, nil},
		{"its entry cannot be written", 5 * time.Second, errors.New("down")},
		{"it leaves at the same time as others come", time.Second, nil},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				z, pool := noted(f, func(context.Context, []any) error {
					pass(20 * time.Second)
					return tc.fails
				})
				var unsent []any
				z.o.Unsent = func(intents []any) { unsent = append(unsent, intents...) }
				ctx, cancel := context.WithTimeout(t.Context(), tc.leaves)
				defer cancel()
				first, other := wantA(t, "first", "192.0.2.1"), wantA(t, "other", "192.0.2.1")
				leaves := start(ctx, z, Create(first).WithIntent(1))
				pass(time.Second - time.Millisecond)
				if !z.Creating(first.Key()) {
					t.Error("what is noted is not being created")
				}
				waits := start(ctx, z, Create(other).WithIntent(2)) // It is not noted yet.
				stays := start(t.Context(), z, Create(wantA(t, "stays", "192.0.2.1")).WithIntent(3))
				for what, done := range map[string]<-chan result{"noted": leaves, "waits": waits} {
					if r := <-done; !errors.As(r.err, new(*NotSentError)) {
						t.Errorf("%s: got %v, want that it was withdrawn", what, r.err)
					}
				}
				if z.Creating(first.Key()) || z.Creating(other.Key()) {
					t.Error("what was withdrawn is being created")
				}
				var withdrawn *NotSentError
				if r := <-stays; (tc.fails == nil) != (r.err == nil) || r.err != nil && (!errors.As(r.err, &withdrawn) || !errors.Is(withdrawn.Cause, tc.fails)) {
					t.Errorf("the caller who stays got %v, want %v", r.err, tc.fails)
				}
				if err := pool.Drain(t.Context()); err != nil {
					t.Fatal(err)
				}
				if n := f.count("create") + f.count("batch"); (tc.fails == nil) != (n == 1) || len(f.records) != n {
					t.Errorf("%d calls made %d records, want the one of who stays", n, len(f.records))
				}
				if len(z.writer.creating) != 0 {
					t.Errorf("being created are %v", z.writer.creating)
				}
				if (tc.fails == nil) != slices.Equal(unsent, []any{1}) {
					t.Errorf("noted and not sent are %v, want the first where it was noted", unsent)
				}
			})
		})
	}
}

// TestNothingIsSentThatIsNotedAtTheEnd checks that a drain waits for the note under way, and
// that neither the noted creations nor those that wait for their note are sent.
func TestNothingIsSentThatIsNotedAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		z, pool := noted(f, func(context.Context, []any) error {
			pass(20 * time.Second)
			return nil
		})
		under := start(t.Context(), z, Create(wantA(t, "n", "192.0.2.1")).WithIntent(1))
		synctest.Wait()
		waits := start(t.Context(), z, Create(wantA(t, "m", "192.0.2.1")).WithIntent(2))
		synctest.Wait()
		if err := pool.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		late := start(t.Context(), z, Create(wantA(t, "o", "192.0.2.1")).WithIntent(3))
		for reason, got := range map[string]<-chan result{"it was noted": under, "it waited": waits, "it came after the end": late} {
			var withdrawn *NotSentError
			if r := <-got; !errors.As(r.err, &withdrawn) || !errors.Is(withdrawn.Cause, parent.ErrEnding) {
				t.Errorf("%s: got %v, want that it was not sent", reason, r.err)
			}
		}
		if n := f.count("create") + f.count("batch"); n != 0 {
			t.Errorf("%d calls were made when nothing may be sent any more", n)
		}
		if len(z.writer.creating) != 0 || len(z.writer.notes.unsettled) != 0 {
			t.Errorf("being created are %v, and %v have no outcome", z.writer.creating, z.writer.notes.unsettled)
		}
	})
}

func TestNotedCreationsKeepTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		z, _ := noted(f, func(context.Context, []any) error {
			pass(time.Second)
			return nil
		})
		const ds = "1 13 2 e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d"
		first := start(t.Context(), z, Create(wantA(t, "first", "192.0.2.1")).WithIntent(0))
		synctest.Wait()
		ops := []Op{
			Create(record(t, "sub", "DS", ds)).WithIntent(1), Create(wantA(t, "a", "192.0.2.1")).WithIntent(2),
			Create(record(t, "sub", "NS", "ns.example.net")).WithIntent(3),
		}
		if failed := failures(atOnce(t, z, ops...)); failed != nil {
			t.Errorf("failed: %v", failed)
		}
		<-first
		if len(f.batches) != 1 || len(f.batches[0].Posts) != 3 {
			t.Fatalf("there were %d calls, want the three in one", len(f.batches))
		}
		for i, want := range []string{"NS", "A", "DS"} {
			if got := f.batches[0].Posts[i]["type"]; got != want {
				t.Errorf("post %d is of type %v, want %s", i, got, want)
			}
		}
	})
}

func TestManyCreationsTakeFewNotesAndFewCalls(t *testing.T) {
	const n = 1000
	tests := []struct {
		reason string
		// workers create one record after the other.
		workers    int
		note, call time.Duration
		// notes and calls are the greatest numbers allowed. 64 workers take 16 at least, and
		// some more because of the order in which they run. Without company they take 32 to 46.
		notes, calls int
	}{
		{"all at once", n, 10 * time.Millisecond, 300 * time.Millisecond, 3, 3},
		{"all at once, of which a note takes long", n, 20 * time.Second, 300 * time.Millisecond, 3, 3},
		{"64 workers", 64, 10 * time.Millisecond, 300 * time.Millisecond, 30, 30},
		{"64 workers whose notes take long", 64, 2 * time.Second, 300 * time.Millisecond, 30, 30},
		{"64 workers whose calls take long", 64, 10 * time.Millisecond, 5 * time.Second, 30, 30},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				f.hook(f.before, "create", slowly(tc.call))
				f.hook(f.before, "batch", slowly(tc.call))
				var mu sync.Mutex
				notes := 0
				z, _ := noted(f, func(context.Context, []any) error {
					mu.Lock()
					notes++
					mu.Unlock()
					pass(tc.note)
					return nil
				})
				began := time.Now()
				createAll(t, z, n, tc.workers)
				calls := f.count("create") + f.count("batch")
				t.Logf("%d notes and %d calls in %v", notes, calls, time.Since(began))
				if notes > tc.notes || calls > tc.calls || len(f.records) != n {
					t.Errorf("%s: %d notes and %d calls made %d records, want at most %d and %d", tc.reason, notes, calls, len(f.records), tc.notes, tc.calls)
				}
			})
		})
	}
}

// createAll has workers create n records, with notes.
func createAll(t *testing.T, z *Zone, n, workers int) {
	t.Helper()
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	var done sync.WaitGroup
	for range workers {
		done.Go(func() {
			for i := range next {
				op := Create(wantA(t, fmt.Sprint("n", i), "192.0.2.1")).WithIntent(i)
				if r := <-start(t.Context(), z, op); r.err != nil {
					t.Error(r.err)
				}
			}
		})
	}
	done.Wait()
}
