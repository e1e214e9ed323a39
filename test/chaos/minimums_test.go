// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cfsim"
)

func TestShortfalls(t *testing.T) {
	kills := phaseResult{Name: "kills", Lasted: 15 * time.Minute, Did: amounts{250, 5000, 1500}, Least: amounts{100, 1000, 500}}
	storms := phaseResult{Name: "storms", Lasted: 15 * time.Minute, Did: amounts{250, 5000, 1500}, Least: amounts{100, 2000, 500}}
	few := func(p phaseResult, did amounts) phaseResult { p.Did = did; return p }
	tests := []struct {
		reason string
		phases []phaseResult
		all    bool
		want   []string
	}{
		{"just enough", []phaseResult{kills, storms}, true, nil},
		{"a phase with too few kills", []phaseResult{few(kills, amounts{99, 1000, 500}), storms}, false, []string{"kills: 99 kills, want 100 at least"}},
		{"a phase with too few faults", []phaseResult{kills, few(storms, amounts{250, 1999, 500})}, false, []string{"storms: 1999 faults, want 2000 at least"}},
		{"a phase in which users did nothing", []phaseResult{few(kills, amounts{250, 5000, 0})}, false, []string{"kills: 0 operations, want 500 at least"}},
		{"enough in each phase, too little in all", []phaseResult{kills, few(storms, amounts{249, 4999, 1499})}, true, []string{
			"the whole run: 499 kills, want 500 at least", "the whole run: 9999 faults, want 10000 at least", "the whole run: 2999 operations, want 3000 at least",
		}},
		{"only some phases have no whole", []phaseResult{kills}, false, nil},
	}
	for _, tc := range tests {
		if diff := cmp.Diff(tc.want, shortfalls(tc.phases, tc.all)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
	short := kills
	short.Lasted, short.Did = time.Minute, amounts{17, 334, 100}
	if got := shortfalls([]phaseResult{short}, true); len(got) != 3 { // Its own minimums are those of the long one.
		t.Errorf("a minute has to reach a 30th of the whole, and the phase its own: %v", got)
	}
}

// TestPhasesAskForSomething keeps a phase from having no minimum, and the minimums from
// being out of reach for the whole run or below what it asks for.
func TestPhasesAskForSomething(t *testing.T) {
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
	for d, want := range map[time.Duration]amounts{
		5 * time.Second: {0, 1, 1}, time.Minute: {1, 15, 70}, 10 * time.Minute: {70, 275, 905},
	} {
		if got := (amounts{10, 33, 100}).during(d); got != want {
			t.Errorf("in %s it is %s, want %s", d, got, want)
		}
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
