// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestAProductsThrottlePausesItsRoute expects that a product's throttle of one operation does not pause the others.
func TestAProductsThrottlePausesItsRoute(t *testing.T) {
	const busy = `{"success":false,"errors":[{"code":10047,"message":"bulk_operation_in_progress"}],"result":null}`
	for _, tc := range []struct {
		reason, body, left string
		all                bool
	}{
		{"another code than that of the user's limit", busy, `"default";r=1100;t=300`, false},
		{"nobody says how much is left", busy, "", false},
		{"nothing is left to the user", busy, `"default";r=0;t=30`, true},
		{"the code of the user's limit", refusal(971, "slow down"), `"default";r=1100;t=300`, true},
		{"that code among others", `{"success":false,"errors":[{"code":10047,"message":"x","error_chain":[{"code":971,"message":"y"}]}]}`, "", true},
		{"no details", `{"success":false,"errors":[]}`, `"default";r=1100;t=300`, true},
		{"no JSON", "<html>", "", true},
	} {
		clk, throttling := newClock(), true
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Ratelimit", tc.left)
			if throttling && strings.HasSuffix(r.URL.Path, "/items") {
				answer(http.StatusTooManyRequests, tc.body)(w, r)
				return
			}
			answer(http.StatusOK, success(`{"id":"x"}`))(w, r)
		})
		c := s.client(t, Options{Now: clk.Now})
		do := func(method, path string) error {
			_, err := c.Do(t.Context(), Request{Method: method, Path: "/accounts/a" + path, Route: path})
			return err
		}
		if err := do(http.MethodPost, "/items"); !IsThrottled(err) || RetryAfter(err) != defaultPause {
			t.Fatalf("%s: %v", tc.reason, err)
		}
		if err := do(http.MethodPost, "/items"); !IsThrottled(err) || !strings.Contains(err.Error(), "not sent") {
			t.Errorf("%s: the same operation again: %v", tc.reason, err)
		}
		for _, other := range []error{do(http.MethodGet, "/others"), do(http.MethodPut, "/others")} {
			if IsThrottled(other) != tc.all {
				t.Errorf("%s: another operation: %v", tc.reason, other)
			}
		}
		if paused := c.Paused() != nil; paused != tc.all || c.Budget().PausedUntil.IsZero() == tc.all {
			t.Errorf("%s: the credential pauses: %t", tc.reason, paused)
		}
		throttling = false
		clk.pass(5 * time.Minute)
		for range 2 {
			if err := do(http.MethodPost, "/items"); err != nil && !tc.all {
				t.Errorf("%s: after the pause: %v", tc.reason, err)
			}
		}
		if len(c.budget.routes) > 0 {
			t.Errorf("%s: a route is remembered that pauses no more", tc.reason)
		}
	}
}

// TestOneCallGoesFirstAfterAPause expects one call to go first: if the block lasts, all waiting
// calls would run into it.
func TestOneCallGoesFirstAfterAPause(t *testing.T) {
	throttle := func(b *budget, seconds string) {
		number, _ := b.admit(asking{})
		b.answered(number, reply{status: 429, header: http.Header{"Retry-After": {seconds}}})
	}
	for _, tc := range []struct {
		reason string
		status int
		// again is how many of three calls may be made once the first has its answer.
		again int
	}{
		{"it is let through", 200, 3},
		{"a refusal lets it through, too", 400, 3},
		{"it is throttled", 429, 0},
		{"it has no answer: another one goes first", 0, 1},
	} {
		clk := newClock()
		b := newBudget(clk.Now)
		throttle(b, "3600")
		clk.pass(time.Hour - time.Second)
		if _, no := b.admit(asking{}); no == nil || no.wait != time.Second {
			t.Errorf("%s: an hour's pause is not over yet, and a call gives %+v", tc.reason, no)
		}
		clk.pass(time.Second)
		first, no := b.admit(asking{})
		if no != nil {
			t.Fatalf("%s: the first call after the pause: %+v", tc.reason, no)
		}
		for range 3 {
			if _, no := b.admit(asking{}); no == nil || no.wait != probeWait {
				t.Errorf("%s: the next one does not wait for the first: %+v", tc.reason, no)
			}
		}
		b.answered(first, reply{status: tc.status})
		again := 0
		for range 3 {
			if _, no := b.admit(asking{}); no == nil {
				again++
			}
		}
		if again != tc.again {
			t.Errorf("%s: %d calls then, want %d", tc.reason, again, tc.again)
		}
	}
}

// TestALargerQuotaIsAsFull expects that what was left of a smaller quota does not limit a larger one.
func TestALargerQuotaIsAsFull(t *testing.T) {
	for _, tc := range []struct {
		reason string
		used   int
		said   string
		want   int
	}{
		{"a full one stays full, but for the call that heard it", 1, policy(12000, 300), 2990},
		{"half of it is half of it", 150, policy(12000, 300), 1500},
		{"an empty one is empty", 300, policy(12000, 300), 0},
		{"half of a smaller one is half of that", 150, policy(800, 300), 100},
		{"of a smaller one there is no more than it holds", 1, policy(400, 300), 99},
	} {
		clk := newClock()
		b := newBudget(clk.Now)
		var last uint64
		for range tc.used {
			last, _ = b.admit(asking{})
		}
		b.answered(last, reply{status: 200, header: says(tc.said, "")})
		if got := int(b.calls.TokensAt(clk.Now())); got != tc.want {
			t.Errorf("%s: %d are left, want %d", tc.reason, got, tc.want)
		}
	}
}
