// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package zonefield finds the zone of an object. It uses the spec, which names the zone by an ID, by
// a reference or by a domain name, and the zone that the resource is in.
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

// Declared is what an object says about its zone. A field is "" if the object does not say it.
type Declared struct {
	// ID is spec.forProvider.zoneId, which references set. Name is spec.forProvider.zoneName.
	ID, Name string
	// Held is the ID of the zone that the resource is in, or may be in.
	Held string
	// Deleted is whether the object is being deleted.
	Deleted bool
}

// Zone returns the ID of the zone, or ErrUnknown if nothing leads to one. byName returns the ID of
// the zone with a name.
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
	// If zoneName has replaced a reference, zoneId may still have the value that the reference
	// resolved to.
	if err == nil && d.ID != "" && d.ID != named && d.Held == "" {
		return "", fmt.Errorf("spec.forProvider.zoneName is that of zone %s, and spec.forProvider.zoneId is %s: leave one of the two out", named, d.ID)
	}
	return named, err
}

// A Reference is the reference of an immutable field.
type Reference struct {
	// Held is where the resource is. Before is the former value of the spec. "" is for none.
	Held, Before string
	// Now is what the reference leads to.
	Now string
}

// Field returns the new value of the spec's field, and whether the reference leads elsewhere. If the
// resource is elsewhere, the spec keeps its former value, so that the edit can be undone. Otherwise
// an immutable field is emptied before it gets another value.
func (r Reference) Field() (value string, elsewhere bool) {
	switch held := r.Held != "" && r.Held != r.Now; {
	case r.Now == r.Before || r.Now == "":
		return r.Now, false
	case held:
		return r.Before, true
	case r.Before != "":
		return "", true
	}
	return r.Now, false
}

// Moved returns an *external.MovedError if a resource is in another zone than its object names now,
// and nil otherwise.
func Moved(noun, held, now string) *external.MovedError {
	if held == "" || held == now {
		return nil
	}
	return &external.MovedError{Noun: noun, From: "zone " + held, To: "zone " + now}
}
