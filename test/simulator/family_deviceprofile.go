// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import "net/http"

const deviceProfiles = "/accounts/{account_id}/devices/policy"

// deviceProfileFamily returns the settings of the client on devices. The list of all profiles has another path
// than the single profiles. It contains the default profile, which has no expression.
func deviceProfileFamily() *family {
	return &family{
		list: deviceProfiles, parameter: "policy_id", shape: idUUID, member: "policy_id", groups: []string{"Zero Trust Write"},
		seed: func(s *Server, sh *shelf) {
			id := s.newUUID()
			s.put(sh, id, map[string]any{"policy_id": id, "default": true, "enabled": true, "exclude": excludedAtFirst(), "precedence": 1_000_000})
		},
		unique: []uniqueness{{[]string{"precedence"}, func() *Error {
			return refuse(http.StatusConflict, CodeResourceConflict, "A profile of this precedence exists already.")
		}}},
		prepare: prepareDeviceProfile,
		deletion: func(c *resourceCall, _ *resource) any {
			left := []any{}
			for _, r := range c.shelf.sorted() {
				left = append(left, c.shown(r))
			}
			return left
		},
		more: map[string]handler{
			"GET " + deviceProfiles:                          (*resourceCall).defaultProfile,
			"PUT " + deviceProfiles + "/{policy_id}/include": splitTunnel("include", "exclude"),
			"PUT " + deviceProfiles + "/{policy_id}/exclude": splitTunnel("exclude", "include"),
			"GET /accounts/{account_id}/devices/policies": func(c *resourceCall) (reply, *Error) {
				there := *c
				there.shelf = c.beside("/devices/policy")
				there.f = there.shelf.f
				return there.listAll()
			},
		},
	}
}

// excludedAtFirst returns the addresses that a new profile excludes from the tunnel.
func excludedAtFirst() []any {
	return []any{map[string]any{"address": "10.0.0.0/8"}, map[string]any{"address": "192.168.0.0/16"}}
}

func (c *resourceCall) defaultProfile() (reply, *Error) {
	for _, r := range c.shelf.sorted() {
		if r.doc["default"] == true {
			return reply{result: c.shown(r)}, nil
		}
	}
	return reply{}, c.f.unknown()
}

// splitTunnel replaces one of the two lists of a profile, and removes the other one. The body and the result are
// the list.
func splitTunnel(list, other string) handler {
	return func(c *resourceCall) (reply, *Error) {
		r, err := c.find()
		if err != nil {
			return reply{}, err
		}
		body, err := c.admitList(list)
		if err != nil {
			return reply{}, err
		}
		doc := copyOf(r.doc)
		delete(doc, other)
		doc[list] = body
		r.set(doc, c.now)
		return reply{result: body}, nil
	}
}

// prepareDeviceProfile refuses a profile with both include and exclude, also if an update adds the other list. It
// refuses an update without members (Terraform provider, issues 6608, 6991 and 7035). A profile with neither list
// gets the exclusions of a new profile.
func prepareDeviceProfile(c *resourceCall, before *resource, doc map[string]any) *Error {
	sent, err := c.decodeBody()
	if err != nil {
		return err
	}
	if before != nil && len(sent) == 0 {
		return refuse(http.StatusBadRequest, CodeEmptyDeviceProfile, "The request has nothing to update.")
	}
	switch {
	case doc["include"] != nil && doc["exclude"] != nil:
		return invalid(CodeResourceInvalid, "A profile must have one of include and exclude.")
	case doc["include"] == nil && doc["exclude"] == nil:
		doc["exclude"] = excludedAtFirst()
	}
	doc["default"] = false
	if before == nil {
		doc["gateway_unique_id"], doc["fallback_domains"] = c.s.newID(), []any{map[string]any{"suffix": "internal"}}
	}
	return nil
}

// CodeEmptyDeviceProfile refuses an update of a profile without members (Terraform provider, pull request 7035).
const CodeEmptyDeviceProfile = 2003
