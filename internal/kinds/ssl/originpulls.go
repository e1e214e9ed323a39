// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ssl

import (
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

const originPulls = "/zones/{zone_id}/origin_tls_client_auth"

// AuthenticatedOriginPulls describes whether Cloudflare presents the certificate of a zone to its origins.
func AuthenticatedOriginPulls() kind.Description {
	return kind.Description{
		Group: "ssl", Name: "AuthenticatedOriginPulls", Short: "cfaops", Noun: "setting of authenticated origin pulls", Scope: kind.Zone, Shape: kind.Singleton,
		Doc:       "An AuthenticatedOriginPulls says whether Cloudflare shows the AuthenticatedOriginPullsCertificate of a zone to its origins, so that an origin can refuse all else. Its deletion switches that off.",
		Terraform: "cloudflare_authenticated_origin_pulls_settings",
		Read:      "GET " + originPulls + "/settings",
		Update:    "PUT " + originPulls + "/settings",
		Fields: map[string]kind.Field{
			"enabled": {Required: true, Doc: "Whether Cloudflare shows the certificate."},
		},
		Observe:  []string{"enabled"},
		Columns:  []string{"ENABLED=enabled"},
		OnDelete: kind.Deletion{Verb: "PUT " + originPulls + "/settings", Body: map[string]any{"enabled": false}},

		Permissions: []string{"SSL and Certificates Write"}, Plan: "All plans",
		Excused: map[string]string{
			"LostAnswer":       "it is never created",
			"Busy":             "nothing refers to it",
			"GoneOutside":      "it exists with its zone",
			"ManyOneList":      "a zone has one",
			"ImmutableRefused": "all that it has can be changed, but for the zone",
		},
	}
}

// AuthenticatedOriginPullsCertificate describes certificates by which the origins of a zone recognize Cloudflare.
func AuthenticatedOriginPullsCertificate() kind.Description {
	return kind.Description{
		Group: "ssl", Name: "AuthenticatedOriginPullsCertificate", Short: "cfaop", Noun: "origin pull certificate", Scope: kind.Zone,
		Doc:       "An AuthenticatedOriginPullsCertificate is the certificate that Cloudflare shows to the origins of a zone, such as the ingress of a cluster, once an AuthenticatedOriginPulls enables it. It cannot be changed. For another certificate, create another object, and delete this one once that is Ready.",
		Terraform: "cloudflare_authenticated_origin_pulls_certificate",
		List:      "GET " + originPulls,
		Create:    "POST " + originPulls,
		Read:      "GET " + originPulls + "/{certificate_id}",
		Delete:    "DELETE " + originPulls + "/{certificate_id}",
		Fields: map[string]kind.Field{
			"certificate": {MaxLen: 65536, Canonical: canonicalPEM, Doc: "The leaf certificate, in PEM. Its issuer is one that the origins trust."},
			"private_key": {Required: true, Secret: true, Doc: "The private key of the certificate, in PEM. It is sent at the creation: a later change of the Secret changes nothing."},
			"uploaded_on": {Doc: "When the certificate was uploaded."},
		},
		Observe: []string{"status", "issuer", "signature", "expires_on", "uploaded_on"},
		Columns: []string{"STATUS=status", "EXPIRES=expires_on", "-ISSUER=issuer"},
		Natural: []string{"certificate"}, // A zone accepts each certificate once (Terraform provider, issue 837).
		Leaving: isLeaving,
		Gone:    []kind.Code{{Status: 404}},
		Status: []kind.Status{{
			Path:       "status",
			Converging: []string{"initializing", "pending_deployment"},
			Failed:     []string{"deployment_timed_out", "deletion_timed_out"},
		}},

		Permissions: []string{"SSL and Certificates Write"}, Plan: "All plans", Sweep: time.Minute,
		Excused: map[string]string{
			"ManyOneList":           "each needs a key pair of its own",
			"Busy":                  "nothing refers to it",
			"SecretsHidden":         "a private key is that of its certificate: TestKeyOfOriginPullsIsHidden has such a pair",
			"FieldUpdated":          "nothing of a certificate can be changed",
			"ForeignChangeReverted": "nothing of a certificate can be changed, by anybody",
			"UndeclaredIsLeft":      "there is no update that could lose what nobody declares",
		},
	}
}

// isLeaving reports whether a certificate or a certificate pack is shown while it is being deleted.
func isLeaving(certificate kind.Document) bool {
	switch kind.Text(certificate, "status") {
	case "pending_deletion", "deleted":
		return true
	}
	return false
}
