// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// TestALostCreationIsRecognisedByItsAge loses the answer to a creation, and then has a
// list show an identical record.
func TestALostCreationIsRecognisedByItsAge(t *testing.T) {
	cases := map[string]struct {
		reason   string
		zone     func(...dnsrecord.Live) *fake
		want     func(*testing.T) dnsrecord.Record
		existing string
		age      time.Duration
		ours     bool
	}{
		"Made":           {"a record that is as old as the call", newFake, wantWWW, "www.example.com", 0, true},
		"ClockBehind":    {"clocks differ by less than a minute", newFake, wantWWW, "www.example.com", 59 * time.Second, true},
		"Older":          {"a record of before is another's, and stays it", newFake, wantWWW, "www.example.com", 2 * time.Minute, false},
		"AppendedMade":   {"the API appended the zone's name", nameless, wantRelative, "a.b.example.com", 0, true},
		"AppendedBefore": {"a record of before under the name with the zone's appended", nameless, wantRelative, "a.b.example.com", time.Hour, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := tc.zone()
				f.set(a(1, "other", "192.0.2.9"))
				z := zoneOf(f)
				mustGet(t, z, id(1))
				f.hook(f.before, "create", func(context.Context) error {
					f.set(dnsrecord.Live{ID: id(7), Name: tc.existing, Type: "A", Content: "192.0.2.1", TTL: 1, CreatedOn: time.Now().Add(-tc.age)})
					return errLost
				})
				e, err := z.Apply(t.Context(), Create(tc.want(t)))
				switch {
				case tc.ours && (err != nil || e.Live.ID != id(7)):
					t.Errorf("%s: got %v, %v, want the record", tc.reason, e.Live, err)
				case !tc.ours && !errors.Is(err, context.DeadlineExceeded):
					t.Errorf("%s: got %v, %v, want that the creation got no answer", tc.reason, e.Live, err)
				}
			})
		})
	}
}

func wantWWW(t *testing.T) dnsrecord.Record {
	t.Helper()
	return wantA(t, "www", "192.0.2.1")
}

func wantRelative(t *testing.T) dnsrecord.Record {
	t.Helper()
	return unnamed(t, "a.b", "192.0.2.1")
}
