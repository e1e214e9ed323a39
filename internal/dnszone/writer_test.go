// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// result is what Apply returned.
type result struct {
	entry Entry
	err   error
}

// atOnce applies ops at once, each by a caller that is at work on the zone. It returns
// the results in the order of ops.
func atOnce(t *testing.T, z *Zone, ops ...Op) []result {
	t.Helper()
	out := make([]result, len(ops))
	done := make(chan struct{})
	leave := make([]func(), len(ops))
	for i := range ops {
		leave[i] = z.Enter()
	}
	for i, op := range ops {
		go func() {
			defer func() { done <- struct{}{} }()
			defer leave[i]()
			out[i].entry, out[i].err = z.Apply(context.Background(), op)
		}()
	}
	for range ops {
		<-done
	}
	return out
}

// together is atOnce with ops that all come while another call is under way.
func together(t *testing.T, z *Zone, ops ...Op) []result {
	t.Helper()
	z.writer.mu.Lock()
	z.writer.active = true
	z.writer.mu.Unlock()
	results := make(chan []result)
	go func() { results <- atOnce(t, z, ops...) }()
	synctest.Wait()
	z.sending.Begin()
	go z.writer.run()
	return <-results
}

// carryOut has the writer of z execute one group.
func carryOut(z *Zone, group []*pendingWrite) {
	z.writer.active, z.writer.queue = true, group
	z.sending.Begin()
	z.writer.run()
}

// creates returns n creations of records with different names.
func creates(t *testing.T, n int) []Op {
	t.Helper()
	var out []Op
	for i := range n {
		out = append(out, Create(wantA(t, fmt.Sprint("n", i), fmt.Sprintf("198.51.100.%d", i%250))))
	}
	return out
}

func failures(results []result) (failed []int) {
	for i, r := range results {
		if r.err != nil {
			failed = append(failed, i)
		}
	}
	return failed
}

func record(t *testing.T, name, rrtype, content string) dnsrecord.Record {
	t.Helper()
	r, err := dnsrecord.Parse("example.com", dnsrecord.Input{Name: name, Type: rrtype, Content: &content})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAWriteToAnIdleZoneGoesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		z := zoneOf(f)
		defer z.Enter()() // Its caller is the only one at work.
		start := time.Now()
		if _, err := z.Apply(t.Context(), Create(wantA(t, "a", "192.0.2.1"))); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited != 0 || f.count("create") != 1 || f.count("batch") != 0 {
			t.Errorf("waited %v, calls %v, want one creation at once", waited, f.calls)
		}
	})
}

func TestWhatComesDuringACallLeavesTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := newFake(), newGate()
		z := zoneOf(f)
		f.hook(f.before, "create", g.hold)
		first := make(chan error)
		go func() {
			_, err := z.Apply(t.Context(), Create(wantA(t, "first", "192.0.2.1")))
			first <- err
		}()
		<-g.entered
		rest := make(chan []result)
		go func() { rest <- atOnce(t, z, creates(t, 20)...) }()
		synctest.Wait()
		if f.count("batch") != 0 {
			t.Error("a second call began while one was under way")
		}
		close(g.open)
		if err := <-first; err != nil {
			t.Error(err)
		}
		if failed := failures(<-rest); failed != nil || f.count("batch") != 1 || len(f.batches[0].Posts) != 20 {
			t.Errorf("failed: %v, calls %v, want one call for the other 20", failed, f.calls)
		}
	})
}

func TestCompanyIsWaitedFor(t *testing.T) {
	tests := []struct {
		reason string
		// present callers are at work on the zone, and writing of them write, at once.
		present, writing int
		waits            time.Duration
	}{
		{"two thirds write", 9, 6, 0},
		{"the others do not come, so they are not waited for longer", 9, 5, maxWait},
		{"one of two is no company", 2, 1, maxWait},
		{"a caller who is alone", 1, 1, 0},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				z := zoneOf(f)
				for range tc.present - tc.writing {
					z.Enter()
				}
				start := time.Now()
				if failed := failures(atOnce(t, z, creates(t, tc.writing)...)); failed != nil {
					t.Errorf("failed: %v", failed)
				}
				if waited := time.Since(start); waited != tc.waits || f.count("create")+f.count("batch") != 1 {
					t.Errorf("%s: waited %v with calls %v, want %v and one call", tc.reason, waited, f.calls, tc.waits)
				}
			})
		})
	}
}

func TestWhoeverHasLeftIsWaitedForAMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		z := zoneOf(f)
		leave := z.Enter()
		time.AfterFunc(100*time.Millisecond, leave)
		time.AfterFunc(101*time.Millisecond, leave) // A second leave does not count.
		defer z.Enter()()
		start := time.Now()
		if _, err := z.Apply(t.Context(), Create(wantA(t, "a", "192.0.2.1"))); err != nil || time.Since(start) != 2*window {
			t.Errorf("%v after %v, want success two windows after the other has left", err, time.Since(start))
		}
		start = time.Now()
		if _, err := z.Apply(t.Context(), Create(wantA(t, "b", "192.0.2.1"))); err != nil || time.Since(start) != 0 {
			t.Errorf("%v after %v, want success at once: nobody is there", err, time.Since(start))
		}
	})
}

func TestWhatSomebodyWaitsForGoesSoon(t *testing.T) {
	tests := []struct {
		reason string
		urgent int
		waits  time.Duration
	}{
		{"one edit among many callers", 1, maxUrgentWait},
		{"a few", maxUrgent, maxUrgentWait},
		{"many wait for each other", maxUrgent + 1, maxWait},
		{"none", 0, maxWait},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				z := zoneOf(f)
				for range 90 {
					z.Enter()
				}
				ops := creates(t, 10)
				for i := range tc.urgent {
					ops[i] = ops[i].Soon()
				}
				start := time.Now()
				if failed := failures(atOnce(t, z, ops...)); failed != nil {
					t.Errorf("failed: %v", failed)
				}
				if waited := time.Since(start); waited != tc.waits || f.count("batch") != 1 {
					t.Errorf("%s: waited %v with calls %v, want %v and one call", tc.reason, waited, f.calls, tc.waits)
				}
			})
		})
	}
}

func TestTheOrderWithinACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		z := zoneOf(f)
		const ds1, ds2 = "1 13 2 " + "e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d", "2 13 2 " + "e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d"
		var live []Entry
		for _, r := range together(t, z,
			Create(record(t, "old", "NS", "ns.example.net")), Create(record(t, "old", "DS", ds1)),
			Create(wantA(t, "gone", "192.0.2.1")), Create(wantA(t, "stays", "192.0.2.1"))) {
			if r.err != nil {
				t.Fatal(r.err)
			}
			live = append(live, r.entry)
		}
		got := together(t, z,
			Create(record(t, "sub", "DS", ds2)), Create(wantA(t, "new", "192.0.2.1")), Create(record(t, "sub", "NS", "ns.example.net")),
			Update(live[3], wantA(t, "stays", "192.0.2.2")),
			Delete(live[0]), Delete(live[2]), Delete(live[1]))
		if failed := failures(got); failed != nil || len(f.batches) != 2 {
			t.Fatalf("failed: %v in %d calls", failed, len(f.batches))
		}
		b := f.batches[1]
		var posts []string
		for _, p := range b.Posts {
			posts = append(posts, fmt.Sprint(p["type"]))
		}
		want := []string{live[1].Live.ID, live[2].Live.ID, live[0].Live.ID}
		if diff := cmp.Diff(want, b.Deletes); diff != "" {
			t.Errorf("deletes: a DS record goes before its NS record (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"NS", "A", "DS"}, posts); diff != "" {
			t.Errorf("posts: an NS record comes before its DS record (-want +got):\n%s", diff)
		}
		if len(b.Patches) != 1 || b.Patches[0].ID != live[3].Live.ID {
			t.Errorf("patches: %v", b.Patches)
		}
		for i, r := range got {
			if r.entry.Record.Type != []string{"DS", "A", "NS", "A", "NS", "A", "DS"}[i] {
				t.Errorf("caller %d was reported of a %s record", i, r.entry.Record.Type)
			}
		}
	})
}

func TestTheFaultyOperationsAreFound(t *testing.T) {
	tests := []struct {
		reason string
		n      int
		bad    []int
	}{
		{"the first", 200, []int{0}},
		{"the last", 200, []int{199}},
		{"one in the middle", 200, []int{77}},
		{"one of two", 2, []int{1}},
		{"one of an odd number", 43, []int{21}},
		{"two side by side", 200, []int{99, 100}},
		{"two far apart", 200, []int{3, 180}},
		{"five", 200, []int{0, 50, 51, 120, 199}},
		{"all", 8, []int{0, 1, 2, 3, 4, 5, 6, 7}},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				z := zoneOf(f)
				ops := creates(t, tc.n)
				f.bad = map[string]bool{}
				for k, i := range tc.bad {
					content := fmt.Sprintf("203.0.113.%d", k)
					ops[i].want.Content, f.bad[content] = content, true
				}
				results := together(t, z, ops...)
				if diff := cmp.Diff(tc.bad, failures(results)); diff != "" {
					t.Errorf("%s: failed (-want +got):\n%s", tc.reason, diff)
				}
				for _, i := range tc.bad {
					var e *cloudflare.Error
					if !errors.As(results[i].err, &e) || !e.Has(9005) {
						t.Errorf("the one at fault was reported %v, want its own error", results[i].err)
					}
				}
				if len(f.records) != tc.n-len(tc.bad) {
					t.Errorf("%d records, want every good one, once", len(f.records))
				}
				levels := bits.Len(uint(tc.n - 1))
				calls, most := f.count("batch")+f.count("create"), 1+2*levels*len(tc.bad)
				if calls > most {
					t.Errorf("%s: %d calls, want %d at most", tc.reason, calls, most)
				}
			})
		})
	}
}

func TestWhatIsRefusedForTheQuotaIsNotTriedOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"))
		z := listed(t, f)
		const room = 10
		f.room = room + 1
		ops := append(creates(t, 60), Update(mustGet(t, z, id(1)), wantA(t, "a", "192.0.2.9")))
		results := together(t, z, ops...)
		failed := failures(results)
		if len(failed) != 50 || slices.Contains(failed, 60) || len(f.records) != room+1 {
			t.Errorf("failed: %v with %d records, want that what fits was created and the update made", failed, len(f.records))
		}
		for _, i := range failed {
			if !cloudflare.IsQuota(results[i].err) {
				t.Errorf("operation %d was reported %v, want the quota", i, results[i].err)
			}
		}
		if calls := f.count("batch") + f.count("create"); calls > 14 {
			t.Errorf("%d calls, want no more than it takes to find where the room ends", calls)
		}
	})
}

func TestEqualCreationsDoNotShareACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		z := zoneOf(f)
		f.refuseEqual = true
		same := wantA(t, "a", "192.0.2.1")
		results := together(t, z, Create(same), Create(same), Create(wantA(t, "b", "192.0.2.1")))
		failed := failures(results)
		if len(failed) != 1 || failed[0] == 2 || !cloudflare.IsRecordExists(results[failed[0]].err) {
			t.Fatalf("failed: %v, want one of the two that are equal, and that it exists", failed)
		}
		if f.count("batch") != 1 || f.count("create") != 1 {
			t.Errorf("calls %v, want one call of two, and one of its own for the equal one", f.calls)
		}
	})
}

func TestThePlanLimitsACall(t *testing.T) {
	tests := []struct {
		reason string
		plan   string
		cap    int
		// allowed is how many operations the API really accepts.
		allowed, n int
		sizes      []int
	}{
		{"a free zone", "free", 0, 200, 450, []int{200, 200, 50}},
		{"a paid zone", "pro", 0, 3500, 450, []int{450}},
		{"a cap below the plan's limit", "pro", 100, 3500, 250, []int{100, 100, 50}},
		{"a cap above the plan's limit", "free", 1000, 200, 250, []int{200, 50}},
		{"a plan that is not known is learned by a refusal", "", 0, 200, 300, []int{300, 150, 150}},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				f.maxBatch = tc.allowed
				f.zones[0].Plan.LegacyID = tc.plan
				z := NewPool(Options{MaxBatch: tc.cap}).Zone(f, testZone)
				if _, err := z.Name(t.Context()); err != nil {
					t.Fatal(err)
				}
				if failed := failures(together(t, z, creates(t, tc.n)...)); failed != nil {
					t.Errorf("failed: %v", failed)
				}
				if diff := cmp.Diff(tc.sizes, f.sizes()); diff != "" {
					t.Errorf("%s: sizes of calls (-want +got):\n%s", tc.reason, diff)
				}
				if tc.plan == "" {
					f.batches = nil
					ops := creates(t, 300)
					for i := range ops {
						ops[i].want.Name = "again-" + ops[i].want.Name
					}
					together(t, z, ops...)
					if diff := cmp.Diff([]int{200, 100}, f.sizes()); diff != "" {
						t.Errorf("%s: sizes of the next calls (-want +got):\n%s", tc.reason, diff)
					}
				}
			})
		})
	}
}
