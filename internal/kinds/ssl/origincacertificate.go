// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package ssl describes the kinds of certificates.
package ssl

import (
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// OriginCACertificate describes certificates that Cloudflare's origin CA issues.
func OriginCACertificate() kind.Description {
	return kind.Description{
		Group: "ssl", Name: "OriginCACertificate", Short: "cfoca", Noun: "certificate", Scope: kind.Zone,
		Doc:       "An OriginCACertificate is a certificate for an origin that only Cloudflare's proxy trusts. The provider replaces it before it expires, and later revokes the one that was replaced. Its deletion revokes it.",
		Terraform: "cloudflare_origin_ca_certificate",
		List:      "GET /certificates",
		Create:    "POST /certificates",
		Read:      "GET /certificates/{certificate_id}",
		Delete:    "DELETE /certificates/{certificate_id}",
		Page:      kind.Page{Max: 50}, ListQuery: map[string]string{"zone_id": "{zone_id}"},
		Fields: map[string]kind.Field{
			"csr":                {MaxLen: 16384, Canonical: strings.TrimSpace, Optional: true, Because: "the provider makes a private key and the request for it", Doc: "A certificate signing request in PEM, whose private key stays with whoever made it. Left out, the provider makes the private key: the connection secret is of type kubernetes.io/tls then. Only such a certificate is replaced before it ends."},
			"hostnames":          {Set: true},
			"requested_validity": {Variant: "integer", WriteOnly: true, Because: "it is a whole number of days, and the answer has another one"},
		},
		Observe: []string{"hostnames", "request_type", "expires_on", "certificate"},
		Columns: []string{"TYPE=request_type", "EXPIRES=expires_on"},
		Undated: true,
		Gone:    []kind.Code{{Status: 404}}, SoftDeleted: "revoked_at",
		Details: []kind.Detail{
			{Key: "tls.crt", Path: "certificate", Public: true, Doc: "The certificate, in PEM. Clients that trust it need Cloudflare's origin CA root, which Cloudflare publishes: there is no ca.crt."},
			{Key: "tls.key", Value: keptWithCertificate, Doc: "The private key, in PEM (PKCS #8). It is missing where the spec has a csr."},
		},
		SecretType: "kubernetes.io/tls",
		Options: []kind.ProviderField{{
			Name: "renewBefore", Default: "720h",
			Doc: "How long before its end a certificate is replaced by a new one with a new private key, as a duration such as 720h. It is never more than a third of the time for which the certificate is valid.",
		}, {
			Name: "revokeAfter", Default: "24h",
			Doc: "How long a certificate stays valid after it is replaced, as a duration such as 24h. It is the time that servers have to load the new one from the connection secret.",
		}},
		Issue: &kind.Issue{
			Request: "csr", Names: "hostnames", Algorithm: "request_type",
			Keys:        map[string]string{"origin-rsa": "RSA", "origin-ecc": "ECDSA"},
			Certificate: "certificate", Expires: "expires_on", RenewBefore: "renewBefore", RevokeAfter: "revokeAfter",
		},
		Excused: map[string]string{
			"Busy":                  "nothing refers to a certificate",
			"SecretsHidden":         "its key is looked for by TestCertificateIsUsable, which knows what of it is secret",
			"FieldUpdated":          "nothing of a certificate can be changed",
			"ForeignChangeReverted": "nothing of a certificate can be changed, by anybody",
			"UndeclaredIsLeft":      "there is no update that could lose what nobody declares",
			"Adopted":               "certificates have no name: any number of them may be for the same host names",
		},

		Permissions: []string{"SSL and Certificates Write"}, Plan: "All plans",
	}
}

// keptWithCertificate returns no value: the private key is written together with the certificate.
func keptWithCertificate(kind.DetailInput) ([]byte, error) { return nil, nil }
