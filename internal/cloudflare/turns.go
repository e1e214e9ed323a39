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
	// an object. Kept calls are not spent, so a tenant that never comes back delays others only for the time in which
	// the bucket gains its calls.
	patience = 90 * time.Second
	// headStart is how many calls a tenant may make before its turns count, if it made none within patience. A
	// tenant that rarely changes something goes before one that always wants more calls than there are.
	headStart = 32
)

type tenantKey struct{}

// ForTenant marks the calls made with the context as calls of a tenant. If the budget of the credential is used
// up, tenants take turns: none has to wait until another has all the calls that it wants.
func ForTenant(ctx context.Context, tenant string) context.Context {
	return context.WithValue(ctx, tenantKey{}, tenant)
}

// TenantOf returns the tenant of the calls made with the context, "" if ForTenant did not set one.
func TenantOf(ctx context.Context) string {
	tenant, _ := ctx.Value(tenantKey{}).(string)
	return tenant
}

// turns are the turns of the tenants of one credential. The zero value is ready to use.
type turns struct{ tenants map[string]*turn }

// A turn is what a tenant used and what it waits for.
type turn struct {
	// had counts the calls of the tenant. It begins relative to the counts of the others (see start).
	had int
	// wants is how many calls the tenant was refused and still waits for. kept is until
	// when they are kept for it.
	wants int
	kept  time.Time
	// known is until when the tenant is remembered.
	known time.Time
}

// keptBefore returns how many calls are kept for other tenants before one of tenant. For each of the others, that is
// the number of calls it had fewer than tenant, but no more than it wants.
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

// start returns the count of calls with which a tenant begins.
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

// serve counts a call of tenant.
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

// of returns the turn of tenant. When it makes a new turn, it forgets the tenants that asked for
// no call for as long as patience.
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
