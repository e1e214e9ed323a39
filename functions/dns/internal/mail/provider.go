// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package mail

import "strings"

// Names of the providers.
const (
	Google       = "google"
	Microsoft365 = "microsoft365"
	Fastmail     = "fastmail"
	Proton       = "proton"
	None         = "none"
)

// A provider is what its documentation tells customers to publish.
type provider struct {
	hosts []Host
	// include is its part of the SPF policy, all how the policy ends.
	include, all string
	// dkim is nil where each customer has values of their own.
	dkim []DKIM
	// cnames are further aliases, by name.
	cnames map[string]string
	// hostsFrom and dkimFrom say where customers find values that cannot be known.
	hostsFrom, dkimFrom string
}

// find knows the providers. The values are those they document for administrators:
//
//   - Google Workspace: Set up MX records (support.google.com/a/answer/174125), Set up SPF
//   - Microsoft 365: External DNS records for Microsoft 365, How to use DKIM (learn.microsoft.com)
//   - Fastmail: Manual DNS configuration (www.fastmail.help, article 360060591153)
//   - Proton Mail: Custom domains, Anti-spoofing (proton.me/support/anti-spoofing-custom-domain)
func find(name, domain string) (provider, bool) {
	switch name {
	case Google:
		return provider{
			hosts:    []Host{{"smtp.google.com", 1}},
			include:  "_spf.google.com",
			all:      "~all",
			dkimFrom: "the Admin console under Apps, Google Workspace, Gmail, Authenticate email",
		}, true
	case Microsoft365:
		return provider{
			hosts:     microsoftHosts(domain),
			include:   "spf.protection.outlook.com",
			all:       "-all",
			cnames:    map[string]string{"autodiscover": "autodiscover.outlook.com"},
			hostsFrom: "the admin center under Settings, Domains",
			dkimFrom:  "the Defender portal under Email authentication settings, DKIM: two aliases, selector1 and selector2",
		}, true
	case Fastmail:
		return provider{
			hosts:   []Host{{"in1-smtp.messagingengine.com", 10}, {"in2-smtp.messagingengine.com", 20}},
			include: "spf.messagingengine.com",
			all:     "?all",
			dkim: []DKIM{
				{Selector: "fm1", Target: "fm1." + domain + ".dkim.fmhosted.com"},
				{Selector: "fm2", Target: "fm2." + domain + ".dkim.fmhosted.com"},
				{Selector: "fm3", Target: "fm3." + domain + ".dkim.fmhosted.com"},
			},
		}, true
	case Proton:
		return provider{
			hosts:    []Host{{"mail.protonmail.ch", 10}, {"mailsec.protonmail.ch", 20}},
			include:  "_spf.protonmail.ch",
			all:      "~all",
			dkimFrom: "Proton's settings under Domain names: three aliases, protonmail, protonmail2 and protonmail3",
		}, true
	default:
		return provider{}, false
	}
}

// microsoftHosts is the host Microsoft gives a domain, which can be derived from the
// domain's name unless that has a hyphen: then it has characters of its own.
func microsoftHosts(domain string) []Host {
	if strings.Contains(domain, "-") {
		return nil
	}
	return []Host{{strings.ReplaceAll(domain, ".", "-") + ".mail.protection.outlook.com", 0}}
}
