// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"net/netip"
)

// Codes of Hyperdrive (alchemy-run/distilled). The code for a name that exists already is not
// confirmed.
const (
	CodeHyperdriveNotFound = 2006
	CodeHyperdrivePrivate  = 2009
)

// hyperdriveFamily returns the configurations with which Workers reach databases.
func hyperdriveFamily() *family {
	return &family{
		list: "/accounts/{account_id}/hyperdrive/configs", parameter: "hyperdrive_id", shape: idHex,
		unique: []uniqueness{{[]string{"name"}, func() *Error {
			return refuse(http.StatusConflict, CodeResourceConflict, "A configuration of this name exists already.")
		}}},
		missing: func() *Error {
			return refuse(http.StatusNotFound, CodeHyperdriveNotFound, "The configuration could not be found.")
		},
		prepare:  prepareHyperdrive,
		deletion: func(*resourceCall, *resource) any { return nil },
	}
}

// prepareHyperdrive refuses a host in a private network, and sets the members that a request leaves
// out.
func prepareHyperdrive(_ *resourceCall, _ *resource, doc map[string]any) *Error {
	origin, _ := doc["origin"].(map[string]any)
	if a, err := netip.ParseAddr(textOf(origin, "host")); err == nil && (a.IsPrivate() || a.IsLoopback()) {
		return invalid(CodeHyperdrivePrivate, "The host of the database is private.")
	}
	if origin["port"] == nil && origin["access_client_id"] == nil && origin["service_id"] == nil {
		return invalid(CodeResourceInvalid, "The origin needs a port, a client of Access or a service.")
	}
	caching, _ := doc["caching"].(map[string]any)
	if caching == nil {
		caching = map[string]any{"disabled": false}
	}
	if caching["disabled"] != true {
		for name, seconds := range map[string]int{"max_age": 60, "stale_while_revalidate": 15} {
			if caching[name] == nil {
				caching[name] = seconds
			}
		}
	}
	doc["caching"] = caching
	if doc["mtls"] == nil {
		doc["mtls"] = map[string]any{}
	}
	if doc["origin_connection_limit"] == nil {
		doc["origin_connection_limit"] = 60
	}
	return nil
}
