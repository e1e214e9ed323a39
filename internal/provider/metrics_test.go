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
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// A judge is an API server that reviews tokens and access: the token "reader" is of a user who may get
// /metrics, "other" of one who may not, and "broken" cannot be reviewed.
type judge struct{ asked atomic.Int64 }

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
		r.Status.Authenticated = r.Spec.Token == "reader" || r.Spec.Token == "other"
		r.Status.User = authenticationv1.UserInfo{Username: r.Spec.Token, Groups: []string{"group"}, Extra: map[string]authenticationv1.ExtraValue{"pod": {"one"}}}
		answer = r
	case strings.HasSuffix(req.URL.Path, "/subjectaccessreviews"):
		r := &authorizationv1.SubjectAccessReview{}
		_ = json.NewDecoder(req.Body).Decode(r)
		s := r.Spec
		r.Status.Allowed = s.User == "reader" && len(s.Groups) == 1 && s.Extra["pod"][0] == "one" &&
			s.NonResourceAttributes.Path == "/metrics" && s.NonResourceAttributes.Verb == "get"
		answer = r
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

// serveMetrics serves metrics as a provider with these options does, and returns where.
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

// scrape asks for a path, as Prometheus does.
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

// TestWrongTokensAreNotPassedOn: who floods the port floods no API server.
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

// TestPlainMetrics: without the flag, metrics are what they were.
func TestPlainMetrics(t *testing.T) {
	api := &judge{}
	code, body := scrape(t, "http://"+serveMetrics(t, Options{}, api)+"/metrics", "")
	if code != http.StatusOK || !strings.Contains(body, "# TYPE ") || api.asked.Load() > 0 {
		t.Errorf("got %d, and the API server was asked %d times", code, api.asked.Load())
	}
}
