// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	// maxLoggedBody is the maximum number of bytes of a body in the log.
	maxLoggedBody = 64 << 10
	// bodiesKept is the number of the last requests that keep their bodies.
	bodiesKept = 2000
)

// A LoggedRequest is one request of the API and its response.
type LoggedRequest struct {
	Time             time.Time `json:"time"` // Simulated.
	Method           string    `json:"method"`
	Path             string    `json:"path"`  // Below BasePath.
	Route            string    `json:"route"` // The path with {zone_id} and similar parameters; "" without a route.
	Query            string    `json:"query,omitempty"`
	Host             string    `json:"host,omitempty"` // The host of the request.
	UserAgent        string    `json:"user_agent,omitempty"`
	TokenFingerprint string    `json:"token_fingerprint,omitempty"` // A hash, never the token.
	Status           int       `json:"status"`                      // 0: reset before it was executed.
	Code             int       `json:"code,omitempty"`              // The code of the first error.
	Fault            string    `json:"fault,omitempty"`             // The kinds of the faults that were drawn for it.
	// Fired has those faults that had an effect: see AddedFault.
	Fired []FaultKind `json:"fired,omitempty"`
	// The bodies of the last 2,000 requests, clipped.
	RequestBody  string        `json:"request_body,omitempty"`
	ResponseBody string        `json:"response_body,omitempty"`
	Duration     time.Duration `json:"duration_ns"` // Simulated.
}

// String returns one line that is the same for every run: METHOD /route -> status code.
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

// record logs a request. The caller holds the lock. A reset connection is logged with
// the response that the client did not receive, if there was one.
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

// OnRequest sets a function that is called with each logged request, one at a time and
// before the response is sent. f must not use the server.
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

// Requests returns the logged requests, oldest first.
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

// Count returns the number of logged requests of a method ("" for all) and a route such
// as "/zones/{zone_id}/dns_records" ("" for all).
func (s *Server) Count(method, route string) int {
	n := 0
	for _, l := range s.Requests() {
		if (method == "" || l.Method == method) && (route == "" || l.Route == route) {
			n++
		}
	}
	return n
}

// PrintLog writes one line per request, in a form for comparison with a golden file.
func (s *Server) PrintLog(w io.Writer) error {
	for _, l := range s.Requests() {
		if _, err := fmt.Fprintln(w, l); err != nil {
			return fmt.Errorf("cannot print the request log: %w", err)
		}
	}
	return nil
}
