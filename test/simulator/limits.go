// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"strconv"
	"time"
)

// A RateLimit is a token bucket of Requests that refills within Window. A request
// beyond the limit blocks all calls of the user for a whole Window. If Requests is
// negative, there is no limit, and responses have no headers for it.
type RateLimit struct {
	Requests int
	Window   time.Duration
}

type bucket struct {
	left    float64
	at      time.Time
	blocked time.Time // The end of the block.
}

// take takes one request out of the bucket of key. It returns the number of requests
// left, or the time for which the user is blocked.
func (s *Server) take(key string, limit RateLimit, now time.Time) (left int, wait time.Duration) {
	b := s.buckets[key]
	if b == nil {
		b = &bucket{left: float64(limit.Requests), at: now}
		s.buckets[key] = b
	}
	if now.Before(b.blocked) {
		return 0, b.blocked.Sub(now)
	}
	refill := now.Sub(b.at).Seconds() * float64(limit.Requests) / limit.Window.Seconds()
	b.left, b.at = math.Min(float64(limit.Requests), b.left+math.Max(0, refill)), now
	if b.left < 1 {
		b.blocked, b.left = now.Add(limit.Window), float64(limit.Requests)
		b.at = b.blocked
		return 0, limit.Window
	}
	b.left--
	return int(b.left), 0
}

// limit applies the rate limits, before all other checks. A header of the response has
// the number of requests left.
func (s *Server) limit(r *http.Request, now time.Time, header http.Header) *Error {
	if s.options.PerIPPerSecond > 0 {
		host, _, err := net.SplitHostPort(r.RemoteAddr)
		if err != nil {
			host = r.RemoteAddr
		}
		if _, wait := s.take("ip "+host, RateLimit{Requests: s.options.PerIPPerSecond, Window: time.Second}, now); wait > 0 {
			return throttled(header, wait)
		}
	}
	limit := s.options.RateLimit
	if limit.Requests < 0 {
		return nil
	}
	key := presented(r)
	if cred := s.creds[key]; cred != nil && cred.user != "" {
		key = "user " + cred.user
	}
	left, wait := s.take(key, limit, now)
	header.Set("Ratelimit-Policy", fmt.Sprintf(`"default";q=%d;w=%d`, limit.Requests, int(limit.Window.Seconds())))
	if wait > 0 {
		header.Set("Ratelimit", fmt.Sprintf(`"default";r=0;t=%d`, seconds(wait)))
		return throttled(header, wait)
	}
	header.Set("Ratelimit", fmt.Sprintf(`"default";r=%d;t=1`, left))
	return nil
}

func throttled(header http.Header, wait time.Duration) *Error {
	header.Set("Retry-After", strconv.Itoa(seconds(wait)))
	return errThrottled()
}

func errThrottled() *Error {
	return refuse(http.StatusTooManyRequests, CodeThrottled, "Please wait and consider throttling your request speed")
}

// seconds rounds up, so that a client that waits this long has waited enough.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
