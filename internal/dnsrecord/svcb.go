// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"slices"
	"strings"

	"github.com/miekg/dns"
)

// svcParams returns the canonical form of the SvcParams of SVCB and HTTPS (RFC 9460
// section 2.1): in the order of their keys, values quoted.
func svcParams(s string) (string, *problem) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", nil
	}
	rr, p := parseRR("SVCB", "1 . ", s)
	if p != nil {
		return "", p
	}
	record, ok := rr.(*dns.SVCB)
	if !ok {
		return "", malformed(s)
	}
	pairs := slices.Clone(record.Value)
	slices.SortStableFunc(pairs, func(a, b dns.SVCBKeyValue) int { return int(a.Key()) - int(b.Key()) })
	if reason, fix := checkParams(pairs); reason != "" {
		return "", &problem{s, reason, fix}
	}
	parts := make([]string, 0, len(pairs))
	for _, pair := range pairs {
		part := pair.Key().String()
		if value := paramValue(pair); value != "" {
			part += `="` + value + `"`
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " "), nil
}

func paramValue(pair dns.SVCBKeyValue) string {
	if m, ok := pair.(*dns.SVCBMandatory); ok {
		m.Code = slices.Clone(m.Code)
		slices.Sort(m.Code)
	}
	return pair.String()
}

// checkParams applies the rules of RFC 9460 sections 7 and 8 that the parser does not
// check. pairs are sorted by key.
func checkParams(pairs []dns.SVCBKeyValue) (reason, fix string) {
	has := make(map[dns.SVCBKey]bool, len(pairs))
	for _, pair := range pairs {
		if has[pair.Key()] {
			return "repeats the param " + pair.Key().String(), "write each param once"
		}
		has[pair.Key()] = true
	}
	if has[dns.SVCB_NO_DEFAULT_ALPN] && !has[dns.SVCB_ALPN] {
		return "has no-default-alpn without alpn", "add alpn or remove no-default-alpn"
	}
	for _, pair := range pairs {
		switch param := pair.(type) {
		case *dns.SVCBAlpn:
			if len(param.Alpn) == 0 {
				return "has an empty alpn", `list protocols like alpn="h2,h3"`
			}
		case *dns.SVCBMandatory:
			if reason, fix = checkMandatory(param.Code, has); reason != "" {
				return reason, fix
			}
		}
	}
	return "", ""
}

func checkMandatory(keys []dns.SVCBKey, has map[dns.SVCBKey]bool) (reason, fix string) {
	if len(keys) == 0 {
		return "has an empty mandatory", "list the mandatory params or remove it"
	}
	listed := make(map[dns.SVCBKey]bool, len(keys))
	for _, key := range keys {
		if key == dns.SVCB_MANDATORY || listed[key] || !has[key] {
			return "has a mandatory that does not list each of some other params that are there once", "list in mandatory only params that are set, and each once"
		}
		listed[key] = true
	}
	return "", ""
}
