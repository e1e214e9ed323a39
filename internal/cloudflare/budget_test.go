// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func policy(q, w int) string { return fmt.Sprintf(`"default";q=%d;w=%d`, q, w) }

func left(r, t int) string { return fmt.Sprintf(`"default";r=%d;t=%d`, r, t) }

func says(policy, left string) http.Header {
	h := http.Header{}
	h.Set("Ratelimit-Policy", policy)
	h.Set("Ratelimit", left)
	return h
}

// spend makes calls until one is refused. Each is answered at once. It returns how many calls it
// made, and the refusal.
func spend(b *budget, sweep bool) (int, *denial) {
	for n := 0; ; n++ {
		number, no := b.admit(asking{sweep: sweep})
		if no != nil {
			return n, no
		}
		b.answered(number, reply{status: 200})
	}
}

func TestBudgetIsLearnedFromEveryAnswer(t *testing.T) {
	const five = 5 * time.Minute
	tests := []struct {
		reason string
		policy string
		// own is the owner's bound, set before the answer.
		own    int
		status int
		limit  int
		window time.Duration
		burst  int
	}{
		{"nothing said", "", 0, 200, 1200, five, 300},
		{"more than the default", policy(6000, 300), 0, 200, 6000, five, 1500},
		{"less than the default", policy(400, 300), 0, 200, 400, five, 100},
		{"a refusal says it, too", policy(400, 300), 0, 400, 400, five, 100},
		{"so does an outage", policy(400, 300), 0, 502, 400, five, 100},
		{"so does a throttle", policy(400, 300), 0, 429, 400, five, 100},
		{"another window", policy(100, 60), 0, 200, 100, time.Minute, 25},
		{"the owner allows less", policy(6000, 300), 80, 200, 80, five, 20},
		{"the owner allows more", policy(400, 300), 800, 200, 400, five, 100},
		{"the owner allows less in the long run but more at once", policy(100, 10), 1200, 200, 1200, five, 25},
		{"the owner bounds the default", "", 80, 200, 80, five, 20},
		{"a limit of one", policy(1, 300), 0, 200, 1, five, 1},
		{"no limit can be 0", policy(0, 300), 0, 200, 1200, five, 300},
		{"no window can be 0", policy(400, 0), 0, 200, 1200, five, 300},
		{"more than anybody gets", policy(1_000_001, 300), 0, 200, 1200, five, 300},
		{"longer than any window", policy(400, 86401), 0, 200, 1200, five, 300},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			clk := newClock()
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Ratelimit-Policy", tc.policy)
				answer(tc.status, refusal(9999, "no"))(w, r)
			})
			c := s.client(t, Options{Now: clk.Now})
			c.SetBudget(tc.own)
			_ = c.GetRecord(t.Context(), zoneID, recordID, nil)
			clk.pass(time.Hour)
			if got := c.Budget(); got.Limit != tc.limit || got.Window != tc.window || got.Left != tc.burst {
				t.Errorf("%s: got %+v, want %d in %v, %d at once", tc.reason, got, tc.limit, tc.window, tc.burst)
			}
			if n, _ := spend(c.budget, false); n != tc.burst {
				t.Errorf("%s: %d calls at once, want %d", tc.reason, n, tc.burst)
			}
		})
	}
}

func TestOwnerTakesTheBoundBack(t *testing.T) {
	clk := newClock()
	c := New(NewToken("x"), Options{Now: clk.Now})
	c.SetBudget(80)
	c.SetBudget(0)
	clk.pass(time.Hour)
	if got := c.Budget(); got.Limit != DefaultRequests || got.Left != DefaultRequests/4 {
		t.Errorf("without a bound the budget is %+v", got)
	}
}

// TestWhatTheAPIHasLeftIsBelieved passes the answers of each row to an unused bucket of 300.
func TestWhatTheAPIHasLeftIsBelieved(t *testing.T) {
	type said struct {
		number uint64
		status int
		left   string
	}
	tests := []struct {
		reason string
		// sent is how many calls were sent, answered or not.
		sent int
		said []said
		want int
		// again is how long it takes until another call may be made.
		again time.Duration
	}{
		{"more than we think", 1, []said{{1, 200, left(1199, 1)}}, 299, 0},
		{"as much, and the slack", 1, []said{{1, 200, left(359, 1)}}, 299, 0},
		{"less, for others spend it, too", 1, []said{{1, 200, left(160, 1)}}, 100, 0},
		{"a refused call tells it, too", 1, []said{{1, 403, left(160, 1)}}, 100, 0},
		{"an outage tells it, too", 1, []said{{1, 502, left(160, 1)}}, 100, 0},
		{"the slack is for others", 1, []said{{1, 200, left(60, 1)}}, 0, time.Second / 3},
		{"the less, the longer we hold back", 1, []said{{1, 200, left(30, 1)}}, 0, 31 * time.Second / 3},
		{"nothing: until there is", 1, []said{{1, 200, left(0, 100)}}, 0, 100*time.Second + time.Second/3},
		{"nothing, without a word on when: a slack's refill", 1, []said{{1, 200, `"default";r=0`}}, 0, 61 * time.Second / 3},
		{"nothing for a year: as long as a block lasts at most", 1, []said{{1, 200, left(0, 31_536_000)}}, 0, 300*time.Second + time.Second/3},
		{"it may not have counted what is in flight", 41, []said{{1, 200, left(200, 1)}}, 100, 0},
		{"all that is left is in flight", 41, []said{{1, 200, left(40, 50)}}, 0, 50*time.Second + time.Second/3},
		{"it is never raised", 2, []said{{1, 200, left(161, 1)}, {2, 200, left(1100, 1)}}, 100, 0},
		{"an answer that was overtaken", 2, []said{{2, 200, left(161, 1)}, {1, 200, left(70, 1)}}, 100, 0},
		{"an answer that was overtaken by one that says nothing", 2, []said{{2, 200, ""}, {1, 200, left(160, 1)}}, 100, 0},
		{"a throttle's wait is the pause's business", 1, []said{{1, 429, left(0, 300)}}, 299, 5 * time.Second},
		{"garbage", 1, []said{{1, 200, `"default";r=x`}}, 299, 0},
		{"a negative number", 1, []said{{1, 200, left(-5, 1)}}, 299, 0},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			clk := newClock()
			c := New(NewToken("x"), Options{Now: clk.Now})
			for range tc.sent {
				if _, no := c.budget.admit(asking{}); no != nil {
					t.Fatal(no)
				}
			}
			for _, s := range tc.said {
				c.budget.answered(s.number, reply{status: s.status, header: says(policy(1200, 300), s.left)})
			}
			if got := c.Budget().Left; got != tc.want {
				t.Errorf("%s: %d left, want %d", tc.reason, got, tc.want)
			}
			var again time.Duration
			if _, no := c.budget.admit(asking{}); no != nil {
				again = no.wait
			}
			if (again - tc.again).Abs() > time.Microsecond {
				t.Errorf("%s: the next call goes after %v, want %v", tc.reason, again, tc.again)
			}
		})
	}
}

// TestProcessesOfOneUserNeverRunItIntoABlock has several processes share a user and know of each
// other only what the API reports. Each calls as fast as its budget allows. None is ever
// throttled, and the user's requests are used.
func TestProcessesOfOneUserNeverRunItIntoABlock(t *testing.T) {
	sim := simulator.New(simulator.Options{Clock: simulator.NewManualClock(newClock().Now())})
	s := httptest.NewServer(sim)
	t.Cleanup(s.Close)
	var clients []*Client
	for range 3 {
		token := sim.AddToken(simulator.TokenOptions{User: "one"})
		clients = append(clients, New(NewToken(token), Options{BaseURL: s.URL + simulator.BasePath, Now: sim.Now}))
	}
	sent := 0
	const minutes = 15
	for range minutes * 60 * 5 {
		sim.Advance(time.Second / 5)
		for _, c := range clients {
			for c.Verify(t.Context(), "") == nil {
				sent++
			}
			if n := c.Budget().Throttled.API; n != 0 {
				t.Fatalf("throttled %v after the start and %d calls", sim.Now().Sub(newClock().Now()), sent)
			}
		}
	}
	if there := 1200 + minutes*60*4; sent < there*9/10 {
		t.Errorf("%d calls were made, want most of the %d there were", sent, there)
	}
}

func TestSweepsUseAShareOnly(t *testing.T) {
	clk := newClock()
	s := serve(t, answer(200, success("{}")))
	c := s.client(t, Options{Now: clk.Now})
	get := func(sweep bool) error {
		ctx := t.Context()
		if sweep {
			ctx = ForSweep(ctx)
		}
		return c.GetRecord(ctx, zoneID, recordID, nil)
	}
	for i := range 150 {
		if err := get(true); err != nil {
			t.Fatalf("call %d of a sweep: %v", i+1, err)
		}
	}
	err := get(true)
	if !IsThrottled(err) || IsAmbiguous(err) || !strings.Contains(err.Error(), "sweeps may use a share") {
		t.Fatalf("after half of the burst got %v, want a call not sent", err)
	}
	// 900 requests refill in five minutes. A sweep may use half of them: one in 2/3 s.
	if wait := RetryAfter(err); (wait - time.Second*2/3).Abs() > time.Microsecond {
		t.Errorf("the next call of a sweep goes after %v, want 2/3 s", wait)
	}
	if rate := c.SweepRate(); math.Abs(rate-1.5) > 1e-9 {
		t.Errorf("sweeps may make %v calls a second, want half of what refills", rate)
	}
	for i := range 150 {
		if err := get(false); err != nil {
			t.Fatalf("a user's call %d after a sweep: %v", i+1, err)
		}
	}
	if n := s.calls.Load(); n != 300 {
		t.Errorf("%d calls arrived", n)
	}
	if got := c.Budget().Throttled; got != (Throttled{SweepShare: 1}) {
		t.Errorf("counted %+v", got)
	}
}

func TestTheLastQuarterIsForUsers(t *testing.T) {
	tests := []struct {
		reason string
		limit  int
		// users is how many calls come at once first. Then comes a sweep for as long as it may, then users.
		users, sweeps, rest int
	}{
		{"users left less than a sweep may use", 1200, 200, 25, 75},
		{"users left a quarter", 1200, 225, 0, 75},
		{"users left less than a quarter", 1200, 290, 0, 10},
		{"a quarter that is not whole is rounded up", 40, 0, 5, 5},
		{"a burst of two", 8, 0, 1, 1},
		{"a burst of one is for whoever comes", 4, 0, 1, 0},
		{"and so is a limit of one", 1, 0, 1, 0},
	}
	for _, tc := range tests {
		clk := newClock()
		c := New(NewToken("x"), Options{Now: clk.Now})
		c.SetBudget(tc.limit)
		for range tc.users {
			if _, no := c.budget.admit(asking{}); no != nil {
				t.Fatalf("%s: %v", tc.reason, no)
			}
		}
		sweeps, no := spend(c.budget, true)
		if sweeps != tc.sweeps {
			t.Errorf("%s: %d calls of the sweep, want %d", tc.reason, sweeps, tc.sweeps)
		}
		if n, _ := spend(c.budget, false); n != tc.rest {
			t.Errorf("%s: %d calls of users after the sweep, want %d", tc.reason, n, tc.rest)
		}
		if no.wait <= 0 {
			t.Errorf("%s: a sweep that may not go on is to come again after %v", tc.reason, no.wait)
		}
	}
}

// TestThoseWhoWaitAsAskedAreLetThrough expects that a call that comes again when it was asked to
// is let through, and that it was not asked to wait too long.
func TestThoseWhoWaitAsAskedAreLetThrough(t *testing.T) {
	for _, limit := range []int{1, 2, 7, 40, 333, 1200, 1_000_000} {
		for _, sweep := range []bool{false, true} {
			clk := newClock()
			c := New(NewToken("x"), Options{Now: clk.Now})
			c.SetBudget(limit)
			for range 20 {
				_, no := spend(c.budget, sweep)
				early := no.wait - max(time.Microsecond, no.wait/1000)
				clk.pass(early)
				if _, again := c.budget.admit(asking{sweep: sweep}); early > 0 && again == nil {
					t.Fatalf("limit %d, sweep %t: let through after %v of %v", limit, sweep, early, no.wait)
				}
				clk.pass(no.wait - early + time.Nanosecond)
				if n, _ := spend(c.budget, sweep); n == 0 {
					t.Fatalf("limit %d, sweep %t: refused after the %v that it was asked to wait", limit, sweep, no.wait)
				}
			}
		}
	}
}

func TestAPauseIsForSweepsToo(t *testing.T) {
	clk := newClock()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "30")
		answer(429, refusal(971, "slow down"))(w, r)
	})
	c := s.client(t, Options{Now: clk.Now})
	_ = c.GetRecord(ForSweep(t.Context()), zoneID, recordID, nil)
	for _, ctx := range []struct {
		of    string
		sweep bool
	}{{"a sweep", true}, {"a user", false}} {
		if _, no := c.budget.admit(asking{sweep: ctx.sweep}); no == nil || no.wait != 30*time.Second || !strings.Contains(no.why, "throttled") {
			t.Errorf("a call of %s during a pause: %+v", ctx.of, no)
		}
	}
	got := c.Budget()
	if want := clk.Now().Add(30 * time.Second); !got.PausedUntil.Equal(want) || got.Throttled != (Throttled{API: 1, Pause: 2}) {
		t.Errorf("got %+v, want a pause until %v", got, want)
	}
	clk.pass(30 * time.Second)
	if got := c.Budget(); !got.PausedUntil.IsZero() {
		t.Errorf("a pause that is over ends at %v", got.PausedUntil)
	}
}

func TestUseIsNoted(t *testing.T) {
	clk := newClock()
	c := New(NewToken("x"), Options{Now: clk.Now})
	made := clk.Now()
	clk.pass(time.Hour)
	if got := c.Budget().UsedAt; !got.Equal(made) {
		t.Errorf("a client nobody used was used at %v", got)
	}
	_, _ = c.budget.admit(asking{sweep: true})
	if got := c.Budget().UsedAt; !got.Equal(clk.Now()) {
		t.Errorf("used at %v, want %v", got, clk.Now())
	}
}

func TestAnswersAreHeardUnderConcurrency(t *testing.T) {
	clk := newClock()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Ratelimit-Policy", policy(1200, 300))
		w.Header().Set("Ratelimit", left(110, 1))
		answer(200, success("{}"))(w, r)
	})
	c := s.client(t, Options{Now: clk.Now})
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			c.SetBudget(0)
			ctx := t.Context()
			if i%2 == 0 {
				ctx = ForSweep(ctx)
			}
			_ = c.GetRecord(ctx, zoneID, recordID, nil)
			_, _ = c.Budget(), c.SweepRate()
		})
	}
	wg.Wait()
	c.budget.mu.Lock()
	flying := c.budget.flying
	c.budget.mu.Unlock()
	if flying != 0 {
		t.Errorf("%d calls are in flight when all have ended", flying)
	}
	if left := c.Budget().Left; left > 50 {
		t.Errorf("%d left where the API has 110 and 60 are slack", left)
	}
}

// allowance is a limit and the time from which it was in force.
type allowance struct {
	from  time.Time
	limit int
}

// ledger notes the calls that were made, and the limits at the time.
type ledger struct {
	allowed []allowance
	calls   []time.Time
	sweeps  []time.Time
}

// most returns the greatest limit in force in the window from begin until now.
func (l *ledger) most(begin time.Time) int {
	most := 0
	for i, a := range l.allowed {
		if i+1 == len(l.allowed) || l.allowed[i+1].from.After(begin) {
			most = max(most, a.limit)
		}
	}
	return most
}

func within(calls []time.Time, begin time.Time) int {
	n := 0
	for i := len(calls) - 1; i >= 0 && calls[i].After(begin); i-- {
		n++
	}
	return n
}

// check returns an error if more calls were made within a window than were ever allowed in it.
func (l *ledger) check(now time.Time) error {
	begin := now.Add(-5*time.Minute + time.Millisecond)
	most := l.most(begin)
	if n := within(l.calls, begin); n > most {
		return fmt.Errorf("%d calls in five minutes, where %d were allowed at most", n, most)
	}
	if n := within(l.sweeps, begin); n > max(1, most/2) {
		return fmt.Errorf("%d calls of sweeps in five minutes, where half of %d is theirs at most", n, most)
	}
	return nil
}

func TestBudgetIsNeverExceeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clk := newClock()
		c := New(NewToken("x"), Options{Now: clk.Now})
		limits := rapid.OneOf(rapid.IntRange(1, 12), rapid.IntRange(1, 300), rapid.Just(1200))
		l := &ledger{allowed: []allowance{{clk.Now(), DefaultRequests}}}
		var flying []uint64
		call := func(sweep bool) func(*rapid.T) {
			return func(t *rapid.T) {
				for range rapid.IntRange(1, 400).Draw(t, "calls") {
					number, no := c.budget.admit(asking{sweep: sweep})
					if no != nil {
						break
					}
					flying = append(flying, number)
					l.calls = append(l.calls, clk.Now())
					if !sweep {
						continue
					}
					l.sweeps = append(l.sweeps, clk.Now())
					if burst := float64(c.budget.calls.Burst()); c.budget.calls.TokensAt(clk.Now()) < min(burst/4, burst-1)-1e-6 {
						t.Fatalf("a sweep left users %v of a burst of %v", c.budget.calls.TokensAt(clk.Now()), burst)
					}
				}
			}
		}
		note := func() { l.allowed = append(l.allowed, allowance{clk.Now(), c.Budget().Limit}) }
		t.Repeat(map[string]func(*rapid.T){
			"users": call(false),
			"sweep": call(true),
			"pass": func(t *rapid.T) {
				clk.pass(time.Duration(rapid.Int64Range(0, int64(3*time.Minute)).Draw(t, "time")))
			},
			"own": func(t *rapid.T) {
				c.SetBudget(rapid.OneOf(rapid.Just(0), limits).Draw(t, "own"))
				note()
			},
			"answer": func(t *rapid.T) {
				if len(flying) == 0 {
					t.Skip()
				}
				i := rapid.IntRange(0, len(flying)-1).Draw(t, "which")
				number := flying[i]
				flying = append(flying[:i:i], flying[i+1:]...)
				before, burst := c.budget.calls.TokensAt(clk.Now()), float64(c.budget.calls.Burst())
				r := rapid.IntRange(0, 1200).Draw(t, "left")
				newest := number > c.budget.heard
				c.budget.answered(number, reply{status: 200, header: says(policy(limits.Draw(t, "said"), 300), left(r, 1))})
				note()
				grown := max(1, float64(c.budget.calls.Burst())/burst) // The bucket is as full as it was.
				if after := c.budget.calls.TokensAt(clk.Now()); after > max(0, before)*grown+1e-6 || (newest && after > float64(r)) {
					t.Fatalf("%v left after an answer that said %d, and %v of %v before it", after, r, before, burst)
				}
			},
			"": func(t *rapid.T) {
				if err := l.check(clk.Now()); err != nil {
					t.Fatal(err)
				}
			},
		})
	})
}

// TestBothLimitsHoldInTheirWindows expects both limits to hold if the window of the API is not the owner's.
func TestBothLimitsHoldInTheirWindows(t *testing.T) {
	tests := []struct {
		reason      string
		q, w        int
		own, wanted int
	}{
		{"a short window that allows more in the long run", 50, 10, 600, 450},
		{"a short window that allows less", 20, 10, 1200, 400},
		{"a long window", 1000, 3600, 200, 110},
	}
	for _, tc := range tests {
		clk := newClock()
		c := New(NewToken("x"), Options{Now: clk.Now})
		c.SetBudget(tc.own)
		first, _ := c.budget.admit(asking{})
		c.budget.answered(first, reply{status: 200, header: says(policy(tc.q, tc.w), "")})
		calls := []time.Time{clk.Now()}
		for range 300 {
			n, _ := spend(c.budget, false)
			for range n {
				calls = append(calls, clk.Now())
			}
			if n := within(calls, clk.Now().Add(-time.Duration(tc.w)*time.Second)); n > tc.q {
				t.Fatalf("%s: %d calls in %d s", tc.reason, n, tc.w)
			}
			clk.pass(time.Second)
		}
		if n := len(calls); n > tc.own || n < tc.wanted {
			t.Errorf("%s: %d calls in five minutes, want from %d to %d", tc.reason, n, tc.wanted, tc.own)
		}
	}
}

func TestPausedTellsOfAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(NewToken("t"), Options{})
		if err := c.Paused(); err != nil {
			t.Errorf("got %v before anything was throttled", err)
		}
		c.budget.answered(0, reply{status: http.StatusTooManyRequests, header: http.Header{"Retry-After": {"30"}}})
		if err := c.Paused(); !IsThrottled(err) || RetryAfter(err) != 30*time.Second {
			t.Errorf("got %v, want a pause of 30s", err)
		}
		<-time.After(30 * time.Second) // By the clock of the bubble.
		if err := c.Paused(); err != nil {
			t.Errorf("got %v when the pause is over", err)
		}
	})
}
