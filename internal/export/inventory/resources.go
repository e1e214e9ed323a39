// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package inventory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
)

// An Account is an account and the zones in which resources of described kinds are looked for.
type Account struct {
	ID    string
	Zones []cloudflare.Zone
}

// A Listing holds the resources of a kind that the credential can see.
type Listing struct {
	Kind      kind.Description
	Resources []kind.Resource
	// Refused has an error for each parent below which the API shows nothing: the credential
	// lacks a permission, or the plan of the account lacks the product.
	Refused []error
}

// Resources lists the resources of the kinds whose names chosen accepts, such as "tunnel.Tunnel".
// Resources that belong to others come after these. Fragments of documents are left out, because their
// documents are kinds, too. A refusal is recorded in the Listing. Any other failure is an error.
func Resources(ctx context.Context, api kindapi.Client, in Account, all []kind.Description, chosen func(kind string) bool) ([]Listing, error) {
	needed := map[string]bool{}
	for _, d := range all {
		for _, of := range references(d) {
			needed[of] = needed[of] || chosen(name(d))
		}
	}
	found := map[string]Listing{}
	var out []Listing
	for _, d := range inOrder(all) {
		if !chosen(name(d)) && !needed[name(d)] || d.Shape == kind.Fragment && d.Bulk == "" {
			continue
		}
		l, err := list(ctx, api, d, in, found)
		if err != nil {
			return nil, err
		}
		if found[name(d)] = l; chosen(name(d)) {
			out = append(out, l)
		}
	}
	return out, nil
}

// list lists the resources of a kind, below all parents.
func list(ctx context.Context, api kindapi.Client, d kind.Description, in Account, found map[string]Listing) (Listing, error) {
	l := Listing{Kind: d}
	for _, of := range references(d) {
		l.Refused = append(l.Refused, found[of].Refused...)
	}
	for _, params := range parents(d, in, found) {
		for _, header := range headers(d, params) {
			some, err := below(ctx, api, d, params, header)
			if err != nil && !refused(err) {
				return l, fmt.Errorf("cannot list each %s: %w", d.Noun, err)
			}
			if err != nil {
				l.Refused = append(l.Refused, fmt.Errorf("cannot list each %s in %s: %w", d.Noun, in.place(params), err))
			}
			l.Resources = append(l.Resources, some...)
		}
	}
	return l, nil
}

// refused reports whether the API does not show a list to this credential or this account.
func refused(err error) bool {
	var e *kindapi.RejectedError
	return errors.As(err, &e) || cloudflare.IsForbidden(err)
}

// place names the zone or the account of a parent.
func (a Account) place(params map[string]string) string {
	for _, z := range a.Zones {
		if z.ID == params["zone_id"] {
			return "the zone " + z.Name
		}
	}
	return "the account " + a.ID
}

// headers returns the header values for each of which a kind has a list of its own below a
// parent. If the parent has such a value, it is the only one.
func headers(d kind.Description, params map[string]string) []map[string]string {
	out := []map[string]string{nil}
	for _, field := range d.Headers {
		if v, of := params[field]; of {
			return []map[string]string{{field: v}}
		}
		for _, v := range d.Fields[field].Partitions {
			out = append(out, map[string]string{field: v})
		}
	}
	return out
}

func name(d kind.Description) string { return d.Group + "." + d.Name }

// inOrder sorts kinds whose resources belong to those of others after the others.
func inOrder(kinds []kind.Description) []kind.Description {
	depth := func(d kind.Description) int {
		if len(references(d)) > 0 {
			return 1
		}
		return 0
	}
	out := slices.Clone(kinds)
	slices.SortStableFunc(out, func(a, b kind.Description) int { return cmp.Compare(depth(a), depth(b)) })
	return out
}

// references returns the kinds of the resources that the parameters of a kind's paths name: group
// and name, by parameter.
func references(d kind.Description) map[string]string {
	out := map[string]string{}
	op, _ := kind.ParseOperation(cmp.Or(d.List, d.Read))
	for _, p := range op.Parameters() {
		switch ref := d.Fields[p].Ref; {
		case ref == "":
		case strings.Contains(ref, "."):
			out[p] = ref
		default:
			out[p] = d.Group + "." + ref
		}
	}
	return out
}

// parents returns the parameters of the parents that may have resources of a kind.
func parents(d kind.Description, in Account, found map[string]Listing) []map[string]string {
	var out []map[string]string
	if d.Scope == kind.User {
		out = append(out, map[string]string{})
	}
	if d.Scope.InAccount() {
		out = append(out, map[string]string{"account_id": in.ID, "accounts_or_zones": "accounts", "account_or_zone_id": in.ID})
	}
	if d.Scope.InZone() {
		for _, z := range in.Zones {
			out = append(out, map[string]string{"zone_id": z.ID, "accounts_or_zones": "zones", "account_or_zone_id": z.ID})
		}
	}
	for parameter, of := range references(d) {
		var each []map[string]string
		for _, params := range out {
			for _, r := range found[of].Resources {
				one := maps.Clone(params)
				one[parameter] = r.ID
				for header, field := range d.Headers {
					if its, both := found[of].Kind.Headers[header]; both {
						one[field] = r.Parameters[its]
					}
				}
				each = append(each, one)
			}
		}
		out = each
	}
	return out
}

// header returns the header of the calls of a kind, with the values of these fields.
func header(d kind.Description, fields map[string]string) http.Header {
	out := http.Header{}
	for name, field := range d.Headers {
		if v := fields[field]; v != "" {
			out.Set(name, v)
		}
	}
	return out
}

// below lists the resources of one parent, with the values of these fields in the header.
func below(ctx context.Context, api kindapi.Client, d kind.Description, params, fields map[string]string) ([]kind.Resource, error) {
	all := kindapi.New(api, d, params, header(d, fields))
	if d.Shape == kind.Singleton && d.List == "" {
		return alone(ctx, all, d, params)
	}
	rows, err := all.Rows(ctx)
	if gone(err) {
		return nil, nil // The parent was deleted meanwhile.
	}
	if err != nil {
		return nil, err
	}
	params = maps.Clone(params)
	maps.Copy(params, fields)
	var out []kind.Resource
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		r := kind.Resource{ID: id, Parameters: params, Live: rows[id]}
		switch {
		case d.Shape == kind.Singleton:
			if r, ok := setting(d, params, id, rows[id]); ok {
				out = append(out, r)
			}
			continue
		case d.Shape == kind.Fragment:
			r.ID = d.FragmentKey(r.Live) // The resource may get another ID.
		case len(d.ListOmits)+len(d.ReadLacks) > 0:
			if r.Live, err = read(ctx, all, d, id, rows[id]); gone(err) {
				continue
			}
		}
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// alone returns the singleton of a parent, and nothing if none of its fields is set.
func alone(ctx context.Context, all kindapi.Resources, d kind.Description, params map[string]string) ([]kind.Resource, error) {
	doc, err := all.Get(ctx, "")
	if gone(err) || err == nil && d.NotSet(doc) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return []kind.Resource{{ID: d.SingletonID(params), Parameters: params, Live: doc}}, nil
}

// read reads a resource. row is its row in the list.
func read(ctx context.Context, all kindapi.Resources, d kind.Description, id string, row kind.Document) (kind.Document, error) {
	if len(d.ReadLacks) == 0 {
		return all.Get(ctx, id)
	}
	doc, err := all.Read(ctx, id)
	if err != nil {
		return nil, err
	}
	return all.Joined(id, doc, row), nil
}

// gone reports whether a resource was deleted meanwhile.
func gone(err error) bool {
	var e *kindapi.NotFoundError
	return errors.As(err, &e)
}

// setting returns one of several singletons in a list. It returns false for a singleton that was
// never changed: it has Cloudflare's defaults and needs no object.
func setting(d kind.Description, params map[string]string, id string, doc kind.Document) (kind.Resource, bool) {
	if v, ok := kind.At(doc, "modified_on"); !ok || v == nil {
		return kind.Resource{}, false
	}
	params = maps.Clone(params)
	params[d.VariantBy] = id
	return kind.Resource{ID: d.SingletonID(params), Parameters: params, Live: doc}, true
}
