// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// successionKept is how long the answer is kept that a zone has not taken the place of another one.
// successionForgotten is how long any answer is kept.
const (
	successionKept      = 30 * time.Second
	successionForgotten = time.Hour
)

// A succession is a zone and the zone that may have taken its place, as one credential sees them.
type succession struct{ fingerprint, was, now string }

// A successor is the result of the looks at a succession.
type successor struct {
	// alone is since when all looks show the later zone only, zero if the last look did not.
	alone time.Time
	// looked is when the last look ended.
	looked time.Time
	// proven is true once two looks, a lag apart, have shown the later zone only.
	proven bool
	// place is the place of the later zone.
	place Place
}

// A Place is the ID of a zone, and its name and account ID if these are known. No account has two zones of one name.
type Place struct{ ID, Name, AccountID string }

func placeOf(z cloudflare.Zone) Place { return Place{z.ID, z.Name, z.Account.ID} }

// again reports whether p and later are known to be the places of two zones, one after the other, with one name in
// one account.
func (p Place) again(later Place) bool {
	return p.Name != "" && p.AccountID != "" && p.ID != later.ID && p.Name == later.Name && p.AccountID == later.AccountID
}

// Seen notes the place of a zone that a call has shown.
func (p *Pool) Seen(z cloudflare.Zone) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.places[z.ID] = placeOf(z)
}

// Place returns the place of the zone of that ID, as this process has seen it, or else as held says if held is about
// that zone.
func (p *Pool) Place(zoneID string, held Place) Place {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at, seen := p.places[zoneID]; seen {
		return at
	}
	if held.ID == zoneID {
		return held
	}
	return Place{ID: zoneID}
}

// Replaced reports whether an earlier zone is proven to be gone, and a later zone to have been made again under its
// name, in its account. was and now are their IDs. held may be the place of the earlier zone. Two looks prove it, a
// lag apart. Each look reads both zones by their IDs, and lists the name in the account, where a name exists once.
// Between the two looks the error is a *parent.DisputedError. After a deletion that the API confirmed to this process
// one look is enough. If neither the caller nor this process knows the earlier zone's name and account, Replaced
// returns false: the zone may be in an account that the credential does not see.
func (p *Pool) Replaced(ctx context.Context, api API, was string, held Place, now string) (bool, error) {
	if was == "" || now == "" || was == now {
		return false, nil
	}
	at := p.Place(was, held)
	if at.Name == "" {
		return false, nil
	}
	k := succession{api.Fingerprint(), was, now}
	s, known := p.succession(k)
	if !known {
		var err error
		key := strings.Join([]string{k.fingerprint, was, now}, "/")
		s, err = parent.Share(ctx, p.running, &p.succeeding, key, p.o.CallTimeout, func(ctx context.Context) (successor, error) {
			return p.succeed(ctx, api, k)
		})
		if cloudflare.IsGuarded(err) { // The guard may be another provider config's.
			s, err = p.succeed(ctx, api, k)
		}
		if err != nil {
			return false, err
		}
	}
	switch {
	case s.alone.IsZero() || !at.again(s.place):
		return false, nil
	case !s.proven && !p.WasDeleted(was):
		return false, &parent.DisputedError{Says: fmt.Sprintf("the zone %s is gone", was), Wait: s.alone.Add(parent.Lag).Sub(p.o.Now())}
	}
	return true, nil
}

// succession returns what is known of k, and false if a new look is needed.
func (p *Pool) succession(k succession) (successor, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, ok := p.successors[k]
	age := p.o.Now().Sub(s.looked)
	switch {
	case !ok:
		return s, false
	case s.proven:
		return s, age < successionForgotten
	case s.alone.IsZero():
		return s, age < successionKept
	}
	return s, p.o.Now().Sub(s.alone) < parent.Lag
}

// succeed looks at k, and stores what it saw.
func (p *Pool) succeed(ctx context.Context, api API, k succession) (successor, error) {
	began := p.o.Now()
	later, alone, err := onlyLater(ctx, api, k)
	if err != nil {
		return successor{}, fmt.Errorf("cannot find out whether the zone %s is gone: %w", k.was, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.successors, func(_ succession, s successor) bool { return p.o.Now().Sub(s.looked) > successionForgotten })
	s := successor{looked: p.o.Now(), place: placeOf(later)}
	if alone {
		s.alone = began
		if before := p.successors[k]; !before.alone.IsZero() {
			s.alone, s.proven = before.alone, began.Sub(before.alone) >= parent.Lag
		}
	}
	p.successors[k] = s
	return s, nil
}

// onlyLater reports whether the API shows the later zone of k, by its ID and its name, and does not show the earlier
// one. A zone that the credential may not read counts as not shown.
func onlyLater(ctx context.Context, api API, k succession) (cloudflare.Zone, bool, error) {
	later, err := api.GetZone(ctx, k.now)
	if hidden(err) {
		return later, false, nil
	}
	if err != nil {
		return later, false, err
	}
	if _, err = api.GetZone(ctx, k.was); !hidden(err) {
		return later, false, err
	}
	found, err := api.FindZones(ctx, later.Name, later.Account.ID, false)
	found = slices.DeleteFunc(found, func(z cloudflare.Zone) bool { return z.Name != later.Name })
	return later, len(found) == 1 && found[0].ID == k.now, err
}

// hidden reports whether err says that the zone is gone, or that the credential may not read it.
func hidden(err error) bool { return cloudflare.IsZoneUnknown(err) || cloudflare.IsForbidden(err) }
