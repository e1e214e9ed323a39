// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect/limits"
)

const (
	// nameLife is how long an answer is believed, and nameMiss how long one that has nothing, or an error.
	nameLife = 10 * time.Minute
	nameMiss = 10 * time.Second
	// nameKept is how long the account of a zone is kept that does not exist any more.
	nameKept = 24 * time.Hour
	// nameTimeout bounds a call.
	nameTimeout = 30 * time.Second
)

// Names are what names stand for at Cloudflare, as one credential sees it. They are safe for concurrent use.
type Names struct {
	api *cloudflare.Client
	now func() time.Time

	calls singleflight.Group

	mu    sync.Mutex
	known map[string]named
}

// A named thing, by IDs, as it was seen at a time.
type named struct {
	zones []limits.Zone
	ids   []string
	err   error
	at    time.Time
}

// NewNames makes the Names of the credential of a client.
func NewNames(api *cloudflare.Client, now func() time.Time) *Names {
	return &Names{api: api, now: now, known: map[string]named{}}
}

const (
	keyZone    = "zone "
	keyAccount = "account "
	keyOf      = "account of "
)

// Zones are the zones that a list of that name has.
func (n *Names) Zones(ctx context.Context, name string) ([]limits.Zone, error) {
	got := n.ask(ctx, keyZone+name, func(ctx context.Context) named {
		found, err := n.api.FindZones(ctx, name, "", false)
		if err == nil && len(found) == 0 {
			found, err = n.api.FindZones(ctx, name, "", true)
		}
		out := named{err: err}
		for _, z := range found {
			out.zones = append(out.zones, limits.Zone{ID: z.ID, Name: z.Name})
		}
		return out
	})
	return got.zones, got.err
}

// Accounts are the IDs of the accounts of that name.
func (n *Names) Accounts(ctx context.Context, name string) ([]string, error) {
	got := n.ask(ctx, keyAccount+name, func(ctx context.Context) named {
		found, err := n.api.FindAccounts(ctx, name)
		out := named{err: err}
		for _, a := range found {
			out.ids = append(out.ids, a.ID)
		}
		return out
	})
	return got.ids, got.err
}

// AccountOf is the ID of the account that a zone is in. That of a zone which does not exist any more is the last that was
// seen: what was in it still has to be let go.
func (n *Names) AccountOf(ctx context.Context, zoneID string) (string, error) {
	got := n.ask(ctx, keyOf+zoneID, func(ctx context.Context) named {
		z, err := n.api.GetZone(ctx, zoneID)
		if err != nil {
			return named{err: err}
		}
		return named{ids: []string{z.Account.ID}}
	})
	if len(got.ids) == 0 {
		return "", got.err
	}
	return got.ids[0], nil
}

// ask gives what is known of a key, or else what look gives, which all who ask at the same time share.
func (n *Names) ask(ctx context.Context, key string, look func(context.Context) named) named {
	if known, ok := n.fresh(key); ok {
		return known
	}
	v, _, _ := n.calls.Do(key, func() (any, error) {
		own, cancel := context.WithTimeout(context.WithoutCancel(ctx), nameTimeout)
		defer cancel()
		return n.learn(key, look(own)), nil
	})
	got, _ := v.(named)
	return got
}

func (n *Names) fresh(key string) (named, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	known, ok := n.known[key]
	life := nameMiss
	if len(known.ids)+len(known.zones) > 0 && known.err == nil {
		life = nameLife
	}
	return known, ok && n.now().Sub(known.at) < life
}

// learn keeps an answer. A zone that is not there any more stays in the account that it was in.
func (n *Names) learn(key string, got named) named {
	n.mu.Lock()
	defer n.mu.Unlock()
	got.at = n.now()
	maps.DeleteFunc(n.known, func(_ string, old named) bool { return got.at.Sub(old.at) >= nameKept })
	if was := n.known[key]; cloudflare.IsZoneUnknown(got.err) || cloudflare.IsForbidden(got.err) {
		got.ids = was.ids
	}
	n.known[key] = got
	return got
}

// expect forgets that there is no zone, where one may be made.
func (n *Names) expect(o cloudflare.Outgoing) {
	if o.Method != http.MethodPost || o.Path != "/zones" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	maps.DeleteFunc(n.known, func(_ string, known named) bool {
		return len(known.zones)+len(known.ids) == 0 && known.err == nil
	})
}
