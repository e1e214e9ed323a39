// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// How long a list of names is believed, and how long it is believed if it lacks a name.
const (
	lookupLife = 10 * time.Minute
	lookupMiss = time.Minute
)

// lookups caches the lists that resolve names. It is safe for concurrent use: objects that need the same list at the
// same time share a call, and wait for no other call.
type lookups struct {
	now   func() time.Time
	calls singleflight.Group

	mu    sync.Mutex
	lists map[string]lookupList
}

type lookupList struct {
	at   time.Time
	rows []any
}

func newLookups(now func() time.Time) *lookups {
	return &lookups{now: now, lists: map[string]lookupList{}}
}

// rows returns the list of that key, no older than life.
func (c *lookups) rows(key string, life time.Duration, list func() ([]any, error)) ([]any, error) {
	if rows, ok := c.known(key, life); ok {
		return rows, nil
	}
	v, err, _ := c.calls.Do(key, func() (any, error) {
		rows, err := list()
		if err == nil {
			c.learn(key, rows)
		}
		return rows, err
	})
	rows, _ := v.([]any)
	return rows, err
}

// known returns the list of that key if it is younger than life.
func (c *lookups) known(key string, life time.Duration) ([]any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	have, ok := c.lists[key]
	return have.rows, ok && c.now().Sub(have.at) < life
}

func (c *lookups) learn(key string, rows []any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.lists, func(_ string, l lookupList) bool { return c.now().Sub(l.at) >= lookupLife })
	c.lists[key] = lookupList{at: c.now(), rows: rows}
}

// lookUp replaces the names that a spec declares by IDs.
func (a *adapter) lookUp(ctx context.Context, want kind.Document) error {
	needs := a.Description.Lookups(want)
	for _, path := range slices.Sorted(maps.Keys(needs)) {
		l := needs[path]
		err := a.resolve(ctx, want, l, path, lookupLife)
		var unknown *kind.LookupError
		if errors.As(err, &unknown) { // The name may be new.
			err = a.resolve(ctx, want, l, path, lookupMiss)
		}
		if err != nil {
			return fmt.Errorf("cannot use spec.forProvider.%s: %w", a.names[a.namedAt(path)], err)
		}
	}
	return nil
}

// namedAt returns the path of the list whose elements are at path.
func (*adapter) namedAt(path string) string {
	if n := len(path) - len("[]"); n > 0 && path[n:] == "[]" {
		return path[:n]
	}
	return path
}

func (a *adapter) resolve(ctx context.Context, want kind.Document, l kind.Lookup, path string, life time.Duration) error {
	rows, err := a.list(ctx, l.Operation, l.Noun, life)
	if err != nil {
		return err
	}
	return l.Resolve(want, path, rows)
}

// list returns what an operation lists in the account or zone, no older than life.
func (a *adapter) list(ctx context.Context, operation, noun string, life time.Duration) ([]any, error) {
	key := a.session.Client.Fingerprint() + " " + a.params["account_id"] + " " + a.params["zone_id"] + " " + operation
	return a.lookups.rows(key, life, func() ([]any, error) {
		v, err := a.all.Call(ctx, operation, "", nil)
		if err != nil {
			return nil, fmt.Errorf("cannot list each %s: %w", noun, err)
		}
		rows, _ := v.([]any)
		return rows, nil
	})
}
