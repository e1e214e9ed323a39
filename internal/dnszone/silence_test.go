// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// TestRefusalsThatDoNotSayWhy has a firewall in front of the API refuse calls with a
// page: calls with one record's content, or all calls.
func TestRefusalsThatDoNotSayWhy(t *testing.T) {
	const n = 100
	tests := []struct {
		reason string
		status int
		bad    func(content string) bool
		// made is how many records there are in the end. calls is the greatest number of
		// calls allowed.
		made, calls int
	}{
		{"a firewall dislikes one record", 403, func(c string) bool { return c == "198.51.100.66" }, n - 1, 2*7 + 2},
		{"a proxy dislikes one record", 400, func(c string) bool { return c == "198.51.100.66" }, n - 1, 2*7 + 2},
		{"a firewall dislikes the caller", 403, func(string) bool { return true }, 0, maxUnexplained},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				page := &cloudflare.Error{Status: tc.status}
				f.judge = func(body map[string]any) error {
					if content, _ := body["content"].(string); tc.bad(content) {
						return page
					}
					return nil
				}
				z := zoneOf(f)
				z.writer.active = true // All come while a call is under way.
				errs := make(chan error, n)
				for _, op := range creates(t, n) {
					go func() {
						_, err := z.Apply(context.Background(), op)
						errs <- err
					}()
				}
				synctest.Wait()
				z.sending.Begin()
				go z.writer.run()
				failed := 0
				for range n {
					if err := <-errs; err != nil {
						failed++
						if !cloudflare.IsUnexplained(err) {
							t.Errorf("%s: got %v, want the refusal", tc.reason, err)
						}
					}
				}
				if len(f.records) != tc.made || failed != n-tc.made {
					t.Errorf("%s: %d records and %d failures, want %d and %d", tc.reason, len(f.records), failed, tc.made, n-tc.made)
				}
				if calls := f.count("batch") + f.count("create"); calls > tc.calls {
					t.Errorf("%s: %d calls, want %d at most", tc.reason, calls, tc.calls)
				}
			})
		})
	}
}
