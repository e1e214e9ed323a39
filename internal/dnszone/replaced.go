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
	// account is that of the later zone, and made when that was created; zero where the API does not say.
	account string
	made    time.Time
}

// Replaced reports whether the zone of the ID was is proven to be gone, and the one of the ID now to have been made
// again under its name, after since. Two looks prove it, a lag apart: each reads both zones by their IDs, and lists the
// name in the account of the later one, where a name exists once. Of a zone whose account is not known, since tells
// whether the later one is younger. The error is a *parent.DisputedError between the two looks. A deletion that the API
// confirmed to this process needs no look.
func (p *Pool) Replaced(ctx context.Context, api API, was, now string, since time.Time) (bool, error) {
	if was == "" || now == "" || was == now {
		return false, nil
	}
	if p.WasDeleted(was) {
		return true, nil
	}
	k := succession{api.Fingerprint(), was, now}
	s, known := p.succession(k)
	if !known {
		var err error
		key := strings.Join([]string{k.fingerprint, was, now}, "/")
		s, err = parent.Share(ctx, p.running, &p.succeeding, key, p.o.CallTimeout, func(ctx context.Context) (successor, error) {
			return p.succeed(ctx, api, k)
		})
		if err != nil {
			return false, err
		}
	}
	switch {
	case s.alone.IsZero() || !p.sameAccount(was, s, since):
		return false, nil
	case !s.proven:
		return false, &parent.DisputedError{Says: fmt.Sprintf("the zone %s is gone", was), Wait: s.alone.Add(parent.Lag).Sub(p.o.Now())}
	}
	return true, nil
}

// sameAccount reports whether a zone was in the account of the one that may have taken its place, as far as is known. Else
// it may be in another account, which the credential does not see, unless the later zone is younger than since.
func (p *Pool) sameAccount(was string, s successor, since time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if account, known := p.accounts[was]; known {
		return account == s.account
	}
	return s.made.After(since)
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
	s := successor{looked: p.o.Now(), account: later.Account.ID}
	if later.CreatedOn != nil {
		s.made = *later.CreatedOn
	}
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
