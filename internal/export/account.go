// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// Found are the resources of a kind.
type Found struct {
	Kind      kind.Description
	Resources []kind.Resource
}

// objects are the names of the objects of what is exported.
type objects struct {
	// byKind has them by the kind, as "tunnel.Tunnel", and the ID of what they stand for.
	byKind map[string]map[string]string
	// owner has them by ID alone, where Cloudflare made it. Several resources have one ID where
	// they belong to one of them, as all settings of a zone do: it is the first.
	owner map[string]string
}

func newObjects() objects {
	return objects{byKind: map[string]map[string]string{}, owner: map[string]string{}}
}

func (o objects) add(of, id, name string) {
	if o.byKind[of] == nil {
		o.byKind[of] = map[string]string{}
	}
	o.byKind[of][id] = name
	if o.owner[id] == "" && generated(id) {
		o.owner[id] = name
	}
}

func (o objects) name(of, id string) string { return o.byKind[of][id] }

// Import gives the manifests of what another tool manages: zones, records by zone, and resources
// of other kinds. What is in a zone that is not among zones names it by its ID.
func (o Options) Import(zones []cloudflare.Zone, records []ZoneRecords, found []Found, create func(kind.Description) (Described, error)) (Result, error) {
	out, err := o.Account(zones, found, create)
	if err != nil {
		return out, err
	}
	for _, in := range records {
		some := o.Records(in.Zone, in.Records, Filter{IDs: in.IDs})
		if !slices.ContainsFunc(zones, func(z cloudflare.Zone) bool { return z.ID == in.Zone.ID }) {
			byID(some.Objects, in.Zone.ID)
		}
		out.Objects = append(out.Objects, some.Objects...)
		out.LeftOut = append(out.LeftOut, some.LeftOut...)
	}
	return out, nil
}

// ZoneRecords are all records of a zone, of which IDs names those to import.
type ZoneRecords struct {
	Zone    cloudflare.Zone
	Records []json.RawMessage
	IDs     map[string]bool
}

// byID has Records name their zone by its ID.
func byID(records []client.Object, zoneID string) {
	for _, o := range records {
		if r, ok := o.(*dnsv1alpha1.Record); ok {
			r.Spec.ForProvider.ZoneIDRef, r.Spec.ForProvider.ZoneID = nil, &zoneID
		}
	}
}

// Account gives the manifests of zones and of resources of other kinds, which come after those that
// they belong to. They refer to each other by name. create makes an empty object of a
// kind.
func (o Options) Account(zones []cloudflare.Zone, found []Found, create func(kind.Description) (Described, error)) (Result, error) {
	var out Result
	known := newObjects()
	for _, z := range zones {
		known.add("zone.Zone", z.ID, zoneObject(z))
		out.Objects = append(out.Objects, o.Zone(z))
	}
	names := make([][]string, len(found))
	for i, f := range found {
		taken := map[string]bool{}
		for _, r := range f.Resources {
			name := resourceName(f.Kind, r, known)
			if taken[name] {
				name = distinct(name, r)
			}
			taken[name] = true
			names[i] = append(names[i], name)
			known.add(f.Kind.Group+"."+f.Kind.Name, r.ID, name)
		}
	}
	for i, f := range found {
		for j, r := range f.Resources {
			if why := kept(f.Kind, r.Live); why != "" {
				out.leaveOut(fmt.Sprintf("%s %s", f.Kind.Noun, r.ID), why)
				continue
			}
			object, err := create(f.Kind)
			if err != nil {
				return out, err
			}
			o.resource(f.Kind, object, r, names[i][j], known)
			out.Objects = append(out.Objects, object)
			if why := unmanageable(f.Kind); o.Manage && why != "" {
				out.Observed = append(out.Observed, LeftOut{What: fmt.Sprintf("%s %s", f.Kind.Noun, r.ID), Why: why})
			}
		}
	}
	slices.SortStableFunc(out.Objects, func(a, b client.Object) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.GetName(), b.GetName()))
	})
	return out, nil
}

// rank puts zones first, and keeps kinds together.
func rank(o client.Object) string {
	gvk := o.GetObjectKind().GroupVersionKind()
	if gvk.Kind == "Zone" {
		return ""
	}
	return gvk.Group + "/" + gvk.Kind
}

// kept says why nobody but Cloudflare may change a resource, "" where one may.
func kept(d kind.Description, live kind.Document) string {
	if d.Editable != nil {
		return d.Editable(live)
	}
	if kind.Text(live, "kind") == "managed" {
		return "it belongs to Cloudflare"
	}
	return ""
}
