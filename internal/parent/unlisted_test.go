// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestWithoutAListByID checks that, if no list can be made, a row is found by its ID. A thousand questions
// about one row are one call, no absence is believed, and few calls are made while none succeeds.
func TestWithoutAListByID(t *testing.T) {
	for _, tc := range []struct {
		reason string
		list   error
		found  bool
	}{
		{"lists fail", apiError(500, 0), true},
		{"lists are not whole", &IncompleteError{Listed: 1, Counted: 2}, true},
		{"the credential is refused", apiError(401, 1000), false},
		{"lists are refused", apiError(403, 10000), false},
		{"the credential has to wait", throttled(time.Minute), false},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(row("a", "1"))
				s := newStage(t, f, CollectionOptions{})
				f.hook("list", func(context.Context, string) error { return tc.list })
				for range 1000 {
					r, err := s.things().Get(t.Context(), "a")
					if tc.found != (err == nil) || tc.found && r.text != "1" || !tc.found && !errors.Is(err, tc.list) {
						t.Fatalf("%s: got %v, %v", tc.reason, r, err)
					}
				}
				if n := f.count("get"); n > 1 || n == 0 && tc.found {
					t.Errorf("%s: %d GETs for a thousand questions", tc.reason, n)
				}
				if _, err := s.things().Get(t.Context(), "none"); !errors.Is(err, tc.list) || errors.Is(err, ErrNotFound) {
					t.Errorf("%s: got %v of what is not there, want that nobody knows", tc.reason, err)
				}
				if _, err := s.things().Find(t.Context(), Query{Key: "n-a"}); !errors.Is(err, tc.list) {
					t.Errorf("%s: got %v of a name, want that nobody knows", tc.reason, err)
				}
				s.remove("a")
				s.things().Removed("a")
				if _, err := s.things().Get(t.Context(), "a"); tc.found && !errors.Is(err, ErrNotFound) {
					t.Errorf("%s: got %v of what this process has deleted", tc.reason, err)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		s := newStage(t, f, CollectionOptions{})
		for _, call := range []string{"list", "get"} {
			f.hook(call, func(context.Context, string) error { return apiError(500, 0) })
		}
		for n := range 1000 {
			if _, err := s.things().Get(t.Context(), fmt.Sprint("r", n)); err == nil {
				t.Fatal("got a row from nowhere")
			}
		}
		if n := f.count("get") + f.count("list"); n > 10 {
			t.Errorf("%d calls while none succeeds", n)
		}
	})
}
