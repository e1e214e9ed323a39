// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package operations

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	networkingv1 "k8s.io/api/networking/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/yaml"

	sslv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ssl/v1alpha1"
)

// TestOriginTLS checks the Ingress and the Gateway of examples/origin-tls against their types.
// They must use the Secret of the certificate, for names in the certificate.
func TestOriginTLS(t *testing.T) {
	t.Parallel()
	certificate, ingress, gateway := &sslv1alpha1.OriginCACertificate{}, &networkingv1.Ingress{}, &gatewayv1.Gateway{}
	for file, into := range map[string]any{"certificate.yaml": certificate, "ingress.yaml": ingress, "gateway.yaml": gateway} {
		raw, err := os.ReadFile(filepath.Join(repository, "examples", "origin-tls", file))
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.UnmarshalStrict(raw, into); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	secret := certificate.GetConnectionSecretName()
	var names []string
	for _, tls := range ingress.Spec.TLS {
		names = append(names, tls.Hosts...)
		if tls.SecretName != secret {
			t.Errorf("the Ingress uses the Secret %s, want %s", tls.SecretName, secret)
		}
	}
	for _, l := range gateway.Spec.Listeners {
		names = append(names, string(*l.Hostname))
		if refs := l.TLS.CertificateRefs; len(refs) != 1 || string(refs[0].Name) != secret || *refs[0].Kind != "Secret" {
			t.Errorf("the listener %s uses %+v, want the Secret %s", l.Name, refs, secret)
		}
	}
	if len(names) != 2 {
		t.Errorf("the Ingress and the Gateway are for %q, want a name each", names)
	}
	for _, name := range names {
		if !slices.Contains(certificate.Spec.ForProvider.Hostnames, name) {
			t.Errorf("the certificate for %q is not for %s", certificate.Spec.ForProvider.Hostnames, name)
		}
	}
}
