// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package journaltest provides a journal of creations for tests.
package journaltest

import (
	"context"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
)

// A Memory is a journal that keeps its entries in memory, one for each creation. An entry stays
// while the creation may have made something that the object's status does not have. It is safe for
// concurrent use.
type Memory struct {
	// Name is the ID of the journal.
	Name string

	mu      sync.Mutex
	entries []journal.Entry
	void    map[int]bool
}

// ID returns the journal's name.
func (m *Memory) ID() string { return m.Name }

// Creations returns the entries of an object that may stand for a resource, the oldest first.
func (m *Memory) Creations(_ context.Context, uid types.UID) ([]journal.Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []journal.Entry
	for i, e := range m.entries {
		if e.UID == uid && !m.void[i] {
			out = append(out, e)
		}
	}
	return out, nil
}

// Created reports whether a creation of the object of that UID may have made the resource of that
// ID, and whether it has.
func (m *Memory) Created(uid types.UID, id string) (may, has bool) {
	entries, _ := m.Creations(context.Background(), uid)
	for _, e := range entries {
		may = may || e.ResultID == ""
		has = has || e.ResultID == id
	}
	return may || has, has
}

// Begin records entries. An entry of a known creation begins that creation again.
func (m *Memory) Begin(_ context.Context, entries ...journal.Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range entries {
		if i := m.latest(e); i >= 0 {
			m.entries[i].LastBegun, m.entries[i].ResultID = e.Begun, ""
			delete(m.void, i)
			continue
		}
		m.entries = append(m.entries, e)
	}
	return nil
}

// Made records the ID of what was created.
func (m *Memory) Made(e journal.Entry, id string) {
	m.edit(e, func(i int) { m.entries[i].ResultID = id })
}

// Unanswered records that a creation got no answer.
func (m *Memory) Unanswered(e journal.Entry) {
	m.edit(e, func(i int) { m.entries[i].Ended = e.Begun })
}

// Void records that a creation was not carried out.
func (m *Memory) Void(e journal.Entry) { m.edit(e, m.end) }

// Stored records that the object's status has what was created.
func (m *Memory) Stored(e journal.Entry) { m.edit(e, m.end) }

// Forget ends the entries of an object.
func (m *Memory) Forget(_ context.Context, uid types.UID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, e := range m.entries {
		if e.UID == uid {
			m.end(i)
		}
	}
	return nil
}

// Restart forgets what a process loses when it ends.
func (m *Memory) Restart() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.entries {
		e := &m.entries[i]
		*e = journal.Entry{Kind: e.Kind, Namespace: e.Namespace, Name: e.Name, UID: e.UID, Config: e.Config, Subject: e.Subject, Begun: e.Begun, Leave: e.Leave}
	}
}

// Entries returns all entries that were ever recorded.
func (m *Memory) Entries() []journal.Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.entries)
}

// Reset removes all entries.
func (m *Memory) Reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries, m.void = nil, nil
}

func (m *Memory) edit(e journal.Entry, change func(i int)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := m.latest(e); i >= 0 {
		change(i)
	}
}

// end records that an entry stands for nothing any more. m.mu is held.
func (m *Memory) end(i int) {
	if m.void == nil {
		m.void = map[int]bool{}
	}
	m.void[i] = true
}

// latest returns the index of the last entry of the creation of e, -1 if there is none. m.mu is
// held.
func (m *Memory) latest(e journal.Entry) int {
	for i := len(m.entries) - 1; i >= 0; i-- {
		if o := m.entries[i]; o.UID == e.UID && string(o.Subject) == string(e.Subject) {
			return i
		}
	}
	return -1
}
