// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// A zoneName is what is known of a zone's name. All objects that share a credential share it.
// So it comes from the API alone, and never from what one object declares.
type zoneName struct {
	calls singleflight.Group

	// Zone.mu guards the rest.
	name string
	// inferred is true if the name comes from the answer to a creation.
	inferred bool
	askedAt  time.Time
	refusal  error // why the API did not return the name when it was last asked
	account  string
}

// A commonName is the longest name that all names added to it are at or below.
type commonName struct {
	name string
	some bool // a name was added
}

func (c *commonName) add(name string) {
	if !c.some {
		c.name, c.some = name, true
		return
	}
	c.name = dnsrecord.CommonName(name, c.name)
}

// Name returns the name of the zone. It is "" if the name is not known: the credential may not
// read the zone, and no answer to a creation has shown the name. Callers at the same time share
// one call, which goes on when they have left.
func (z *Zone) Name(ctx context.Context) (string, error) {
	z.mu.Lock()
	name, asked := z.name.name, z.name.askedAt
	z.mu.Unlock()
	if name != "" || (!asked.IsZero() && z.o.Now().Sub(asked) < z.o.Interval/2) {
		return name, nil
	}
	_, err := parent.Share(ctx, z.running, &z.name.calls, "", z.o.CallTimeout, func(ctx context.Context) (any, error) {
		return nil, z.askName(ctx)
	})
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.name.name, err
}

// KnownName returns the name of the zone as far as it is known by now, without a call. It is ""
// if the name is not known.
func (z *Zone) KnownName() string {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.name.name
}

// askName asks the API for the zone.
func (z *Zone) askName(ctx context.Context) error {
	if err := z.names.Check(z.o.Now()); err != nil {
		return fmt.Errorf("cannot read the zone: %w", err)
	}
	zone, err := z.api.GetZone(ctx, z.id)
	if err != nil && !cloudflare.IsForbidden(err) {
		z.names.Record(err, z.o.Now())
		return fmt.Errorf("cannot read the zone: %w", err)
	}
	z.names.Record(nil, z.o.Now())
	if err == nil {
		z.seen(zone)
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	z.name.refusal = err
	if z.name.askedAt = z.o.Now(); zone.Name != "" {
		z.name.name, z.name.inferred = zone.Name, false
		z.name.account = zone.Account.ID
	}
	if zone.Plan.LegacyID != "" {
		z.writer.allow(batchOf(zone.Plan))
	}
	return nil
}

// Nameless returns why the API did not return the zone's name when it was last asked for it,
// nil if it did.
func (z *Zone) Nameless() error {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.name.refusal
}

// Account returns the ID of the account that the zone belongs to, as the API returned it with
// the zone's name. It is "" if the zone was not read yet.
func (z *Zone) Account() string {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.name.account
}

// Looked returns how many sweeps have listed the zone so far, and when the last but one began.
func (z *Zone) Looked() (before time.Time, sweeps uint64) { return z.lists.Looked() }

// CommonName returns the longest name that all records of the zone are at or below, "" if the
// zone has no records. The zone's name is that name or an ancestor of it.
func (z *Zone) CommonName(ctx context.Context) (string, error) {
	if err := z.lists.CatchUp(ctx); err != nil {
		return "", err
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.view.common.name, nil
}

// placed reports whether a creation with the name sent can have made a record with the name
// made. The API appends the zone's name to a name that does not end in it.
func (z *Zone) placed(sent, made string) bool {
	zone, relative := strings.CutPrefix(made, sent+".")
	z.mu.Lock()
	defer z.mu.Unlock()
	return made == sent || (relative && z.mayBeNamed(zone))
}

// mayBeNamed reports whether the zone can have that name: it is the known name, or every record
// is in it. z.mu is held.
func (z *Zone) mayBeNamed(name string) bool {
	if z.name.name != "" {
		return name == z.name.name
	}
	return !z.view.common.some || dnsrecord.InZone(z.view.common.name, name)
}

// learnName takes the zone's name, if it is not known, from the answer to a creation with the
// name sent: the part that the API appended is the zone's name.
func (z *Zone) learnName(sent, made string) {
	zone, relative := strings.CutPrefix(made, sent+".")
	z.mu.Lock()
	defer z.mu.Unlock()
	if relative && z.name.name == "" && z.mayBeNamed(zone) {
		z.name.name, z.name.inferred = zone, true
	}
}

// doubtName forgets an inferred name if the zone has a record that is not in it. z.mu is held.
func (z *Zone) doubtName() {
	if z.name.inferred && z.view.common.some && !dnsrecord.InZone(z.view.common.name, z.name.name) {
		z.name.name, z.name.inferred = "", false
	}
}

// FindCreated returns the record that a creation of that key can have made, from a list that
// began after since, or ErrNotFound. If the zone's name was not known, the API may have
// appended it to the key's name.
func (z *Zone) FindCreated(ctx context.Context, key dnsrecord.Key, since time.Time) (Entry, error) {
	found, err := z.Find(ctx, Query{Key: key, Since: since})
	if err != nil {
		return Entry{}, err
	}
	if i := slices.IndexFunc(found, func(e Entry) bool { return e.Record.Key() == key }); i >= 0 {
		return found[i], nil
	}
	if e, ok := z.findAppended(key); ok {
		return e, nil
	}
	return Entry{}, ErrNotFound
}

// findAppended returns the record of that key under its name with the zone's name appended.
func (z *Zone) findAppended(key dnsrecord.Key) (Entry, bool) {
	z.mu.Lock()
	defer z.mu.Unlock()
	for _, e := range z.view.beginning(key.Name, key.Type) {
		zone := strings.TrimPrefix(e.Record.Name, key.Name+".")
		if made := e.Record.Key(); z.mayBeNamed(zone) && made.Rdata == key.Rdata {
			return e, true
		}
	}
	return Entry{}, false
}
