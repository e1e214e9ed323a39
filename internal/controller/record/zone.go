// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"errors"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// resolveZone finds the Record's zone.
func (e *external) resolveZone(ctx context.Context, mg *v1alpha1.Record) error {
	id, err := e.zoneID(ctx, mg)
	if err != nil {
		return err
	}
	e.zone = e.zones.Zone(e.session.Client, id)
	if e.leave == nil {
		e.leave = e.zone.Enter()
	}
	return nil
}

// zoneID is the ID of the Record's zone. A Record never moves to another zone.
func (e *external) zoneID(ctx context.Context, mg *v1alpha1.Record) (string, error) {
	held := mg.Status.AtProvider.ZoneID
	if meta.WasDeleted(mg) && held != "" {
		return held, nil
	}
	id, err := e.declaredZoneID(ctx, mg)
	if err != nil {
		return "", err
	}
	if held != "" && held != id {
		return "", fmt.Errorf("this object's DNS record is in zone %s, its spec now names zone %s: "+
			"a record cannot move between zones; delete this object and create another", held, id)
	}
	return id, nil
}

func (e *external) declaredZoneID(ctx context.Context, mg *v1alpha1.Record) (string, error) {
	if id := ptr.Deref(mg.Spec.ForProvider.ZoneID, ""); id != "" {
		return id, nil
	}
	if mg.Spec.ForProvider.ZoneName == nil {
		return "", errors.New("spec.forProvider.zoneId is not known yet: the reference to the Zone was not resolved")
	}
	name, err := dnsrecord.ZoneName(*mg.Spec.ForProvider.ZoneName)
	if err != nil {
		return "", fmt.Errorf("spec.forProvider.zoneName: %w", err)
	}
	return e.zones.ByName(ctx, e.session.Client, name, e.session.AccountID)
}
