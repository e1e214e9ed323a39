// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"strings"
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/workers"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// TestLimitsChange: the objects of a provider config whose limits change are looked at soon. What is refused says which limit it
// is, and keeps what it has, also when it is deleted; what is allowed again is well, and goes.
func TestLimitsChange(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, workers.KVNamespace())
		mg := w.apply()
		pc := &cfv1alpha1.ProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: w.ns}}
		allow := func(accounts ...string) {
			harness.Edit(w.Objects, pc, func(pc *cfv1alpha1.ProviderConfig) { pc.Spec.AllowedAccounts = accounts })
		}
		began := time.Now()
		allow(w.sim.AddAccount("another of " + w.ns).ID)
		w.becomes(mg, xpv2.TypeUpToDate, corev1.ConditionUnknown)
		w.isSoon("the object is refused", began)
		if said := mg.GetCondition(xpv2.TypeSynced).Message; !strings.Contains(said, "spec.allowedAccounts of the ProviderConfig "+w.ns+"/default does not allow the account "+w.account.ID) {
			t.Errorf("it says %q", said)
		}
		began = time.Now()
		allow(w.account.ID)
		w.Settled(mg)
		w.isSoon("the object is well again", began)
		allow(w.sim.AddAccount("a third of " + w.ns).ID)
		w.becomes(mg, xpv2.TypeUpToDate, corev1.ConditionUnknown)
		if err := w.kube.Delete(t.Context(), mg); err != nil {
			t.Fatal(err)
		}
		w.becomes(mg, xpv2.TypeReady, corev1.ConditionFalse)
		if c := mg.GetCondition(xpv2.TypeReady); c.Reason != "DeletionBlocked" || !strings.Contains(c.Message, "what the provider config does not allow") {
			t.Errorf("under deletion it says %s: %s", c.Reason, c.Message)
		}
		w.is(1)
		allow()
		w.Gone(mg, func() string { return harness.Conditions(mg) })
		w.is(0)
	}, kindsOf(t, "KVNamespace")...)
}
