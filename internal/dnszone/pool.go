// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// A Pool holds the zones in use, one for each credential and zone ID.
type Pool struct {
	o       Options
	running *parent.Background
	// sending are the writes. A process that ends waits for them while it is still the leader.
	sending *parent.Background
	sweeps  *parent.Sweeps[*Zone]

	naming, succeeding singleflight.Group

	mu    sync.Mutex
	names map[nameKey]resolved
	// places are the places of the zones that were seen, by zone ID. successors is what is known of zones that may
	// have taken the place of other zones.
	places     map[string]Place
	successors map[succession]successor
	// unnamed are the look-ups of names that failed.
	unnamed map[nameKey]*parent.Breaker
	// gone are the zones whose deletion was confirmed. Records in them may be deleted at any later time, so the map
	// only grows, by less than 100 bytes a zone.
	gone map[string]struct{}
}

type nameKey struct{ fingerprint, accountID, name string }

type resolved struct {
	id string
	at time.Time
}

// NewPool makes an empty Pool.
func NewPool(o Options) *Pool {
	o = o.withDefaults()
	bg := parent.NewBackground()
	return &Pool{
		o: o, running: bg, sending: parent.NewBackground(), names: map[nameKey]resolved{}, unnamed: map[nameKey]*parent.Breaker{}, gone: map[string]struct{}{},
		places: map[string]Place{}, successors: map[succession]successor{},
		sweeps: parent.NewSweeps[*Zone](bg, parent.SweepsOptions{
			Idle: o.Idle, Load: o.Load, OnPace: o.OnPace, OnSwept: o.Metrics.swept, Now: o.Now,
		}),
	}
}

// A NameError says that the name of a zone does not identify one zone.
type NameError struct {
	Name string
	// Accounts are the accounts in which there is a zone of that name: none, or several.
	Accounts []string
}

func (e *NameError) Error() string {
	if len(e.Accounts) == 0 {
		return fmt.Sprintf("there is no zone %q that this credential can see: check the name and the token's zones", e.Name)
	}
	return fmt.Sprintf("there are zones %q in several accounts (%s): set zoneId, or accountId on the provider config",
		e.Name, strings.Join(e.Accounts, ", "))
}

// Unseen marks the error as one after which the resource cannot be observed: its zone is not found.
func (*NameError) Unseen() {}

// ByName returns the ID of the zone of that name (in canonical form) that api's credential can see, in the account of
// that ID unless it is "".
func (p *Pool) ByName(ctx context.Context, api API, name, accountID string) (string, error) {
	k := nameKey{api.Fingerprint(), accountID, name}
	p.mu.Lock()
	known, ok := p.names[k]
	p.mu.Unlock()
	if ok && p.o.Now().Sub(known.at) < p.o.Fresh {
		return known.id, nil
	}
	// After a restart, all Records of a zone ask at the same time.
	key := strings.Join([]string{k.fingerprint, accountID, name}, "/")
	return parent.Share(ctx, p.running, &p.naming, key, p.o.CallTimeout, func(ctx context.Context) (string, error) {
		h := p.lookUps(k)
		if err := h.Check(p.o.Now()); err != nil {
			return "", err
		}
		id, err := p.lookUp(ctx, api, k)
		h.Record(err, p.o.Now())
		return id, err
	})
}

// lookUps returns the breaker of the look-ups of a name, and forgets those of names that are not asked for any more.
func (p *Pool) lookUps(k nameKey) *parent.Breaker {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.unnamed, func(_ nameKey, h *parent.Breaker) bool { return h.IdleSince(p.o.Now().Add(-p.o.Fresh)) })
	h, ok := p.unnamed[k]
	if !ok {
		h = p.o.newBreaker()
		p.unnamed[k] = h
	}
	return h
}

func (p *Pool) lookUp(ctx context.Context, api API, k nameKey) (string, error) {
	name := k.name
	found, err := api.FindZones(ctx, name, k.accountID, false)
	if err != nil {
		return "", fmt.Errorf("cannot look up zone %q: %w", name, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	found = slices.DeleteFunc(found, func(z cloudflare.Zone) bool {
		_, deleted := p.gone[z.ID] // It was deleted while the look-up was under way.
		return z.Name != name || deleted
	})
	if len(found) != 1 {
		e := &NameError{Name: name}
		for _, z := range found {
			e.Accounts = append(e.Accounts, z.Account.ID)
		}
		return "", e
	}
	maps.DeleteFunc(p.names, func(_ nameKey, r resolved) bool { return p.o.Now().Sub(r.at) >= p.o.Fresh })
	p.names[k] = resolved{id: found[0].ID, at: p.o.Now()}
	p.places[found[0].ID] = placeOf(found[0])
	return found[0].ID, nil
}

// Zone returns the zone of that ID as api's credential sees it.
func (p *Pool) Zone(api API, zoneID string) *Zone {
	at := parent.MemberKey{Credential: api.Fingerprint(), Key: zoneID}
	return p.sweeps.Parent(at, p.o.Interval, func(fresh func(time.Duration) time.Duration) parent.Member[*Zone] {
		z := newZone(zoneID, api, p, fresh)
		return parent.Member[*Zone]{Parent: z, Lists: z.lists, Rate: api.SweepRate}
	})
}

// ZoneDeleted notes that the API confirmed the deletion of a zone, and so of its records. Later, the API may answer
// questions about these records only with an authorization error.
func (p *Pool) ZoneDeleted(zoneID string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone[zoneID] = struct{}{}
	maps.DeleteFunc(p.names, func(_ nameKey, r resolved) bool { return r.id == zoneID })
	p.sweeps.Forget(func(key string) bool { return key == zoneID })
}

// WasDeleted reports whether the zone's deletion was confirmed to this process.
func (p *Pool) WasDeleted(zoneID string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.gone[zoneID]
	return ok
}

// Drain returns when every write and list under way has ended, or with an error when ctx ends first. Calls that wait
// for their turn in a budget stop waiting.
func (p *Pool) Drain(ctx context.Context) error {
	return errors.Join(p.DrainWrites(ctx), p.running.Drain(ctx))
}

// DrainWrites returns when every write under way has ended, or with an error when ctx ends first. No write begins
// from then on: Apply returns a *NotSentError.
func (p *Pool) DrainWrites(ctx context.Context) error { return p.sending.Drain(ctx) }
