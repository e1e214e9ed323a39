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

// fetchedFor is how long a value of a connection secret that takes a call is taken for what
// Cloudflare has, where nothing says when the resource was changed: a little less than the time
// between two polls.
const fetchedFor = 50 * time.Minute

// changedOn is when the resource was last changed, to the second and by its own account, "" where it
// does not say. A value that a call gives may be another one after it.
func (l Live) changedOn() string {
	for _, path := range []string{"modified_on", "updated_at", "modified_at", "modified", "updated_on"} {
		if t, err := time.Parse(time.RFC3339, kind.Text(l.doc, path)); err == nil {
			return t.UTC().Truncate(time.Second).Format(time.RFC3339)
		}
	}
	return ""
}

// fetches remember when values of connection secrets were fetched. They are safe for concurrent use.
type fetches struct {
	mu sync.Mutex
	at map[types.UID]map[string]time.Time
}

func newFetches() *fetches { return &fetches{at: map[types.UID]map[string]time.Time{}} }

// note notes that a value was fetched for an object.
func (f *fetches) note(uid types.UID, key string, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.at[uid] == nil {
		f.at[uid] = map[string]time.Time{}
	}
	f.at[uid][key] = now
}

// old reports whether a value was fetched long ago. Of one that an earlier process has fetched
// nobody knows when: those of a thousand objects are not fetched at once after a restart.
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

// forget forgets an object.
func (f *fetches) forget(uid types.UID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.at, uid)
}

// mayHaveChanged reports whether a value that was fetched for l may be another one by now although
// nothing about l says so.
func (a *adapter) mayHaveChanged(l Live, key string) bool {
	return l.changedOn() == "" && a.fetches.old(a.mg.GetUID(), key, a.now())
}
