// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"context"
	"maps"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect/limits"
)

const (
	// nameLife is how long an answer is believed. nameMiss is how long the answer that there is no
	// such zone is believed.
	nameLife = 10 * time.Minute
	nameMiss = time.Minute
	// nameRetry is how long the last answer is served after a failed lookup without another lookup.
	nameRetry = 10 * time.Second
	// nameStale is the greatest age of an answer that is served while lookups fail. It is nameKept if they fail
	// because the zone is no longer shown: the resources in the zone must still be released.
	nameStale = time.Hour
	nameKept  = 24 * time.Hour
	// nameTimeout bounds a call.
	nameTimeout = 30 * time.Second
)

// Names resolve IDs and names at Cloudflare, as one credential sees them. They are safe for concurrent use.
type Names struct {
	api *cloudflare.Client
	now func() time.Time

	calls singleflight.Group

	mu    sync.Mutex
	known map[string]named
}

// A named is an answer and the time of its lookup.
type named struct {
	zone     limits.Zone
	accounts []string
	at       time.Time
	// failed is when a later lookup failed.
	failed time.Time
}

// NewNames returns the Names of the credential of a client.
func NewNames(api *cloudflare.Client, now func() time.Time) *Names {
	return &Names{api: api, now: now, known: map[string]named{}}
}

// Zone returns the name and account of the zone of that ID.
func (n *Names) Zone(ctx context.Context, id string) (limits.Zone, error) {
	got, err := n.ask(ctx, "zone "+id, func(ctx context.Context) (named, error) {
		z, err := n.api.GetZone(ctx, id)
		return named{zone: limits.Zone{Name: z.Name, AccountID: z.Account.ID}}, err
	})
	return got.zone, err
}

// Accounts returns the IDs of the accounts of that name.
func (n *Names) Accounts(ctx context.Context, name string) ([]string, error) {
	got, err := n.ask(ctx, "account "+name, func(ctx context.Context) (named, error) {
		found, err := n.api.FindAccounts(ctx, name)
		out := named{}
		for _, a := range found {
			out.accounts = append(out.accounts, a.ID)
		}
		return out, err
	})
	return got.accounts, err
}

// ask returns the known answer for a key, or else the result of look, which all callers that ask at the same time
// share. They do not share an error that one caller's tenant has no budget left, because another tenant may have some.
func (n *Names) ask(ctx context.Context, key string, look func(context.Context) (named, error)) (named, error) {
	if known, ok := n.fresh(key); ok {
		return known, nil
	}
	led := false
	run := func() (any, error) {
		led = true
		own, cancel := context.WithTimeout(context.WithoutCancel(ctx), nameTimeout)
		defer cancel()
		got, err := look(own)
		return n.learn(key, got, err)
	}
	v, err, _ := n.calls.Do(key, run)
	if cloudflare.IsThrottled(err) && !led {
		v, err = run()
	}
	got, _ := v.(named)
	return got, err
}

// fresh returns the known answer for a key, and reports whether it needs no lookup.
func (n *Names) fresh(key string) (named, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	known, ok := n.known[key]
	life, now := nameLife, n.now()
	if known.zone.Unknown {
		life = nameMiss
	}
	return known, ok && (now.Sub(known.at) < life || now.Sub(known.failed) < nameRetry)
}

// learn keeps an answer. An error is not kept, and does not replace an answer that is young enough: the name of a
// zone never changes, and its account hardly ever does.
func (n *Names) learn(key string, got named, err error) (named, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.now()
	maps.DeleteFunc(n.known, func(_ string, old named) bool { return now.Sub(old.at) >= nameKept })
	was, ok := n.known[key]
	switch serves := ok && !was.zone.Unknown && now.Sub(was.at) < keptAfter(err); {
	case err != nil && serves:
		was.failed = now
		n.known[key] = was
		return was, nil
	case cloudflare.IsZoneUnknown(err) || cloudflare.IsForbidden(err):
		got = named{zone: limits.Zone{Unknown: true}}
	case err != nil:
		return named{}, err
	}
	got.at = now
	n.known[key] = got
	return got, nil
}

// keptAfter returns the greatest age of an answer that is served after a lookup failed with err.
func keptAfter(err error) time.Duration {
	if cloudflare.IsZoneUnknown(err) || cloudflare.IsForbidden(err) {
		return nameKept
	}
	return nameStale
}
