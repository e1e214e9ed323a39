// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestShortfalls(t *testing.T) {
	kills := phaseResult{Name: "kills", Did: amounts{100, 1000, 500, 50}, Least: amounts{100, 1000, 500, 50}}
	few := func(did amounts) phaseResult { return phaseResult{Name: "storms", Did: did, Least: kills.Least} }
	tests := []struct {
		reason string
		phase  phaseResult
		want   []string
	}{
		{"just enough", few(kills.Did), nil},
		{"too few kills", few(amounts{99, 1000, 500, 50}), []string{"storms: 99 kills, want 100 at least"}},
		{"too few faults", few(amounts{250, 999, 500, 50}), []string{"storms: 999 faults, want 1000 at least"}},
		{"users did nothing", few(amounts{250, 5000, 0, 50}), []string{"storms: 0 operations, want 500 at least"}},
		{"no copy was behind", few(amounts{250, 5000, 500, 0}), []string{"storms: 0 wrong answers, want 50 at least"}},
	}
	for _, tc := range tests {
		if diff := cmp.Diff(tc.want, shortfalls([]phaseResult{kills, tc.phase})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestPhasesAskForEnough checks that half an hour has at least 500 kills, 10,000 faults, 3,000
// operations and 900 wrong answers. Each phase has a minimum, and the sum of all reaches what a
// run of any length promises.
func TestPhasesAskForEnough(t *testing.T) {
	weights := 0
	for _, p := range phases() {
		weights += p.weight
		if p.least.Operations == 0 || p.name != "calm" && p.least.Kills+p.least.Faults == 0 {
			t.Errorf("%s asks for nothing: %s", p.name, p.least)
		}
	}
	if weights != 100 {
		t.Errorf("the weights are %d in all, want 100", weights)
	}
	for _, long := range []time.Duration{130 * time.Second, 10 * time.Minute, 30 * time.Minute} {
		var asked []phaseResult
		for _, p := range phases() {
			asked = append(asked, phaseResult{Did: p.least.during(long * time.Duration(p.weight) / 100)})
		}
		if all := whole(asked, long); !all.Did.reach(all.Least) || long == 30*time.Minute && !all.Did.reach(amounts{500, 10_000, 3000, 900}) {
			t.Errorf("%s asks for %s, and promises %s", long, all.Did, all.Least)
		}
	}
	for d, want := range map[time.Duration]amounts{
		5 * time.Second: {0, 2, 8, 1}, time.Minute: {10, 33, 100, 20}, 10 * time.Minute: {100, 330, 1000, 200},
	} {
		if got := (amounts{10, 33, 100, 20}).during(d); got != want {
			t.Errorf("in %s it is %s, want %s", d, got, want)
		}
	}
}

// TestAWholeRunPromises checks that ten minutes have 120 kills, 5,000 faults and 300 wrong
// answers in all phases together.
func TestAWholeRunPromises(t *testing.T) {
	for _, tc := range []struct {
		reason string
		did    []amounts
		want   []string
	}{
		{"enough, of two phases", []amounts{{60, 2500, 500, 0}, {60, 2500, 500, 300}}, nil},
		{"a kill less", []amounts{{60, 2500, 500, 0}, {59, 2500, 500, 300}}, []string{"the run: 119 kills, want 120 at least"}},
		{"a wrong answer less", []amounts{{120, 5000, 1000, 299}}, []string{"the run: 299 wrong answers, want 300 at least"}},
	} {
		var phases []phaseResult
		for _, did := range tc.did {
			phases = append(phases, phaseResult{Did: did})
		}
		if diff := cmp.Diff(tc.want, shortfalls([]phaseResult{whole(phases, 10*time.Minute)})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestASlowMachineTakesLonger checks that a phase lasts until it has done its least, up to a
// limit.
func TestASlowMachineTakesLonger(t *testing.T) {
	for _, tc := range []struct {
		reason string
		every  time.Duration // between kills
		lasts  time.Duration
		short  int
	}{
		{"a machine that is fast enough", time.Second, 10 * time.Second, 0},
		{"one that takes twice as long", 2 * time.Second, 20 * time.Second, 0},
		{"one that does nothing", time.Hour, 40 * time.Second, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := &chaos{fleet: &fleet{}, users: newUsers(nil, nil), world: &world{watch: newWatch()}}
			did, err := c.perform(t.Context(), phase{name: "kills", least: amounts{Kills: 60}, run: func(c *chaos, ctx context.Context) error {
				for wait(ctx, tc.every); !over(ctx); wait(ctx, tc.every) {
					c.fleet.mu.Lock()
					c.fleet.kills++
					c.fleet.mu.Unlock()
				}
				return nil
			}}, 10*time.Second)
			if got := did.Lasted; err != nil || got < tc.lasts || got > tc.lasts+time.Second || len(shortfalls([]phaseResult{did})) != tc.short {
				t.Errorf("%s: it lasted %s and did %s: %v", tc.reason, got, did.Did, err)
			}
		})
	}
}

func TestAttempts(t *testing.T) {
	for _, tc := range []struct {
		in, most time.Duration
		want     int
	}{
		{0, 30 * time.Second, 2},
		{time.Second, 30 * time.Second, 3},      // at 1 s
		{31 * time.Second, 30 * time.Second, 7}, // at 1, 3, 7, 15 and 31 s
		{2 * time.Minute, 30 * time.Second, 9},  // and at 61 and 91 s; 121 is too late
		{2*time.Minute + time.Second, 30 * time.Second, 10},
	} {
		if got := attempts(tc.in, tc.most); got != tc.want {
			t.Errorf("%d attempts in %s, want %d", got, tc.in, tc.want)
		}
	}
}

// TestOutageBound checks that the bound is near what is needed: a few calls a minute for each
// zone and credential after the holds have grown.
func TestOutageBound(t *testing.T) {
	s := newStage()
	lately := outageBound(10*time.Minute, s) - outageBound(9*time.Minute, s)
	if most := 13*s.pairs() + 7*s.families() + len(s.tenants()) + 2*len(domainNamespaces())*maxDomains; lately > most {
		t.Errorf("%d calls in a later minute, want %d at most", lately, most)
	}
}

func TestDocument(t *testing.T) {
	r := &result{
		Seed: 42, Revision: "abc1234", Duration: "30m0s", Kills: 512, Faults: map[string]int{"slow": 9000, "html-502": 1001},
		Operations: map[deed]int{doCreate: 2500}, Counts: map[string]int{vOrphan: 3}, Phases: []phaseResult{{
			Name: "storms", Lasted: time.Minute, Did: amounts{30, 400, 99, 0}, Least: amounts{14, 300, 100, 0},
		}},
	}
	page := document([]*result{r})
	for _, want := range []string{"Seed 42, revision abc1234: passed", "512 times", "| 10001 |", "| 2500 |", "| orphan | 3 |", "9000 slow, 1001 html-502", "30/14 | 400/300 | 99/100 | 0/0"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q:\n%s", want, page)
		}
	}
	r.Shortfalls = []string{"storms: 99 operations, want 100 at least"}
	if page := document([]*result{r}); !strings.Contains(page, "FAILED") || !strings.Contains(page, "Too little: "+r.Shortfalls[0]) {
		t.Errorf("a run that fell short does not say so:\n%s", page)
	}
}
