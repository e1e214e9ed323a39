// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	zoneID    = "023e105f4ecef8ad9ca31a8372d0c353"
	recordID  = "372e67954025e0ba6aaa6d586b9e0b59"
	accountID = "01a7362d577a6c3019a474fd6f485823"
)

// A clock stands still until a test moves it.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock {
	return &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// A server counts the requests that reach it.
type server struct {
	*httptest.Server

	calls atomic.Int64
}

func serve(t *testing.T, h http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.calls.Add(1)
		h(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) client(t *testing.T, o Options) *Client {
	t.Helper()
	o.BaseURL = s.URL
	tr := &http.Transport{}
	if o.Transport == nil {
		o.Transport = tr
		t.Cleanup(tr.CloseIdleConnections)
	}
	return New(NewToken(secretToken), o)
}

// answer returns a handler that writes a status and a body of JSON.
func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	}
}

// refusal returns the body of a refused call.
func refusal(code int, message string) string {
	return fmt.Sprintf(`{"result":null,"success":false,"errors":[{"code":%d,"message":%q}],"messages":[]}`, code, message)
}

// success returns the body of a call that was carried out.
func success(result string) string {
	return `{"result":` + result + `,"success":true,"errors":[],"messages":[]}`
}
