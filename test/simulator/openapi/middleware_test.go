// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// A collector collects reports from several goroutines.
type collector struct {
	mu   sync.Mutex
	errs []error
}

func (c *collector) report(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.errs = append(c.errs, err)
}

func (c *collector) all() []error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.errs
}

// serve starts a server with handler. The server is closed at the end of the test.
func serve(t *testing.T, handler http.HandlerFunc) (*httptest.Server, *collector) {
	t.Helper()
	found := &collector{}
	srv := httptest.NewServer(load(t).Wrap(handler, found.report))
	t.Cleanup(srv.Close)
	return srv, found
}

func answerJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// get returns the response. The caller closes its body.
func get(t *testing.T, url string) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatalf("http.NewRequest(): %v", err)
	}
	r.Header.Set("Authorization", "Bearer x")
	return http.DefaultClient.Do(r)
}

func TestWrapStreams(t *testing.T) {
	proceed := make(chan struct{})
	srv, found := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintln(w, "first")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Errorf("Flush(): %v", err)
		}
		<-proceed
		fmt.Fprintln(w, "second")
	})
	resp, err := get(t, srv.URL+recordsPath+"/export")
	if err != nil {
		t.Fatalf("GET: %v", err)
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	if line, err := lines.ReadString('\n'); err != nil || line != "first\n" {
		t.Errorf("a flushed line arrives while the handler still runs, got %q and error %v", line, err)
	}
	close(proceed)
	if rest, err := io.ReadAll(lines); err != nil || string(rest) != "second\n" {
		t.Errorf("the rest arrives too, got %q and error %v", rest, err)
	}
	srv.Close()
	if errs := found.all(); len(errs) > 0 {
		t.Errorf("nothing is wrong with a stream, got %v", errs)
	}
}

func TestWrapBrokenConnections(t *testing.T) {
	tests := map[string]http.HandlerFunc{
		"Abort": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"AbortHalfway": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"result":`)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		},
		"Hijack": func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Errorf("Hijack(): %v", err)
				return
			}
			if err := conn.Close(); err != nil {
				t.Errorf("Close(): %v", err)
			}
		},
	}
	for name, handler := range tests {
		t.Run(name, func(t *testing.T) {
			srv, found := serve(t, handler)
			resp, err := get(t, srv.URL+recordPath)
			if err == nil {
				_, err = io.ReadAll(resp.Body)
				resp.Body.Close()
			}
			if err == nil {
				t.Error("the connection breaks as if the handler were not wrapped, got an answer")
			}
			srv.Close()
			if errs := found.all(); len(errs) > 0 {
				t.Errorf("an exchange without an end is not judged, got %v", errs)
			}
		})
	}
}

// TestWrapStrictBrokenConnections breaks the connection after reading the request.
func TestWrapStrictBrokenConnections(t *testing.T) {
	for sent, want := range map[string]int{`{"ttl":60}`: 0, `{"ttl":"soon"}`: 1} {
		found := &collector{}
		wrapped := load(t).WrapStrict(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				t.Errorf("cannot read the request: %v", err)
			}
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Errorf("Hijack(): %v", err)
				return
			}
			_ = conn.Close()
		}), found.report)
		judged := make(chan struct{}) // The client may return earlier: closing the server does not wait for a broken connection.
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer close(judged)
			wrapped.ServeHTTP(w, r)
		}))
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, srv.URL+recordPath, strings.NewReader(sent))
		if err != nil {
			t.Fatalf("http.NewRequest(): %v", err)
		}
		r.Header.Set("Authorization", "Bearer x")
		if resp, err := http.DefaultClient.Do(r); err == nil {
			resp.Body.Close()
			t.Error("a broken connection gave an answer")
		}
		<-judged
		srv.Close()
		if errs := found.all(); len(errs) != want {
			t.Errorf("%s: %d violations wanted, got %v", sent, want, errs)
		}
	}
}

func TestWrapLeavesOthersAlone(t *testing.T) {
	for _, path := range []string{"/_sim/log", "/", "/client/v40/zones"} {
		srv, found := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
		resp, err := get(t, srv.URL+path)
		if err != nil {
			t.Fatalf("GET %s: %v", path, err)
		}
		resp.Body.Close()
		srv.Close()
		if errs := found.all(); len(errs) > 0 || resp.StatusCode != http.StatusTeapot {
			t.Errorf("%s is not under %s, got status %d and %v", path, basePath, resp.StatusCode, errs)
		}
	}
}

func TestWrapRequestBody(t *testing.T) {
	sent := encode(t, with(aRequest(), body{"ttl": "soon"})) + strings.Repeat(" ", 1<<16)
	tests := map[string]struct {
		reason  string
		handler func(r *http.Request) error
	}{
		"Whole": {"The handler reads all of it.", func(r *http.Request) error {
			got, err := io.ReadAll(r.Body)
			if string(got) != sent {
				return errors.New("the handler has read something else than was sent")
			}
			return err
		}},
		"Part":     {"The handler reads one JSON value.", func(r *http.Request) error { return json.NewDecoder(r.Body).Decode(&body{}) }},
		"None":     {"The handler reads nothing.", func(*http.Request) error { return nil }},
		"Stripped": {"The handler changes its request.", func(r *http.Request) error { r.URL.Path = "/"; r.Header = nil; return nil }},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			found := &collector{}
			handler := load(t).Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if err := tc.handler(r); err != nil {
					t.Errorf("%s %v", tc.reason, err)
				}
				answerJSON(w, success(aRecord()))
			}), found.report)
			r := httptest.NewRequest(http.MethodPost, recordsPath, strings.NewReader(sent))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer x")
			handler.ServeHTTP(httptest.NewRecorder(), r)
			if got := briefs(found.all()); len(got) != 1 || got[0] != "request /ttl" {
				t.Errorf("%s The whole request is judged all the same, got %v", tc.reason, found.all())
			}
		})
	}
}

func TestWrapConcurrently(t *testing.T) {
	const clients, requests = 8, 10
	srv, found := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("page") == "2" {
			answerJSON(w, list(body{"type": "A"}))
			return
		}
		answerJSON(w, list(aRecord(), srvRecord(), mxRecord()))
	})
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for i := range requests {
				resp, err := get(t, fmt.Sprintf("%s%s?page=%d", srv.URL, recordsPath, i%2+1))
				if err != nil {
					t.Errorf("GET: %v", err)
					return
				}
				resp.Body.Close()
			}
		})
	}
	wg.Wait()
	srv.Close()
	if got, want := len(found.all()), clients*requests/2; got != want {
		t.Errorf("each bad answer is reported once: want %d reports, got %d", want, got)
	}
}

// fakeTB replaces a test.
type fakeTB struct {
	cleanups []func()
	errors   []string
}

func (*fakeTB) Helper()                     {}
func (f *fakeTB) Cleanup(c func())          { f.cleanups = append(f.cleanups, c) }
func (f *fakeTB) Errorf(s string, a ...any) { f.errors = append(f.errors, fmt.Sprintf(s, a...)) }
func (f *fakeTB) Fatalf(s string, a ...any) { panic(fmt.Sprintf(s, a...)) }
func (f *fakeTB) request(h http.Handler)    { h.ServeHTTP(httptest.NewRecorder(), f.newRequest()) }
func (*fakeTB) newRequest() *http.Request {
	return httptest.NewRequest(http.MethodGet, recordPath, http.NoBody)
}

func (f *fakeTB) finish() {
	for _, c := range f.cleanups {
		c()
	}
}

var _ TB = testing.TB(nil)

func TestHandler(t *testing.T) {
	tb := &fakeTB{}
	handler := Handler(tb, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, success(nil)) }))
	tb.request(handler)
	if len(tb.errors) == 0 || !strings.Contains(tb.errors[0], "violates the OpenAPI document") {
		t.Errorf("a violation fails the test, got %q", tb.errors)
	}
	before := len(tb.errors)
	tb.finish()
	tb.request(handler)
	if len(tb.errors) != before {
		t.Errorf("a test that is over must not be failed, got %q", tb.errors[before:])
	}
}

// BenchmarkWrap measures the cost of checking a long list.
func BenchmarkWrap(b *testing.B) {
	const records = 1000
	elements := make([]any, records)
	for i := range elements {
		elements[i] = aRecord()
	}
	text, err := json.Marshal(list(elements...))
	if err != nil {
		b.Fatalf("json.Marshal(): %v", err)
	}
	doc, err := Load()
	if err != nil {
		b.Fatalf("Load(): %v", err)
	}
	handler := doc.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.Copy(w, bytes.NewReader(text))
	}), func(err error) { b.Errorf("unexpected report: %v", err) })
	r := httptest.NewRequest(http.MethodGet, recordsPath, http.NoBody)
	r.Header.Set("Authorization", "Bearer x")
	for b.Loop() {
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
}
