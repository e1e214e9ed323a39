// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"strings"
	"time"
)

// mtlsFamily is the certificates that an account brings for mutual TLS.
func mtlsFamily() *family {
	return &family{
		list: "/accounts/{account_id}/mtls_certificates", parameter: "mtls_certificate_id", shape: idHex,
		prepare: prepareMTLS,
		unique: []uniqueness{{[]string{"name"}, func() *Error {
			return refuse(http.StatusConflict, CodeResourceConflict, "A certificate of this name exists already.")
		}}},
	}
}

// prepareMTLS reads the first certificate of the chain, and shows what is in it. The last line end
// goes, as it may at Cloudflare (Terraform provider, issue 5714).
func prepareMTLS(c *resourceCall, _ *resource, doc map[string]any) *Error {
	chain, _ := doc["certificates"].(string)
	block, _ := pem.Decode([]byte(chain))
	if block == nil || block.Type != "CERTIFICATE" {
		return invalid(CodeResourceInvalid, "The certificate must be in PEM form.")
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return invalid(CodeResourceInvalid, "The certificate cannot be read.")
	}
	if key, has := doc["private_key"].(string); has {
		if _, err := tls.X509KeyPair([]byte(chain), []byte(key)); err != nil {
			return invalid(CodeResourceInvalid, "The private key is not that of the certificate.")
		}
	}
	if doc["ca"] == true && !cert.IsCA {
		return invalid(CodeResourceInvalid, "The certificate is not that of an authority.")
	}
	doc["certificates"] = strings.TrimRight(chain, "\n")
	doc["type"], doc["issuer"], doc["signature"] = "custom", cert.Issuer.String(), cert.SignatureAlgorithm.String()
	doc["serial_number"], doc["expires_on"] = cert.SerialNumber.String(), cert.NotAfter.UTC().Format(time.RFC3339)
	doc["uploaded_on"] = c.now.UTC().Format(time.RFC3339)
	return nil
}
