// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import "net/http"

// CodeOriginPullExists is of a certificate that the zone has already (Terraform provider, issue 837).
const CodeOriginPullExists = 1406

// The certificates that Cloudflare shows to the origins of a zone.
const originPulls = "/zones/{zone_id}/origin_tls_client_auth"

// originPullFamily is those certificates. One is deployed at once, and gone at once when it is deleted.
func originPullFamily() *family {
	return &family{
		list: originPulls, parameter: "certificate_id", shape: idHex,
		unique: []uniqueness{{[]string{"certificate"}, func() *Error {
			return refuse(http.StatusBadRequest, CodeOriginPullExists, "This certificate already exists for this zone.")
		}}},
		prepare: func(c *resourceCall, _ *resource, doc map[string]any) *Error {
			doc["status"] = "active"
			_, err := c.readCertificate(doc, "certificate")
			return err
		},
		deletion: func(c *resourceCall, r *resource) any {
			shown := c.shown(r)
			shown["status"] = "pending_deletion"
			return shown
		},
	}
}

// originPullSettingFamily is whether a certificate is shown.
func originPullSettingFamily() *family {
	return &family{
		list: originPulls + "/settings", single: true,
		seed:    func(s *Server, sh *shelf) { s.put(sh, "settings", map[string]any{"enabled": false}) },
		prepare: withoutID,
	}
}
