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
	// longestOwnPause bounds a pause that this client makes longer than the API asked for.
	longestOwnPause = 30 * time.Second
	// maxPause bounds the pause that the API may ask for. A block of a user lasts five minutes, and products have
	// limits of an hour. After a pause one call goes first, so a longer block costs one call an hour. A
	// nonsensical header, which a proxy may have set, does not stop a credential for a day.
	maxPause = time.Hour
	// probeWait is when to ask again while the first call after a pause has no answer yet.
	probeWait = 2 * time.Second
)

// A pause holds back the calls that the API throttles. The zero value holds back none.
type pause struct {
	until time.Time
	// strikes counts the throttles in a row. Each of them answered a call that was sent
	// after the pause of the one before. last is the number of the last call that was sent
	// before the latest of them.
	strikes int
	last    uint64
	// probe is the number of the call that goes first after the pause, 0 if none is under way. If the block
	// lasts, all waiting calls would run into it.
	probe uint64
}

// wait returns how long no call may be made, 0 if one may be made.
func (p *pause) wait(now time.Time) time.Duration {
	if wait := p.until.Sub(now); wait > 0 {
		return wait
	}
	if p.probe != 0 {
		return probeWait
	}
	return 0
}

// sent notes that the call with that number was sent.
func (p *pause) sent(number uint64) {
	if p.strikes > 0 {
		p.probe = number
	}
}

// ended notes the end of a call. A call that has an answer was let through, which ends the strikes.
func (p *pause) ended(number uint64, answered bool) {
	if number == p.probe {
		p.probe = 0
	}
	if number > p.last && answered {
		p.strikes = 0
	}
}

// throttled notes that the API refused a call for its rate. sent is the number of the last call sent. throttled
// returns how long the API asks to wait. The answer to a call that was sent before a pause never shortens the pause.
// If the pause that the API asked for was not enough, the pause doubles with each throttle, up to longestOwnPause.
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

// ofProduct reports whether a limit of a product throttled a call, such as one on concurrent operations, and not the
// limit of all calls of the user. The API then names a reason with another code than for the user's limit, and reports
// that the user has calls left, or reports nothing about it.
func ofProduct(status int, body []byte, h http.Header) bool {
	if status != http.StatusTooManyRequests {
		return false
	}
	_, err := decode(operation{}, status, body, nil)
	left, _, stated := leftOf(h)
	return (!stated || left > 0) && is(err, func(e *Error) bool { return len(e.Details) > 0 && !e.Has(codeThrottled) })
}
