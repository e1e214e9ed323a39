// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/openapi"
)

// A CloudInProcess is a simulator that is reached by its transport only. End returns an error for each exchange
// that the official document does not allow.
type CloudInProcess struct {
	Sim       *simulator.Server
	URL       string
	Transport http.RoundTripper

	violations violations
}

// LocalCloud returns a simulator whose answers take that long to arrive.
func LocalCloud(o simulator.Options, latency time.Duration) (*CloudInProcess, error) {
	doc, err := openapi.Load()
	if err != nil {
		return nil, err
	}
	c := &CloudInProcess{Sim: simulator.New(o), URL: "http://cloudflare.test" + simulator.BasePath}
	c.Transport = Late{RoundTripper: Local{doc.WrapStrict(c.Sim, c.violations.add)}, By: latency}
	return c, nil
}

// End returns the violations of the official document.
func (c *CloudInProcess) End() error { return c.violations.all() }

// Local is a transport that calls a handler in this process. It uses no socket, so that it works in a bubble of
// testing/synctest.
type Local struct{ http.Handler }

var _ http.RoundTripper = Local{}

// errReset is the error of a client whose connection the handler breaks.
var errReset = errors.New("connection reset by peer")

// RoundTrip returns when the handler does, or when the request is cancelled.
func (l Local) RoundTrip(r *http.Request) (*http.Response, error) {
	in := r.Clone(r.Context())
	if in.Body == nil {
		in.Body = http.NoBody
	}
	in.RequestURI, in.RemoteAddr = r.URL.RequestURI(), "127.0.0.1:1"
	w := &recorder{ResponseRecorder: httptest.NewRecorder()}
	done := make(chan error, 1)
	go func() { done <- l.serve(w, in) }()
	select {
	case <-r.Context().Done():
		return nil, r.Context().Err()
	case err := <-done:
		if errors.Is(err, http.ErrAbortHandler) || w.hijacked {
			err = &net.OpError{Op: "read", Net: "tcp", Err: errReset}
		}
		if err != nil {
			return nil, err
		}
	}
	out := w.Result()
	out.Request = r
	return out, nil
}

// serve calls the handler. It returns what the handler panics with as an error.
func (l Local) serve(w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		if is := recover(); is != nil {
			err = fmt.Errorf("the handler failed: %v", is)
			if as, ok := is.(error); ok {
				err = as
			}
		}
	}()
	l.ServeHTTP(w, r)
	return nil
}

// Late is a transport whose answers take time to arrive.
type Late struct {
	http.RoundTripper

	By time.Duration
	// Only selects the requests whose answers are late. If it is nil, all are.
	Only func(*http.Request) bool
}

// RoundTrip returns when the answer has arrived, or when the request is cancelled. In both cases the server has
// carried out the request.
func (l Late) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.RoundTripper.RoundTrip(r)
	if err != nil || l.Only != nil && !l.Only(r) {
		return resp, err
	}
	arrives := time.NewTimer(l.By)
	defer arrives.Stop()
	select {
	case <-arrives.C:
		return resp, nil
	case <-r.Context().Done():
		return nil, errors.Join(r.Context().Err(), resp.Body.Close())
	}
}

// A recorder records an answer. Its connection can be hijacked: the other end is closed.
type recorder struct {
	*httptest.ResponseRecorder
	hijacked bool
}

var _ http.Hijacker = (*recorder)(nil)

// Hijack implements http.Hijacker.
func (r *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	r.hijacked = true
	ours, theirs := net.Pipe()
	return ours, bufio.NewReadWriter(bufio.NewReader(ours), bufio.NewWriter(io.Discard)), theirs.Close()
}
