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

	"github.com/provider-cloudflare/provider-cloudflare/internal/cfsim"
)

func TestShortfalls(t *testing.T) {
	kills := phaseResult{Name: "kills", Did: amounts{100, 1000, 500}, Least: amounts{100, 1000, 500}}
	few := func(did amounts) phaseResult { return phaseResult{Name: "storms", Did: did, Least: kills.Least} }
	tests := []struct {
		reason string
		phase  phaseResult
		want   []string
	}{
		{"just enough", few(kills.Did), nil},
		{"too few kills", few(amounts{99, 1000, 500}), []string{"storms: 99 kills, want 100 at least"}},
		{"too few faults", few(amounts{250, 999, 500}), []string{"storms: 999 faults, want 1000 at least"}},
		{"users did nothing", few(amounts{250, 5000, 0}), []string{"storms: 0 operations, want 500 at least"}},
	}
	for _, tc := range tests {
		if diff := cmp.Diff(tc.want, shortfalls([]phaseResult{kills, tc.phase})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestPhasesAskForEnough: half an hour asks for 500 kills, 10,000 faults and 3,000 operations, and
// each phase for something.
func TestPhasesAskForEnough(t *testing.T) {
	weights, whole := 0, amounts{}
	for _, p := range phases() {
		weights += p.weight
		if p.least.Operations == 0 || p.name != "calm" && p.least.Kills+p.least.Faults == 0 {
			t.Errorf("%s asks for nothing: %s", p.name, p.least)
		}
		least := p.least.during(30 * time.Minute * time.Duration(p.weight) / 100)
		whole = amounts{whole.Kills + least.Kills, whole.Faults + least.Faults, whole.Operations + least.Operations}
	}
	if weights != 100 {
		t.Errorf("the weights are %d in all, want 100", weights)
	}
	if !whole.reach(amounts{500, 10_000, 3000}) {
		t.Errorf("half an hour asks for %s", whole)
	}
	for d, want := range map[time.Duration]amounts{
		5 * time.Second: {0, 2, 8}, time.Minute: {10, 33, 100}, 10 * time.Minute: {100, 330, 1000},
	} {
		if got := (amounts{10, 33, 100}).during(d); got != want {
			t.Errorf("in %s it is %s, want %s", d, got, want)
		}
	}
}

// TestASlowMachineTakesLonger: a phase lasts until it has done its least, but not for ever.
func TestASlowMachineTakesLonger(t *testing.T) {
	for _, tc := range []struct {
		reason string
		every  time.Duration // a kill
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

// TestOutageBound holds the bound near what is needed: a few calls a minute for each
// zone and credential once the holds have grown.
func TestOutageBound(t *testing.T) {
	s := newStage()
	lately := outageBound(10*time.Minute, s) - outageBound(9*time.Minute, s)
	if most := 13*s.pairs() + len(s.tenants()) + 2*len(domainNamespaces())*maxDomains; lately > most {
		t.Errorf("%d calls in a later minute, want %d at most", lately, most)
	}
}

// TestFired holds that a fault counts where it changed what a client saw.
func TestFired(t *testing.T) {
	list := cfsim.LoggedRequest{Method: "GET", Route: recordsRoute, Status: 200, ResponseBody: `{"type":"TXT"}`}
	post := cfsim.LoggedRequest{Method: "POST", Route: recordsRoute, Status: 200}
	with := func(r cfsim.LoggedRequest, status int, faults string) cfsim.LoggedRequest {
		r.Status, r.Fault = status, faults
		return r
	}
	tests := []struct {
		reason string
		seen   cfsim.LoggedRequest
		want   string
	}{
		{"nothing", list, ""},
		{"a list from the past", with(list, 200, "stale-list"), "stale-list"},
		{"a write has no past", with(post, 200, "stale-list"), ""},
		{"the first answer is the one", with(list, 502, "html-502, throttle"), "html-502"},
		{"what was not carried out is not spoiled", with(list, 502, "html-502, truncated, 500-after-commit, stale-list"), "html-502"},
		{"a slow answer is slow whatever it is", with(list, 502, "slow, html-502, slow-before-commit"), "slow html-502 slow-before-commit"},
		{"a reset comes first", with(list, 0, "html-502, reset-before-commit, slow"), "reset-before-commit"},
		{"a lost answer", with(post, 200, "reset-after-commit"), "reset-after-commit"},
		{"a refusal is no garbage", with(post, 400, "truncated"), ""},
		{"garbage", with(post, 200, "no-ids"), "no-ids"},
		{"a refusal in the old form", with(post, 400, "error-chain"), "error-chain"},
		{"no refusal, no old form", with(post, 200, "error-chain"), ""},
		{"carried out, and 500", with(post, 500, "500-after-commit"), "500-after-commit"},
		{"a text in quotes", with(list, 200, "txt-quoted"), "txt-quoted"},
		{"no text to quote", with(post, 200, "txt-quoted"), ""},
		{"one page only", with(list, 200, "same-page"), ""},
		{"a form that no record here has", with(list, 200, "loc-plain"), ""},
	}
	for _, tc := range tests {
		var got []string
		for _, f := range fired(tc.seen) {
			got = append(got, string(f))
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: got %v, want %q", tc.reason, got, tc.want)
		}
	}
	second := list
	second.Query = "per_page=200&page=2"
	if got := fired(with(second, 200, "same-page")); len(got) != 1 {
		t.Errorf("a second page that is the first: %v", got)
	}
}

func TestDocument(t *testing.T) {
	r := &result{
		Seed: 42, Revision: "abc1234", Duration: "30m0s", Kills: 512, Faults: map[string]int{"slow": 9000, "html-502": 1001},
		Operations: map[deed]int{doCreate: 2500}, Counts: map[string]int{vOrphan: 3}, Phases: []phaseResult{{
			Name: "storms", Lasted: time.Minute, Did: amounts{30, 400, 99}, Least: amounts{14, 300, 100},
		}},
	}
	page := document([]*result{r})
	for _, want := range []string{"Seed 42, revision abc1234: passed", "512 times", "| 10001 |", "| 2500 |", "| orphan | 3 |", "9000 slow, 1001 html-502", "30 of 14 | 400 of 300 | 99 of 100"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q:\n%s", want, page)
		}
	}
	r.Shortfalls = []string{"storms: 99 operations, want 100 at least"}
	if page := document([]*result{r}); !strings.Contains(page, "FAILED") || !strings.Contains(page, "Too little: "+r.Shortfalls[0]) {
		t.Errorf("a run that fell short does not say so:\n%s", page)
	}
}
