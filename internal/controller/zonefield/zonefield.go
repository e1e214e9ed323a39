// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package zonefield finds the zone of an object from its spec, which names it by an ID, by a
// reference or by a domain name, and from where its resource is.
package zonefield

import (
	"context"
	"errors"
	"fmt"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
)

// ErrUnknown says that nothing leads to the zone.
var ErrUnknown = errors.New("spec.forProvider.zoneId is not known: set it or zoneName, or wait for the Zone that zoneIdRef or zoneIdSelector names")

// Declared is what an object says of its zone. "" is for what it does not say.
type Declared struct {
	// ID is spec.forProvider.zoneId, which references set, and Name is zoneName.
	ID, Name string
	// Held is the ID of the zone that the resource is in, or may be in.
	Held string
	// Deleted is whether the object is being deleted.
	Deleted bool
}

// Zone is the ID of the zone, and ErrUnknown where there is none. byName finds the ID of the zone
// of a name.
func (d Declared) Zone(ctx context.Context, byName func(ctx context.Context, name string) (string, error)) (string, error) {
	switch {
	case d.Deleted && d.Held != "":
		return d.Held, nil // There may be no zone of that name any more.
	case d.Name == "" && d.ID == "":
		return "", ErrUnknown
	case d.Name == "":
		return d.ID, nil
	}
	name, err := dnsrecord.ZoneName(d.Name)
	if err != nil {
		return "", fmt.Errorf("spec.forProvider.zoneName: %w", err)
	}
	named, err := byName(ctx, name)
	// Where zoneName has taken the place of a reference, zoneId may have what that was resolved to.
	if err == nil && d.ID != "" && d.ID != named && d.Held == "" {
		return "", fmt.Errorf("spec.forProvider.zoneName is that of zone %s, and spec.forProvider.zoneId is %s: leave one of the two out", named, d.ID)
	}
	return named, err
}

// Resolved is an *external.MovedError where a reference that led to the zone before, "" for none, leads
// to another one now than the one that holds the resource. It is refused before the spec has the ID,
// so that the edit can be taken back.
func Resolved(noun, held, before, now string) error {
	if now == before || now == "" {
		return nil
	}
	return Moved(noun, held, now)
}

// Moved is an *external.MovedError where a resource is held in another zone than an object names now.
func Moved(noun, held, now string) error {
	if held == "" || held == now {
		return nil
	}
	return &external.MovedError{Noun: noun, From: "zone " + held, To: "zone " + now}
}
