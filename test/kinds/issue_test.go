// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	sslv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ssl/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/ssl"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func certificateWorld(t *testing.T) (*world, *sslv1alpha1.OriginCACertificate) {
	t.Helper()
	w := newWorld(t, ssl.OriginCACertificate())
	mg, ok := w.example.(*sslv1alpha1.OriginCACertificate)
	if !ok {
		t.Fatalf("the example is %T", w.example)
	}
	mg.Spec.RevokeAfter = ptr.To("0s")
	return w, mg
}

// pair returns the certificate and the key in the connection secret. It fails if they do not
// belong together, which must never be visible.
func (w *world) pair() (tls.Certificate, *corev1.Secret) {
	w.T.Helper()
	s := w.secret(w.example.GetConnectionSecretName())
	p, err := tls.X509KeyPair(s.Data[corev1.TLSCertKey], s.Data[corev1.TLSPrivateKeyKey])
	if err != nil {
		w.T.Fatalf("the Secret has no certificate with its key: %v", err)
	}
	return p, s
}

// scalar returns the secret part of an ECDSA key in PEM form, up to the end of its line. The part
// after it is the public key, which the certificate has as well.
func scalar(t *testing.T, s *corev1.Secret) string {
	t.Helper()
	const begins, ends = 48, 64
	lines := strings.Split(string(s.Data[corev1.TLSPrivateKeyKey]), "\n")
	if len(lines) < 3 || len(lines[1]) != ends {
		t.Fatal("the key has another form")
	}
	return lines[1][begins:]
}

// expires makes a certificate expire so soon that its renewal is due.
func (w *world) expires(id string) {
	w.T.Helper()
	soon := time.Now().Add(time.Hour).UTC().Format("2006-01-02 15:04:05 +0000 UTC")
	if err := w.sim.EditResource(w.item(id), func(doc map[string]any) { doc["expires_on"] = soon }); err != nil {
		w.T.Fatal(err)
	}
}

// replaced waits until the object has a certificate with another ID than old, and old is revoked.
// It calls meanwhile at each look.
func (w *world) replaced(old string, meanwhile func()) {
	w.T.Helper()
	w.Eventually(func() error {
		meanwhile()
		if err := w.Get(w.example); err != nil {
			return err
		}
		if meta.GetExternalName(w.example) == old {
			return fmt.Errorf("the certificate is not replaced: %s", harness.Conditions(w.example))
		}
		if w.raw(old)["revoked_at"] == nil {
			return errors.New("the old certificate is not revoked")
		}
		return nil
	})
	w.Settled(w.example)
	w.is(1)
	if w.raw(meta.GetExternalName(w.example))["revoked_at"] != nil {
		w.T.Error("the new certificate is revoked")
	}
}

func TestCertificateIsUsable(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, _ := certificateWorld(t)
		w.apply()
		p, s := w.pair()
		if s.Type != corev1.SecretTypeTLS {
			t.Errorf("the Secret is of type %s, want %s", s.Type, corev1.SecretTypeTLS)
		}
		if len(s.Data) != 2 {
			t.Errorf("the Secret has %d keys, want tls.crt and tls.key", len(s.Data))
		}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(w.sim.OriginCA())
		leaf, err := x509.ParseCertificate(p.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: "www." + w.zone.Name}); err != nil {
			t.Errorf("the certificate is not one for the host names: %v", err)
		}
		w.nowhere(scalar(t, s))
	})
}

func TestCertificateIsRenewed(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		fault  simulator.Fault
	}{
		"Undisturbed":  {"nothing happens in between", simulator.Fault{}},
		"LostAnswer":   {"the answer to the order is lost", simulator.Fault{Kind: simulator.FaultResetAfter, Method: http.MethodPost, Path: "/certificates"}},
		"Refused":      {"the order does not arrive", simulator.Fault{Kind: simulator.FaultResetBefore, Method: http.MethodPost, Path: "/certificates"}},
		"NotRevoked":   {"the revocation does not arrive", simulator.Fault{Kind: simulator.FaultResetBefore, Method: http.MethodDelete, Path: "/certificates/{certificate_id}"}},
		"RevokedTwice": {"the answer to the revocation is lost", simulator.Fault{Kind: simulator.FaultResetAfter, Method: http.MethodDelete, Path: "/certificates/{certificate_id}"}},
	} {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w, mg := certificateWorld(t)
				w.apply()
				old := meta.GetExternalName(mg)
				_, before := w.pair()
				id := 0
				if tc.fault.Kind != "" {
					tc.fault.Token = w.token
					id = w.sim.AddFault(tc.fault)
				}
				w.expires(old)
				w.replaced(old, func() { w.pair() }) // There is always a valid pair.
				_, after := w.pair()
				if bytes.Equal(before.Data[corev1.TLSPrivateKeyKey], after.Data[corev1.TLSPrivateKeyKey]) {
					t.Errorf("%s: the private key is the old one", tc.reason)
				}
				if len(after.Data) != 2 {
					t.Errorf("%s: the Secret has %d keys, want tls.crt and tls.key", tc.reason, len(after.Data))
				}
				if _, on := w.sim.Faults()[id]; on && id != 0 {
					t.Errorf("%s: that did not happen", tc.reason)
				}
				w.nowhere(scalar(t, before), scalar(t, after))
			})
		})
	}
}

// TestReplacedCertificateStaysValid shows that servers have time to load the new certificate, by
// default a day. The deletion of the object does not wait for it.
func TestReplacedCertificateStaysValid(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := certificateWorld(t)
		mg.Spec.RevokeAfter = nil
		w.apply()
		replaced := 0
		for range 2 {
			old := meta.GetExternalName(mg)
			w.expires(old)
			w.Eventually(func() error {
				if err := w.Get(mg); err != nil {
					return err
				}
				if meta.GetExternalName(mg) == old {
					return fmt.Errorf("the certificate is not replaced: %s", harness.Conditions(mg))
				}
				return nil
			})
			w.Settled(mg)
			w.lists(2)
			if w.raw(old)["revoked_at"] != nil {
				t.Error("a certificate is revoked as soon as it is replaced")
			}
			replaced++
			w.is(1 + replaced)
		}
		w.Delete(mg)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
		w.is(0)
	})
}

// renewed returns the ID of a certificate that was replaced, and stays valid for an hour.
func renewed(w *world, mg *sslv1alpha1.OriginCACertificate) string {
	w.T.Helper()
	mg.Spec.RevokeAfter = ptr.To("1h")
	w.apply()
	old := meta.GetExternalName(mg)
	w.expires(old)
	w.Eventually(func() error { return w.event(mg, "RenewedCertificate", old) })
	w.Settled(mg)
	if err := w.Get(mg); err != nil {
		w.T.Fatal(err)
	}
	w.is(2)
	return old
}

// TestReplacedCertificateIsRevokedLater shows that the replaced certificate is revoked when its
// time is over, or when the object has no connection secret any more.
func TestReplacedCertificateIsRevokedLater(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		edit   func(*sslv1alpha1.OriginCACertificate)
	}{
		"Time":     {"the time is over", func(mg *sslv1alpha1.OriginCACertificate) { mg.Spec.RevokeAfter = ptr.To("0s") }},
		"NoSecret": {"there is no connection secret any more", func(mg *sslv1alpha1.OriginCACertificate) { mg.Spec.WriteConnectionSecretToReference = nil }},
	} {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w, mg := certificateWorld(t)
				old := renewed(w, mg)
				harness.Edit(w.Objects, mg, tc.edit)
				w.Eventually(func() error {
					if w.raw(old)["revoked_at"] == nil {
						return fmt.Errorf("%s, and the replaced certificate is valid: %s", tc.reason, harness.Conditions(mg))
					}
					return nil
				})
				w.Settled(mg)
				w.is(1)
				for _, failed := range w.events(mg, "CannotUpdateExternalResource") {
					// An update that conflicts with the edit above is tried again.
					if !strings.Contains(failed, "the object has been modified") {
						t.Errorf("there is an event of a failed update: %q", failed)
					}
				}
			})
		})
	}
}

// TestBothCertificatesGo revokes the certificate as another client, and deletes the object while
// the previous certificate is valid.
func TestBothCertificatesGo(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := certificateWorld(t)
		renewed(w, mg)
		w.pause(true)
		if _, err := w.call(http.MethodDelete, w.item(meta.GetExternalName(mg)), nil); err != nil {
			t.Fatal(err)
		}
		w.is(1)
		w.Delete(mg)
		w.pause(false)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
		w.is(0)
	})
}

// TestDurationThatGoCannotRead shows that the API server refuses a duration that Go cannot parse.
// With such an object, the provider could read no object of the kind.
func TestDurationThatGoCannotRead(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := certificateWorld(t)
		for _, wrong := range []string{"1d", "-1h", "", "1"} {
			u := w.untyped(mg)
			if err := unstructured.SetNestedField(u.Object, wrong, "spec", "revokeAfter"); err != nil {
				t.Fatal(err)
			}
			if err := w.kube.Create(t.Context(), u, client.DryRunAll); err == nil || !strings.Contains(err.Error(), "spec.revokeAfter") {
				t.Errorf("%q: got %v, want it refused", wrong, err)
			}
		}
	})
}

func TestDeletedSecretOfACertificate(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := certificateWorld(t)
		w.apply()
		old := meta.GetExternalName(mg)
		_, s := w.pair()
		from := w.writes()
		w.Delete(s)
		w.Says(mg, xpv2.TypeReady, "does not have the private key", "spec.secretPolicy")
		w.lists(3)
		if n := w.writes() - from; n != 0 {
			t.Errorf("%d writes under Keep", n)
		}
		harness.Edit(w.Objects, client.Object(mg), func(o client.Object) {
			if mg, ok := o.(*sslv1alpha1.OriginCACertificate); ok {
				mg.Spec.SecretPolicy = cfv1alpha1.RollSecretIfMissing
			}
		})
		w.replaced(old, func() {})
		w.pair()
	})
}

func TestCertificateOfAForeignSecret(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := certificateWorld(t)
		w.prepare()
		theirs := &corev1.Secret{Type: corev1.SecretTypeTLS, StringData: map[string]string{corev1.TLSCertKey: "", corev1.TLSPrivateKeyKey: "theirs"}}
		theirs.Namespace, theirs.Name = w.ns, mg.GetConnectionSecretName()
		w.Create(theirs)
		w.Create(mg)
		w.Says(mg, xpv2.TypeSynced, w.ns+"/"+theirs.Name, "does not belong to this object")
		w.is(0)
		if got := string(w.secret(theirs.Name).Data[corev1.TLSPrivateKeyKey]); got != "theirs" {
			t.Error("the Secret of somebody else was overwritten")
		}
		w.Delete(theirs)
		w.Settled(mg)
		w.pair()
	})
}

func TestOrderWhoseAnswerIsLost(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := certificateWorld(t)
		w.prepare()
		w.sim.AddFault(simulator.Fault{Kind: simulator.FaultResetAfter, Method: http.MethodPost, Path: "/certificates", Token: w.token})
		w.Create(mg)
		w.Eventually(func() error {
			s := &corev1.Secret{}
			if err := w.kube.Get(t.Context(), client.ObjectKey{Namespace: w.ns, Name: mg.GetConnectionSecretName()}, s); err != nil {
				return err
			}
			if w.count() == 0 {
				return errors.New("nothing is ordered yet")
			}
			if len(s.Data["pending.key"]) == 0 && len(s.Data[corev1.TLSPrivateKeyKey]) == 0 {
				return errors.New("the key of what is ordered is not in the Secret")
			}
			return nil
		})
		w.Settled(mg)
		w.pair()
		w.is(1)
	})
}
