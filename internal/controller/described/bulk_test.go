// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestGroupsCostFewCalls checks that all changes that arrive together take one operation, however many there are.
// Only the list, which has 500 items on a page, costs more.
func TestGroupsCostFewCalls(t *testing.T) {
	for _, tc := range []struct {
		n, pages int
	}{{1, 1}, {300, 1}, {10_000, 20}} {
		t.Run(fmt.Sprint(tc.n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newBulkStage(t)
				var created, changed, deleted []*change
				for i := range tc.n {
					ip := fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255)
					created, changed, deleted = append(created, item(ip, "a")), append(changed, item(ip, "b")), append(deleted, item(ip, nil))
				}
				for _, step := range []struct {
					what    string
					changes []*change
					want    map[string]int
					left    int
				}{
					{"created", created, map[string]int{"GET items": 1 + tc.pages, "POST items": 1, "looks": 3}, tc.n},
					{"changed", changed, map[string]int{"GET items": tc.pages, "POST items": 1, "looks": 3}, tc.n},
					{"deleted", deleted, map[string]int{"GET items": 1, "DELETE items": 1, "looks": 3}, 0},
				} {
					if err := errors.Join(s.apply(step.changes...)...); err != nil {
						t.Fatalf("%d items cannot be %s: %v", tc.n, step.what, err)
					}
					if diff := cmp.Diff(step.want, s.counted()); diff != "" {
						t.Errorf("calls for %d items that are %s: -want, +got:\n%s", tc.n, step.what, diff)
					}
					if got := len(s.comments()); got != step.left {
						t.Errorf("%d items are left of %d that were %s", got, tc.n, step.what)
					}
				}
			})
		})
	}
}

// TestBadItemIsFoundByHalves checks that a faulty item costs its group some operations, and does not affect the other
// items. A group in which all items are faulty ends soon.
func TestBadItemIsFoundByHalves(t *testing.T) {
	const n = 64
	for _, tc := range []struct {
		reason, value string
		failed, most  int
	}{
		{"one is bad: two operations for each time the group is halved, and the first", "10.0.0.37", 1, 13},
		{"all are bad", "", n, mostOperations},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newBulkStage(t)
				s.sim.AddTrap(simulator.Trap{Kind: simulator.TrapFailedOperation, Path: s.path, Value: tc.value})
				var changes []*change
				for i := range n {
					changes = append(changes, item(fmt.Sprintf("10.0.0.%d", i), "a"))
				}
				failed := 0
				for _, err := range s.apply(changes...) {
					var op *kindapi.OperationError
					if errors.As(err, &op) {
						failed++
					} else if err != nil {
						t.Errorf("got %v, want that the operation failed", err)
					}
				}
				if got := s.counted()["POST items"]; failed != tc.failed || got > tc.most {
					t.Errorf("%d of %d failed in %d operations, want %d in at most %d", failed, n, got, tc.failed, tc.most)
				}
				if got := len(s.comments()); got != n-tc.failed {
					t.Errorf("there are %d items, want %d", got, n-tc.failed)
				}
			})
		})
	}
}

// TestWhatIsThereIsNotCreated checks that the operation that would create an item does not take over an item that
// another client or another object has created in the meantime.
func TestWhatIsThereIsNotCreated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, exists := newBulkStage(t), errors.New("exists")
		first, second := item("10.0.0.1", "first"), item("10.0.0.1", "second")
		first.exists, second.exists = exists, exists
		errs := s.apply(first, second)
		if created := errs[0] == nil; created == (errs[1] == nil) || !errors.Is(errors.Join(errs...), exists) {
			t.Errorf("got %v and %v, want that one is refused", errs[0], errs[1])
		}
		if got := s.counted()["POST items"]; got != 1 {
			t.Errorf("there were %d operations, want one", got)
		}
		if err := errors.Join(s.apply(item("10.0.0.9", nil), item("10.0.0.8", nil))...); err != nil || s.counted()["DELETE items"] != 0 {
			t.Errorf("got %v of the deletion of what is not there, or it was sent", err)
		}
	})
}

// TestForeignMembersSurvive checks that the members of an item that no object declares are sent back as they are.
func TestForeignMembersSurvive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newBulkStage(t)
		must(t, errors.Join(s.apply(item("10.0.0.1", "theirs"))...))
		bare := &change{key: "10.0.0.1", want: kind.Document{"ip": "10.0.0.1/32", "x_future": "1"}}
		must(t, errors.Join(s.apply(bare)...))
		if diff := cmp.Diff(map[string]any{"10.0.0.1": "theirs"}, s.comments()); diff != "" {
			t.Errorf("-want, +got:\n%s", diff)
		}
		s.counted()
		must(t, errors.Join(s.apply(item("10.0.0.1", "theirs"))...))
		if s.counted()["POST items"] != 0 {
			t.Error("an item that is as it should be was sent")
		}
	})
}

// TestCallersLeave checks that a change that was not sent is withdrawn when its caller leaves. A change that was sent
// goes on, and its outcome is unknown to the caller.
func TestCallersLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newBulkStage(t)
		var wg sync.WaitGroup
		leaves := func(c *change, after time.Duration, as any) {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), after)
				defer cancel()
				if _, err := s.bulks.apply(ctx, s.account, &bulkChange{change: c, to: s.to}); !errors.As(err, as) {
					t.Errorf("got %v of what left after %s, want a %T", err, after, as)
				}
			})
		}
		var unsettled *OutcomeUnknownError
		var withdrawn *NotSentError
		leaves(item("10.0.0.1", "a"), 700*time.Millisecond, &unsettled)
		<-time.After(300 * time.Millisecond) // The operation is under way.
		leaves(item("10.0.0.2", "a"), 200*time.Millisecond, &withdrawn)
		wg.Wait()
		must(t, errors.Join(s.apply(item("10.0.0.3", "a"))...))
		if diff := cmp.Diff(map[string]any{"10.0.0.1": "a", "10.0.0.3": "a"}, s.comments()); diff != "" {
			t.Errorf("-want, +got:\n%s", diff)
		}
	})
}

// TestListLags checks that an operation that has ended, and that a list does not show, has no outcome yet.
func TestListLags(t *testing.T) {
	for _, tc := range []struct {
		reason string
		c      *change
		cause  error
	}{
		{"created", item("10.0.0.2", "a"), errNotThere},
		{"changed", item("10.0.0.1", "b"), errAsBefore},
		{"deleted", item("10.0.0.1", nil), errStillThere},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newBulkStage(t)
				must(t, errors.Join(s.apply(item("10.0.0.1", "a"))...))
				<-time.After(time.Minute)
				s.sim.AddTrap(simulator.Trap{Kind: simulator.TrapLag, Path: s.path, For: 30 * time.Second})
				var unsettled *OutcomeUnknownError
				if err := s.apply(tc.c)[0]; !errors.As(err, &unsettled) || !errors.Is(err, tc.cause) {
					t.Errorf("got %v, want that nobody knows: %v", err, tc.cause)
				}
			})
		})
	}
}

// TestEditThatIsNormalizedBack checks an edit that Cloudflare normalizes to what existed. If the item shows a new
// time of its change, that is the outcome at once. If nothing distinguishes the answer from a list that is behind, it
// is the outcome once no copy can be that old.
func TestEditThatIsNormalizedBack(t *testing.T) {
	for _, tc := range []struct {
		reason  string
		rewrite func(ip, comment string) (string, string)
		first   error
	}{
		{"the time of the change says so", func(ip, _ string) (string, string) { return ip, "a" }, nil},
		{"nothing says so", func(_, _ string) (string, string) { return "10.0.0.9", "a" }, errAsBefore},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newBulkStage(t)
				s.to.document = newKnowledge(nil).at("list", s.to.d, "one")
				must(t, errors.Join(s.apply(item("10.0.0.1", "a"))...))
				<-time.After(time.Minute)
				s.rewrite = tc.rewrite
				edit := func() (*change, error) { c := item("10.0.0.1", "b"); return c, s.apply(c)[0] }
				if _, err := edit(); !errors.Is(err, tc.first) {
					t.Fatalf("got %v, want %v", err, tc.first)
				}
				<-time.After(parent.GoneDisputed / 2)
				if _, err := edit(); !errors.Is(err, tc.first) {
					t.Fatalf("got %v, want %v", err, tc.first)
				}
				<-time.After(parent.GoneDisputed)
				c, err := edit()
				if err != nil || kind.Text(c.after, "comment") != "a" {
					t.Errorf("got %v, %v, want what is there", c.after, err)
				}
			})
		})
	}
}

// TestOneOperationOfAnAccount checks that changes of several lists, with several credentials, and deletions wait for
// each other. None of them is refused because of another one.
func TestOneOperationOfAnAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newBulkStage(t)
		must(t, errors.Join(s.apply(item("10.0.0.1", "a"))...))
		s.counted()
		other, path := s.newTarget("b")
		var wg sync.WaitGroup
		for _, c := range []*bulkChange{
			{change: item("10.0.0.1", nil), to: s.to},
			{change: item("10.0.0.2", "a"), to: s.to},
			{change: item("10.0.0.3", "a"), to: other},
			{change: item("10.0.0.4", "a"), to: other},
		} {
			wg.Go(func() {
				if _, err := s.bulks.apply(t.Context(), s.account, c); err != nil {
					t.Errorf("the change of %s: %v", c.key, err)
				}
			})
		}
		wg.Wait()
		got := s.counted()
		if got["POST items"] != 2 || got["DELETE items"] != 1 {
			t.Errorf("there were %v, want one operation for each list, and one for the deletion", got)
		}
		if diff := cmp.Diff(map[string]any{"10.0.0.2": "a"}, s.comments()); diff != "" || s.sim.CountResources(path) != 2 {
			t.Errorf("the other list has %d items, and this one: -want, +got:\n%s", s.sim.CountResources(path), diff)
		}
	})
}

// TestOperationsAreWaitedFor checks trap 22: an operation that takes long, or that cannot be read for a while, does
// not count as ended.
func TestOperationsAreWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newBulkStage(t)
		s.sim.AddFault(simulator.Fault{Kind: simulator.FaultHTML502, Path: "/accounts/{account_id}/rules/lists/bulk_operations/{operation_id}", Times: 3})
		began := time.Now()
		must(t, errors.Join(s.apply(item("10.0.0.1", "a"))...))
		if took := time.Since(began); took < 1750*time.Millisecond || len(s.comments()) != 1 {
			t.Errorf("it took %s, want four looks", took)
		}
	})
}

// TestAnotherCredentialsItem checks that an item that one credential has created is not created again with another
// credential, although the list of that one does not show it.
func TestAnotherCredentialsItem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, exists := newBulkStage(t), errors.New("exists")
		other := s.withAnother(s.to)
		for _, to := range []target{s.to, other} {
			must(t, to.list.CatchUp(t.Context(), time.Time{}))
		}
		must(t, errors.Join(s.apply(item("10.0.0.1", "first"))...))
		second := item("10.0.0.1", "second")
		second.exists = exists
		if _, err := s.bulks.apply(t.Context(), s.account, &bulkChange{change: second, to: other}); !errors.Is(err, exists) {
			t.Errorf("got %v, want that it is refused", err)
		}
		if diff := cmp.Diff(map[string]any{"10.0.0.1": "first"}, s.comments()); diff != "" {
			t.Errorf("-want, +got:\n%s", diff)
		}
	})
}

// TestNothingIsSentForWhoHasLeft checks a caller that leaves while its group reads the list.
func TestNothingIsSentForWhoHasLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newBulkStage(t)
		s.slow = time.Second
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		var unsettled *OutcomeUnknownError
		if _, err := s.bulks.apply(ctx, s.account, &bulkChange{change: item("10.0.0.1", "a"), to: s.to}); !errors.As(err, &unsettled) {
			t.Errorf("got %v, want that nobody knows", err)
		}
		must(t, errors.Join(s.apply(item("10.0.0.2", "a"))...))
		if diff := cmp.Diff(map[string]any{"10.0.0.2": "a"}, s.comments()); diff != "" || s.counted()["POST items"] != 1 {
			t.Errorf("-want, +got:\n%s", diff)
		}
	})
}

// TestAgainAtOnce checks that an item that was deleted can be created and changed again at once, although our own
// writes are believed more than lists for a while.
func TestAgainAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newBulkStage(t)
		for _, comment := range []any{"a", "b", nil, "c", nil} {
			c := item("10.0.0.1", comment)
			must(t, errors.Join(s.apply(c)...))
			if comment == nil {
				s.to.list.Removed(c.key)
			} else {
				s.to.list.Written(newFragment(c.key, c.after))
			}
			if got := kind.Text(c.after, "comment"); comment != nil && got != comment {
				t.Errorf("the item has the comment %q, want %q", got, comment)
			}
		}
		if got := s.counted(); got["POST items"] != 3 || got["DELETE items"] != 2 {
			t.Errorf("there were %v", got)
		}
	})
}

// TestNothingIsSentAtTheEnd checks that once writes are drained, the changes that wait or arrive get an error that
// says that they were not sent.
func TestNothingIsSentAtTheEnd(t *testing.T) {
	sending := parent.NewBackground()
	waits := &change{key: "a", done: make(chan struct{})}
	w := documents{sending: sending, waiting: map[string][]queued{"it": {{change: waits}}}}
	if !sending.TryBegin() {
		t.Fatal("no write may begin")
	}
	drained := make(chan error, 1)
	go func() { drained <- sending.Drain(t.Context()) }()
	<-sending.Closing()
	w.run(t.Context(), "it")
	<-waits.done
	_, late := w.apply(t.Context(), writing{}, &change{key: "a"})
	b := bulks{sending: sending}
	_, bulk := b.apply(t.Context(), "account", &bulkChange{change: &change{key: "a"}})
	var withdrawn *NotSentError
	if !errors.Is(waits.err, parent.ErrEnding) || !errors.Is(late, parent.ErrEnding) || !errors.As(bulk, &withdrawn) || !errors.Is(withdrawn.Cause, parent.ErrEnding) {
		t.Errorf("got %v, %v and %v, want that the process ends", waits.err, late, bulk)
	}
	if err := <-drained; err != nil {
		t.Errorf("the drain ended with %v", err)
	}
}
