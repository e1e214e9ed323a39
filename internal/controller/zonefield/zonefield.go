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

// A Reference is what the reference of an immutable field leads to.
type Reference struct {
	// Held is where the resource is, and Before what the spec had before; "" for nothing.
	Held, Before string
	// Now is what the reference leads to.
	Now string
}

// Field is what the spec gets, and whether the reference leads elsewhere. Where the resource is elsewhere, the spec keeps
// what it had, so that the edit can be taken back. Else an immutable field is empty in between.
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

// Moved is an *external.MovedError where a resource is held in another zone than an object names now.
func Moved(noun, held, now string) *external.MovedError {
	if held == "" || held == now {
		return nil
	}
	return &external.MovedError{Noun: noun, From: "zone " + held, To: "zone " + now}
}
