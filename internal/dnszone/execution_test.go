// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// mixed returns a creation, an update and a deletion.
func mixed(t *testing.T, z *Zone) []Op {
	t.Helper()
	return []Op{
		Create(wantA(t, "n", "192.0.2.9")),
		Update(mustGet(t, z, id(1)), wantA(t, "a", "192.0.2.9")),
		Delete(mustGet(t, z, id(2))),
	}
}

func twoRecords() *fake { return newFake(a(1, "a", "192.0.2.1"), a(2, "b", "192.0.2.2")) }

func TestBatchesWithoutAnAnswerAreSettledByLooking(t *testing.T) {
	down := refused(503, 0)
	tests := []struct {
		reason string
		// applied is true if the API carried the batch out.
		applied bool
		// blind is the call that makes the look fail, "" if it does not fail.
		blind string
		// unsettled are the operations that stay open.
		unsettled []int
	}{
		{"it was carried out", true, "", nil},
		{"it was not", false, "", nil},
		{"the list fails", true, "list", []int{0, 1, 2}},
		{"the proof that what was deleted is gone fails", true, "get", []int{2}},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := twoRecords()
				z := listed(t, f)
				ops := mixed(t, z)
				lose := f.before
				if tc.applied {
					lose = f.after
				}
				f.hook(lose, "batch", func(context.Context) error { return errLost })
				if tc.blind != "" {
					f.hook(f.before, tc.blind, func(context.Context) error { return down })
				}
				for i, r := range together(t, z, ops...) {
					var unsettled *OutcomeUnknownError
					open := errors.As(r.err, &unsettled)
					switch want := contains(tc.unsettled, i); {
					case open != want:
						t.Errorf("%s: operation %d: got %v, unsettled: want %v", tc.reason, i, r.err, want)
					case want && !errors.Is(r.err, down):
						t.Errorf("%s: operation %d: got %v, want why looking failed", tc.reason, i, r.err)
					case !want && tc.applied && (r.err != nil || !cloudflare.ValidID(r.entry.Live.ID)):
						t.Errorf("%s: operation %d: got %v, %v, want success", tc.reason, i, r.entry, r.err)
					case !want && !tc.applied && !errors.Is(r.err, errLost):
						t.Errorf("%s: operation %d: got %v, want the write's own error", tc.reason, i, r.err)
					}
				}
				if f.count("batch") != 1 || f.count("create")+f.count("patch")+f.count("delete") != 0 {
					t.Errorf("%s: calls %v, want never a write again without looking", tc.reason, f.calls)
				}
				if f.count("list") > 2 || f.count("get") > 1 {
					t.Errorf("%s: calls %v, want one look for all", tc.reason, f.calls)
				}
			})
		})
	}
}

func contains(s []int, v int) bool {
	for _, x := range s {
		if x == v {
			return true
		}
	}
	return false
}

func TestABatchThatIsAnsweredInPartIsSettledByLooking(t *testing.T) {
	tests := []struct {
		reason string
		cut    func(*batchAnswer)
	}{
		{"no creations", func(a *batchAnswer) { a.Posts = nil }},
		{"no deletions", func(a *batchAnswer) { a.Deletes = nil }},
		{"no updates", func(a *batchAnswer) { a.Patches = nil }},
		{"another record was updated", func(a *batchAnswer) { a.Patches[0].ID = id(7) }},
		{"another record was created", func(a *batchAnswer) { a.Posts[0].Name = "other.example.com" }},
		{"a creation without an ID", func(a *batchAnswer) { a.Posts[0].ID = "" }},
		{"one too many", func(a *batchAnswer) { a.Posts = append(a.Posts, a.Posts[0]) }},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := twoRecords()
				z := listed(t, f)
				ops := mixed(t, z)
				f.rewrite = tc.cut
				for i, r := range together(t, z, ops...) {
					if r.err != nil || !cloudflare.ValidID(r.entry.Live.ID) {
						t.Errorf("%s: operation %d: got %v, %v, want what looking found", tc.reason, i, r.entry, r.err)
					}
				}
				if f.count("list") != 2 || f.count("batch") != 1 {
					t.Errorf("%s: calls %v, want one look and no second write", tc.reason, f.calls)
				}
				if got := mustGet(t, z, id(1)); got.Record.Content != "192.0.2.9" {
					t.Errorf("%s: the snapshot has %v", tc.reason, got)
				}
			})
		})
	}
}

func TestAnAnswerThatIsNoRecordIsSettledByLooking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		z := listed(t, f)
		f.empty = true
		e, err := z.Apply(t.Context(), Create(wantA(t, "n", "192.0.2.9")))
		if err != nil || !cloudflare.ValidID(e.Live.ID) || f.count("create") != 1 {
			t.Errorf("got %v, %v with calls %v, want the record as the list shows it", e.Live, err, f.calls)
		}
	})
}

func TestWhatAPartialAnswerDoesNotTellStaysOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := twoRecords()
		z := listed(t, f)
		ops := mixed(t, z)
		f.rewrite = func(a *batchAnswer) { a.Posts = nil }
		f.lag() // The list does not show the new records either.
		r := together(t, z, ops...)[0]
		var unsettled *OutcomeUnknownError
		if !errors.As(r.err, &unsettled) || !errors.Is(r.err, errPartial) {
			t.Errorf("got %v, want that the creation's outcome is open", r.err)
		}
	})
}

func throttled(wait time.Duration) error {
	return &cloudflare.Error{Status: 429, RetryAfter: wait, Details: []cloudflare.Detail{{Code: 971, Message: "slow down"}}}
}

func TestThrottledCalls(t *testing.T) {
	tests := []struct {
		reason string
		wait   time.Duration
		times  int
		fails  bool
		took   time.Duration
		calls  int
	}{
		{"a turn that comes soon is waited for", 300 * time.Millisecond, 2, false, 600 * time.Millisecond, 3},
		{"a pause is not: nobody sleeps through it", 5 * time.Minute, 1, true, 0, 1},
		{"neither are many short ones", time.Second, 100, true, 2 * time.Second, 3},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := twoRecords()
				z := listed(t, f)
				ops := mixed(t, z)
				left := tc.times
				f.hook(f.before, "batch", func(context.Context) error {
					if left == 0 {
						return nil
					}
					left--
					return throttled(tc.wait)
				})
				start := time.Now()
				results := together(t, z, ops...)
				for i, r := range results {
					if (r.err != nil) != tc.fails || (tc.fails && !cloudflare.IsThrottled(r.err)) {
						t.Errorf("%s: operation %d: got %v", tc.reason, i, r.err)
					}
				}
				if took := time.Since(start); took != tc.took || f.count("batch") != tc.calls {
					t.Errorf("%s: %d calls in %v, want %d in %v", tc.reason, f.count("batch"), took, tc.calls, tc.took)
				}
			})
		})
	}
}

func TestWhatConcernsTheCredentialIsNotBisected(t *testing.T) {
	for _, no := range []error{refused(401, 1000), refused(403, 10000), refused(403, 9109), refused(404, 7003)} {
		synctest.Test(t, func(t *testing.T) {
			f := twoRecords()
			z := listed(t, f)
			f.hook(f.before, "batch", func(context.Context) error { return no })
			for i, r := range together(t, z, mixed(t, z)...) {
				if !errors.Is(r.err, no) {
					t.Errorf("operation %d: got %v, want %v", i, r.err, no)
				}
			}
			if f.count("batch") != 1 || f.count("list") != 1 || f.count("create")+f.count("patch")+f.count("delete") != 0 {
				t.Errorf("%v: calls %v, want one", no, f.calls)
			}
		})
	}
}

func TestRecordsThatAreGoneDoNotHoldUpABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := twoRecords()
		z := listed(t, f)
		ops := mixed(t, z)
		f.remove(id(1))
		f.remove(id(2))
		results := together(t, z, ops...)
		if results[0].err != nil || results[2].err != nil {
			t.Errorf("creation: %v, deletion of what is gone: %v, want success", results[0].err, results[2].err)
		}
		if !cloudflare.IsRecordGone(results[1].err) {
			t.Errorf("update: %v, want that the record is gone", results[1].err)
		}
		for _, id := range []string{id(1), id(2)} {
			if _, err := z.Get(t.Context(), id); !errors.Is(err, ErrNotFound) || f.count("get") != 0 {
				t.Errorf("got %v, want that the snapshot knows", err)
			}
		}
	})
}

func TestWaitersCanLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := newFake(), newGate()
		pool := NewPool(Options{})
		z := pool.Zone(f, testZone)
		f.hook(f.before, "create", g.hold)
		why := errors.New("shutting down")
		ctx, cancel := context.WithCancelCause(t.Context())
		errs := make(chan error, 2)
		apply := func(name string) {
			_, err := z.Apply(ctx, Create(wantA(t, name, "192.0.2.1")))
			errs <- err
		}
		go apply("under-way")
		<-g.entered
		go apply("waiting")
		synctest.Wait()
		cancel(why)
		var withdrawn *NotSentError
		var unsettled *OutcomeUnknownError
		one, two := <-errs, <-errs
		if errors.As(one, &unsettled) {
			one, two = two, one
		}
		if !errors.As(one, &withdrawn) || !errors.Is(withdrawn.Cause, why) || cloudflare.IsAmbiguous(one) {
			t.Errorf("whoever waited for a turn got %v, want that nothing was done", one)
		}
		if !errors.As(two, &unsettled) || !errors.Is(two, why) {
			t.Errorf("whoever's call was under way got %v, want that the outcome is open", two)
		}
		close(g.open)
		if err := pool.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if f.count("create") != 1 || len(f.records) != 1 {
			t.Errorf("calls %v, want the one that was under way, to its end", f.calls)
		}
	})
}

func TestAShutdownDoesNotWaitForABudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		pool := NewPool(Options{})
		z := pool.Zone(f, testZone)
		f.hook(f.before, "create", func(context.Context) error { return throttled(2 * time.Second) })
		start := time.Now()
		applied := make(chan error)
		go func() {
			_, err := z.Apply(t.Context(), Create(wantA(t, "n", "192.0.2.1")))
			applied <- err
		}()
		synctest.Wait()
		go func() { _ = pool.Drain(t.Context()) }()
		if err := <-applied; !cloudflare.IsThrottled(err) || time.Since(start) != 0 {
			t.Errorf("%v after %v, want the throttle at once", err, time.Since(start))
		}
	})
}
