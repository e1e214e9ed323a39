// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"testing"
	"time"
)

func TestDue(t *testing.T) {
	const day = 24 * time.Hour
	ends := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		reason           string
		before           time.Duration
		lifetime, margin time.Duration
		want             bool
	}{
		"Early":    {"there is time left", 31 * day, 90 * day, 30 * day, false},
		"Exactly":  {"the moment itself counts", 30 * day, 90 * day, 30 * day, true},
		"Late":     {"less time is left than asked for", day, 90 * day, 30 * day, true},
		"Expired":  {"it is over", -day, 90 * day, 30 * day, true},
		"Short":    {"a certificate for a week is not replaced every minute", 3 * day, 7 * day, 30 * day, false},
		"ShortDue": {"but in its last third", 2 * day, 7 * day, 30 * day, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Due(ends.Add(-tc.before), ends, tc.lifetime, tc.margin); got != tc.want {
				t.Errorf("%s: got %t", tc.reason, got)
			}
		})
	}
}

func TestEnds(t *testing.T) {
	want := time.Date(2026, 6, 1, 2, 3, 4, 0, time.UTC)
	for name, tc := range map[string]struct {
		reason, text string
		ok           bool
	}{
		"Spaces":  {"what the origin CA answers", "2026-06-01 02:03:04 +0000 UTC", true},
		"RFC3339": {"what other certificates have", "2026-06-01T02:03:04Z", true},
		"Other":   {"nothing is guessed", "soon", false},
		"Nothing": {"it is not there", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := Issue{Expires: "expires_on"}.Ends(Document{"expires_on": tc.text})
			if ok != tc.ok || ok && !got.Equal(want) {
				t.Errorf("%s: got %s, %t", tc.reason, got, ok)
			}
		})
	}
}
