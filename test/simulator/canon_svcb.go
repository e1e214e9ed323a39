// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"slices"
	"strings"

	"github.com/miekg/dns"
)

// canonicalParams returns the parameters of SVCB and HTTPS (RFC 9460 section 2.1),
// quoted and in the order of their keys.
func canonicalParams(value string) (string, bool) {
	if strings.ContainsAny(value, "\r\n") {
		return "", false
	}
	rr, err := dns.NewRR("x. 300 IN HTTPS 1 . " + value)
	if err != nil {
		return "", false
	}
	https, ok := rr.(*dns.HTTPS)
	if !ok {
		return "", false
	}
	pairs := slices.Clone(https.Value)
	slices.SortStableFunc(pairs, func(a, b dns.SVCBKeyValue) int { return int(a.Key()) - int(b.Key()) })
	parts := make([]string, 0, len(pairs))
	for i, pair := range pairs {
		if i > 0 && pairs[i-1].Key() == pair.Key() {
			return "", false
		}
		if text := pair.String(); text == "" {
			parts = append(parts, pair.Key().String())
		} else {
			parts = append(parts, pair.Key().String()+`="`+text+`"`)
		}
	}
	return strings.Join(parts, " "), consistent(pairs)
}

// consistent reports whether parameters follow RFC 9460 sections 7.1.1 and 8: alpn
// names a protocol, no-default-alpn needs alpn, and mandatory parameters are present.
func consistent(pairs []dns.SVCBKeyValue) bool {
	has := map[dns.SVCBKey]bool{}
	for _, pair := range pairs {
		has[pair.Key()] = true
	}
	for _, pair := range pairs {
		switch p := pair.(type) {
		case *dns.SVCBAlpn:
			if len(p.Alpn) == 0 {
				return false
			}
		case *dns.SVCBNoDefaultAlpn:
			if !has[dns.SVCB_ALPN] {
				return false
			}
		case *dns.SVCBMandatory:
			if slices.ContainsFunc(p.Code, func(key dns.SVCBKey) bool { return !has[key] }) {
				return false
			}
		}
	}
	return true
}
