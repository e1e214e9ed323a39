// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"math/rand/v2"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// fetchedFor is how long a fetched value of a connection secret counts as current if the resource does not show when
// it was changed. It is a little less than the time between two polls.
const fetchedFor = 50 * time.Minute

// changedOn returns when the resource was last changed, to the second and by its own account, or "" if it does not
// say. A call may return another value after that time.
func (l Live) changedOn() string {
	for _, path := range []string{"modified_on", "updated_at", "modified_at", "modified", "updated_on"} {
		if t, err := time.Parse(time.RFC3339, kind.Text(l.doc, path)); err == nil {
			return t.UTC().Truncate(time.Second).Format(time.RFC3339)
		}
	}
	return ""
}

// fetches records when values of connection secrets were fetched. It is safe for concurrent use.
type fetches struct {
	mu sync.Mutex
	at map[types.UID]map[string]time.Time
}

func newFetches() *fetches { return &fetches{at: map[types.UID]map[string]time.Time{}} }

// note records that a value was fetched for an object.
func (f *fetches) note(uid types.UID, key string, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.at[uid] == nil {
		f.at[uid] = map[string]time.Time{}
	}
	f.at[uid][key] = now
}

// old reports whether a value was fetched long ago. If an earlier process fetched the value, its age is unknown, and
// old assumes a random one. So the values of a thousand objects are not all fetched at once after a restart.
func (f *fetches) old(uid types.UID, key string, now time.Time) bool {
	f.mu.Lock()
	at, known := f.at[uid][key]
	f.mu.Unlock()
	if !known {
		f.note(uid, key, now.Add(-rand.N(fetchedFor))) //nolint:gosec // No need for secure randomness.
		return false
	}
	return now.Sub(at) >= fetchedFor
}

// forget removes what is recorded for an object.
func (f *fetches) forget(uid types.UID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.at, uid)
}

// mayHaveChanged reports whether a value that was fetched for l may have changed, although nothing about l says so.
func (a *adapter) mayHaveChanged(l Live, key string) bool {
	return l.changedOn() == "" && a.fetches.old(a.mg.GetUID(), key, a.now())
}
