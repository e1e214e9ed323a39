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

// declared is what mg declares, in the words of dnsrecord; false where it
// declares too little to compare with, which it may when it only observes.
func declared(p v1alpha1.RecordParameters) (dnsrecord.Input, bool, error) {
	if p.Name == nil || p.Type == nil || (p.Content == nil && p.Data == nil && p.TunnelID == nil) {
		return dnsrecord.Input{}, false, nil
	}
	in, err := input(p)
	return in, true, err
}

// precheck finds what is wrong with a declaration by itself, whatever its zone.
// Nothing needs to be asked for that.
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

// desire finds the zone of the Record and what its record should be.
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

// showName puts the record's name and its zone's on the status of a Record that has no record
// yet, so that people see what it is about whatever keeps it from being made. Without a valid
// name of the zone it does nothing.
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

// inZone parses what depends on the zone's name, given to parse, and on whether name
// is fully qualified where the zone's is not known.
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

// nameless is err about a name, where that of the zone is not known. Of what is
// wrong with the credential this may be the first that anybody sees.
func (a *adapter) nameless(err error) error {
	err = fmt.Errorf("spec.forProvider is not a valid DNS record (the credential cannot read the zone, so its name is not known): %w", err)
	if why := a.zone.Nameless(); why != nil {
		return fmt.Errorf("%w. The zone was not read: %w", err, why)
	}
	return err
}

// nameRefused reports whether err says that the declared name does not fit into the
// zone.
func nameRefused(err error) bool {
	var field *dnsrecord.FieldError
	return errors.As(err, &field) && field.Field == "name"
}
