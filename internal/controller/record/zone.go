// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
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
	held := heldZone(a.mg)
	if meta.WasDeleted(a.mg) && held != "" {
		return held, nil
	}
	id, err := a.declaredZoneID(ctx, held)
	if err != nil {
		return "", err
	}
	if held != "" && held != id {
		return "", &MovedError{From: held, To: id}
	}
	return id, nil
}

// heldZone is the ID of the zone that the Record's DNS record is in, or may be in, if it
// was created without the Record's knowledge. "" is for none.
func heldZone(mg *v1alpha1.Record) string {
	return cmp.Or(mg.Status.AtProvider.ZoneID, pendingZone(mg))
}

// A MovedError says that a Record names another zone than the one its DNS record is in.
type MovedError struct{ From, To string }

func (e *MovedError) Error() string {
	return fmt.Sprintf("this object's DNS record is in zone %s, its spec now names zone %s: a record cannot move between zones. Set that back; "+
		"or, to keep the live record, set spec.deletionPolicy to Orphan first, then delete this object and create another", e.From, e.To)
}

// declaredZoneID is the ID of the zone that the spec names. Where zoneName has taken the
// place of a reference, zoneId may still have what that was resolved to.
func (a *adapter) declaredZoneID(ctx context.Context, held string) (string, error) {
	id := ptr.Deref(a.mg.Spec.ForProvider.ZoneID, "")
	switch {
	case a.mg.Spec.ForProvider.ZoneName != nil:
	case id == "":
		return "", errors.New("spec.forProvider.zoneId is not known yet: the reference to the Zone was not resolved")
	default:
		return id, nil
	}
	name, err := dnsrecord.ZoneName(*a.mg.Spec.ForProvider.ZoneName)
	if err != nil {
		return "", fmt.Errorf("spec.forProvider.zoneName: %w", err)
	}
	named, err := a.zones.ByName(ctx, a.session.Client, name, a.session.AccountID)
	if err == nil && id != "" && id != named && held == "" {
		return "", fmt.Errorf("spec.forProvider.zoneName is that of zone %s, and spec.forProvider.zoneId is %s: leave one of the two out", named, id)
	}
	return named, err
}

// resolve resolves the references to the Zone and to the Tunnel. A reference to another zone than
// the one the DNS record is in is refused before the spec has its ID, so that the edit can be
// taken back.
func resolve(ctx context.Context, r client.Reader, mg resource.Managed) error {
	rec, ok := mg.(*v1alpha1.Record)
	if !ok {
		return fmt.Errorf("there is a %T where a Record belongs", mg)
	}
	if rec.Spec.ForProvider.TunnelIDRef != nil {
		rec.Spec.ForProvider.TunnelID = nil // Else the resolver keeps what is set already.
	}
	before := ptr.Deref(rec.Spec.ForProvider.ZoneID, "")
	if err := rec.ResolveReferences(ctx, r); err != nil {
		return err
	}
	held, now := heldZone(rec), ptr.Deref(rec.Spec.ForProvider.ZoneID, "")
	if held != "" && now != "" && now != before && now != held {
		return &MovedError{From: held, To: now}
	}
	return nil
}
