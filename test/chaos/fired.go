// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cfsim"
)

const (
	recordsRoute = "/zones/{zone_id}/dns_records"
)

// fired are the faults that happened to a request. The simulator's log names those
// that it drew: one that changes lists does nothing to a write, and none does anything
// to what another one kept from being carried out.
func fired(r cfsim.LoggedRequest) []cfsim.FaultKind {
	if r.Fault == "" {
		return nil
	}
	var drawn, out []cfsim.FaultKind
	for f := range strings.SplitSeq(r.Fault, ", ") {
		drawn = append(drawn, cfsim.FaultKind(f))
	}
	// A reset comes before all else; of the others that keep a request from being
	// carried out, the first drawn answers it.
	decides := cfsim.FaultKind("")
	if slices.Contains(drawn, cfsim.FaultResetBefore) {
		decides = cfsim.FaultResetBefore
	} else if i := slices.IndexFunc(drawn, prevents); i >= 0 {
		decides = drawn[i]
	}
	for _, f := range drawn {
		switch {
		case f == decides, f == cfsim.FaultSlowBefore:
		case f == cfsim.FaultResetAfter, f == cfsim.FaultSlow:
			if decides == cfsim.FaultResetBefore {
				continue
			}
		case decides != "", !shows(f, r):
			continue
		}
		out = append(out, f)
	}
	return out
}

// prevents reports whether a fault answers a request instead of carrying it out.
func prevents(f cfsim.FaultKind) bool {
	switch f {
	case cfsim.FaultHTML502, cfsim.FaultThrottle, cfsim.FaultThrottleBare, cfsim.FaultFalseSuccess, cfsim.FaultYoungZone:
		return true
	}
	return false
}

// throttles reports whether a fault answers as a limit of requests does.
func throttles(f cfsim.FaultKind) bool {
	return f == cfsim.FaultThrottle || f == cfsim.FaultThrottleBare
}

// shows reports whether a fault can be seen in the answer to a request that was
// carried out.
func shows(f cfsim.FaultKind, r cfsim.LoggedRequest) bool {
	switch f {
	case cfsim.Fault500AfterCommit:
		return r.Status == http.StatusInternalServerError
	case cfsim.Fault502AfterCommit:
		return r.Status == http.StatusBadGateway
	case cfsim.FaultErrorChain:
		return r.Status/100 == 4
	case cfsim.FaultStaleList, cfsim.FaultUnknownType, cfsim.FaultSamePage, cfsim.FaultEndless,
		cfsim.FaultEmptyList, cfsim.FaultMoreCounted, cfsim.FaultFewerCounted:
		return r.Status == http.StatusOK && r.Method == http.MethodGet && showsInList(f, r)
	case cfsim.FaultStaleGet:
		return r.Status == http.StatusNotFound && r.Method == http.MethodGet
	case cfsim.FaultTXTQuoted, cfsim.FaultPriorityInData, cfsim.FaultLooseNumbers, cfsim.FaultLOCRendering, cfsim.FaultUnknownFields:
		return r.Status == http.StatusOK && strings.HasPrefix(r.Route, recordsRoute) && showsInRecord(f, r.ResponseBody)
	}
	return r.Status == http.StatusOK // Garbage.
}

// showsInList reports whether a fault of lists can be seen in the answer to this one.
func showsInList(f cfsim.FaultKind, r cfsim.LoggedRequest) bool {
	switch f {
	case cfsim.FaultEmptyList, cfsim.FaultMoreCounted, cfsim.FaultFewerCounted:
		return r.Route == recordsRoute || r.Route == "/zones"
	case cfsim.FaultSamePage:
		query, err := url.ParseQuery(r.Query)
		return r.Route == recordsRoute && err == nil && query.Get("page") != "" && query.Get("page") != "1"
	}
	return r.Route == recordsRoute
}

// showsInRecord reports whether there is a record that has another form.
func showsInRecord(f cfsim.FaultKind, body string) bool {
	switch f {
	case cfsim.FaultTXTQuoted:
		return strings.Contains(body, `"TXT"`)
	case cfsim.FaultPriorityInData:
		return strings.Contains(body, `"MX"`)
	case cfsim.FaultLooseNumbers:
		return strings.Contains(body, `"SRV"`) || strings.Contains(body, `"CAA"`)
	case cfsim.FaultLOCRendering:
		return strings.Contains(body, `"LOC"`)
	}
	return true
}
