// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"context"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reference"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/zonefield"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// paramZone is the path parameter that has the ID of the zone.
const paramZone = "zone_id"

// resolveZone finds the Record's zone.
func (a *adapter) resolveZone(ctx context.Context) error {
	id, err := a.zoneID(ctx)
	if err != nil {
		return err
	}
	held := a.heldPlace()
	a.session.Holds(held.ID, held.Name, held.AccountID)
	if err := a.session.AdmitAs(ctx, "/zones/"+id, ptr.Deref(a.mg.Spec.ForProvider.ZoneName, "")); err != nil {
		return err
	}
	a.zone = a.zones.Zone(a.session.Client, id)
	if a.leave == nil {
		a.leave = a.zone.Enter()
	}
	return nil
}

// zoneID returns the ID of the Record's zone. A Record never moves to another zone while its zone exists,
// but it may name that zone by another field.
func (a *adapter) zoneID(ctx context.Context) (string, error) {
	declared, err := a.declaredZone(ctx)
	if err != nil {
		return "", err
	}
	of := zonefield.Declared{
		ID: declared, Name: ptr.Deref(a.mg.Spec.ForProvider.ZoneName, ""),
		Held: a.heldZone(), Deleted: meta.WasDeleted(a.mg),
	}
	id, err := of.Zone(ctx, func(ctx context.Context, name string) (string, error) {
		return a.zones.ByName(ctx, a.session.Client, name, a.session.AccountID)
	})
	if err != nil {
		return "", err
	}
	if of.Deleted {
		a.zoneGone, err = a.zoneMadeAgain(ctx, id)
		return id, err
	}
	moved := zonefield.Moved(noun().Name, of.Held, id)
	if moved == nil {
		return id, nil
	}
	if moved.Gone, err = a.zones.Replaced(ctx, a.session.Client, of.Held, a.heldPlace(), id); err != nil {
		return "", err
	}
	return id, moved
}

// zoneMadeAgain reports whether the zone of a Record under deletion is proven to be gone, and another
// zone has taken its place. held is the ID of the former.
func (a *adapter) zoneMadeAgain(ctx context.Context, held string) (bool, error) {
	if a.mg.GetResourceVersion() == "" {
		return false, nil // It stands for a Record that is gone.
	}
	var (
		now string
		err error
	)
	switch p := a.mg.Spec.ForProvider; {
	case p.ZoneName != nil:
		if now, err = dnsrecord.ZoneName(*p.ZoneName); err == nil {
			now, err = a.zones.ByName(ctx, a.session.Client, now, a.session.AccountID)
		}
	case p.ZoneIDRef != nil:
		now, err = zoneOf(ctx, a.reach.Within(a.kube, a.mg.GetNamespace()), a.mg)
	}
	if err != nil || now == "" {
		return false, nil //nolint:nilerr // There may be no zone any more.
	}
	return a.zones.Replaced(ctx, a.session.Client, held, a.heldPlace(), now)
}

// declaredZone returns the ID of the zone that the spec names. It returns the zone to which the reference
// leads now if the user asks for that, or if the zone of the spec is proven to be gone. In the latter
// case it also writes the new ID to the spec.
func (a *adapter) declaredZone(ctx context.Context) (string, error) {
	declared, ref := ptr.Deref(a.mg.Spec.ForProvider.ZoneID, ""), a.mg.Spec.ForProvider.ZoneIDRef
	if led := reconciler.StateFrom(ctx).LeadsTo[paramZone]; led != "" {
		return led, nil
	}
	if declared == "" || ref == nil || meta.WasDeleted(a.mg) {
		return declared, nil
	}
	now, err := zoneOf(ctx, a.reach.Within(a.kube, a.mg.GetNamespace()), a.mg)
	if err != nil || now == "" || now == declared {
		return declared, err
	}
	gone, err := a.zones.Replaced(ctx, a.session.Client, declared, a.heldPlace(), now)
	if err != nil || !gone {
		return declared, err
	}
	for _, id := range []*string{nil, ptr.To(now)} { // The field is immutable: no write replaces one ID by another.
		before := a.mg.DeepCopy()
		a.mg.Spec.ForProvider.ZoneID = id
		if err := a.kube.Patch(ctx, a.mg, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})); err != nil {
			return "", fmt.Errorf("cannot persist the resolved references: %w", err)
		}
	}
	return now, nil
}

// heldZone returns the ID of the zone that the Record's DNS record is in, or may be in after a creation
// with an unknown outcome. It returns "" for none.
func (a *adapter) heldZone() string {
	if zone := a.mg.Status.AtProvider.ZoneID; zone != "" || a.tried == nil {
		return zone
	}
	return a.tried.Zone
}

// resolve resolves the references to the Zone and to the Tunnel. It does not write a zone to the spec
// that the record is not in.
func resolve(ctx context.Context, r client.Reader, mg resource.Managed) error {
	rec, err := external.As[*v1alpha1.Record](mg)
	if err != nil {
		return err
	}
	if rec.Spec.ForProvider.TunnelIDRef != nil {
		rec.Spec.ForProvider.TunnelID = nil // Otherwise the resolver keeps the value that is set.
	}
	p := &rec.Spec.ForProvider
	before := ptr.Deref(p.ZoneID, "")
	if err := rec.ResolveReferences(ctx, r); err != nil {
		return err
	}
	now := ptr.Deref(p.ZoneID, "")
	if value, elsewhere := (zonefield.Reference{Held: rec.Status.AtProvider.ZoneID, Before: before, Now: now}).Field(); elsewhere {
		p.ZoneID = reference.ToPtrValue(value)
		reconciler.LeadsTo(ctx, paramZone, now)
	}
	return nil
}

// zoneOf returns the ID of the zone that the Record's reference leads to, or "" if there is none.
func zoneOf(ctx context.Context, r client.Reader, rec *v1alpha1.Record) (string, error) {
	ref, zone := rec.Spec.ForProvider.ZoneIDRef, &zonev1alpha1.Zone{}
	at := client.ObjectKey{Namespace: cmp.Or(ref.Namespace, rec.GetNamespace()), Name: ref.Name}
	if err := r.Get(ctx, at, zone); err != nil {
		return "", client.IgnoreNotFound(err)
	}
	return meta.GetExternalName(zone), nil
}
