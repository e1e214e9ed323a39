// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// FaultHeader marks a response that an injected fault has made. Such responses are
// wrong on purpose and not checked.
const FaultHeader = "X-Cfsim-Fault"

// Wrap returns a handler that serves as next does. It reports every difference of
// requests and responses under /client/v4 from the document, as a *Violation each. A
// bad request is reported only if next accepts it, because tests of a server send bad
// requests on purpose. Responses are passed on as they are written. An aborted exchange
// is not checked. report is called before ServeHTTP returns. Concurrent requests call
// it concurrently.
func (d *Document) Wrap(next http.Handler, report func(error)) http.Handler {
	return d.wrap(next, report, false)
}

// WrapStrict is Wrap for clients that must never send a bad request. It reports a bad
// request even if next refuses it for another reason, or breaks the connection after
// reading it.
func (d *Document) WrapStrict(next http.Handler, report func(error)) http.Handler {
	return d.wrap(next, report, true)
}

func (d *Document) wrap(next http.Handler, report func(error), strict bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != basePath && !strings.HasPrefix(r.URL.Path, basePath+"/") {
			next.ServeHTTP(w, r)
			return
		}
		for _, err := range d.serve(next, w, r, strict) {
			report(err)
		}
	})
}

func (d *Document) serve(next http.Handler, w http.ResponseWriter, r *http.Request, strict bool) []error {
	// next gets a copy, because it may change path and headers (http.StripPrefix).
	sent := &tee{from: r.Body}
	served := *r
	if r.Body != nil {
		served.Body = sent
	}
	recorded := &recorder{ResponseWriter: w}
	original := r.Clone(r.Context())

	next.ServeHTTP(recorded, &served) // A panic is not recovered, such as http.ErrAbortHandler.

	// A client that has disconnected gets no response.
	if (recorded.hijacked && !strict) || (recorded.status == 0 && !recorded.hijacked && r.Context().Err() != nil) {
		return nil
	}
	if !recorded.hijacked {
		sent.drain()
	}
	return d.check(context.WithoutCancel(r.Context()), exchange{
		request:     original,
		requestBody: sent.read.Bytes(),
		status:      recorded.statusOrOK(),
		header:      w.Header().Clone(),
		body:        recorded.body.Bytes(),
		injected:    w.Header().Get(FaultHeader) != "",
		unanswered:  recorded.hijacked,
		strict:      strict,
	})
}

// A tee keeps a copy of the bytes that are read from a request's body.
type tee struct {
	from io.ReadCloser
	read bytes.Buffer
}

// Read implements io.Reader.
func (t *tee) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	t.read.Write(p[:n])
	return n, err
}

// Close implements io.Closer.
func (t *tee) Close() error { return t.from.Close() }

// drain reads the rest of the body, which a handler with a JSON decoder leaves after
// the first value. It ignores an error: if the client has disconnected or the handler
// has closed the body, there is no more to read.
func (t *tee) drain() {
	if t.from != nil {
		_, _ = io.Copy(&t.read, t.from)
	}
}

// A recorder keeps a copy of a handler's response.
type recorder struct {
	http.ResponseWriter
	status   int // 0 until the header is written.
	body     bytes.Buffer
	hijacked bool
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 && status >= 200 { // The final status follows 1xx.
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (r *recorder) Write(p []byte) (int, error) {
	r.status = r.statusOrOK()
	r.body.Write(p)
	return r.ResponseWriter.Write(p)
}

func (r *recorder) statusOrOK() int {
	if r.status == 0 {
		return http.StatusOK
	}
	return r.status
}

// Flush implements http.Flusher.
func (r *recorder) Flush() {
	r.status = r.statusOrOK()
	_ = http.NewResponseController(r.ResponseWriter).Flush() // Best effort, as with every http.Flusher.
}

// Hijack implements http.Hijacker.
func (r *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(r.ResponseWriter).Hijack()
	r.hijacked = err == nil
	return conn, rw, err
}

// Unwrap implements the contract of http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// TB is the part of testing.TB that Handler needs.
type TB interface {
	Helper()
	Cleanup(f func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Handler returns a handler that serves as next does, and fails the test on every
// difference from the document. Call it before creating the server that uses it. The
// cleanup of the server then runs first, and requests in progress are still checked.
func Handler(t TB, next http.Handler) http.Handler {
	t.Helper()
	return handler(t, next, (*Document).Wrap)
}

// StrictHandler is Handler with WrapStrict.
func StrictHandler(t TB, next http.Handler) http.Handler {
	t.Helper()
	return handler(t, next, (*Document).WrapStrict)
}

func handler(t TB, next http.Handler, wrap func(*Document, http.Handler, func(error)) http.Handler) http.Handler {
	t.Helper()
	doc, err := Load()
	if err != nil {
		t.Fatalf("openapi.Load(): %v", err)
	}
	var mu sync.Mutex // A test must not be failed after its end.
	over := false
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		over = true
	})
	return wrap(doc, next, func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			t.Errorf("%v", err)
		}
	})
}
