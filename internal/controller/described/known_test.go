// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"errors"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// TestMemoryOfADocument checks what is believed of a document after a write of ours.
func TestMemoryOfADocument(t *testing.T) {
	t.Parallel()
	unversioned := func(value string) kind.Document { return kind.Document{"config": value} }
	version := func(v string) kind.Document { return kind.Document{"version": v, "config": v} }
	for _, tc := range []struct {
		reason           string
		before, after    kind.Document
		wait             time.Duration
		answer           kind.Document
		believed, repeat bool
	}{
		{"what the write replaced", unversioned("a"), unversioned("b"), time.Second, unversioned("a"), false, true},
		{"what the write replaced, when each copy has the write", unversioned("a"), unversioned("b"), parent.Lag, unversioned("a"), true, true},
		{"what the write made", unversioned("a"), unversioned("b"), time.Second, unversioned("b"), true, true},
		{"what somebody else has made since", unversioned("a"), unversioned("b"), time.Second, unversioned("c"), true, true},
		{"the write changed nothing", unversioned("a"), unversioned("a"), time.Second, unversioned("a"), true, true},
		{"an older version", version("1"), version("2"), time.Second, version("1"), false, false},
		{"an older version, when each copy has the write", version("1"), version("2"), 2 * parent.Lag, version("1"), false, false},
		{"a newer version", version("1"), version("2"), time.Second, version("3"), true, true},
		{"nothing", version("1"), version("2"), time.Second, nil, false, true},
	} {
		now := time.Now()
		p := newKnowledge(func() time.Time { return now }).at("/document", kind.Description{Noun: "thing"}, "one")
		p.wrote(tc.before, tc.after)
		now = now.Add(tc.wait)
		var disputed *parent.DisputedError
		if err := p.ask().answered(tc.answer); errors.As(err, &disputed) == tc.believed {
			t.Errorf("%s: got %v, want it believed: %t", tc.reason, err, tc.believed)
		}
		now = now.Add(parent.Lag)
		if err := p.ask().answered(tc.answer); (err == nil) != tc.repeat {
			t.Errorf("%s, again after a lag: got %v, want it believed: %t", tc.reason, err, tc.repeat)
		}
	}
}
