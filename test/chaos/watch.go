// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// A watch sees every request to the simulator, in the order in which they are carried out.
type watch struct {
	mu      sync.Mutex
	at      []time.Time // of all requests
	writes  []simulator.LoggedRequest
	faults  map[string]int
	fired   int // the sum of faults
	wrong   int // faults that answered GETs of one resource from the past
	status  map[int]int
	touched []simulator.LoggedRequest // changes of a foreign record or zone
	blocked []simulator.LoggedRequest // the first refusals by a credential's rate limit
	foreign map[string]bool
	zones   map[string]bool // foreign ones
	id      *regexp.Regexp  // matches the IDs of records, zones and other resources

	// writer is the last process that wrote. past are those that wrote before it.
	writer string
	past   map[string]bool
	both   []string

	// onCall and onWrite are called at each request and at each write. They must not block.
	onCall, onWrite func()
}

func newWatch() *watch {
	return &watch{faults: map[string]int{}, status: map[int]int{}, foreign: map[string]bool{}, zones: map[string]bool{}, past: map[string]bool{}, id: regexp.MustCompile(`[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}`)}
}

// take records a request.
func (w *watch) take(r simulator.LoggedRequest) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = append(w.at, r.Time)
	if w.onCall != nil {
		w.onCall()
	}
	w.status[r.Status]++
	for _, f := range r.Fired {
		w.faults[string(f)]++
		w.fired++
		if f == simulator.FaultStaleGet {
			w.wrong++
		}
	}
	if blocks(r) && len(w.blocked) < mostBlocked {
		w.blocked = append(w.blocked, r)
	}
	if !r.Writes() {
		return
	}
	r.RequestBody, r.ResponseBody = strings.Clone(r.RequestBody), strings.Clone(r.ResponseBody)
	w.writes = append(w.writes, r)
	for _, id := range w.id.FindAllString(r.Path+" "+r.RequestBody, -1) {
		if w.foreign[id] {
			w.touched = append(w.touched, r)
			break
		}
	}
	if id := strings.TrimPrefix(r.Path, "/zones/"); w.zones[id] {
		w.touched = append(w.touched, r)
	}
	w.wrote(r)
	if w.onWrite != nil {
		w.onWrite()
	}
}

// blocks reports whether the request was refused by its credential's rate limit. The limit of
// one operation at a time in an account does not count: a process that has started cannot avoid
// it.
func blocks(r simulator.LoggedRequest) bool {
	return r.Status == http.StatusTooManyRequests && r.Code != simulator.CodeOperationPending && !slices.ContainsFunc(r.Fired, throttles)
}

// wrote checks that one process writes at a time: a process never writes again after another
// one has written. Each process has an address of its own.
func (w *watch) wrote(r simulator.LoggedRequest) {
	if r.Host == w.writer {
		return
	}
	if w.past[r.Host] {
		w.both = append(w.both, fmt.Sprintf("%s %s by %s, after %s had written", r.Time.Format(time.TimeOnly), r, r.Host, w.writer))
	}
	if w.writer != "" {
		w.past[w.writer] = true
	}
	w.writer = r.Host
}

// protect adds a foreign record.
func (w *watch) protect(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.foreign[id] = true
}

// protectZone adds a foreign zone.
func (w *watch) protectZone(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.zones[id] = true
}

// nextWrite returns a channel that is closed at the next write.
func (w *watch) nextWrite() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	c, once := closing()
	w.onWrite = once
	return c
}

// nextCall returns a channel that is closed at the next request.
func (w *watch) nextCall() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	c, once := closing()
	w.onCall = once
	return c
}

// closing returns a channel, and a function that closes it once.
func closing() (<-chan struct{}, func()) {
	c := make(chan struct{})
	return c, sync.OnceFunc(func() { close(c) })
}

// calls returns the number of requests.
func (w *watch) calls() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.at)
}

// fires returns the number of faults, and how many of them were wrong answers about one
// resource.
func (w *watch) fires() (faults, wrong int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fired, w.wrong
}

// written returns the requests that write.
func (w *watch) written() []simulator.LoggedRequest {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.writes)
}

// violations returns the violations that the requests alone show.
func (w *watch) violations() []violation {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []violation
	for _, r := range w.touched {
		out = append(out, violation{Kind: vForeign, Detail: "a write is addressed to a foreign record or zone: " + line(r)})
	}
	for _, r := range w.blocked {
		out = append(out, violation{Kind: vLocked, Detail: "Cloudflare blocked the credential " + r.TokenFingerprint + ": " + line(r)})
	}
	for _, b := range w.both {
		out = append(out, violation{Kind: vWriters, Detail: b})
	}
	return out
}

// mostBlocked is the most refusals by a rate limit that are kept, because a block lasts for
// minutes.
const mostBlocked = 20

// line formats a request for a report.
func line(r simulator.LoggedRequest) string {
	return fmt.Sprintf("%s %s %s %s -> %d %d [%s] %s", r.Time.Format("15:04:05.000"), r.Host, r.Method, r.Path, r.Status, r.Code, r.Fault, r.RequestBody)
}

// story returns the writes of a record, by its ID or one of its names.
func (w *watch) story(id string, names []string) []string {
	var out []string
	for _, r := range w.written() {
		if !mentions(r, id, names) {
			continue
		}
		l := line(r)
		if len(l) > 1500 {
			l = l[:1500] + "..."
		}
		out = append(out, l)
	}
	return out
}

func mentions(r simulator.LoggedRequest, id string, names []string) bool {
	if id != "" && (strings.Contains(r.Path, id) || strings.Contains(r.RequestBody, id) || strings.Contains(r.ResponseBody, id)) {
		return true
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return name != "" && (strings.Contains(r.RequestBody, `"`+name+`.`) || strings.Contains(r.RequestBody, `"`+name+`"`))
	})
}

// busiest returns the most requests within a window of that length.
func busiest(at []time.Time, window time.Duration) int {
	most, from := 0, 0
	for to := range at {
		for at[to].Sub(at[from]) >= window {
			from++
		}
		most = max(most, to-from+1)
	}
	return most
}

// figures returns the counts of all requests.
func (w *watch) figures() (total, writes, perMinute int, faults, status map[string]int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	status = map[string]int{}
	for s, n := range w.status {
		name := fmt.Sprintf("%d %s", s, http.StatusText(s))
		if s == 0 {
			name = "0 reset"
		}
		status[name] += n
	}
	return len(w.at), len(w.writes), busiest(w.at, time.Minute), maps.Clone(w.faults), status
}
