// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// A call is one request of the Cloudflare API that the simulator has carried out or
// refused.
type call struct {
	at            time.Time
	method, route string
	zone          string // the zone's ID, "" for calls that are not about a zone
	status, code  int
	changes       int // in a batch; -1 if they cannot be counted
}

const (
	routeRecords = "/zones/{zone_id}/dns_records"
	routeVerify  = "/user/tokens/verify"
)

func (c call) lists() bool { return c.method == http.MethodGet && c.route == routeRecords }

// checks reports whether the call asks only whether a token is valid.
func (c call) checks() bool { return c.route == routeVerify }
func (c call) writes() bool { return c.method != http.MethodGet }

func callOf(r simulator.LoggedRequest) call {
	c := call{at: r.Time, method: r.Method, route: r.Route, status: r.Status, code: r.Code}
	if rest, ok := strings.CutPrefix(r.Path, "/zones/"); ok {
		c.zone, _, _ = strings.Cut(rest, "/")
	}
	if strings.HasSuffix(r.Route, "/batch") {
		c.changes = changesIn(r.RequestBody)
	}
	return c
}

// changesIn returns the number of operations in a batch, -1 if it cannot be parsed: the
// log clips very long ones.
func changesIn(body string) int {
	var batch map[string][]json.RawMessage
	if json.Unmarshal([]byte(body), &batch) != nil {
		return -1
	}
	n := 0
	for _, list := range batch {
		n += len(list)
	}
	return n
}

// calls are the requests of a window.
type calls []call

func (cs calls) count(match func(call) bool) int {
	n := 0
	for _, c := range cs {
		if match(c) {
			n++
		}
	}
	return n
}

// without returns the calls that do not match.
func (cs calls) without(match func(call) bool) calls {
	return slices.DeleteFunc(slices.Clone(cs), match)
}

func (cs calls) inZone(id string) calls {
	return slices.DeleteFunc(slices.Clone(cs), func(c call) bool { return c.zone != id })
}

func (cs calls) throttled() int {
	return cs.count(func(c call) bool { return c.status == http.StatusTooManyRequests })
}

// batches describes how many changes the batches had.
func (cs calls) batches() string {
	var sizes []string
	for _, c := range cs {
		if c.changes != 0 {
			sizes = append(sizes, strconv.Itoa(c.changes))
		}
	}
	if len(sizes) == 0 {
		return "There was no batch."
	}
	return "Changes in the batches, in their order: " + strings.Join(sizes, ", ") + "."
}

// byRoute prints how many calls there were of each kind.
func (cs calls) byRoute() string {
	n := map[string]int{}
	for _, c := range cs {
		n[fmt.Sprintf("%s %s: %d", c.method, c.route, c.status)]++
	}
	return counts(n)
}

// counts prints the numbers of things, the most frequent first.
func counts(n map[string]int) string {
	keys := slices.Sorted(maps.Keys(n))
	slices.SortStableFunc(keys, func(a, b string) int { return n[b] - n[a] })
	parts := make([]string, 0, len(keys))
	for _, k := range keys {
		if n[k] != 0 {
			parts = append(parts, fmt.Sprintf("%d x %s", n[k], k))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, "; ")
}

// A requestLog keeps the simulator's requests, which rig.RequestLog reads.
type requestLog struct {
	*rig.RequestLog
	text io.Writer // gets one short line a request, and every line that is not a request

	mu        sync.Mutex
	all       calls
	seq       int
	listeners map[int]func(simulator.LoggedRequest)
}

func newRequestLog(text io.Writer) *requestLog {
	l := &requestLog{text: text, listeners: map[int]func(simulator.LoggedRequest){}}
	l.RequestLog = rig.NewRequestLog(l.take, func(line []byte) { fmt.Fprintf(text, "%s\n", line) })
	return l
}

func (l *requestLog) take(r simulator.LoggedRequest) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintln(l.text, r.Time.Format("15:04:05.000"), r)
	l.all = append(l.all, callOf(r))
	for _, f := range l.listeners {
		f(r)
	}
}

// listen calls f with each later request until stop is called. f must not block.
func (l *requestLog) listen(f func(simulator.LoggedRequest)) (stop func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	id := l.seq
	l.listeners[id] = f
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.listeners, id)
	}
}

// change returns a channel with the time of the first later change whose path or body has
// text.
func (l *requestLog) change(text string) (at <-chan time.Time, stop func()) {
	found := make(chan time.Time, 1)
	return found, l.listen(func(r simulator.LoggedRequest) {
		if r.Writes() && r.Status == http.StatusOK && (strings.Contains(r.RequestBody, text) || strings.Contains(r.Path, text)) {
			select {
			case found <- r.Time:
			default: // a later change
			}
		}
	})
}

// between returns the calls of a window.
func (l *requestLog) between(from, to time.Time) calls {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(l.all), func(c call) bool { return c.at.Before(from) || !c.at.Before(to) })
}
