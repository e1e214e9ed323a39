// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"net/http"
	"time"
)

const (
	// defaultPause is how long calls pause when the API does not say how long.
	defaultPause = 5 * time.Second
	// longestOwnPause bounds a pause that is longer than the API asked for.
	longestOwnPause = 30 * time.Second
	// maxPause bounds what the API may ask for. A block of a user lasts five minutes, and products have limits of
	// an hour. After a pause one call goes first, so that a longer block costs one call an hour; and nonsense in a
	// header, which is that of a proxy perhaps, does not stop a credential for a day.
	maxPause = time.Hour
	// probeWait is when to ask again while the first call after a pause has no answer yet.
	probeWait = 2 * time.Second
)

// A pause keeps calls back that the API throttles. The zero value keeps none.
type pause struct {
	until time.Time
	// strikes counts the throttles in a row of which each was the answer to a call
	// sent after the pause of the one before. last is the number of the last call
	// that was sent before the last of them.
	strikes int
	last    uint64
	// probe is the number of the call that goes first after the pause, 0 where none is under way: the block may
	// last, and all who wait would run into it.
	probe uint64
}

// wait is how long nobody may call, 0 where one may.
func (p *pause) wait(now time.Time) time.Duration {
	if wait := p.until.Sub(now); wait > 0 {
		return wait
	}
	if p.probe != 0 {
		return probeWait
	}
	return 0
}

// sent notes a call of that number.
func (p *pause) sent(number uint64) {
	if p.strikes > 0 {
		p.probe = number
	}
}

// ended notes the end of a call. It was let through where it has an answer.
func (p *pause) ended(number uint64, answered bool) {
	if number == p.probe {
		p.probe = 0
	}
	if number > p.last && answered {
		p.strikes = 0
	}
}

// throttled notes a call that was refused for its rate, the last one of which has been sent. It gives how long
// that call asks to wait. A pause under way is never shortened by the answer to a call that was sent before it.
// Where what the API asked for was not enough, the pause doubles with each throttle, up to longestOwnPause.
func (p *pause) throttled(now time.Time, number, sent uint64, h http.Header) time.Duration {
	p.ended(number, false)
	if number > p.last {
		p.strikes++
		p.last = sent
	}
	d := retryAfter(h, now)
	if d == 0 {
		d = defaultPause
	}
	if p.strikes > 1 {
		own := time.Second << min(p.strikes-1, 10)
		d = max(d, min(own, longestOwnPause))
	}
	if end := now.Add(d); end.After(p.until) {
		p.until = end
	}
	return d
}

// ofProduct reports whether a call was throttled by a limit of a product, such as of operations at a time, and not by the
// limit of all calls of the user: the API says why, with another code than for that, and that the user has calls
// left, or nothing about it.
func ofProduct(status int, body []byte, h http.Header) bool {
	if status != http.StatusTooManyRequests {
		return false
	}
	_, err := decode(operation{}, status, body, nil)
	left, _, stated := leftOf(h)
	return (!stated || left > 0) && is(err, func(e *Error) bool { return len(e.Details) > 0 && !e.Has(codeThrottled) })
}
