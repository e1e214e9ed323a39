// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func production(o *simulator.Options) { o.RateLimit = simulator.RateLimit{} }

func TestRateLimitHeaders(t *testing.T) {
	w := newWorld(t, simulator.PlanFree, production)
	got := w.must(http.MethodGet, w.records(), nil)
	if r, p := got.header.Get("Ratelimit"), got.header.Get("Ratelimit-Policy"); r != `"default";r=1199;t=1` || p != `"default";q=1200;w=300` {
		t.Errorf("Ratelimit: %s, Ratelimit-Policy: %s", r, p)
	}
	if got.header.Get("Retry-After") != "" {
		t.Error("Retry-After on an answer that is no 429")
	}
	w.sim.Advance(time.Second)
	if got := w.do(http.MethodGet, w.records("x"), nil); got.header.Get("Ratelimit") != `"default";r=1199;t=1` {
		t.Errorf("after a second the bucket is full again, and refusals cost, too: %s", got.header.Get("Ratelimit"))
	}
}

func TestThrottleAndBlock(t *testing.T) {
	w := newWorld(t, simulator.PlanFree, production)
	other := w.sim.AddToken(simulator.TokenOptions{Grants: everything()})
	for i := range 1200 {
		if got := w.do(http.MethodGet, "/user/tokens/verify", nil); got.status != http.StatusOK {
			t.Fatalf("request %d: %d", i, got.status)
		}
	}
	got := w.do(http.MethodGet, w.records(), nil)
	if got.status != http.StatusTooManyRequests || got.code() != simulator.CodeThrottled || got.header.Get("Retry-After") != "300" {
		t.Fatalf("request 1,201: %d/%d, Retry-After %q", got.status, got.code(), got.header.Get("Retry-After"))
	}
	if got.header.Get("Ratelimit") != `"default";r=0;t=300` {
		t.Errorf("Ratelimit: %s", got.header.Get("Ratelimit"))
	}
	if status := w.as(other, http.MethodGet, w.records(), nil).status; status != http.StatusOK {
		t.Errorf("another user: %d", status)
	}
	w.sim.Advance(299 * time.Second)
	if got := w.do(http.MethodGet, w.records(), nil); got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") != "1" {
		t.Errorf("after 299 s: %d, Retry-After %q: the block lasts five minutes though the bucket refills", got.status, got.header.Get("Retry-After"))
	}
	w.sim.Advance(time.Second)
	if got := w.do(http.MethodGet, w.records(), nil); got.status != http.StatusOK || got.header.Get("Ratelimit") != `"default";r=1199;t=1` {
		t.Errorf("after 300 s: %d, %s", got.status, got.header.Get("Ratelimit"))
	}
}

func TestRefill(t *testing.T) {
	w := newWorld(t, simulator.PlanFree, func(o *simulator.Options) { o.RateLimit = simulator.RateLimit{Requests: 10, Window: 10 * time.Second} })
	for range 10 {
		w.must(http.MethodGet, w.records(), nil)
	}
	w.sim.Advance(3 * time.Second)
	for range 3 {
		w.must(http.MethodGet, w.records(), nil)
	}
	if got := w.do(http.MethodGet, w.records(), nil); got.status != http.StatusTooManyRequests {
		t.Errorf("one a second refills, but a fourth request passes: %d", got.status)
	}
}

func TestLimitsAreOfUsers(t *testing.T) {
	w := newWorld(t, simulator.PlanFree, func(o *simulator.Options) { o.RateLimit = simulator.RateLimit{Requests: 2, Window: time.Minute} })
	one := w.sim.AddToken(simulator.TokenOptions{User: "jane", Grants: everything()})
	two := w.sim.AddToken(simulator.TokenOptions{User: "jane", Grants: everything()})
	w.as(one, http.MethodGet, w.records(), nil)
	w.as(two, http.MethodGet, w.records(), nil)
	if got := w.as(one, http.MethodGet, w.records(), nil); got.status != http.StatusTooManyRequests {
		t.Errorf("the tokens of one user share a bucket: %d", got.status)
	}
	if got := w.as(two, http.MethodGet, w.records(), nil); got.status != http.StatusTooManyRequests {
		t.Errorf("and a block: %d", got.status)
	}
	w.must(http.MethodGet, w.records(), nil)
}

func TestRateLimitComesFirst(t *testing.T) {
	w := newWorld(t, simulator.PlanFree, func(o *simulator.Options) { o.RateLimit = simulator.RateLimit{Requests: 1, Window: time.Minute} })
	for _, path := range []string{"/nonsense", w.records()} {
		w.as("not-a-token", http.MethodGet, path, nil)
	}
	if got := w.as("not-a-token", http.MethodGet, w.records(), nil); got.status != http.StatusTooManyRequests {
		t.Errorf("before the form of the credential is looked at: %d", got.status)
	}
}

func TestLimitPerAddress(t *testing.T) {
	w := newWorld(t, simulator.PlanFree, func(o *simulator.Options) { o.PerIPPerSecond = 2 })
	w.must(http.MethodGet, w.records(), nil)
	w.must(http.MethodGet, w.records(), nil)
	if got := w.do(http.MethodGet, w.records(), nil); got.status != http.StatusTooManyRequests || got.code() != simulator.CodeThrottled {
		t.Errorf("the third request in a second: %d/%d", got.status, got.code())
	}
	w.sim.Advance(time.Second)
	w.must(http.MethodGet, w.records(), nil)
}
