// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// declared returns what p declares as an input of dnsrecord, and false if p declares too
// little to compare with. A Record that only observes may do so.
func declared(p v1alpha1.RecordParameters) (dnsrecord.Input, bool, error) {
	if p.Name == nil || p.Type == nil || (p.Content == nil && p.Data == nil && p.TunnelID == nil) {
		return dnsrecord.Input{}, false, nil
	}
	in, err := input(p)
	return in, true, err
}

// precheck returns an error for a declaration that is invalid in any zone. It makes no calls.
func precheck(in dnsrecord.Input) error {
	if in.Name == "@" {
		in.Name = "any"
	}
	in.Name = strings.TrimSuffix(in.Name, ".")
	if !strings.Contains(in.Name, ".") {
		in.Name += ".invalid"
	}
	in.Name += "."
	if _, err := dnsrecord.Parse("", in); err != nil {
		return fmt.Errorf("spec.forProvider is not a valid DNS record: %w", err)
	}
	return nil
}

// desire finds the zone of the Record and the desired record.
func (a *adapter) desire(ctx context.Context) error {
	in, ok, err := declared(a.mg.Spec.ForProvider)
	if err != nil {
		return err
	}
	if ok {
		if err := precheck(in); err != nil {
			return err
		}
	}
	a.showName(ptr.Deref(a.mg.Spec.ForProvider.ZoneName, ""))
	if err := a.resolveZone(ctx); err != nil || !ok {
		return err
	}
	var r dnsrecord.Record
	err = a.inZone(ctx, in.Name, func(zoneName string) (err error) {
		r, err = dnsrecord.Parse(zoneName, in)
		return err
	})
	if err != nil {
		return err
	}
	a.showName(a.zone.KnownName())
	if a.note, err = noteOf(r.Key(), a.zone.ID()); err != nil {
		return fmt.Errorf("cannot note which record is about to be created: %w", err)
	}
	a.want = &r
	return nil
}

// showName puts the names of the record and its zone on the status of a Record that has no
// record yet. So users see them even if the record cannot be created. showName does nothing
// without a valid name of the zone.
func (a *adapter) showName(zoneName string) {
	at, name := &a.mg.Status.AtProvider, a.mg.Spec.ForProvider.Name
	if at.ID != "" || name == nil || zoneName == "" {
		return
	}
	zone, err := dnsrecord.ZoneName(zoneName)
	if err != nil {
		return
	}
	if fqdn, err := dnsrecord.FQDN(zone, *name); err == nil {
		at.FQDN, at.ZoneName = fqdn, zone
	}
}

// inZone calls parse with the zone's name. If that is not known, it calls parse with "" and
// checks that name is fully qualified.
func (a *adapter) inZone(ctx context.Context, name string, parse func(zoneName string) error) error {
	zoneName, err := a.zone.Name(ctx)
	if err != nil {
		return err
	}
	if zoneName != "" {
		if err := parse(zoneName); err != nil {
			return fmt.Errorf("spec.forProvider is not a valid DNS record: %w", err)
		}
		return nil
	}
	if err := parse(""); err != nil {
		return a.nameless(err)
	}
	common, err := a.zone.CommonName(ctx)
	if err != nil {
		return err
	}
	if err := dnsrecord.CheckQualified(name, common); err != nil {
		return a.nameless(err)
	}
	return nil
}

// nameless returns err about a name in a zone whose name is not known. It adds why the zone
// was not read, because no other message may report a fault of the credential before this
// one.
func (a *adapter) nameless(err error) error {
	err = fmt.Errorf("spec.forProvider is not a valid DNS record (the credential cannot read the zone, so its name is not known): %w", err)
	if why := a.zone.Nameless(); why != nil {
		return fmt.Errorf("%w. The zone was not read: %w", err, why)
	}
	return err
}

// nameRefused reports whether err says that the declared name does not fit into the zone.
func nameRefused(err error) bool {
	var field *dnsrecord.FieldError
	return errors.As(err, &field) && field.Field == "name"
}
