// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	// maxLoggedBody bounds what the log keeps of a body.
	maxLoggedBody = 64 << 10
	// bodiesKept is how many of the last requests keep their bodies.
	bodiesKept = 2000
)

// A LoggedRequest is one request of the API and its answer.
type LoggedRequest struct {
	Time             time.Time `json:"time"` // simulated
	Method           string    `json:"method"`
	Path             string    `json:"path"`  // below BasePath
	Route            string    `json:"route"` // the path with {zone_id} and such; "" where there is none
	Query            string    `json:"query,omitempty"`
	Host             string    `json:"host,omitempty"` // that the client asked for
	UserAgent        string    `json:"user_agent,omitempty"`
	TokenFingerprint string    `json:"token_fingerprint,omitempty"` // a hash, never the token
	Status           int       `json:"status"`                      // 0: reset before it was carried out
	Code             int       `json:"code,omitempty"`              // of the first error
	Fault            string    `json:"fault,omitempty"`             // kinds of the faults that were drawn for it
	// Fired are those of them that had an effect: see AddedFault.
	Fired []FaultKind `json:"fired,omitempty"`
	// The bodies, clipped, of the last 2,000 requests.
	RequestBody  string        `json:"request_body,omitempty"`
	ResponseBody string        `json:"response_body,omitempty"`
	Duration     time.Duration `json:"duration_ns"` // simulated
}

// String is one line, the same for every run: METHOD /route -> status code.
func (l LoggedRequest) String() string {
	route := l.Route
	if route == "" {
		route = l.Path
	}
	line := fmt.Sprintf("%s %s -> %d", l.Method, route, l.Status)
	if l.Code != 0 {
		line += fmt.Sprintf(" %d", l.Code)
	}
	return line
}

// Writes reports whether the request asks for a change.
func (l LoggedRequest) Writes() bool { return l.Method != http.MethodGet }

// record logs a request, with the lock held. A reset connection is logged with
// the answer that the client did not get, if there was one.
func (s *Server) record(c *call, a answer) {
	entry := LoggedRequest{
		Time: c.now, Method: c.r.Method, Path: c.path(), Query: c.r.URL.RawQuery, Host: c.r.Host, UserAgent: c.r.UserAgent(),
		TokenFingerprint: fingerprint(presented(c.r)), Status: a.status, Fault: c.faults.names(), Fired: c.faults.had(),
		RequestBody: clip(c.body), ResponseBody: clip(a.body), Duration: s.now().Sub(c.now),
	}
	if a.refused != nil {
		entry.Code = a.refused.Code()
	}
	if route, ok := s.find(c.r); ok {
		_, entry.Route, _ = strings.Cut(route.pattern, " ")
	}
	for _, kind := range entry.Fired {
		s.happened[faultAt{kind, c.r.URL.Path}] = s.now()
	}
	s.log.add(entry, s.options.LogLimit)
	if s.onRequest != nil {
		s.onRequest(entry)
	}
}

// OnRequest has f called with each request that is logged, one after the other
// and before it is answered. f must not use the server.
func (s *Server) OnRequest(f func(LoggedRequest)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onRequest = f
}

func clip(b []byte) string {
	if len(b) > maxLoggedBody {
		return string(b[:maxLoggedBody]) + "..."
	}
	return string(b)
}

// Requests are the logged requests, oldest first.
func (s *Server) Requests() []LoggedRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log.entries)
}

// ResetLog empties the log.
func (s *Server) ResetLog() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = requestLog{}
}

// Count is the number of logged requests of a method ("" for any) and a route
// such as "/zones/{zone_id}/dns_records" ("" for any).
func (s *Server) Count(method, route string) int {
	n := 0
	for _, l := range s.Requests() {
		if (method == "" || l.Method == method) && (route == "" || l.Route == route) {
			n++
		}
	}
	return n
}

// PrintLog writes one line a request, fit for comparing with a golden file.
func (s *Server) PrintLog(w io.Writer) error {
	for _, l := range s.Requests() {
		if _, err := fmt.Fprintln(w, l); err != nil {
			return fmt.Errorf("cannot print the request log: %w", err)
		}
	}
	return nil
}
