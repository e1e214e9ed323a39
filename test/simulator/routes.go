// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"strings"
	"sync"
)

// A scope says what a route's permission has to cover.
type scope int

const (
	scopeNone      scope = iota // Any valid credential.
	scopeZone                   // {zone_id} of the path.
	scopeAccount                // {account_id} of the path.
	scopeUser                   // The user that the credential acts for.
	scopeSomewhere              // The handler checks what is covered.
)

// A route is one operation of the API.
type route struct {
	pattern    string // Method and path below BasePath, as in the OpenAPI document.
	scope      scope
	permission Permission
	handle     func(*call) (reply, *Error)
	groups     []Permission // Replaces permission: one of them is enough.
	first      bool         // Tried before the others.
}

// wants returns the permissions of which a credential needs one.
func (r route) wants() []Permission {
	if len(r.groups) > 0 {
		return r.groups
	}
	return []Permission{r.permission}
}

// verifies reports whether the route verifies tokens. Such a route also accepts tokens that are not valid for
// other routes.
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
		{"GET /user", scopeNone, "", getUser, nil, false},
		{"GET /user/tokens/verify", scopeNone, "", verifyUserToken, nil, false},
		{"GET /accounts/{account_id}/tokens/verify", scopeNone, "", verifyAccountToken, nil, false},
		{"GET /accounts/{account_id}/logs/audit", scopeAccount, "", auditLogs, []Permission{AuditLogsWrite, AuditLogsRead}, false},

		{"GET /zones", scopeSomewhere, ZoneRead, listZones, nil, false},
		{"POST /zones", scopeSomewhere, ZoneWrite, createZone, nil, false},
		{"GET " + oneZone, scopeZone, ZoneRead, getZone, nil, false},
		{"PATCH " + oneZone, scopeZone, ZoneWrite, patchZone, nil, false},
		{"DELETE " + oneZone, scopeZone, ZoneWrite, deleteZone, nil, false},
		{"PUT " + oneZone + "/activation_check", scopeZone, ZoneWrite, checkActivation, nil, false},
		{"GET " + oneZone + "/subscription", scopeZone, BillingRead, getSubscription, nil, false},

		{"GET " + records, scopeZone, DNSRead, listRecords, nil, false},
		{"POST " + records, scopeZone, DNSWrite, createRecord, nil, false},
		{"POST " + records + "/batch", scopeZone, DNSWrite, batchRecords, nil, false},
		{"GET " + records + "/usage", scopeZone, DNSRead, getUsage, nil, false},
		{"GET " + records + "/export", scopeZone, DNSRead, exportRecords, nil, false},
		{"POST " + records + "/import", scopeZone, DNSWrite, importRecords, nil, false},
		{"GET " + record, scopeZone, DNSRead, getRecord, nil, false},
		{"PUT " + record, scopeZone, DNSWrite, putRecord, nil, false},
		{"PATCH " + record, scopeZone, DNSWrite, patchRecord, nil, false},
		{"DELETE " + record, scopeZone, DNSWrite, deleteRecord, nil, false},

		{"GET " + settings, scopeZone, ZoneSettingsRead, listSettings, nil, false},
		{"GET " + settings + "/{setting_id}", scopeZone, ZoneSettingsRead, getSetting, nil, false},
		{"PATCH " + settings + "/{setting_id}", scopeZone, ZoneSettingsWrite, patchSetting, nil, false},
		{"GET " + dnssec, scopeZone, DNSRead, getDNSSEC, nil, false},
		{"PATCH " + dnssec, scopeZone, DNSWrite, patchDNSSEC, nil, false},
		{"DELETE " + dnssec, scopeZone, DNSWrite, deleteDNSSEC, nil, false},
		{"GET " + dns, scopeZone, DNSRead, getDNSSettings, nil, false},
		{"PATCH " + dns, scopeZone, DNSWrite, patchDNSSettings, nil, false},
	}
}

// An api has the parts that all simulators share. It is immutable.
type api struct {
	families []*family
	// muxes find the route of a request, the first one before the second. They do not serve requests, because
	// the permission is checked before the route is called.
	muxes [2]*http.ServeMux
}

// theAPI builds the api once. Building it for each simulator would take a quarter of the time of tests with
// many simulators.
//
//nolint:gochecknoglobals // A cache of an immutable value.
var theAPI = sync.OnceValue(newAPI)

func newAPI() *api {
	a := &api{families: families(), muxes: [2]*http.ServeMux{http.NewServeMux(), http.NewServeMux()}}
	for _, r := range append(copied(routes()), resourceRoutes(a.families)...) {
		method, path, _ := strings.Cut(r.pattern, " ")
		mux := a.muxes[1]
		if r.first {
			mux = a.muxes[0]
		}
		mux.Handle(method+" "+BasePath+path, routed{r})
	}
	return a
}

// routed makes a mux return a route as a handler.
type routed struct{ route }

// ServeHTTP implements http.Handler. It is never called.
func (routed) ServeHTTP(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }

// find returns the route of a request, and sets the path values of the request.
func (s *Server) find(r *http.Request) (route, bool) {
	handler, pattern := s.api.muxes[0].Handler(r)
	found, ok := handler.(routed)
	if !ok {
		handler, pattern = s.api.muxes[1].Handler(r)
		found, ok = handler.(routed)
	}
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
