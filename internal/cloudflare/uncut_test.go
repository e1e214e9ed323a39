// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestWritesAreNotCutOff cancels calls before they are sent and while they are under way, as the
// end of the process does.
func TestWritesAreNotCutOff(t *testing.T) {
	const takes = 3 * time.Second
	tests := []struct {
		reason string
		method string
		// sdk is true if the SDK sends the call.
		sdk bool
		// cancelled is when the context is cancelled, and bound is its deadline.
		cancelled, bound time.Duration
		want             error
		sent             int
		took             time.Duration
	}{
		{"a write that is under way is carried out", http.MethodPatch, false, time.Second, time.Minute, nil, 1, takes},
		{"so is one that the SDK sends", http.MethodDelete, true, time.Second, time.Minute, nil, 1, takes},
		{"a write that has not begun does not begin", http.MethodPatch, false, 0, time.Minute, context.Canceled, 0, 0},
		{"a write has to end by its deadline", http.MethodPatch, false, time.Second, 2 * time.Second, context.Canceled, 1, 2 * time.Second},
		{"a read changes nothing: nobody waits for it", http.MethodGet, false, time.Second, time.Minute, context.Canceled, 1, time.Second},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sent := 0
				c := New(NewToken("a-token-of-some-length"), Options{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					sent++
					select {
					case <-time.After(takes):
					case <-r.Context().Done():
						return nil, r.Context().Err()
					}
					return &http.Response{
						StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {jsonType}}, Request: r,
						Body: io.NopCloser(strings.NewReader(`{"success":true,"result":{}}`)),
					}, nil
				})})
				ctx, stop := context.WithTimeout(t.Context(), tc.bound)
				defer stop()
				ctx, cancel := context.WithCancel(ctx)
				if tc.cancelled == 0 {
					cancel()
				}
				time.AfterFunc(tc.cancelled, cancel)
				began := time.Now()
				var err error
				if tc.sdk {
					err = c.DeleteRecord(ctx, zoneID, recordID)
				} else {
					_, err = c.Do(ctx, Request{Method: tc.method, Path: "/things", Route: "/things"})
				}
				if (err == nil) != (tc.want == nil) || tc.want != nil && !errors.Is(err, tc.want) {
					t.Errorf("%s: got %v, want %v", tc.reason, err, tc.want)
				}
				if took := time.Since(began); took != tc.took || sent != tc.sent {
					t.Errorf("%s: it took %v and %d calls, want %v and %d", tc.reason, took, sent, tc.took, tc.sent)
				}
				synctest.Wait()
			})
		})
	}
}
