// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/url"
	"slices"
	"strings"
)

// A shadow has the metadata of a record list about delegations inside of the zone. NS
// records below the apex take all names at and below their own out of the zone.
type shadow struct {
	shown         bool      // include_shadow_metadata.
	delegations   []*record // NS records below the apex.
	records       []*record
	below         string // shadowed_by_name.
	shadowingName string // shadowing_name.
}

// shadowOf decodes the parameters about shadowed records.
func shadowOf(query url.Values, z *zone, records []*record) (shadow, *Error) {
	include, err := oneOf(query, "include_shadow_metadata", "false", "true", "false")
	if err != nil {
		return shadow{}, err
	}
	s := shadow{shown: include == "true", records: slices.Clone(records)}
	if s.below, err = subdomain(query, "shadowed_by_name", z); err != nil {
		return shadow{}, err
	}
	if s.shadowingName, err = subdomain(query, "shadowing_name", z); err != nil {
		return shadow{}, err
	}
	if s.below != "" && !s.shown {
		return shadow{}, invalid(CodeBadParameter, "Parameter shadowed_by_name requires include_shadow_metadata=true.")
	}
	for _, r := range records {
		if r.typ == "NS" && r.name != z.name {
			s.delegations = append(s.delegations, r)
		}
	}
	return s, nil
}

// subdomain returns a parameter with a name below the zone's apex.
func subdomain(query url.Values, parameter string, z *zone) (string, *Error) {
	if !query.Has(parameter) {
		return "", nil
	}
	name := strings.ToLower(strings.TrimSuffix(query.Get(parameter), "."))
	if !strings.HasSuffix(name, "."+z.name) {
		return "", invalid(CodeBadParameter, "Invalid value for parameter %s: must be a subdomain of the zone.", parameter)
	}
	return name, nil
}

// atOrBelow reports whether a name is ancestor or below it.
func atOrBelow(name, ancestor string) bool {
	return name == ancestor || strings.HasSuffix(name, "."+ancestor)
}

func (s shadow) keeps(r *record) bool {
	if s.below != "" && (!atOrBelow(r.name, s.below) || (r.typ == "NS" && r.name == s.below)) {
		return false
	}
	return s.shadowingName == "" || (slices.Contains(s.delegations, r) && atOrBelow(s.shadowingName, r.name))
}

// by returns the NS records that shadow r. A delegation does not shadow its own NS and
// DS records, nor its glue.
func (s shadow) by(r *record) []*record {
	var list []*record
	for _, ns := range s.delegations {
		own := r.name == ns.name && (r.typ == "NS" || r.typ == "DS")
		if atOrBelow(r.name, ns.name) && !own && !s.glue(r) {
			list = append(list, ns)
		}
	}
	return list
}

// glue reports whether r is the address of a name server inside of its own delegation.
func (s shadow) glue(r *record) bool {
	return (r.typ == "A" || r.typ == "AAAA") && slices.ContainsFunc(s.delegations, func(ns *record) bool {
		return ns.content == r.name && atOrBelow(r.name, ns.name)
	})
}

// annotate adds the metadata to a record's body.
func (s shadow) annotate(r *record, body map[string]any) map[string]any {
	meta, ok := body["meta"].(map[string]any)
	if !s.shown || !ok {
		return body
	}
	if by := s.by(r); len(by) > 0 {
		ids := []string{}
		for _, ns := range by {
			ids = append(ids, ns.id)
		}
		meta["shadowed_by"] = ids
	}
	if s.glue(r) {
		meta["is_glue"] = true
	}
	if slices.Contains(s.delegations, r) {
		n := 0
		for _, other := range s.records {
			if slices.Contains(s.by(other), r) {
				n++
			}
		}
		meta["shadowed_records_count"] = min(n, 10000)
	}
	return body
}
