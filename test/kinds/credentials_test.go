// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"errors"
	"fmt"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestTwoCredentials has two objects of each kind use one parent, or one document, at the same time. Each has a
// credential of its own. Both objects are settled, and no change of either is lost. If there can be only one resource,
// the second object is refused, and changes nothing.
func TestTwoCredentials(t *testing.T) {
	for _, d := range kinds.All() {
		t.Run(d.Name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t, d)
				if _, one := d.Excused["ManyOneList"]; one {
					shareOne(w)
				} else {
					shareParent(w)
				}
			}, kindsOf(t, d.Name)...)
		})
	}
}

// withCredential makes an object use a provider config with a credential of its own.
func (w *world) withCredential(mg described.Object, name string) {
	w.T.Helper()
	token := w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: w.account.ID, Permission: simulator.Everything}}})
	w.Objects.Create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.ns}, StringData: map[string]string{"token": token}})
	w.Objects.Create(&cfv1alpha1.ProviderConfig{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.ns},
		Spec: cfv1alpha1.ProviderConfigSpec{
			Credentials: cfv1alpha1.Credentials{SecretRef: cfv1alpha1.LocalSecretKeySelector{Name: name, Key: "token"}},
			CommonSpec:  cfv1alpha1.CommonSpec{AccountID: ptr.To(w.account.ID)},
		},
	})
	mg.SetProviderConfigReference(&xpv2.ProviderConfigReference{Kind: cfv1alpha1.ProviderConfigKind, Name: name})
}

// shareParent has two objects create two resources below one parent.
func shareParent(w *world) {
	w.prepare()
	first, second := w.example, w.numbered(1, w.naturalText())
	w.withCredential(second, "second-credential")
	both := []described.Object{first, second}
	if w.d.Shape == kind.Singleton {
		w.T.Fatal("a singleton has one object")
	}
	each := func(do func(described.Object)) {
		for _, mg := range both {
			do(mg)
		}
	}
	each(func(mg described.Object) { w.Create(mg) })
	each(func(mg described.Object) { w.Settled(mg) })
	w.is(2)
	if meta.GetExternalName(first) == meta.GetExternalName(second) {
		w.T.Errorf("both objects have %s", meta.GetExternalName(first))
	}
	w.eachAsDeclared(both)
	w.editBoth(both)
	each(func(mg described.Object) { w.Settled(mg) })
	w.during(quiet)
	each(func(mg described.Object) { w.Settled(mg) })
	w.is(2)
	w.eachAsDeclared(both)
	each(func(mg described.Object) { w.Delete(mg) })
	each(func(mg described.Object) { w.Gone(mg, func() string { return harness.Conditions(mg) }) })
	w.is(0)
}

// editBoth changes a declared value of each object at the same time, if a value can be changed.
func (w *world) editBoth(both []described.Object) {
	w.T.Helper()
	for _, mg := range both {
		of := *w
		of.example = mg
		of.edits()
	}
}

// eachAsDeclared shows that Cloudflare has what each object declares.
func (w *world) eachAsDeclared(both []described.Object) {
	w.T.Helper()
	for _, mg := range both {
		of := *w
		of.example = mg
		w.Eventually(func() error { return of.asDeclared(meta.GetExternalName(mg)) })
	}
}

// shareOne has two objects declare a resource that exists once. The first object manages it.
func shareOne(w *world) {
	first := w.apply()
	second := copyOf(first, "second")
	w.withCredential(second, "second-credential")
	w.Create(second)
	w.Says(second, xpv2.TypeSynced)
	w.during(quiet)
	w.Settled(first)
	w.is(1)
	w.Eventually(func() error { return w.asDeclared(meta.GetExternalName(first)) })
	w.Delete(second)
	w.Gone(second, func() string { return harness.Conditions(second) })
	w.during(quiet)
	w.Settled(first)
	w.is(1)
	w.Eventually(func() error {
		if err := w.asDeclared(meta.GetExternalName(first)); err != nil {
			return errors.Join(err, fmt.Errorf("the second object took it along: %s", harness.Conditions(first)))
		}
		return nil
	})
	w.Delete(first)
	w.Gone(first, func() string { return harness.Conditions(first) })
	w.unset()
	w.is(0)
}
