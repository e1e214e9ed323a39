// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

const namespace = "bench"

// mix describes the Records in the document.
const mix = "5 of 10 Records are A, 2 CNAME, 2 TXT, 1 MX; each has zoneId, a relative name, content, ttl 300 and proxied left out; " +
	"every third has a comment"

// A declared is a record as a Record declares it and as Cloudflare stores it.
type declared struct {
	typ, name, content, comment string
	priority                    int64
}

// record returns the i-th record of a zone, the same each time. Its content has the form
// in which the API returns it, so that the plain comparison finds no difference.
func record(i int) declared {
	d := declared{name: fmt.Sprintf("host-%05d", i)}
	switch i % 10 {
	case 5, 6:
		d.typ, d.content = "CNAME", fmt.Sprintf("target-%05d.example.net", i)
	case 7, 8:
		d.typ, d.content = "TXT", fmt.Sprintf("bench-value-%05d", i)
	case 9:
		d.typ, d.content, d.priority = "MX", "mail.example.net", 10
	default:
		d.typ, d.content = "A", fmt.Sprintf("198.18.%d.%d", i/256%256, i%256)
	}
	if i%3 == 0 {
		d.comment = fmt.Sprintf("owner: team %d", i%7)
	}
	return d
}

const ttl = 300

// body returns d in the form of the Cloudflare API.
func (d declared) body() map[string]any {
	b := map[string]any{"type": d.typ, "name": d.name, "content": d.content, "ttl": ttl}
	if d.priority != 0 {
		b["priority"] = d.priority
	}
	if d.comment != "" {
		b["comment"] = d.comment
	}
	return b
}

// object returns a Record of that name that declares d.
func (d declared) object(name, zoneID, config string) *dnsv1alpha1.Record {
	p := dnsv1alpha1.RecordParameters{
		ZoneID: ptr.To(zoneID), Name: ptr.To(d.name), Type: ptr.To(d.typ), Content: ptr.To(d.content), TTL: ptr.To[int64](ttl),
	}
	if d.priority != 0 {
		p.Priority = ptr.To(d.priority)
	}
	if d.comment != "" {
		p.Comment = ptr.To(d.comment)
	}
	r := &dnsv1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}, Spec: dnsv1alpha1.RecordSpec{ForProvider: p}}
	r.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ClusterProviderConfigKind, Name: config}
	return r
}

// objectName returns the name of the i-th Record of a group.
func objectName(group string, i int) string { return fmt.Sprintf("%s-%05d", group, i) }

// objects returns n Records of a zone.
func objects(group, zoneID, config string, n int) []*dnsv1alpha1.Record {
	out := make([]*dnsv1alpha1.Record, 0, n)
	for i := range n {
		out = append(out, record(i).object(objectName(group, i), zoneID, config))
	}
	return out
}

// identified returns Records for the existing records of a zone, each with the ID of its
// record. The keys of ids are the records' names.
func identified(group, zoneID, config string, ids map[string]string) []*dnsv1alpha1.Record {
	out := objects(group, zoneID, config, len(ids))
	for _, r := range out {
		meta.SetExternalName(r, ids[*r.Spec.ForProvider.Name])
	}
	return out
}

// withType returns the numbers below n of the records of a type.
func withType(typ string, n int) []int {
	var out []int
	for i := range n {
		if record(i).typ == typ {
			out = append(out, i)
		}
	}
	return out
}
