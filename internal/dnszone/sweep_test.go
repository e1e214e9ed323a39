// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// run runs the sweeps of p until the test ends.
func run(t *testing.T, p *Pool, handler parent.Handler) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		p.Run(ctx, handler)
		close(ended)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
}

func TestZonesWithoutRecordsAreNotSwept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		p := NewPool(Options{})
		find(t, p.Zone(f, testZone), query(t, "a", "192.0.2.1"))
		var wanted atomic.Bool
		run(t, p, parent.Handler{InUse: func(zoneID string) bool { return wanted.Load() && zoneID == testZone }, OnChange: func(Change) {}})
		pass(10*time.Minute + time.Second)
		if n := f.count("list"); n != 1 {
			t.Errorf("%d lists, want none but for the question", n)
		}
		wanted.Store(true)
		pass(10 * time.Minute)
		if n := f.count("list"); n != 11 {
			t.Errorf("%d lists, want one a minute once there are Records", n-1)
		}
	})
}

func TestCredentialsAreSweptInARhythmOfTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(Options{})
		run(t, p, parent.Handler{OnChange: func(Change) {}})
		quick, slow := newFake(), newFake()
		quick.fingerprint, slow.fingerprint = "quick", "slow"
		g := newGate()
		slow.hook(slow.before, "list", g.hold)
		p.Zone(quick, testZone)
		p.Zone(slow, testZone)
		pass(5*time.Minute + time.Second)
		if quick.count("list") != 5 {
			t.Errorf("%d lists in five minutes, want one a minute while another credential's list hangs", quick.count("list"))
		}
		close(g.open)
	})
}

func TestTheIntervalStretchesWithTheBudget(t *testing.T) {
	tests := []struct {
		reason string
		zones  int
		// records is the number of records of each zone, and page how many fit on a page.
		records, page int
		rate          float64
		want          Pace
		// lists is the number of lists of the first zone in 20 minutes.
		lists int
	}{
		{"what fits is swept as asked", 10, 1, 5000, 2, Pace{Parents: 10, Calls: 10, Wanted: time.Minute, Actual: time.Minute}, 20},
		{"what just fits is", 120, 1, 5000, 2, Pace{Parents: 120, Calls: 120, Wanted: time.Minute, Actual: time.Minute}, 20},
		{"twice as many zones take twice as long", 240, 1, 5000, 2, Pace{Parents: 240, Calls: 240, Wanted: time.Minute, Actual: 2 * time.Minute}, 10},
		{"pages count", 10, 100, 10, 1, Pace{Parents: 10, Calls: 100, Wanted: time.Minute, Actual: 100 * time.Second}, 12},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var reported []Pace
				p := NewPool(Options{OnPace: func(fp string, pace Pace) {
					if fp != "f" {
						t.Errorf("reported of credential %q", fp)
					}
					reported = append(reported, pace)
				}, PageSize: tc.page, Idle: 24 * time.Hour})
				f := newFake()
				f.sweepRate, f.maxPage = tc.rate, tc.page
				for n := range tc.records {
					f.set(a(n, "r", "192.0.2.1"))
				}
				for n := range tc.zones {
					if err := p.Zone(f, id(n)).lists.Refresh(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				before := f.count("list")
				run(t, p, parent.Handler{OnChange: func(Change) {}})
				pass(20*time.Minute + tc.want.Actual - time.Second) // The first sweep comes after an interval.
				per := tc.want.Calls
				if lists := (f.count("list") - before) / per; lists < tc.lists-1 || lists > tc.lists+1 {
					t.Errorf("%s: %d sweeps in 20 minutes, want %d", tc.reason, lists, tc.lists)
				}
				if got, ok := p.Pace("f"); !ok || got != tc.want {
					t.Errorf("%s: pace %+v, want %+v", tc.reason, got, tc.want)
				}
				if diff := cmp.Diff([]Pace{tc.want}, reported); diff != "" {
					t.Errorf("%s: reported (-want +got):\n%s", tc.reason, diff)
				}
			})
		})
	}
}

func TestAStretchedSnapshotStaysFresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(Options{})
		f := newFake(a(1, "a", "192.0.2.1"))
		f.sweepRate = 1.0 / 600
		z := p.Zone(f, testZone)
		run(t, p, parent.Handler{OnChange: func(Change) {}})
		pass(time.Minute + time.Second)
		if pace, _ := p.Pace("f"); !pace.Stretched() || f.count("list") != 1 {
			t.Fatalf("pace %+v after %d lists", pace, f.count("list"))
		}
		pass(9 * time.Minute)
		mustGet(t, z, id(1))
		if f.count("list") != 1 {
			t.Errorf("%d lists: a question spent what the sweep saved", f.count("list"))
		}
	})
}

func TestASweepThatWaitsForItsShareHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(a(1, "a", "192.0.2.1"), a(2, "b", "192.0.2.2"), a(3, "c", "192.0.2.3"))
		f.maxPage = 1
		p := NewPool(Options{})
		z := p.Zone(f, testZone)
		f.hook(f.before, "list", func(ctx context.Context) error {
			if cloudflare.IsSweep(ctx) && f.count("list")%2 == 0 {
				return throttled(40 * time.Second)
			}
			return nil
		})
		swept := make(chan struct{})
		go func() {
			sweep(t, p)
			close(swept)
		}()
		synctest.Wait()
		start := time.Now()
		if found := find(t, z, query(t, "absent", "192.0.2.9")); len(found) != 0 || time.Since(start) != 0 {
			t.Errorf("found %v after %v, want an answer at once", found, time.Since(start))
		}
		<-swept
		if took := time.Since(start); took < 40*time.Second || took > 3*time.Minute {
			t.Errorf("the sweep took %v, want that it waited and came to its end", took)
		}
	})
}

func TestAShutdownEndsSweepsThatWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		p := NewPool(Options{})
		p.Zone(f, testZone)
		f.hook(f.before, "list", func(context.Context) error { return throttled(5 * time.Minute) })
		reported := make(chan Change, 1)
		go p.Sweep(t.Context(), parent.Handler{OnChange: func(c Change) { reported <- c }})
		synctest.Wait()
		start := time.Now()
		if err := p.Drain(t.Context()); err != nil || time.Since(start) != 0 {
			t.Errorf("Drain: %v after %v, want nothing to wait for", err, time.Since(start))
		}
		if c := <-reported; !cloudflare.IsThrottled(c.Err) {
			t.Errorf("reported %v, want the throttle", c.Err)
		}
	})
}

func TestGuardedQuestions(t *testing.T) {
	tests := []struct {
		reason string
		q      func(*testing.T) Query
		before func(*testing.T, *fake, *Zone)
		lists  int
		found  int
	}{
		{"a record that is not in the snapshot is taken for absent", guarded, nil, 1, 0},
		{"any other question is not answered so", func(t *testing.T) Query { return query(t, "a", "192.0.2.1") }, nil, 2, 0},
		{"a snapshot that is too old is listed again", guarded, func(*testing.T, *fake, *Zone) { pass(2 * time.Minute) }, 2, 0},
		{"once the API says that it exists, it is looked for", guarded, func(t *testing.T, f *fake, z *Zone) {
			f.set(a(1, "a", "192.0.2.1"))
			f.refuseEqual = true
			if _, err := z.Apply(t.Context(), Create(wantA(t, "a", "192.0.2.1"))); !cloudflare.IsRecordExists(err) {
				t.Fatalf("got %v, want that it exists", err)
			}
		}, 2, 1},
		{"another refusal says nothing about it", guarded, func(t *testing.T, f *fake, z *Zone) {
			f.bad = map[string]bool{"192.0.2.1": true}
			if _, err := z.Apply(t.Context(), Create(wantA(t, "a", "192.0.2.1"))); err == nil {
				t.Fatal("not refused")
			}
		}, 1, 0},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				z := listed(t, f)
				if tc.before != nil {
					tc.before(t, f, z)
				}
				if found := find(t, z, tc.q(t)); len(found) != tc.found || f.count("list") != tc.lists {
					t.Errorf("%s: found %d with %d lists, want %d with %d", tc.reason, len(found), f.count("list"), tc.found, tc.lists)
				}
			})
		})
	}
}

func guarded(t *testing.T) Query {
	q := query(t, "a", "192.0.2.1")
	q.Guarded = true
	return q
}

func TestLanesWithoutZonesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(Options{Idle: 3 * time.Minute})
		run(t, p, parent.Handler{OnChange: func(Change) {}})
		f := newFake()
		p.Zone(f, testZone)
		pass(10 * time.Minute)
		if n := f.count("list"); len(p.sweeps.Rounds()) != 0 || n == 0 || n > 4 {
			t.Errorf("%d schedules, %d lists: want none once nobody asks", len(p.sweeps.Rounds()), n)
		}
		find(t, p.Zone(f, testZone), query(t, "a", "192.0.2.1"))
		before := f.count("list")
		pass(2 * time.Minute)
		if f.count("list") == before {
			t.Error("a zone that came back is not swept")
		}
	})
}

func TestARefusedSweepIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		no := refused(403, 10000)
		f.hook(f.before, "list", func(context.Context) error { return no })
		p := NewPool(Options{})
		p.Zone(f, testZone)
		reported := sweep(t, p)
		if !slices.ContainsFunc(reported, func(c Change) bool { return c.Key == testZone && errors.Is(c.Err, no) }) {
			t.Errorf("reported %v, want the refusal", reported)
		}
	})
}
