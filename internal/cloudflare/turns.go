// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"maps"
	"math"
	"time"
)

const (
	// patience is how long calls are kept for a tenant that was refused some. It is longer than the longest back-off of
	// an object. What is kept is not spent, so a tenant that never comes back delays nobody for longer than it takes to
	// put it by.
	patience = 90 * time.Second
	// headStart is how many calls a tenant may have before its turns count, when it had none for that long: who
	// changes something now and then goes before who always wants more than there is.
	headStart = 32
)

type tenantKey struct{}

// ForTenant marks the calls made with the context as those of a tenant. Where the budget of the credential is used
// up, tenants take turns: none has to wait until another has all it wants.
func ForTenant(ctx context.Context, tenant string) context.Context {
	return context.WithValue(ctx, tenantKey{}, tenant)
}

// TenantOf gives the tenant whose calls those made with the context are, "" where ForTenant was not asked.
func TenantOf(ctx context.Context) string {
	tenant, _ := ctx.Value(tenantKey{}).(string)
	return tenant
}

// turns are those of the tenants of one credential. The zero value is ready.
type turns struct{ tenants map[string]*turn }

// A turn is what a tenant had and waits for.
type turn struct {
	// had counts its calls, beginning where those of the others are.
	had int
	// wants is how many it was refused since, and until when these are kept for it.
	wants int
	kept  time.Time
	// known is until when the tenant is remembered.
	known time.Time
}

// keptBefore is how many calls are kept for others before one of tenant: as many as they had fewer than it, if they want
// these.
func (t *turns) keptBefore(tenant string, now time.Time) int {
	mine, kept := t.start(), 0
	if own := t.tenants[tenant]; own != nil {
		mine = own.had
	}
	for name, other := range t.tenants {
		if name != tenant && other.kept.After(now) {
			kept += max(0, min(other.wants, mine-other.had))
		}
	}
	return kept
}

// start is where a tenant begins.
func (t *turns) start() int {
	least := math.MaxInt
	for _, other := range t.tenants {
		least = min(least, other.had)
	}
	if len(t.tenants) == 0 {
		return 0
	}
	return least - headStart
}

// serve notes a call of tenant.
func (t *turns) serve(tenant string, now time.Time) {
	own := t.of(tenant, now)
	own.had++
	own.wants = max(0, own.wants-1)
}

// keep keeps one more call for tenant.
func (t *turns) keep(tenant string, now time.Time) {
	own := t.of(tenant, now)
	own.wants++
	own.kept = now.Add(patience)
}

// of is the turn of tenant. Whoever did not come for long is forgotten.
func (t *turns) of(tenant string, now time.Time) *turn {
	own := t.tenants[tenant]
	if own == nil || now.After(own.known) {
		maps.DeleteFunc(t.tenants, func(_ string, other *turn) bool { return now.After(other.known) })
		if t.tenants == nil {
			t.tenants = map[string]*turn{}
		}
		own = &turn{had: t.start()}
		t.tenants[tenant] = own
	}
	own.known = now.Add(patience)
	return own
}
