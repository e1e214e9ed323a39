// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// A judge is an API server that reviews tokens and access. The token "reader" belongs to a user who may get
// /metrics, "other" to one who may not, and "denied" to one who is both allowed and denied. "broken" cannot be
// reviewed.
type judge struct {
	asked atomic.Int64
	// revoked is true once all tokens are invalid.
	revoked atomic.Bool
}

func (j *judge) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	j.asked.Add(1)
	var answer any
	switch {
	case strings.HasSuffix(req.URL.Path, "/tokenreviews"):
		r := &authenticationv1.TokenReview{}
		_ = json.NewDecoder(req.Body).Decode(r)
		if r.Spec.Token == "broken" {
			http.Error(w, "broken", http.StatusForbidden)
			return
		}
		r.Status.Authenticated = slices.Contains([]string{"reader", "other", "denied"}, r.Spec.Token) && !j.revoked.Load()
		r.Status.User = authenticationv1.UserInfo{Username: r.Spec.Token, Groups: []string{"group"}, Extra: map[string]authenticationv1.ExtraValue{"pod": {"one"}}}
		answer = r
	case strings.HasSuffix(req.URL.Path, "/subjectaccessreviews"):
		r := &authorizationv1.SubjectAccessReview{}
		_ = json.NewDecoder(req.Body).Decode(r)
		s := r.Spec
		r.Status.Allowed = s.User == "reader" && len(s.Groups) == 1 && s.Extra["pod"][0] == "one" &&
			s.NonResourceAttributes.Path == "/metrics" && s.NonResourceAttributes.Verb == "get"
		if s.User == "denied" {
			r.Status.Allowed, r.Status.Denied = true, true
		}
		answer = r
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

// serveMetrics serves metrics as a provider with these options does, and returns the address.
func serveMetrics(t *testing.T, o Options, api http.Handler) string {
	t.Helper()
	kube := httptest.NewServer(api)
	t.Cleanup(kube.Close)
	cfg := &rest.Config{Host: kube.URL, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	o.MetricsBindAddress = "127.0.0.1:0"
	s, err := server.NewServer(metricsOptions(o), cfg, kube.Client())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	bound, ok := s.(interface{ GetBindAddr() string })
	if !ok {
		t.Fatalf("a %T does not say where it is", s)
	}
	for bound.GetBindAddr() == "" {
		select {
		case err := <-ended:
			t.Fatalf("metrics are not served: %v", err)
		default:
			runtime.Gosched()
		}
	}
	return bound.GetBindAddr()
}

// scrape requests a path, as Prometheus does.
func scrape(t *testing.T, url, authorization string) (code int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	defer c.CloseIdleConnections()
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(raw)
}

func TestSecureMetrics(t *testing.T) {
	at := serveMetrics(t, Options{MetricsSecure: true}, &judge{})
	for _, row := range []struct {
		reason, url, authorization string
		code                       int
	}{
		{"who may read", "https://" + at + "/metrics", "Bearer reader", http.StatusOK},
		{"the scheme is of any case", "https://" + at + "/metrics", "bearer reader", http.StatusOK},
		{"plain HTTP is not answered", "http://" + at + "/metrics", "Bearer reader", http.StatusBadRequest},
		{"no token", "https://" + at + "/metrics", "", http.StatusUnauthorized},
		{"an empty token", "https://" + at + "/metrics", "Bearer ", http.StatusUnauthorized},
		{"a password is no token", "https://" + at + "/metrics", "Basic cmVhZGVyOng=", http.StatusUnauthorized},
		{"a token of nobody", "https://" + at + "/metrics", "Bearer wrong", http.StatusUnauthorized},
		{"a user who may not", "https://" + at + "/metrics", "Bearer other", http.StatusForbidden},
		{"a user who is allowed and denied", "https://" + at + "/metrics", "Bearer denied", http.StatusForbidden},
		{"the API server does not answer", "https://" + at + "/metrics", "Bearer broken", http.StatusInternalServerError},
	} {
		t.Run(row.reason, func(t *testing.T) {
			code, body := scrape(t, row.url, row.authorization)
			if code != row.code {
				t.Errorf("got %d, want %d", code, row.code)
			}
			if shown := strings.Contains(body, "# TYPE "); shown != (code == http.StatusOK) {
				t.Errorf("with %d, metrics are shown: %t", code, shown)
			}
		})
	}
}

// TestWrongTokensAreNotPassedOn: a flood of the port does not flood the API server.
func TestWrongTokensAreNotPassedOn(t *testing.T) {
	api := &judge{}
	at := serveMetrics(t, Options{MetricsSecure: true}, api)
	const flood = 10 * reviewBurst
	refused := 0
	for range flood {
		if code, _ := scrape(t, "https://"+at+"/metrics", "Bearer wrong"); code == http.StatusTooManyRequests {
			refused++
		}
	}
	if asked := api.asked.Load(); refused == 0 || asked+int64(refused) != flood {
		t.Errorf("of %d requests %d were refused and the API server was asked %d times", flood, refused, asked)
	}
}

// TestMetricsByHTTP1: one connection has one request at a time.
func TestMetricsByHTTP1(t *testing.T) {
	at := serveMetrics(t, Options{MetricsSecure: true}, &judge{})
	d := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2", "http/1.1"}}}
	c, err := d.DialContext(t.Context(), "tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	conn, ok := c.(*tls.Conn)
	if !ok || conn.ConnectionState().NegotiatedProtocol != "http/1.1" {
		t.Errorf("metrics are served on a %T by %q", c, conn.ConnectionState().NegotiatedProtocol)
	}
}

// A filtered serves metrics behind the filter, without a network: for a bubble.
type filtered struct {
	t *testing.T
	http.Handler
}

// behindFilter returns a handler whose filter asks an API server.
func behindFilter(t *testing.T, api http.RoundTripper) filtered {
	t.Helper()
	filter, err := newReviewer(&rest.Config{Host: "http://api.test", ContentConfig: rest.ContentConfig{ContentType: "application/json"}}, &http.Client{Transport: api})
	if err != nil {
		t.Fatal(err)
	}
	h, err := filter(logr.Discard(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	if err != nil {
		t.Fatal(err)
	}
	return filtered{t, h}
}

// get returns the status of a request from an address.
func (f filtered) get(from, token string) int { return f.do(http.MethodGet, from, token) }

func (f filtered) do(method, from, token string) int {
	f.t.Helper()
	req := httptest.NewRequestWithContext(f.t.Context(), method, "/metrics", http.NoBody)
	req.RemoteAddr = from
	req.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	f.ServeHTTP(w, req)
	return w.Code
}

// gets checks the status of a request.
func (f filtered) gets(reason, from, token string, want int) {
	f.t.Helper()
	if code := f.get(from, token); code != want {
		f.t.Errorf("%s: %s from %s gets %d, want %d", reason, token, from, code, want)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// direct makes a handler answer without a network.
func direct(h http.Handler) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		return w.Result(), nil
	})
}

// Addresses of readers. The last two are in one network.
const (
	prometheus1 = "192.0.2.1:1000"
	prometheus2 = "192.0.2.2:1000"
	attacker    = "[2001:db8::1]:1000"
	attackers   = "[2001:db8::2]:1000"
)

// TestFloodBlindsNobody: wrong tokens, in any number, do not keep out clients that may read.
func TestFloodBlindsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := &judge{}
		f := behindFilter(t, direct(api))
		flood := func(from string) {
			for range 10 * reviewBurst {
				f.get(from, "wrong")
			}
		}
		f.gets("the first scrape", prometheus1, "reader", http.StatusOK)
		flood(prometheus1)
		asked := api.asked.Load()
		for range 3 {
			f.gets("a scrape after a flood from the same address", prometheus1, "reader", http.StatusOK)
		}
		if n := api.asked.Load(); n != asked {
			t.Errorf("the API server was asked %d times for one who was let through just now", n-asked)
		}
		flood(attacker)
		f.gets("the first scrape after a flood from elsewhere", prometheus2, "reader", http.StatusOK)
		f.gets("the flood's network, by another of its addresses", attackers, "wrong", http.StatusTooManyRequests)
		if code := f.do(http.MethodPost, prometheus2, "reader"); code != http.StatusForbidden {
			t.Errorf("another verb with a token that was let through gets %d", code)
		}

		<-time.After(acceptedFor) // On the bubble's clock.
		flood(prometheus1)
		asked = api.asked.Load()
		f.gets("a scrape when a minute is over", prometheus1, "reader", http.StatusOK)
		if n := api.asked.Load() - asked; n != 2 {
			t.Errorf("when a minute is over, the API server was asked %d times, want 2", n)
		}
	})
}

// TestRevokedReader: a revoked token is accepted for a minute at the most. After that it is a wrong token like any
// other.
func TestRevokedReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := &judge{}
		f := behindFilter(t, direct(api))
		f.gets("a good token", prometheus1, "reader", http.StatusOK)
		api.revoked.Store(true)
		<-time.After(acceptedFor) // On the bubble's clock.
		f.gets("a revoked one", prometheus1, "reader", http.StatusUnauthorized)
		for range reviewBurst {
			f.gets("a revoked one", prometheus1, "reader", http.StatusUnauthorized)
		}
		f.gets("too many of it", prometheus1, "reader", http.StatusTooManyRequests)
	})
}

// TestManyAddresses: floods from many addresses count as one for the API server.
func TestManyAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := &judge{}
		f := behindFilter(t, direct(api))
		for i := range 3 * maxAddresses {
			f.get(netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 1000).String(), "wrong")
		}
		if n := api.asked.Load(); n != allReviewBurst {
			t.Errorf("the API server was asked %d times, want %d", n, allReviewBurst)
		}
	})
}

// TestHangingAPIServer: no request waits for long.
func TestHangingAPIServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := behindFilter(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, req.Context().Err()
		}))
		began := time.Now()
		f.gets("an API server that hangs", prometheus1, "reader", http.StatusInternalServerError)
		if took := time.Since(began); took != reviewTimeout {
			t.Errorf("it took %s, want %s", took, reviewTimeout)
		}
	})
}

// TestPlainMetrics: without the flag, metrics are served without reviews.
func TestPlainMetrics(t *testing.T) {
	api := &judge{}
	code, body := scrape(t, "http://"+serveMetrics(t, Options{}, api)+"/metrics", "")
	if code != http.StatusOK || !strings.Contains(body, "# TYPE ") || api.asked.Load() > 0 {
		t.Errorf("got %d, and the API server was asked %d times", code, api.asked.Load())
	}
}
