// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ssl

import (
	"encoding/pem"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// MTLSCertificate describes certificates that an account uploads for mutual TLS.
func MTLSCertificate() kind.Description {
	const certificates = "/accounts/{account_id}/mtls_certificates"
	return kind.Description{
		Group: "ssl", Name: "MTLSCertificate", Short: "cfmtls", Noun: "mTLS certificate", Scope: kind.Account,
		Doc:       "An MTLSCertificate is a certificate that an account brings for mutual TLS: that of the authority that signs the certificates of clients, or one that Cloudflare shows, with its private key. It cannot be changed. For another certificate, create another object, and delete this one once nothing uses it.",
		Terraform: "cloudflare_mtls_certificate",
		List:      "GET " + certificates,
		Create:    "POST " + certificates,
		Read:      "GET " + certificates + "/{mtls_certificate_id}",
		Delete:    "DELETE " + certificates + "/{mtls_certificate_id}",
		Fields: map[string]kind.Field{
			"ca":           {Doc: "Whether the certificate is that of an authority (true), or of a client or a server (false)."},
			"certificates": {MaxLen: 65536, Canonical: canonicalPEM, Doc: "The certificate in PEM, followed by those of its issuers, if there are any."},
			"name":         {Required: true, MaxLen: 255, Doc: "The name of the certificate, which is unique in the account. A certificate that replaces this one needs another name."},
			"private_key":  {Doc: "The private key of the certificate, in PEM. An authority whose clients Cloudflare only verifies needs none. It is sent at the creation: a later change of the Secret changes nothing."},
			"uploaded_on":  {Doc: "When the certificate was uploaded."},
			"type":         {Doc: "Who made the certificate: custom is one that an account brought."},
		},
		Observe: []string{"name", "ca", "type", "issuer", "serial_number", "signature", "expires_on", "uploaded_on"},
		Columns: []string{"CA=ca", "EXPIRES=expires_on", "-ISSUER=issuer"},
		Natural: []string{"name"},
		// Cloudflare makes certificates of other types, for Gateway and Access.
		Skip: func(listed kind.Document) bool { t := kind.Text(listed, "type"); return t != "" && t != "custom" },
		Gone: []kind.Code{{Status: 404}},

		Permissions: []string{"Account: SSL and Certificates Write"}, Plan: "All plans",
		Excused: map[string]string{
			"Busy":                  "which answer says that a certificate is in use is not known",
			"SecretsHidden":         "a private key is that of its certificate: TestPrivateKeyIsHidden has such a pair",
			"FieldUpdated":          "nothing of a certificate can be changed",
			"ForeignChangeReverted": "nothing of a certificate can be changed, by anybody",
			"UndeclaredIsLeft":      "there is no update that could lose what nobody declares",
		},
	}
}

// canonicalPEM returns a chain of certificates in one form, because Cloudflare may return other
// line ends around the blocks. Text that is not PEM stays as it is.
func canonicalPEM(text string) string {
	var out strings.Builder
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		out.Write(pem.EncodeToMemory(block))
	}
	if out.Len() == 0 {
		return strings.TrimSpace(text)
	}
	return out.String()
}
