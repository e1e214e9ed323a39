// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"math"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

const (
	// DefaultRequests is how many requests the API allows a user in five minutes, unless
	// its answers say otherwise.
	DefaultRequests = 1200
	// defaultWindow is the window of DefaultRequests and of SetBudget.
	defaultWindow = 5 * time.Minute

	// sweepShare is the part of the refill that sweeps may use: it leaves users half when
	// there are many zones. Users may take more, and sweeps then wait.
	sweepShare = 0.5
	// usersShare is the part of the burst that sweeps leave to users: a user's change must
	// find calls left at the end of a full sweep.
	usersShare = 0.25
	// slackShare is the part of the limit that this process leaves unused of what the API
	// reports as left. It is for other processes of the same user: two processes that both
	// spend the last request run the user into a block of five minutes.
	slackShare = 0.05
)

type sweepKey struct{}

// ForSweep marks the calls made with the context as calls of a sweep. They use only a share
// of the budget, and are refused when it is used up.
func ForSweep(ctx context.Context) context.Context {
	return context.WithValue(ctx, sweepKey{}, true)
}

// IsSweep reports whether calls made with the context are calls of a sweep.
func IsSweep(ctx context.Context) bool { return ctx.Value(sweepKey{}) != nil }

// A quota is how many requests may be made in any window of that length.
type quota struct {
	requests int
	window   time.Duration
}

// bucket spreads the quota: a quarter of it may be used at once after a quiet time, and the
// rest refills during the window. Burst and refill together never exceed the quota.
func (q quota) bucket() (rate.Limit, int) {
	burst := max(q.requests/4, 1)
	return rate.Limit(float64(max(q.requests-burst, 1)) / q.window.Seconds()), burst
}

// A budget is what one credential may still ask of the API. It never waits: it refuses a
// call and says when the call may come again. It is safe for concurrent use.
type budget struct {
	now func() time.Time
	// credentialState is the credential's CredentialState.
	credentialState atomic.Int32

	mu sync.Mutex
	// calls holds what all calls may use, and sweeps the part of it that sweeps may use.
	calls, sweeps *rate.Limiter
	// stated is what the API allows, and own what the credential's owner allows (0: no
	// bound of its own). limit is the one that allows less.
	stated, own, limit quota
	usedAt             time.Time
	throttled          Throttled
	// all is the pause of all calls. routes are the pauses of the operations that a product throttles.
	all    pause
	routes map[string]*pause
	// turns are the turns of the tenants when the budget is used up.
	turns turns

	// sent is the number of the last call sent. heard is the number of the last call whose
	// answer reported how much is left. flying is how many calls have no answer yet.
	sent, heard uint64
	flying      int
}

func newBudget(now func() time.Time) *budget {
	q := quota{DefaultRequests, defaultWindow}
	limit, burst := q.bucket()
	return &budget{
		now: now, stated: q, limit: q, usedAt: now(), routes: map[string]*pause{},
		calls:  rate.NewLimiter(limit, burst),
		sweeps: rate.NewLimiter(sweepLimit(limit), sweepBurst(burst)),
	}
}

func sweepLimit(l rate.Limit) rate.Limit { return l * sweepShare }

func sweepBurst(burst int) int { return max(burst/2, 1) }

// pausing and routePausing say why a call is not made after a 429.
const (
	pausing      = "not sent: this credential pauses because Cloudflare throttled it"
	routePausing = "not sent: calls of this operation pause because Cloudflare throttled one"
)

// A denial says why a call may not be made, and when it may.
type denial struct {
	why  string
	wait time.Duration
}

// An asking describes a call before it is made.
type asking struct {
	route, tenant string
	sweep         bool
}

// admit books a call that may be made now and returns its number, or returns why it may not
// be made. The caller must report the end of each admitted call to answered.
func (b *budget) admit(a asking) (uint64, *denial) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	b.usedAt = now
	if wait := b.all.wait(now); wait > 0 {
		b.throttled.Pause++
		return 0, &denial{pausing, wait}
	}
	own := b.routes[a.route]
	if own != nil && own.wait(now) > 0 {
		b.throttled.Pause++
		return 0, &denial{routePausing, own.wait(now)}
	}
	if wait := b.untilTurn(a.tenant, now); wait > 0 && !a.sweep {
		b.throttled.Budget++
		b.turns.keep(a.tenant, now)
		return 0, &denial{"not sent: this credential's budget of requests is used up for the moment", wait}
	}
	if a.sweep {
		if wait := b.untilSweep(now); wait > 0 {
			b.throttled.SweepShare++
			return 0, &denial{"not sent: sweeps may use a share of this credential's budget of requests only, and it is used up for the moment", wait}
		}
		b.sweeps.ReserveN(now, 1)
	} else {
		b.turns.serve(a.tenant, now)
	}
	b.calls.ReserveN(now, 1)
	b.sent++
	b.flying++
	b.all.sent(b.sent)
	if own != nil {
		own.sent(b.sent)
	}
	return b.sent, nil
}

// until returns how long it takes until l holds n tokens.
func until(l *rate.Limiter, now time.Time, n float64) time.Duration {
	missing := n - l.TokensAt(now)
	return time.Duration(max(0, missing) / float64(l.Limit()) * float64(time.Second))
}

// untilTurn returns how long it takes until the budget has a call for tenant beside the calls that are kept for others.
func (b *budget) untilTurn(tenant string, now time.Time) time.Duration {
	kept := min(b.turns.keptBefore(tenant, now), b.calls.Burst()-1)
	return until(b.calls, now, float64(1+kept))
}

func (b *budget) untilSweep(now time.Time) time.Duration {
	burst := float64(b.calls.Burst())
	users := min(burst*usersShare, burst-1) // A burst of one serves users and sweeps alike.
	return max(until(b.sweeps, now, 1), until(b.calls, now, 1+users))
}

// A reply says how a call ended.
type reply struct {
	route string
	// status is the HTTP status of the answer, 0 if there was none, and header its header.
	status int
	header http.Header
	// ofProduct is true if a limit of a product throttled the call.
	ofProduct bool
}

// answered notes the end of the call with that number. If the call was throttled, answered returns how long the API
// asks to wait. A throttle by the user's limit pauses all calls, because the API blocks the whole user for five
// minutes if calls go on. A throttle by a product pauses only the calls of its route.
func (b *budget) answered(number uint64, r reply) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	b.flying--
	if q, ok := policyOf(r.header); ok && q != b.stated {
		b.stated = q
		b.fit(now)
	}
	if r.status == http.StatusTooManyRequests {
		b.throttled.API++
		if !r.ofProduct {
			return b.all.throttled(now, number, b.sent, r.header)
		}
	}
	b.all.ended(number, r.status != 0)
	wait := b.routeAnswered(now, number, r)
	// An answer that a later answer overtook is out of date.
	if left, reset, ok := leftOf(r.header); ok && number > b.heard {
		b.heard = number
		b.lower(now, left, reset)
	}
	return wait
}

// routeAnswered begins or ends the pause of a route. If a product throttled the call, it returns
// how long the API asks to wait.
func (b *budget) routeAnswered(now time.Time, number uint64, r reply) time.Duration {
	own := b.routes[r.route]
	if r.ofProduct {
		if own == nil {
			own = &pause{}
			b.routes[r.route] = own
		}
		return own.throttled(now, number, b.sent, r.header)
	}
	if own != nil {
		own.ended(number, r.status != 0)
		if own.strikes == 0 && own.wait(now) == 0 {
			delete(b.routes, r.route)
		}
	}
	return 0
}

// lower takes from the bucket what the API says is not left: all processes of a user share
// its requests. The API may not have counted the calls in flight yet. lower never adds to
// the bucket, because the pace of the other processes is not known.
func (b *budget) lower(now time.Time, left int, reset time.Duration) {
	slack := math.Floor(float64(b.limit.requests) * slackShare)
	safe := max(float64(left-b.flying), 0) - slack
	if left <= b.flying {
		safe = min(safe, -reset.Seconds()*float64(b.calls.Limit()))
	}
	for over := int(math.Ceil(b.calls.TokensAt(now) - safe)); over > 0; over -= b.calls.Burst() {
		b.calls.ReserveN(now, min(over, b.calls.Burst()))
	}
}

// fit makes the buckets hold to both the limit of the API and that of the owner. A bucket stays as full as it was,
// so that a quota that comes and goes adds no calls. An overdrawn bucket stays overdrawn.
func (b *budget) fit(now time.Time) {
	limit, burst := b.stated.bucket()
	b.limit = b.stated
	if b.own.requests > 0 {
		l, n := b.own.bucket()
		if l < limit {
			b.limit = b.own
		}
		limit, burst = min(limit, l), min(burst, n)
	}
	b.calls = resized(b.calls, now, limit, burst)
	b.sweeps = resized(b.sweeps, now, sweepLimit(limit), sweepBurst(burst))
}

// resized returns the bucket l with another rate and burst.
func resized(l *rate.Limiter, now time.Time, limit rate.Limit, burst int) *rate.Limiter {
	if l.Limit() == limit && l.Burst() == burst {
		return l
	}
	had := l.TokensAt(now)
	if had <= 0 || l.Burst() == burst {
		l.SetLimitAt(now, limit)
		l.SetBurstAt(now, burst)
		return l
	}
	out := rate.NewLimiter(limit, burst)
	out.ReserveN(now, int(math.Ceil(float64(burst)*(1-had/float64(l.Burst())))))
	return out
}

// SetBudget bounds how many requests the credential may make in five minutes, beside the
// limit of the API. 0 is no bound.
func (c *Client) SetBudget(n int) {
	c.budget.mu.Lock()
	defer c.budget.mu.Unlock()
	c.budget.own = quota{n, defaultWindow}
	c.budget.fit(c.budget.now())
}

// SweepRate returns how many calls a second sweeps may make at present in the long run. It
// is above 0.
func (c *Client) SweepRate() float64 {
	c.budget.mu.Lock()
	defer c.budget.mu.Unlock()
	return float64(c.budget.sweeps.Limit())
}

// Paused returns the error that the creation of a record would get while the credential
// pauses because Cloudflare throttled it, and nil otherwise. A caller that writes something
// down before the call asks first.
func (c *Client) Paused() error {
	c.budget.mu.Lock()
	wait := c.budget.all.wait(c.budget.now())
	c.budget.mu.Unlock()
	if wait <= 0 {
		return nil
	}
	return &Error{
		Method: http.MethodPost, Route: routeRecords, Status: http.StatusTooManyRequests, RetryAfter: wait,
		Details: []Detail{{Code: codeThrottled, Message: pausing}},
	}
}

// BudgetState is the state of a credential's budget at one time.
type BudgetState struct {
	// Limit is how many requests may be made in any Window.
	Limit  int
	Window time.Duration
	// Left is how many may be made at once, at most about a quarter of Limit.
	Left int
	// PausedUntil is the end of a pause that the API asked for, zero if there is none.
	PausedUntil time.Time
	// UsedAt is when a call was last asked for; before the first call, it is when the
	// client was made.
	UsedAt time.Time
	// Throttled counts the calls that were refused for their rate.
	Throttled Throttled
}

// Throttled counts the calls that were refused for their rate, by what refused
// them: an answer of the API, the pause after it, the budget, or the part of it
// that sweeps may use.
type Throttled struct{ API, Pause, Budget, SweepShare uint64 }

// Budget returns the state of the credential's budget.
func (c *Client) Budget() BudgetState {
	b := c.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	s := BudgetState{
		Limit: b.limit.requests, Window: b.limit.window,
		Left:   int(max(0, b.calls.TokensAt(now))),
		UsedAt: b.usedAt, Throttled: b.throttled,
	}
	if b.all.until.After(now) {
		s.PausedUntil = b.all.until
	}
	return s
}
