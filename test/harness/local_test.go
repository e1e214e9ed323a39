// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// TestLate shows that an answer takes as long as it should, or until its client stops waiting. The request is
// carried out in both cases.
func TestLate(t *testing.T) {
	for _, row := range []struct {
		reason         string
		patience, took time.Duration
		method         string
		lost           bool
	}{
		{"an answer that arrives", 2 * time.Hour, time.Hour, http.MethodPost, false},
		{"an answer after the client has left", time.Minute, time.Minute, http.MethodPost, true},
		{"one that is not late", time.Minute, 0, http.MethodGet, false},
	} {
		t.Run(row.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				done := false
				to := Late{By: time.Hour, Only: func(r *http.Request) bool { return r.Method == http.MethodPost }}
				to.RoundTripper = Local{http.HandlerFunc(func(http.ResponseWriter, *http.Request) { done = true })}
				ctx, cancel := context.WithTimeout(t.Context(), row.patience)
				defer cancel()
				req, err := http.NewRequestWithContext(ctx, row.method, "http://local.test", http.NoBody)
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				resp, err := to.RoundTrip(req)
				if err == nil {
					err = resp.Body.Close()
				}
				if took := time.Since(began); took != row.took || !done || errors.Is(err, context.DeadlineExceeded) != row.lost {
					t.Errorf("%s: it took %v, was done: %t, and ended with %v", row.reason, took, done, err)
				}
			})
		})
	}
}
