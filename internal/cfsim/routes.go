// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"net/http"
	"strings"
)

// scope is what a route's permission has to cover.
type scope int

const (
	scopeNone      scope = iota // any valid credential
	scopeZone                   // {zone_id} of the path
	scopeSomewhere              // the handler looks at what is covered
)

// route is one operation of the API.
type route struct {
	pattern    string // method and path below BasePath, as in the OpenAPI document
	scope      scope
	permission Permission
	handle     func(*call) (reply, *Error)
}

// verifies reports whether the route is there to find out about a token, which then
// need not be valid for anything else.
func (r route) verifies() bool { return strings.HasSuffix(r.pattern, "/tokens/verify") }

func routes() []route {
	const (
		records  = "/zones/{zone_id}/dns_records"
		record   = records + "/{dns_record_id}"
		oneZone  = "/zones/{zone_id}"
		dnssec   = oneZone + "/dnssec"
		settings = oneZone + "/settings"
		dns      = oneZone + "/dns_settings"
	)
	return []route{
		{"GET /user", scopeNone, "", getUser},
		{"GET /user/tokens/verify", scopeNone, "", verifyUserToken},
		{"GET /accounts/{account_id}/tokens/verify", scopeNone, "", verifyAccountToken},

		{"GET /zones", scopeSomewhere, ZoneRead, listZones},
		{"POST /zones", scopeSomewhere, ZoneWrite, createZone},
		{"GET " + oneZone, scopeZone, ZoneRead, getZone},
		{"PATCH " + oneZone, scopeZone, ZoneWrite, patchZone},
		{"DELETE " + oneZone, scopeZone, ZoneWrite, deleteZone},
		{"PUT " + oneZone + "/activation_check", scopeZone, ZoneWrite, checkActivation},
		{"GET " + oneZone + "/subscription", scopeZone, BillingRead, getSubscription},

		{"GET " + records, scopeZone, DNSRead, listRecords},
		{"POST " + records, scopeZone, DNSWrite, createRecord},
		{"POST " + records + "/batch", scopeZone, DNSWrite, batchRecords},
		{"GET " + records + "/usage", scopeZone, DNSRead, getUsage},
		{"GET " + records + "/export", scopeZone, DNSRead, exportRecords},
		{"POST " + records + "/import", scopeZone, DNSWrite, importRecords},
		{"GET " + record, scopeZone, DNSRead, getRecord},
		{"PUT " + record, scopeZone, DNSWrite, putRecord},
		{"PATCH " + record, scopeZone, DNSWrite, patchRecord},
		{"DELETE " + record, scopeZone, DNSWrite, deleteRecord},

		{"GET " + settings, scopeZone, ZoneSettingsRead, listSettings},
		{"GET " + settings + "/{setting_id}", scopeZone, ZoneSettingsRead, getSetting},
		{"PATCH " + settings + "/{setting_id}", scopeZone, ZoneSettingsWrite, patchSetting},
		{"GET " + dnssec, scopeZone, DNSRead, getDNSSEC},
		{"PATCH " + dnssec, scopeZone, DNSWrite, patchDNSSEC},
		{"DELETE " + dnssec, scopeZone, DNSWrite, deleteDNSSEC},
		{"GET " + dns, scopeZone, DNSRead, getDNSSettings},
		{"PATCH " + dns, scopeZone, DNSWrite, patchDNSSettings},
	}
}

// apiMux finds the route of a request. It serves nothing itself: what a request
// may do is decided before its route is looked at.
func (s *Server) apiMux() *http.ServeMux {
	mux := http.NewServeMux()
	for _, r := range routes() {
		method, path, _ := strings.Cut(r.pattern, " ")
		mux.Handle(method+" "+BasePath+path, routed{r})
	}
	return mux
}

// routed lets a route be found in a mux.
type routed struct{ route }

// ServeHTTP implements http.Handler; nothing calls it.
func (routed) ServeHTTP(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }

// find returns the route of a request and the values of its path.
func (s *Server) find(r *http.Request) (route, bool) {
	handler, pattern := s.api.Handler(r)
	found, ok := handler.(routed)
	if !ok {
		return route{}, false
	}
	_, template, _ := strings.Cut(pattern, " ")
	have := strings.Split(r.URL.Path, "/")
	for i, segment := range strings.Split(template, "/") {
		if name, isParam := strings.CutPrefix(segment, "{"); isParam && i < len(have) {
			r.SetPathValue(strings.TrimSuffix(name, "}"), have[i])
		}
	}
	return found.route, true
}
