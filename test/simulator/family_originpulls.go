// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import "net/http"

// CodeOriginPullExists refuses a certificate that the zone has already (Terraform provider, issue 837).
const CodeOriginPullExists = 1406

// originPulls is the path of the certificates that Cloudflare presents to the origins of a zone.
const originPulls = "/zones/{zone_id}/origin_tls_client_auth"

// originPullFamily returns those certificates. A certificate is active at once, and is removed at once
// when it is deleted.
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

// originPullSettingFamily returns the setting that enables the certificates.
func originPullSettingFamily() *family {
	return &family{
		list: originPulls + "/settings", single: true,
		seed:    func(s *Server, sh *shelf) { s.put(sh, "settings", map[string]any{"enabled": false}) },
		prepare: withoutID,
	}
}
