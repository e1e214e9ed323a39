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

// A memory holds what this process knows from its own writes, for as long as it runs. The status of an object does
// not survive the creation of its resource. A value that is shown once is nowhere else until it is published. A
// memory is safe for concurrent use.
type memory struct {
	mu    sync.Mutex
	syncs map[types.UID]cfv1alpha1.SyncStatus
	once  map[types.UID]map[string][]byte
	// converging has since when the status of an object's resource is on its way to ready.
	converging map[types.UID]time.Time
	// readBack has when an object has to read the document again that it wrote as a whole.
	readBack map[types.UID]time.Time
	// doubted has the reads before updates that are not believed.
	doubted map[types.UID]doubtedRead
}

// doubtLife is how long a doubt is remembered. It is longer than an object waits before it tries again.
const doubtLife = 10 * time.Minute

// A doubtedRead is what an update would lose if it believed a read, and since when reads have said so.
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

// doubts records that a read before an update is not believed, by what the update would lose. It returns since when
// reads have been doubted for that.
func (m *memory) doubts(uid types.UID, lost string, now time.Time) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	if d, is := m.doubted[uid]; is && d.lost == lost && now.Sub(d.since) < doubtLife {
		return d.since
	}
	m.doubted[uid] = doubtedRead{lost, now}
	return now
}

// believes forgets the doubts about the reads of an object.
func (m *memory) believes(uid types.UID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.doubted, uid)
}

// converges records whether the status of an object's resource is on its way to ready.
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

// convergingSince returns since when the status is on its way to ready, false if it is not.
func (m *memory) convergingSince(uid types.UID) (time.Time, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, does := m.converging[uid]
	return t, does
}

// readsBack records when an object has to read again what it wrote. Zero means that it does not have to.
func (m *memory) readsBack(uid types.UID, at time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.readBack[uid] = at; at.IsZero() {
		delete(m.readBack, uid)
	}
}

// readBackAt returns when an object has to read again what it wrote, false if it does not have to.
func (m *memory) readBackAt(uid types.UID) (time.Time, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, has := m.readBack[uid]
	return at, has
}

// wrote records what is known after a write, and after a value was fetched.
func (m *memory) wrote(uid types.UID, s cfv1alpha1.SyncStatus) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.syncs[uid] = *s.DeepCopy()
}

// sync returns what is known of the writes for an object. shown is what its status says. Only this process writes
// while it leads, so what it knows is never older than the status.
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

// keep holds values that are shown once until they are published.
func (m *memory) keep(uid types.UID, values map[string][]byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.once[uid] = maps.Clone(values)
}

// unpublished returns the values that are kept for an object.
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

// forget forgets everything about an object.
func (m *memory) forget(uid types.UID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.syncs, uid)
	delete(m.once, uid)
	delete(m.converging, uid)
	delete(m.readBack, uid)
	delete(m.doubted, uid)
}
