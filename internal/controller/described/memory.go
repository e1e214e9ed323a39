// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"maps"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// A memory has what the writes of this process made known, for as long as it runs: the
// status of an object does not survive the creation of its resource, and a value that is
// shown once is nowhere else until it is published. It is safe for concurrent use.
type memory struct {
	mu    sync.Mutex
	syncs map[types.UID]cfv1alpha1.SyncStatus
	once  map[types.UID]map[string][]byte
	// converging has since when the status of an object's resource is on its way to ready.
	converging map[types.UID]time.Time
	// readBack has when an object is to look again at the document that it wrote as a whole.
	readBack map[types.UID]time.Time
	// doubted has the reads before updates that are not believed.
	doubted map[types.UID]doubtedRead
}

// doubtLife is how long a doubt is remembered. It is longer than an object waits before it tries again.
const doubtLife = 10 * time.Minute

// A doubtedRead is what an update would lose that believes a read, and since when reads have said so.
type doubtedRead struct {
	lost  string
	since time.Time
}

func newMemory() *memory {
	return &memory{
		syncs: map[types.UID]cfv1alpha1.SyncStatus{}, once: map[types.UID]map[string][]byte{}, converging: map[types.UID]time.Time{},
		readBack: map[types.UID]time.Time{}, doubted: map[types.UID]doubtedRead{},
	}
}

// doubts notes a read before an update that is not believed, by what the update would lose. It returns since when reads
// have been doubted for that.
func (m *memory) doubts(uid types.UID, lost string, now time.Time) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	if d, is := m.doubted[uid]; is && d.lost == lost && now.Sub(d.since) < doubtLife {
		return d.since
	}
	m.doubted[uid] = doubtedRead{lost, now}
	return now
}

// believes forgets what was doubted.
func (m *memory) believes(uid types.UID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.doubted, uid)
}

// converges notes whether the status of an object's resource is on its way to ready.
func (m *memory) converges(uid types.UID, does bool, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, did := m.converging[uid]; does && !did {
		m.converging[uid] = now
	}
	if !does {
		delete(m.converging, uid)
	}
}

// convergingSince is since when it is, false where it is not.
func (m *memory) convergingSince(uid types.UID) (time.Time, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, does := m.converging[uid]
	return t, does
}

// readsBack notes when an object is to look again at what it wrote; zero is that it need not.
func (m *memory) readsBack(uid types.UID, at time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.readBack[uid] = at; at.IsZero() {
		delete(m.readBack, uid)
	}
}

// readBackAt is when it is, false where it need not.
func (m *memory) readBackAt(uid types.UID) (time.Time, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, has := m.readBack[uid]
	return at, has
}

// wrote notes what is known after a write, and after a value was fetched.
func (m *memory) wrote(uid types.UID, s cfv1alpha1.SyncStatus) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.syncs[uid] = *s.DeepCopy()
}

// sync is what is known of the writes for an object whose status says shown. Nobody else
// writes while this process leads, so what it knows is never older than the status.
func (m *memory) sync(uid types.UID, shown *cfv1alpha1.SyncStatus) cfv1alpha1.SyncStatus {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := *shown.DeepCopy()
	if s, ok := m.syncs[uid]; ok {
		s = *s.DeepCopy()
		out.Echo, out.Secrets, out.Details, out.Salt = s.Echo, s.Secrets, s.Details, s.Salt
		if s.LastSyncedAt != nil && (out.LastSyncedAt == nil || out.LastSyncedAt.Before(s.LastSyncedAt)) {
			out.LastSyncedAt, out.Writing = s.LastSyncedAt, ""
		}
	}
	return out
}

// keep keeps values that are shown once until they are published.
func (m *memory) keep(uid types.UID, values map[string][]byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.once[uid] = maps.Clone(values)
}

// unpublished are the values that are kept for an object.
func (m *memory) unpublished(uid types.UID) map[string][]byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.once[uid]
}

// published forgets the values that were kept for an object.
func (m *memory) published(uid types.UID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.once, uid)
}

// forget forgets all about an object.
func (m *memory) forget(uid types.UID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.syncs, uid)
	delete(m.once, uid)
	delete(m.converging, uid)
	delete(m.readBack, uid)
	delete(m.doubted, uid)
}
