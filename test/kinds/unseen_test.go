// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"strings"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// soon is how long an object may stay UpToDate while its resource cannot be observed: an interval, the verification of
// a credential, and a back-off.
const soon = 15 * time.Second

// isSoon fails if a change took too long in virtual time. On a real API server the time depends on the machine.
func (w *world) isSoon(what string, began time.Time) {
	w.T.Helper()
	if took := time.Since(began); w.bubble != nil && took > soon {
		w.T.Errorf("%s after %s", what, took)
	}
}

// unseen shows that an object is not UpToDate while its resource cannot be observed, for any reason, and not Ready
// after three intervals. It becomes both again by itself.
func unseen(w *world) {
	mg := w.apply()
	everything := simulator.Grant{Account: w.account.ID, Permission: simulator.Everything}
	elsewhere := everything
	elsewhere.Account = w.sim.AddAccount("another of " + w.ns).ID
	secret := w.secret("cloudflare")
	good := secret.Data["token"]
	for _, plight := range []struct {
		reason    string
		below     bool // It is about the parent of the resource.
		end, mend func()
	}{
		{"every read is refused", true, func() { w.grant(elsewhere) }, func() { w.grant(everything) }},
		{
			"the Secret has a token that does not exist", false,
			func() {
				harness.Edit(w.Objects, secret, func(s *corev1.Secret) { s.Data["token"] = []byte(strings.Repeat("u", len(good))) })
			},
			func() { harness.Edit(w.Objects, secret, func(s *corev1.Secret) { s.Data["token"] = good }) },
		},
		{
			"the Secret has no token", false,
			func() { harness.Edit(w.Objects, secret, func(s *corev1.Secret) { delete(s.Data, "token") }) },
			func() {
				harness.Edit(w.Objects, secret, func(s *corev1.Secret) { s.Data = map[string][]byte{"token": good} })
			},
		},
	} {
		if plight.below && !w.below() {
			continue
		}
		began := time.Now()
		plight.end()
		w.becomes(mg, xpv2.TypeUpToDate, corev1.ConditionUnknown)
		w.isSoon(plight.reason+": the object does not look well", began)
		w.becomes(mg, xpv2.TypeReady, corev1.ConditionUnknown)
		if took := time.Since(began); took < 2*interval {
			w.T.Errorf("%s: the object was not ready after %s", plight.reason, took)
		}
		began = time.Now()
		plight.mend()
		w.Settled(mg)
		if took := time.Since(began); took > 2*time.Minute {
			w.T.Errorf("%s: the object was well again after %s", plight.reason, took)
		}
	}
	w.is(1)
}

// below reports whether the resource of the example is below the account or the zone of this world.
func (w *world) below() bool {
	w.T.Helper()
	return strings.Contains(w.collection(), w.account.ID) || strings.Contains(w.collection(), w.zone.ID)
}

// becomes waits until a condition has a status.
func (w *world) becomes(mg described.Object, t xpv2.ConditionType, want corev1.ConditionStatus) {
	w.T.Helper()
	w.Eventually(func() error {
		if err := w.Get(mg); err != nil {
			return err
		}
		if c := mg.GetCondition(t); c.Status != want {
			return fmt.Errorf("%s is %s, want %s: %s", t, c.Status, want, harness.Conditions(mg))
		}
		return nil
	})
}
