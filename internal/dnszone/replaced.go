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

// successionKept is how long the answer is kept that a zone has not taken the place of another one, and
// successionForgotten how long any answer is.
const (
	successionKept      = 30 * time.Second
	successionForgotten = time.Hour
)

// A succession is a zone and the one that may have taken its place, as one credential sees them.
type succession struct{ fingerprint, was, now string }

// A successor is what looks say of a succession.
type successor struct {
	// alone is since when all looks show the later zone only; zero where the last one did not.
	alone time.Time
	// looked is when the last look ended.
	looked time.Time
	// proven is true once two looks, a lag apart, have shown the later zone only.
	proven bool
	// place is that of the later zone.
	place Place
}

// A Place is the ID of a zone, with its name and the ID of the account that it is in where these are known. No account has two
// zones of a name.
type Place struct{ ID, Name, AccountID string }

func placeOf(z cloudflare.Zone) Place { return Place{z.ID, z.Name, z.Account.ID} }

// again reports whether p is known to be the place of a zone, and later that of another one of its name in its account.
func (p Place) again(later Place) bool {
	return p.Name != "" && p.AccountID != "" && p.ID != later.ID && p.Name == later.Name && p.AccountID == later.AccountID
}

// Seen notes where a zone is, which a call has shown.
func (p *Pool) Seen(z cloudflare.Zone) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.places[z.ID] = placeOf(z)
}

// Place is where the zone of that ID is, as this process has seen it, or else as held says where it is about that zone.
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

// Replaced reports whether the zone of the ID was, of which held may say where it was, is proven to be gone, and the one of the ID now to have been made
// again under its name, in its account. Two looks prove it, a lag apart: each reads both zones by their IDs, and lists the
// name in the account, where a name exists once. Of a zone whose name and account neither the caller nor this process knows,
// nothing is proven: it may be in an account that the credential does not see. The error is a *parent.DisputedError between the two
// looks. After a deletion that the API confirmed to this process one look is enough.
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
		if cloudflare.IsGuarded(err) { // Another provider config may have made the look. It says nothing about this one.
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

// succession is what is known of k, false where it has to be looked at.
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

// succeed looks at k, and remembers what it saw.
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

// onlyLater reports whether answers show the later zone of k, by its ID and its name, and not the earlier one. What the
// credential may not read, it shows nothing of.
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

// hidden reports whether an answer is that of a zone that is gone, or that the credential may not read.
func hidden(err error) bool { return cloudflare.IsZoneUnknown(err) || cloudflare.IsForbidden(err) }
