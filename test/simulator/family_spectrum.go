// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"regexp"
	"strings"
)

// spectrumProtocol matches a protocol with a port or a range of ports.
var spectrumProtocol = regexp.MustCompile(`^(tcp|udp)/\d{1,5}(-\d{1,5})?$`)

// spectrumFamily returns the Spectrum applications of a zone: proxied ports of its host names. Cloudflare
// creates a DNS record for the host name, and the simulator does not.
func spectrumFamily() *family {
	return &family{
		list: "/zones/{zone_id}/spectrum/apps", parameter: "app_id", shape: idHex,
		prepare: prepareSpectrum,
	}
}

// prepareSpectrum refuses host names of other zones, addresses that do not go with the type of the record, and
// an application without exactly one kind of origin.
func prepareSpectrum(c *resourceCall, before *resource, doc map[string]any) *Error {
	if c.zone.plan == PlanFree {
		return refuse(http.StatusForbidden, CodeNotEntitled, "The zone's plan has no Spectrum.")
	}
	dns, _ := doc["dns"].(map[string]any)
	edge, _ := doc["edge_ips"].(map[string]any)
	direct, _ := doc["origin_direct"].([]any)
	named, _ := doc["origin_dns"].(map[string]any)
	dns["name"] = strings.ToLower(textOf(dns, "name"))
	switch {
	case !atOrBelow(textOf(dns, "name"), c.zone.name):
		return invalid(CodeResourceInvalid, "The host name must be one of the zone.")
	case !spectrumProtocol.MatchString(textOf(doc, "protocol")):
		return invalid(CodeResourceInvalid, "The protocol must be tcp or udp, with a port or a range of ports.")
	case (len(direct) > 0) == (len(named) > 0):
		return invalid(CodeResourceInvalid, "An application must have origin_direct or origin_dns, and not both.")
	case len(named) > 0 && doc["origin_port"] == nil, len(direct) > 0 && doc["origin_port"] != nil:
		return invalid(CodeResourceInvalid, "origin_port goes with origin_dns.")
	case (textOf(edge, "type") == "static") != (textOf(dns, "type") == "ADDRESS"):
		return invalid(CodeResourceInvalid, "Static addresses go with the type ADDRESS.")
	}
	for _, other := range c.shelf.sorted() {
		name, _ := other.doc["dns"].(map[string]any)
		if other != before && textOf(name, "name") == textOf(dns, "name") && other.text("protocol") == textOf(doc, "protocol") {
			return refuse(http.StatusConflict, CodeResourceConflict, "An application for this host name and port exists already.")
		}
	}
	return nil
}
