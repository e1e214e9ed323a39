// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	sslv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ssl/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/ssl"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// selfSigned returns a certificate and its key in PEM.
func selfSigned(t *testing.T) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}))
}

// TestPrivateKeyIsHidden shows that the private key of a certificate is sent to Cloudflare, and is in no
// output.
func TestPrivateKeyIsHidden(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, ssl.MTLSCertificate())
		mg, ok := w.example.(*sslv1alpha1.MTLSCertificate)
		if !ok {
			t.Fatalf("the example is a %T", w.example)
		}
		certificate, key := selfSigned(t)
		s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "client", Namespace: w.ns}, StringData: map[string]string{corev1.TLSPrivateKeyKey: key}}
		w.Create(s)
		mg.Spec.ForProvider.Certificates, mg.Spec.ForProvider.CA = ptr.To(certificate), ptr.To(false)
		mg.Spec.ForProvider.PrivateKeySecretRef = &cfv1alpha1.SecretKeyReference{Name: s.Name, Key: corev1.TLSPrivateKeyKey}
		w.apply()
		if got := w.raw(meta.GetExternalName(mg))["private_key"]; got != key {
			t.Errorf("Cloudflare has another private key, or none")
		}
		w.tellsNoneOf(scalar(t, w.secret(s.Name)))
	})
}

// TestKeyOfOriginPullsIsHidden shows that the private key of the certificate for origins is sent to Cloudflare,
// and is in no output.
func TestKeyOfOriginPullsIsHidden(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, ssl.AuthenticatedOriginPullsCertificate())
		mg, ok := w.apply().(*sslv1alpha1.AuthenticatedOriginPullsCertificate)
		if !ok {
			t.Fatalf("the example is a %T", w.example)
		}
		ref := mg.Spec.ForProvider.PrivateKeySecretRef
		key := string(w.secret(ref.Name).Data[ref.Key])
		if got := w.raw(meta.GetExternalName(mg))["private_key"]; got != key {
			t.Errorf("Cloudflare has another private key, or none")
		}
		w.tellsNoneOf(scalar(t, w.secret(ref.Name)))
	})
}

// TestAnotherCertificateIsNotAdopted shows that another certificate of the same name stays unchanged.
func TestAnotherCertificateIsNotAdopted(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, ssl.MTLSCertificate())
		first, ok := w.apply().(*sslv1alpha1.MTLSCertificate)
		if !ok {
			t.Fatalf("the example is a %T", w.example)
		}
		id := meta.GetExternalName(first)
		second, _ := copyOf(first, "second").(*sslv1alpha1.MTLSCertificate)
		orphan(w, first)
		certificate, _ := selfSigned(t)
		second.Spec.ForProvider.Certificates = ptr.To(certificate)
		w.Create(second)
		w.Says(second, xpv2.TypeSynced, "certificates", "cannot be changed")
		w.Delete(second)
		w.Gone(second, func() string { return harness.Conditions(second) })
		if w.raw(id) == nil {
			t.Error("the certificate is gone")
		}
	})
}
