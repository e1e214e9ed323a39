// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	sslv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ssl/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// twoCertificates returns a stage with two objects that have a certificate each, and the key of the second.
func twoCertificates(t *testing.T) (*stage, client.ObjectKey) {
	t.Helper()
	e := entryOf(t, "OriginCACertificate")
	s := newStage(t, e)
	u, err := runtime.DefaultUnstructuredConverter.ToUnstructured(s.fresh)
	must(t, err)
	must(t, unstructured.SetNestedField(u, "other", "spec", "writeConnectionSecretToRef", "name"))
	other := e.New()
	must(t, runtime.DefaultUnstructuredConverter.FromUnstructured(u, other))
	other.SetName("other")
	other.SetUID("other")
	must(t, s.server.Create(t.Context(), other))
	key := client.ObjectKeyFromObject(other)
	for _, k := range []client.ObjectKey{key, s.key} {
		s.settle(s.kind, k)
		for range 2 {
			s.reconcile(s.kind, k)
		}
	}
	return s, key
}

// supersede makes the object's status say that it replaced a certificate long ago.
func (s *stage) supersede(id string) {
	s.t.Helper()
	mg := s.read(s.kind, s.key).(*sslv1alpha1.OriginCACertificate)
	mg.Spec.RevokeAfter = ptr.To("24h") // The default of the CRD.
	must(s.t, s.server.Update(s.t.Context(), mg))
	mg.Status.Sync.Superseded = []cfv1alpha1.SupersededResource{{ID: id, ReplacedAt: ptr.To(metav1.NewTime(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)))}}
	must(s.t, s.server.Status().Update(s.t.Context(), mg))
}

// TestAnnotationsRevokeNothing checks that the annotation of an earlier version for a replaced certificate revokes no
// certificate, not even one without an object.
func TestAnnotationsRevokeNothing(t *testing.T) {
	t.Parallel()
	s, key := twoCertificates(t)
	other := meta.GetExternalName(s.read(s.kind, key))
	gone := s.read(s.kind, key)
	gone.SetFinalizers(nil)
	must(t, s.server.Update(t.Context(), gone))
	must(t, s.server.Delete(t.Context(), gone))
	mg := s.read(s.kind, s.key).(*sslv1alpha1.OriginCACertificate)
	mg.Spec.RevokeAfter = ptr.To("24h")
	meta.AddAnnotations(mg, map[string]string{annotationSuperseded: other + " 2020-01-01T00:00:00Z"})
	must(t, s.server.Update(t.Context(), mg))
	for range 3 {
		s.reconcileWithoutWrites()
	}
	must(t, s.server.Delete(t.Context(), s.read(s.kind, s.key)))
	for range 3 {
		s.reconcile(s.kind, s.key)
		if slices.ContainsFunc(s.log, func(a asked) bool { return a.writes() && strings.Contains(a.what, other) }) {
			t.Errorf("a certificate is revoked that an annotation names: %v", s.log)
		}
	}
	if s.read(s.kind, s.key) != nil {
		t.Error("the object does not go")
	}
}

// TestRevokesNoneOfAnother checks that an object revokes no certificate that another object manages, even if a record
// says that it is replaced. The object forgets that certificate, and goes on.
func TestRevokesNoneOfAnother(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		because string
		spelled func(id string) string
	}{
		{"its ID", func(id string) string { return id }},
		{"its ID in upper case", strings.ToUpper},
	} {
		t.Run(tc.because, func(t *testing.T) {
			t.Parallel()
			s, other := twoCertificates(t)
			id := meta.GetExternalName(s.read(s.kind, other))
			s.takes = map[string]string{tc.spelled(id): id}
			s.supersede(tc.spelled(id))
			for range 2 {
				s.reconcileWithoutWrites()
			}
			mg := s.read(s.kind, s.key)
			if said := mg.GetCondition(xpv2.TypeSynced); said.Status != corev1.ConditionTrue {
				t.Errorf("the object is not synced: %s", said.Message)
			}
			if left := mg.GetSync().Superseded; len(left) > 0 {
				t.Errorf("it still has to revoke %v", left)
			}
			own := meta.GetExternalName(s.read(s.kind, s.key))
			s.delete()
			for range 2 {
				s.reconcile(s.kind, s.key)
			}
			if !s.revoked(own) || s.revoked(id) {
				t.Errorf("with the object its certificate is revoked: %t, that of the other object: %t", s.revoked(own), s.revoked(id))
			}
			if s.read(s.kind, s.key) != nil {
				t.Error("the object does not go")
			}
		})
	}
}

// TestNoRequestRevokes checks that a user who writes the request of a certificate without an object into a connection
// secret does not cause its revocation.
func TestNoRequestRevokes(t *testing.T) {
	t.Parallel()
	s, other := twoCertificates(t)
	gone := s.read(s.kind, other)
	victim := meta.GetExternalName(gone)
	gone.SetFinalizers(nil)
	must(t, s.server.Update(t.Context(), gone))
	must(t, s.server.Delete(t.Context(), gone)) // Its certificate stays.
	var request string
	for _, doc := range s.sim.Resources("/certificates") {
		if doc["id"] == victim {
			request, _ = doc["csr"].(string)
		}
	}
	mg := s.read(s.kind, s.key)
	secret := &corev1.Secret{}
	must(t, s.server.Get(t.Context(), client.ObjectKey{Namespace: mg.GetNamespace(), Name: mg.GetConnectionSecretName()}, secret))
	secret.Data[requestPending] = []byte(request)
	must(t, s.server.Update(t.Context(), secret))
	s.delete()
	for range 3 {
		s.reconcile(s.kind, s.key)
	}
	if request == "" || s.revoked(victim) || s.read(s.kind, s.key) != nil {
		t.Errorf("the certificate of the request %q is revoked: %t", request, s.revoked(victim))
	}
}

// TestRevokesItsOwn checks that a certificate that the object itself replaced, and that no other object manages, is
// revoked.
func TestRevokesItsOwn(t *testing.T) {
	t.Parallel()
	s, other := twoCertificates(t)
	mg := s.read(s.kind, other)
	id := meta.GetExternalName(mg)
	mg.SetFinalizers(nil)
	must(t, s.server.Update(t.Context(), mg))
	must(t, s.server.Delete(t.Context(), mg)) // Its certificate stays.
	s.supersede(id)
	s.reconcile(s.kind, s.key)
	if !s.revoked(id) {
		t.Errorf("the certificate is not revoked: %v", s.log)
	}
	if got := s.read(s.kind, s.key).GetAnnotations()[annotationSuperseded]; got != "" {
		t.Errorf("it is still to be revoked: %s", got)
	}
}

// revoked reports whether a certificate is revoked.
func (s *stage) revoked(id string) bool {
	s.t.Helper()
	for _, doc := range s.sim.Resources("/certificates") {
		if doc["id"] == id {
			return doc["revoked_at"] != nil
		}
	}
	s.t.Fatalf("there is no certificate %s", id)
	return false
}
