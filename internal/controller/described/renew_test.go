// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"slices"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	sslv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ssl/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// TestARenewalEndsAnywhere checks a process that ends before any request of a renewal. In each case, all certificates
// are revoked with the object, and the object has one while it exists.
func TestARenewalEndsAnywhere(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason              string
		deleted, withoutKey bool
	}{
		{"the next process goes on", false, false},
		{"the connection secret is lost, and the next process begins again", false, true},
		{"the object is deleted", true, false},
		{"the object is deleted, and the connection secret is lost", true, true},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			finished, orders := false, 0
			for ends := 1; !finished; ends++ {
				s := newStage(t, entryOf(t, "OriginCACertificate"))
				s.settle(s.kind, s.key)
				s.reconcile(s.kind, s.key)
				s.losesKey()
				s.ends, s.asked = ends, 0
				s.reconcile(s.kind, s.key)
				finished = s.asked <= ends
				s.restart()
				if tc.withoutKey {
					must(t, s.server.Delete(t.Context(), s.connectionSecret()))
				}
				orders = max(orders, len(s.certificates()))
				if tc.deleted {
					s.delete()
				}
				for range 8 {
					s.reconcile(s.kind, s.key)
				}
				s.hasItsOwnAlone(ends)
			}
			if orders < 2 {
				t.Error("nothing was renewed")
			}
		})
	}
}

// TestARenewalWithoutAJournal checks a process that ends after the object names its new certificate and before the
// status shows that, if the journal is lost. Both certificates are the object's by its status, and are revoked with
// it.
func TestARenewalWithoutAJournal(t *testing.T) {
	t.Parallel()
	for _, named := range []bool{false, true} {
		s, other := twoCertificates(t)
		gone := s.read(s.kind, other)
		next := meta.GetExternalName(gone)
		gone.SetFinalizers(nil)
		must(t, s.server.Update(t.Context(), gone))
		must(t, s.server.Delete(t.Context(), gone)) // Its certificate stays, and stands for the new one.
		mg := s.read(s.kind, s.key)
		old := meta.GetExternalName(mg)
		if named {
			meta.SetExternalName(mg, next)
			must(t, s.server.Update(t.Context(), mg))
		}
		mg.GetSync().Superseded = supersede(nil, old, next)
		must(t, s.server.Status().Update(t.Context(), mg))
		s.restart()
		s.journal.Reset()
		s.delete()
		for range 4 {
			s.reconcile(s.kind, s.key)
		}
		if !s.revoked(old) || !s.revoked(next) || s.read(s.kind, s.key) != nil {
			t.Errorf("the object names the new one: %t; the old certificate is revoked: %t, the new one: %t", named, s.revoked(old), s.revoked(next))
		}
	}
}

// losesKey makes the object renew its certificate, and revoke the old one at once.
func (s *stage) losesKey() {
	s.t.Helper()
	mg, ok := s.read(s.kind, s.key).(*sslv1alpha1.OriginCACertificate)
	if !ok {
		s.t.Fatal("the object has another type")
	}
	mg.Spec.SecretPolicy, mg.Spec.RenewBefore, mg.Spec.RevokeAfter = cfv1alpha1.RollSecretIfMissing, ptr.To("720h"), ptr.To("0s")
	must(s.t, s.server.Update(s.t.Context(), mg))
	secret := s.connectionSecret()
	delete(secret.Data, corev1.TLSPrivateKeyKey)
	must(s.t, s.server.Update(s.t.Context(), secret))
}

func (s *stage) connectionSecret() *corev1.Secret {
	s.t.Helper()
	mg, out := s.read(s.kind, s.key), &corev1.Secret{}
	must(s.t, s.server.Get(s.t.Context(), client.ObjectKey{Namespace: mg.GetNamespace(), Name: mg.GetConnectionSecretName()}, out))
	return out
}

// restart starts another process.
func (s *stage) restart() {
	s.t.Helper()
	s.ends = 0
	s.journal.Restart()
	i := slices.IndexFunc(s.roster, func(e entry) bool { return e.GVK.Kind == s.kind })
	s.inner[s.kind] = s.reconciler(s.roster[i])
}

// certificates returns the IDs of all certificates, and whether they are revoked.
func (s *stage) certificates() map[string]bool {
	out := map[string]bool{}
	for _, doc := range s.sim.Resources("/certificates") {
		id, _ := doc["id"].(string)
		out[id] = doc["revoked_at"] != nil
	}
	return out
}

// hasItsOwnAlone fails the test if a valid certificate is not the one that the object names, or has no object.
func (s *stage) hasItsOwnAlone(ends int) {
	s.t.Helper()
	own, mg := "", s.read(s.kind, s.key)
	if mg != nil {
		own = meta.GetExternalName(mg)
	}
	all := s.certificates()
	for id, revoked := range all {
		if revoked == (id == own) {
			s.t.Errorf("the process ended after %d requests: the certificate %s is revoked: %t; the object has %q", ends, id, revoked, own)
		}
	}
	if _, has := all[own]; mg != nil && !has {
		s.t.Errorf("the process ended after %d requests: there is no certificate %q of the object", ends, own)
	}
}

// TestARenewalIsInTheJournal checks that an order that replaces a certificate has an entry until the status has the
// ID of the new one.
func TestARenewalIsInTheJournal(t *testing.T) {
	t.Parallel()
	s := newStage(t, entryOf(t, "OriginCACertificate"))
	s.settle(s.kind, s.key)
	s.reconcile(s.kind, s.key)
	s.losesKey()
	var open []journal.Entry
	s.before = func(n int) {
		if a := s.log[n]; a.writes() && a.of == "cloudflare" && len(open) == 0 {
			var err error
			open, err = s.journal.Creations(t.Context(), s.read(s.kind, s.key).GetUID())
			must(t, err)
		}
	}
	s.reconcile(s.kind, s.key)
	s.before = nil
	if len(open) != 1 {
		t.Errorf("there are %d entries when the order is sent, want 1", len(open))
	}
	for range 3 {
		s.reconcile(s.kind, s.key)
	}
	if left, err := s.journal.Creations(t.Context(), s.read(s.kind, s.key).GetUID()); err != nil || len(left) > 0 {
		t.Errorf("there are still the entries %v: %v", left, err)
	}
}

// TestSupersede checks that a replacement that never came into use is replaced as well.
func TestSupersede(t *testing.T) {
	t.Parallel()
	type all = []cfv1alpha1.SupersededResource
	by := func(id, next string) cfv1alpha1.SupersededResource {
		return cfv1alpha1.SupersededResource{ID: id, ReplacedBy: next}
	}
	for _, tc := range []struct {
		reason string
		before all
		next   string
		want   all
		others []string
	}{
		{"nothing was replaced before", nil, "b", all{by("a", "b")}, []string{"a"}},
		{"it is noted already", all{by("a", "b")}, "b", all{by("a", "b")}, []string{"a"}},
		{"another one replaces it", all{by("a", "b")}, "c", all{by("a", "c"), by("b", "c")}, []string{"a", "b"}},
		{"an earlier version did not note by what", all{by("a", "")}, "b", all{by("a", "b")}, []string{"a"}},
		{"another one was replaced before it", all{by("z", "a")}, "b", all{by("z", "a"), by("a", "b")}, []string{"z", "a"}},
	} {
		got := supersede(tc.before, "a", tc.next)
		if !slices.Equal(got, tc.want) || !slices.Equal(others(got, tc.next), tc.others) {
			t.Errorf("%s: got %v, want %v; the others are %v, want %v", tc.reason, got, tc.want, others(got, tc.next), tc.others)
		}
	}
}

// TestNoRequestOfAUserIsOurs checks an open order for a request that a user has put into a spec. Other clients may
// order certificates for that request, so the order makes no other certificate the object's.
func TestNoRequestOfAUserIsOurs(t *testing.T) {
	t.Parallel()
	for about, want := range map[string]string{
		`{"spec":{"requestType":"origin-ecc"},"note":"{\"csr\":\"request\"}"}`:                 "request",
		`{"spec":{"requestType":"origin-ecc","csr":"request"},"note":"{\"csr\":\"request\"}"}`: "",
	} {
		e := entryOf(t, "OriginCACertificate")
		a := &adapter{described: &described{entry: e, names: kind.Names(e.New().GetForProvider())}, mg: e.New()}
		if err := a.ResumeCreate([]byte(about), time.Now()); err != nil || a.ordered != want {
			t.Errorf("%s is an order for %q, want %q: %v", about, a.ordered, want, err)
		}
	}
}
