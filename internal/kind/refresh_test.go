// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind_test

import (
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

func TestRefreshDue(t *testing.T) {
	t.Parallel()
	r := kind.Refresh{Expires: "expires_at", Duration: "duration"}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	const day = 24 * time.Hour
	for _, tc := range []struct {
		because, live string
		before        time.Duration
		due           bool
	}{
		{"there is time left", `{"expires_at":"2026-04-01T12:00:01Z","duration":"8760h"}`, 31 * day, false},
		{"it is near its end", `{"expires_at":"2026-04-01T12:00:00Z","duration":"8760h"}`, 31 * day, true},
		{"it has ended", `{"expires_at":"2026-02-01T12:00:00Z","duration":"8760h"}`, day, true},
		{"a third of its life is left, and no more is ever asked for", `{"expires_at":"2026-03-02T12:00:00Z","duration":"72h"}`, 31 * day, true},
		{"more than a third of its life is left", `{"expires_at":"2026-03-02T12:00:01Z","duration":"72h"}`, 31 * day, false},
		{"zero is never", `{"expires_at":"2026-02-01T12:00:00Z","duration":"8760h"}`, 0, false},
		{"it lives forever", `{"duration":"forever"}`, day, false},
		{"what it lives for is not known", `{"expires_at":"2026-02-01T12:00:00Z","duration":"a year"}`, day, false},
	} {
		if got := r.Due(now, doc(t, tc.live), tc.before); got != tc.due {
			t.Errorf("%s: due is %t", tc.because, got)
		}
	}
}
