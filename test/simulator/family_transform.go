// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"slices"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// Members of the document of managed transforms.
const (
	requestHeaders  = "managed_request_headers"
	responseHeaders = "managed_response_headers"
)

// managedTransformsFamily returns the managed transforms: headers that Cloudflare adds or removes. A PATCH
// switches the transforms that it names. It fails as a whole if it names an unknown one (Terraform provider,
// issue 6903). Responses show all transforms, also disabled ones (5627). The refusal of a transform with a
// conflict is not confirmed.
func managedTransformsFamily() *family {
	return &family{
		list: "/zones/{zone_id}/managed_headers", single: true,
		seed: func(s *Server, sh *shelf) { s.put(sh, "managed_headers", transformsOffered()) },
		prepare: func(_ *resourceCall, before *resource, doc map[string]any) *Error {
			delete(doc, "id")
			for _, member := range []string{requestHeaders, responseHeaders} {
				all := apidoc.Copy(before.doc[member])
				if err := switchTransforms(objects(all), objects(doc[member])); err != nil {
					return err
				}
				doc[member] = all
			}
			return nil
		},
	}
}

// transformsOffered returns some of the transforms of a zone, with their conflicts.
func transformsOffered() map[string]any {
	offered := func(id string, not ...any) any {
		t := map[string]any{"id": id, "enabled": false, "has_conflict": false}
		if len(not) > 0 {
			t["conflicts_with"] = not
		}
		return t
	}
	return map[string]any{
		requestHeaders: []any{
			offered("add_visitor_location_headers"), offered("add_waf_credential_check_status_header"),
			offered("add_true_client_ip_headers", "remove_visitor_ip_headers"), offered("remove_visitor_ip_headers", "add_true_client_ip_headers"),
		},
		responseHeaders: []any{offered("remove_x-powered-by_header"), offered("add_security_headers")},
	}
}

// switchTransforms enables or disables the named transforms, and sets has_conflict of all. It refuses an enabled
// transform that conflicts with another enabled one.
func switchTransforms(all, named []map[string]any) *Error {
	at := func(id any) map[string]any {
		i := slices.IndexFunc(all, func(t map[string]any) bool { return t["id"] == id })
		if i < 0 {
			return nil
		}
		return all[i]
	}
	for _, wanted := range named {
		offered := at(wanted["id"])
		if offered == nil {
			return invalid(CodeResourceInvalid, "There is no managed transform %v.", wanted["id"])
		}
		offered["enabled"] = wanted["enabled"]
	}
	for _, t := range all {
		others, _ := t["conflicts_with"].([]any)
		t["has_conflict"] = slices.ContainsFunc(others, func(id any) bool { return at(id)["enabled"] == true })
		if t["enabled"] == true && t["has_conflict"] == true {
			return invalid(CodeResourceInvalid, "The managed transform %v has a conflict.", t["id"])
		}
	}
	return nil
}
