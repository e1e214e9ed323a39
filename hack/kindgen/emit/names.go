// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package emit writes Go, YAML and Markdown for the kinds of a model.
package emit

import (
	"slices"
	"strings"
	"unicode"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
)

// words splits a name on the wire, such as tunnel_secret, noTLSVerify or warp-routing.
func words(name string) []string {
	var out []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, string(word))
		}
		word = nil
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || (i+1 < len(runes) && unicode.IsLower(runes[i+1]))):
			end()
		}
		word = append(word, unicode.ToLower(r))
	}
	end()
	return out
}

// jsonName returns the name that Kubernetes users write, in lowerCamelCase.
func jsonName(n *model.Node) string {
	if n.Field.Name != "" {
		return n.Field.Name
	}
	var b strings.Builder
	for i, w := range words(n.Name) {
		if i > 0 {
			w = title(w)
		}
		b.WriteString(w)
	}
	return b.String()
}

// goName returns the name of a field or type in Go.
func goName(name string) string {
	var b strings.Builder
	for _, w := range words(name) {
		switch {
		case initialism(w):
			b.WriteString(strings.ToUpper(w))
		case len(w) > 1 && w[len(w)-1] == 's' && initialism(w[:len(w)-1]):
			b.WriteString(strings.ToUpper(w[:len(w)-1]) + "s")
		default:
			b.WriteString(title(w))
		}
	}
	out := b.String()
	if out != "" && unicode.IsDigit(rune(out[0])) {
		out = "N" + out
	}
	return out
}

func initialism(w string) bool {
	return slices.Contains(strings.Fields("acl api aud ca cidr cname cors csr css dns html http https id idp ip ja3 js json jwt kv mcp mfa mtls oidc os pkce rdp saas saml scim sni sql ssh ssl sso tcp tls ttl udp ui uid uri url uuid vpn waf xml"), w)
}

func title(w string) string {
	if w == "" {
		return ""
	}
	return strings.ToUpper(w[:1]) + w[1:]
}

// Plural returns the resource name of a kind, as the API server has it.
func Plural(kind string) string {
	s := strings.ToLower(kind)
	switch {
	case strings.HasSuffix(s, "y") && !strings.HasSuffix(s, "ay") && !strings.HasSuffix(s, "ey"):
		return s[:len(s)-1] + "ies"
	case strings.HasSuffix(s, "s"), strings.HasSuffix(s, "x"), strings.HasSuffix(s, "ch"):
		return s + "es"
	}
	return s + "s"
}

// people returns a kind's name as words for a sentence: the noun of its description.
func people(k *model.Kind) string {
	if k.Noun != "" {
		return k.Noun
	}
	return strings.ToLower(k.Name)
}

// secretName returns the JSON name of the reference that a secret field takes its value
// from.
func secretName(n *model.Node) string {
	name := jsonName(n)
	if n.Field.Name != "" {
		return name
	}
	if strings.HasSuffix(name, "Secret") || name == "secret" {
		return name + "Ref"
	}
	return name + "SecretRef"
}
