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

// Found holds the resources of a kind.
type Found struct {
	Kind      kind.Description
	Resources []kind.Resource
}

// objects are the names of the objects of exported resources.
type objects struct {
	// byKind holds them by kind, such as "tunnel.Tunnel", and by the ID of the resource.
	byKind map[string]map[string]string
	// owner holds them by ID alone, for IDs that Cloudflare generated. Resources that belong to another
	// one may have its ID, as all settings of a zone do. owner has the first resource of an ID.
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

// Import returns the manifests of what another tool manages: zones, records by zone, and resources
// of other kinds. If the zone of a record is not among zones, the record names it by ID.
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

// ZoneRecords holds all records of a zone. IDs names those to import.
type ZoneRecords struct {
	Zone    cloudflare.Zone
	Records []json.RawMessage
	IDs     map[string]bool
}

// byID makes Records name their zone by its ID.
func byID(records []client.Object, zoneID string) {
	for _, o := range records {
		if r, ok := o.(*dnsv1alpha1.Record); ok {
			r.Spec.ForProvider.ZoneIDRef, r.Spec.ForProvider.ZoneID = nil, &zoneID
		}
	}
}

// Account returns the manifests of zones and of resources of other kinds. They refer to each other
// by name. In found, a kind must come after the kinds that its resources belong to. create makes
// an empty object of a kind.
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

// rank sorts zones first, and keeps the objects of a kind together.
func rank(o client.Object) string {
	gvk := o.GetObjectKind().GroupVersionKind()
	if gvk.Kind == "Zone" {
		return ""
	}
	return gvk.Group + "/" + gvk.Kind
}

// kept says why only Cloudflare may change a resource, "" if users may.
func kept(d kind.Description, live kind.Document) string {
	if d.Editable != nil {
		return d.Editable(live)
	}
	if kind.Text(live, "kind") == "managed" {
		return "it belongs to Cloudflare"
	}
	return ""
}
