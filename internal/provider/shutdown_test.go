// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestRunToTheEnd has managers that end at once, late, and never.
func TestRunToTheEnd(t *testing.T) {
	broken := errors.New("broken")
	const grace = 7 * time.Second
	tests := []struct {
		reason string
		// takes is how long the manager takes to end. fails is whether it stops by itself
		// with an error.
		takes time.Duration
		fails bool
		want  error
		took  time.Duration
	}{
		{"nothing is under way", 0, false, nil, 0},
		{"a write takes a while", 6 * time.Second, false, nil, 6 * time.Second},
		{"a write takes too long", time.Hour, false, errLate, grace},
		{"the manager stops by itself", 6 * time.Second, true, broken, 6 * time.Second},
		{"the manager stops by itself, and something hangs", time.Hour, true, errLate, grace},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				stopping := make(chan struct{})
				begin := time.Now()
				start := func(ctx context.Context) error {
					if !tc.fails {
						<-ctx.Done()
						<-time.After(tc.takes)
						return nil
					}
					close(stopping)
					<-time.After(tc.takes)
					return broken
				}
				if !tc.fails {
					cancel()
				}
				if err := runToTheEnd(ctx, start, stopping, grace); !errors.Is(err, tc.want) {
					t.Errorf("%s: got %v, want %v", tc.reason, err, tc.want)
				}
				if took := time.Since(begin); took != tc.took {
					t.Errorf("%s: took %v, want %v", tc.reason, took, tc.took)
				}
				<-time.After(tc.takes) // A manager that was left alone ends.
			})
		})
	}
}

// TestLastWrites keeps the manager, and so the lease, until each writer has drained,
// regardless of how long that takes.
func TestLastWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drains := func(d time.Duration) func(context.Context) error {
			return func(ctx context.Context) error {
				select {
				case <-time.After(d):
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
		// Every writer is drained at the same time, so none begins a write while another one
		// drains.
		l := newLastWrites(drains(time.Minute), drains(59*time.Second), drains(0))
		if !l.NeedLeaderElection() {
			t.Error("it does not keep the lease")
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- l.Start(ctx) }()
		synctest.Wait()
		select {
		case <-l.stopping:
			t.Error("it says that the manager stops before it does")
		default:
		}
		began := time.Now()
		cancel()
		<-l.stopping
		if err := <-ended; err != nil || time.Since(began) != time.Minute {
			t.Errorf("it ended after %v with %v, want a minute and nothing", time.Since(began), err)
		}
	})
}
