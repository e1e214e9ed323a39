// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	tunnelv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// TestFetchedOfWhatChanged checks, for each kind, that a value of a connection secret that takes a call is fetched
// again after its resource was changed. If the resource does not show when that was, the value is fetched again from
// time to time.
func TestFetchedOfWhatChanged(t *testing.T) {
	const noon, later = "2026-11-28T12:00:00.123456Z", "2026-11-28T12:00:01Z"
	kinds := 0
	for _, e := range roster() {
		for _, d := range e.Description.Details {
			if d.From == "" {
				continue
			}
			kinds++
			for _, tc := range []struct {
				reason           string
				before, now      kind.Document
				after            time.Duration
				forgotten, still bool
			}{
				{"nothing changed", kind.Document{"modified_on": noon}, kind.Document{"modified_on": noon}, 24 * time.Hour, false, true},
				{"another answer has the time to the second", kind.Document{"modified_on": noon}, kind.Document{"modified_on": "2026-11-28T12:00:00Z"}, 0, false, true},
				{"it was changed", kind.Document{"modified_on": noon}, kind.Document{"modified_on": later}, 0, false, false},
				{"it was changed, in another word", kind.Document{"updated_at": noon}, kind.Document{"updated_at": later}, 0, false, false},
				{"nothing says when it was changed", kind.Document{}, kind.Document{}, fetchedFor - 1, false, true},
				{"nothing has said so for long", kind.Document{}, kind.Document{}, fetchedFor, false, false},
				{"after a restart that is not asked at once", kind.Document{}, kind.Document{}, fetchedFor, true, true},
			} {
				now := time.Now()
				mg := &tunnelv1alpha1.Tunnel{}
				mg.SetUID(types.UID("u"))
				a := &adapter{mg: mg, described: &described{entry: e, memory: newMemory(), key: testKey(), fetches: newFetches(), now: func() time.Time { return now }}}
				a.published = map[string][]byte{d.Key: []byte("value")}
				a.fetches.note(mg.UID, d.Key, now)
				a.rememberDetails(Live{id: "one", doc: tc.before}, a.published)
				if now = now.Add(tc.after); tc.forgotten {
					a.fetches.forget(mg.UID)
				}
				if got := a.fetched(Live{id: "one", doc: tc.now}, d.Key, []byte("value")); got != tc.still {
					t.Errorf("%s, %s: it is taken for what was fetched: %t, want %t", e.Description.Name, tc.reason, got, tc.still)
				}
			}
		}
	}
	if kinds == 0 {
		t.Error("no kind has a value that takes a call")
	}
}

// TestFetchedAtSomeTime checks that each value of an earlier process is fetched again within the time.
func TestFetchedAtSomeTime(t *testing.T) {
	f, now := newFetches(), time.Now()
	if f.old("u", "token", now) {
		t.Error("it is fetched at once after a restart")
	}
	if !f.old("u", "token", now.Add(fetchedFor)) {
		t.Error("it is not fetched again")
	}
}
