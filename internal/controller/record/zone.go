// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/zonefield"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
)

// resolveZone finds the Record's zone.
func (a *adapter) resolveZone(ctx context.Context) error {
	id, err := a.zoneID(ctx)
	if err != nil {
		return err
	}
	a.zone = a.zones.Zone(a.session.Client, id)
	if a.leave == nil {
		a.leave = a.zone.Enter()
	}
	return nil
}

// zoneID is the ID of the Record's zone. A Record never moves to another zone, and may
// name the one it is in by another field.
func (a *adapter) zoneID(ctx context.Context) (string, error) {
	of := zonefield.Declared{
		ID: ptr.Deref(a.mg.Spec.ForProvider.ZoneID, ""), Name: ptr.Deref(a.mg.Spec.ForProvider.ZoneName, ""),
		Held: a.heldZone(), Deleted: meta.WasDeleted(a.mg),
	}
	id, err := of.Zone(ctx, func(ctx context.Context, name string) (string, error) {
		return a.zones.ByName(ctx, a.session.Client, name, a.session.AccountID)
	})
	if err != nil {
		return "", err
	}
	return id, zonefield.Moved(noun().Name, of.Held, id)
}

// heldZone is the ID of the zone that the Record's DNS record is in, or may be in, if it
// was created without the Record's knowledge. "" is for none.
func (a *adapter) heldZone() string {
	if zone := a.mg.Status.AtProvider.ZoneID; zone != "" || a.tried == nil {
		return zone
	}
	return a.tried.Zone
}

// resolve resolves the references to the Zone and to the Tunnel.
func resolve(ctx context.Context, r client.Reader, mg resource.Managed) error {
	rec, err := external.As[*v1alpha1.Record](mg)
	if err != nil {
		return err
	}
	if rec.Spec.ForProvider.TunnelIDRef != nil {
		rec.Spec.ForProvider.TunnelID = nil // Else the resolver keeps what is set already.
	}
	before := ptr.Deref(rec.Spec.ForProvider.ZoneID, "")
	if err := rec.ResolveReferences(ctx, r); err != nil {
		return err
	}
	return zonefield.Resolved(noun().Name, rec.Status.AtProvider.ZoneID, before, ptr.Deref(rec.Spec.ForProvider.ZoneID, ""))
}
