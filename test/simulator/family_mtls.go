// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"strings"
	"time"
)

// mtlsFamily returns the certificates that an account uploads for mutual TLS.
func mtlsFamily() *family {
	return &family{
		list: "/accounts/{account_id}/mtls_certificates", parameter: "mtls_certificate_id", shape: idHex,
		prepare: prepareMTLS,
		unique: []uniqueness{{[]string{"name"}, func() *Error {
			return refuse(http.StatusConflict, CodeResourceConflict, "A certificate of this name exists already.")
		}}},
	}
}

// prepareMTLS sets the members that come from the first certificate of the chain. If ca is set, that must be
// the certificate of an authority.
func prepareMTLS(c *resourceCall, _ *resource, doc map[string]any) *Error {
	cert, err := c.readCertificate(doc, "certificates")
	if err != nil {
		return err
	}
	if doc["ca"] == true && !cert.IsCA {
		return invalid(CodeResourceInvalid, "The certificate is not that of an authority.")
	}
	doc["type"], doc["serial_number"] = "custom", cert.SerialNumber.String()
	return nil
}

// readCertificate parses the chain in a member of doc and returns its first certificate. It sets the members of
// doc that come from the certificate. It removes trailing line ends, as Cloudflare may do (Terraform provider,
// issue 5714). A private key must belong to the certificate.
func (c *resourceCall) readCertificate(doc map[string]any, member string) (*x509.Certificate, *Error) {
	chain := textOf(doc, member)
	block, _ := pem.Decode([]byte(chain))
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, invalid(CodeResourceInvalid, "The certificate must be in PEM form.")
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, invalid(CodeResourceInvalid, "The certificate cannot be read.")
	}
	if key, has := doc["private_key"].(string); has {
		if _, err := tls.X509KeyPair([]byte(chain), []byte(key)); err != nil {
			return nil, invalid(CodeResourceInvalid, "The private key is not that of the certificate.")
		}
	}
	doc[member] = strings.TrimRight(chain, "\n")
	doc["issuer"], doc["signature"] = cert.Issuer.String(), cert.SignatureAlgorithm.String()
	doc["expires_on"], doc["uploaded_on"] = cert.NotAfter.UTC().Format(time.RFC3339), c.now.UTC().Format(time.RFC3339)
	return cert, nil
}
