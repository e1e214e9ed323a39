// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// TestWhatIsRefusedAnswersNoMore checks that what was seen with a credential does not answer once the credential
// is not valid any more, or once a sweep was refused, until a look succeeds. The refusal is reported once,
// although no list has landed yet.
func TestWhatIsRefusedAnswersNoMore(t *testing.T) {
	refusal := apiError(403, 9109)
	refuse := func(f *fake) {
		for _, call := range []string{"list", "get"} {
			f.hook(call, func(context.Context, string) error { return refusal })
		}
	}
	for reason, listing := range map[string]ListDetail{"a list shows all": Complete, "one that lacks something": Partial, "no list": None} {
		t.Run(reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(row("a", "1"))
				s := newStage(t, f, CollectionOptions{Listing: listing})
				s.get("a")
				refuse(f)
				s.pool.Outdate("another")
				if got := s.get("a"); got != "1" {
					t.Errorf("got %q after another credential is refused, want what was seen", got)
				}
				s.pool.Outdate(f.Fingerprint())
				if _, err := s.things().Get(t.Context(), "a"); !errors.Is(err, refusal) {
					t.Errorf("got %v, want the refusal", err)
				}
			})
			synctest.Test(t, func(t *testing.T) {
				f := newFake(row("a", "1"))
				s := newStage(t, f, CollectionOptions{Listing: listing})
				s.get("a")
				refuse(f)
				var reported []error
				for range 3 {
					s.pool.Sweep(t.Context(), Handler{OnChange: func(c Change) { reported = append(reported, c.Err) }})
				}
				if len(reported) != 1 || !errors.Is(reported[0], refusal) {
					t.Errorf("three sweeps report %v, want the refusal once", reported)
				}
				if _, err := s.things().Get(t.Context(), "a"); !errors.Is(err, refusal) {
					t.Errorf("got %v, want the refusal", err)
				}
			})
		})
	}
}
