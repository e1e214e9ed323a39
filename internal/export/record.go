// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"errors"
	"fmt"
	"strings"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// errForm says that no declaration can stand for a record.
var errForm = errors.New("no declaration of a Record has the same meaning")

// Record returns the manifest of a record of z, which refers to the object that [Options.Zone]
// returns for z. The error says why a Record cannot declare l.
func (o Options) Record(z cloudflare.Zone, l dnsrecord.Live) (*dnsv1alpha1.Record, error) {
	live := dnsrecord.FromLive(l)
	in, err := declared(z.Name, l, live)
	if err != nil {
		return nil, err
	}
	out := &dnsv1alpha1.Record{
		TypeMeta:   metav1.TypeMeta{APIVersion: dnsv1alpha1.SchemeGroupVersion.String(), Kind: dnsv1alpha1.RecordKind},
		ObjectMeta: o.meta(objectName(live.Name, live.Type, l.ID), l.ID),
	}
	out.Spec.ManagedResourceSpec = o.spec()
	p := &out.Spec.ForProvider
	p.ZoneIDRef = &xpv2.NamespacedReference{Name: zoneObject(z)}
	p.Name, p.Type, p.Content = ptr.To(in.Name), ptr.To(in.Type), in.Content
	p.TTL, p.Proxied, p.Comment = in.TTL, in.Proxied, in.Comment
	if in.Tags != nil {
		p.Tags = &in.Tags
	}
	if s := in.Settings; s != nil {
		p.Settings = &dnsv1alpha1.RecordSettings{}
		for _, one := range []struct {
			set  bool
			into **bool
		}{
			{s.FlattenCNAME, &p.Settings.FlattenCNAME},
			{s.IPv4Only, &p.Settings.IPv4Only},
			{s.IPv6Only, &p.Settings.IPv6Only},
		} {
			if one.set {
				*one.into = ptr.To(true)
			}
		}
	}
	return out, nil
}

// declared returns a live record as a user would declare it, without fields that have no meaning
// for it. It parses the result again, so that an object of it finds nothing to change.
func declared(zone string, l dnsrecord.Live, live dnsrecord.Record) (dnsrecord.Input, error) {
	in := dnsrecord.Input{
		Name: relative(zone, live.Name), Type: live.Type,
		Content: ptr.To(live.Presentation()),
	}
	if !l.Proxied && l.TTL > 0 {
		in.TTL = ptr.To(int64(l.TTL))
	}
	if dnsrecord.Proxiable(live.Type) {
		in.Proxied = ptr.To(l.Proxied)
	}
	if ptr.Deref(l.Comment, "") != "" {
		in.Comment = l.Comment
	}
	if len(l.Tags) > 0 {
		in.Tags = l.Tags
	}
	if s := l.Settings; s != nil && *s != (dnsrecord.Settings{}) {
		in.Settings = s
	}
	back, err := dnsrecord.Parse(zone, in)
	if err != nil {
		return in, fmt.Errorf("no Record can declare it: %w", err)
	}
	if !dnsrecord.Equal(back, live) {
		return in, errForm
	}
	return in, nil
}

// relative returns a name as it is declared in a zone: "@" for the zone itself, and with a dot at
// the end if it would be read as another name.
func relative(zone, fqdn string) string {
	name := strings.TrimSuffix(fqdn, "."+zone)
	if fqdn == zone {
		name = "@"
	}
	if full, err := dnsrecord.FQDN(zone, name); err != nil || full != fqdn {
		return fqdn + "."
	}
	return name
}
