// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
)

// admitted makes calls only for zones that the provider config allows: a list of zones may
// show others.
type admitted struct {
	api

	admit func(ctx context.Context, path string) error
}

// GetZone returns one zone. For an unknown ID it returns the API's answer.
func (a admitted) GetZone(ctx context.Context, id string) (cloudflare.Zone, error) {
	if err := a.admit(ctx, "/zones/"+id); connect.IsRefused(err) {
		return cloudflare.Zone{}, err
	}
	return a.api.GetZone(ctx, id)
}

// FindZones returns the zones of that name.
func (a admitted) FindZones(ctx context.Context, name, accountID string, internal bool) ([]cloudflare.Zone, error) {
	found, err := a.api.FindZones(ctx, name, accountID, internal)
	if err != nil {
		return nil, err
	}
	for _, z := range found {
		if err := a.admit(ctx, "/zones/"+z.ID); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// A listing is the result of a list of zones.
type listing struct {
	zones []cloudflare.Zone
	err   error
}

// Prepare reads the name. A missing or invalid name matters only to later steps that need
// the name.
func (a *adapter) Prepare(context.Context) error {
	p := a.mg.Spec.ForProvider
	if p.Name == nil {
		a.nameErr = fmt.Errorf("cannot tell which zone to observe: set the annotation %s to its ID, or spec.forProvider.name",
			meta.AnnotationKeyExternalName)
		return nil
	}
	name, err := dnsrecord.ZoneName(*p.Name)
	if a.name = name; err != nil {
		a.nameErr = fmt.Errorf("spec.forProvider.name: %w", err)
	}
	return nil
}

// Get looks for a zone by its ID. The API's answer for a zone that is gone is the same as
// for one that the credential may not read, or for a wrong route.
func (a *adapter) Get(ctx context.Context, id string) (cloudflare.Zone, error) {
	z, err := a.api.GetZone(ctx, id)
	var badID *cloudflare.IDError
	switch {
	case errors.As(err, &badID):
		return z, err
	case cloudflare.IsZoneUnknown(err):
		return z, &decision.MissingError{Noun: noun(), ID: id}
	case cloudflare.IsForbidden(err):
		return z, &decision.MissingError{Noun: noun(), ID: id, Hidden: err}
	case err != nil:
		return z, fmt.Errorf("cannot read the zone: %w", err)
	}
	return z, a.checkName(z)
}

// checkName returns an error if the spec names another zone than the external name. For a
// deletion the name in the spec does not matter.
func (a *adapter) checkName(z cloudflare.Zone) error {
	if a.mg.Spec.ForProvider.Name == nil || meta.WasDeleted(a.mg) {
		return nil
	}
	if a.nameErr != nil {
		return a.nameErr
	}
	if a.name != z.Name {
		return fmt.Errorf("the zone with ID %s is %q, spec.forProvider.name is %q: correct the name or the annotation %s",
			z.ID, z.Name, a.name, meta.AnnotationKeyExternalName)
	}
	return nil
}

// FindCreated looks for the zone that an earlier attempt made. A name has one zone, so it is
// the zone of that name.
func (a *adapter) FindCreated(ctx context.Context, w external.Window) (cloudflare.Zone, error) {
	found, err := a.Find(ctx, w)
	if err == nil && len(found) == 0 {
		err = external.ErrAbsent
	}
	if err != nil {
		return cloudflare.Zone{}, err
	}
	return found[0], nil
}

// Find looks for the zone of the declared name. Lists of zones show a created zone at once.
func (a *adapter) Find(ctx context.Context, _ external.Window) ([]cloudflare.Zone, error) {
	if a.nameErr != nil {
		return nil, a.nameErr
	}
	if a.listed == nil {
		zones, err := a.api.FindZones(ctx, a.name, a.accountID, a.internal())
		if err != nil {
			err = fmt.Errorf("cannot look up zone %q: %w", a.name, err)
		}
		a.listed = &listing{zones: slices.DeleteFunc(zones, func(z cloudflare.Zone) bool { return z.Name != a.name }), err: err}
	}
	if n := a.listed.zones; len(n) > 1 {
		return nil, fmt.Errorf("there are zones %q in several accounts (%s): set spec.forProvider.accountId", a.name, accountsOf(n))
	}
	return a.listed.zones, a.listed.err
}

func accountsOf(zs []cloudflare.Zone) string {
	var ids []string
	for _, z := range zs {
		ids = append(ids, z.Account.ID)
	}
	return strings.Join(ids, ", ")
}
