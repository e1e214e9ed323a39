// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// fingerprintOf returns the name of a token in the log of the simulator.
func fingerprintOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:6])
}

// callsWith returns the requests with a token, oldest first.
func (w *world) callsWith(token string) []simulator.LoggedRequest {
	return w.sim.RequestsWith(token)
}

// another returns a new token with the permissions of that of the world.
func (w *world) another() string {
	var grants []simulator.Grant
	for _, p := range permissions() {
		grants = append(grants, simulator.Grant{Account: w.account.ID, Permission: p})
	}
	return w.sim.AddToken(simulator.TokenOptions{Grants: grants})
}

// secret returns the Secret of the config of the world.
func (w *world) secret() *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "cloudflare", Namespace: w.ns}}
}

// rotate writes a value into the Secret of the config of the world.
func (w *world) rotate(value string) {
	w.t.Helper()
	edit(w, w.secret(), func(s *corev1.Secret) { s.Data = map[string][]byte{"token": []byte(value)} })
}

func (w *world) config() *cfv1alpha1.ProviderConfig {
	return &cfv1alpha1.ProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: w.ns}}
}

// uses waits until the provider verifies and sweeps with a token, and does not use old any more. It
// returns how long this took.
func (w *world) uses(token, old string) time.Duration {
	w.t.Helper()
	began, last := time.Now(), len(w.callsWith(old))
	w.eventually(func() error {
		verified, lists := 0, 0
		for _, q := range w.callsWith(token) {
			if q.Route == "/user/tokens/verify" {
				verified++
			}
			if q.String() == listCall {
				lists++
			}
		}
		if verified == 0 || lists < 2 {
			return fmt.Errorf("the new token was verified %d times, and %d lists were made with it", verified, lists)
		}
		return nil
	})
	took := time.Since(began)
	last = max(last, len(w.callsWith(old)))
	w.eventually(func() error { // The zone is in use: there are more sweeps.
		if n := len(w.callsWith(token)); n < 5 {
			return fmt.Errorf("there were %d calls with the new token", n)
		}
		return nil
	})
	w.sweepsWith(token, 3)
	if n := len(w.callsWith(old)); n > last {
		w.t.Errorf("%d calls were made with the old token after the new one was in use: %v", n-last, w.callsWith(old)[last:])
	}
	return took
}

// sweepsWith waits for n more lists with a token.
func (w *world) sweepsWith(token string, n int) {
	w.t.Helper()
	from := len(w.callsWith(token))
	w.eventually(func() error {
		lists := 0
		for _, q := range w.callsWith(token)[from:] {
			if q.String() == listCall {
				lists++
			}
		}
		if lists < n {
			return fmt.Errorf("%d sweeps of %d", lists, n)
		}
		return nil
	})
}

// TestRotationWhileBothTokensAreGood is the usual rotation: the old token is revoked once it is not
// used any more.
func TestRotationWhileBothTokensAreGood(t *testing.T) {
	t.Parallel()
	cases := map[string]func(w *world, next string){
		"TheSecretChanges": func(w *world, next string) { w.rotate(next) },
		"TheConfigNamesAnotherSecret": func(w *world, next string) {
			w.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "next", Namespace: w.ns}, StringData: map[string]string{"v2": next}})
			edit(w, w.config(), func(pc *cfv1alpha1.ProviderConfig) {
				pc.Spec.Credentials.SecretRef = cfv1alpha1.LocalSecretKeySelector{Name: "next", Key: "v2"}
			})
		},
	}
	for name, rotate := range cases {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				r := w.made("www", "A", "192.0.2.1")
				w.sweepsWith(w.token, 1)
				next := w.another()
				rotate(w, next)
				if took := w.uses(next, w.token); took > time.Minute {
					t.Errorf("it took %v until the new token was used for everything", took)
				} else {
					t.Logf("verified and swept with the new token after %v", took.Round(10*time.Millisecond))
				}
				verified(w, w.config(), corev1.ConditionTrue, "")
				w.dashboardEdit(w.live("A").ID, map[string]any{"content": "192.0.2.66"})
				w.event(r, "DriftReverted", "content: live 192.0.2.66")
				settled(w, r)
			})
		})
	}
}

// TestRotationDuringABurst rotates twice while records are created, and revokes the first token. No
// record is lost or duplicated.
func TestRotationDuringABurst(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		const n = 60
		var rs []*dnsv1alpha1.Record
		tokens := []string{w.token, w.another(), w.another()}
		for i := range n {
			switch i {
			case n / 3:
				w.rotate(tokens[1])
			case n / 2:
				w.sim.RevokeToken(tokens[0])
			case 2 * n / 3:
				w.rotate(tokens[2])
			}
			r := w.record(fmt.Sprintf("host-%d", i), "A", fmt.Sprintf("192.0.2.%d", i))
			w.create(r)
			rs = append(rs, r)
		}
		for _, r := range rs {
			settled(w, r)
		}
		if live := w.sim.Records(w.zone.ID); len(live) != n {
			t.Errorf("there are %d records, want %d", len(live), n)
		}
		w.uses(tokens[2], tokens[1])
	})
}

// TestRotationToABrokenValueAndBack breaks the Secret in each way, and corrects it.
func TestRotationToABrokenValueAndBack(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason string
		spoil  func(w *world)
		says   string
	}{
		"Garbage": {"no token", func(w *world) { w.rotate("no token at all") }, "white space"},
		"Empty":   {"nothing", func(w *world) { w.rotate("") }, "the value is empty"},
		"AnotherKey": {"the key is another", func(w *world) {
			edit(w, w.secret(), func(s *corev1.Secret) { s.Data = map[string][]byte{"TOKEN": s.Data["token"]} })
		}, `has no key "token"`},
		"Deleted": {"the Secret is deleted", func(w *world) { w.delete(w.secret()) }, "not found"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				r := w.made("www", "A", "192.0.2.1")
				z := w.zoneObject("zone", w.zone.Name)
				w.create(z)
				settled(w, z)
				verified(w, w.config(), corev1.ConditionTrue, "")
				tc.spoil(w)
				verified(w, w.config(), corev1.ConditionFalse, tc.says)
				// The object was not edited: it is requeued because its zone is not swept any more.
				refused(w, r, "ProviderConfig "+w.ns+"/default", tc.says)
				if c := r.GetCondition(xpv2.TypeReady); c.Status != corev1.ConditionTrue {
					t.Errorf("%s: Ready is %s: the record is there all the same", tc.reason, c.Status)
				}
				for _, mg := range []resource.Managed{r, z} {
					unobserved(w, mg)
				}
				quiet := len(w.callsWith(w.token))
				edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.2") })
				refused(w, r, tc.says)
				if now := w.callsWith(w.token); len(now) > quiet {
					t.Errorf("%s: the token that was taken away was used: %v", tc.reason, now[quiet:])
				}
				began := time.Now()
				if name == "Deleted" {
					w.create(&corev1.Secret{ObjectMeta: w.secret().ObjectMeta, StringData: map[string]string{"token": w.token}})
				} else {
					w.rotate(w.token)
				}
				verified(w, w.config(), corev1.ConditionTrue, "")
				ready := time.Since(began)
				settled(w, r)
				if got := w.live("A").Content; got != "192.0.2.2" {
					t.Errorf("%s: the content is %s", tc.reason, got)
				}
				t.Logf("corrected: the config after %v, the object after %v", ready.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
			})
		})
	}
}

// unobserved waits until an object reports that its resource cannot be observed.
func unobserved(w *world, mg resource.Managed) {
	w.t.Helper()
	w.eventually(func() error {
		if err := w.get(mg); err != nil {
			return err
		}
		if c := mg.GetCondition(xpv2.TypeUpToDate); c.Status != corev1.ConditionUnknown || c.Reason != drift.ReasonUnknown {
			return fmt.Errorf("%s looks well: UpToDate is %s %s", mg.GetName(), c.Status, c.Reason)
		}
		return nil
	})
}

// TestRevokedTokenShowsOnItsConfig revokes a token at Cloudflare, which no Secret shows.
func TestRevokedTokenShowsOnItsConfig(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		verified(w, w.config(), corev1.ConditionTrue, "")
		began := time.Now()
		w.sim.RevokeToken(w.token)
		refused(w, r, "the credential is not valid", "see the Ready condition of its provider config")
		object := time.Since(began)
		verified(w, w.config(), corev1.ConditionFalse, "does not know this credential")
		t.Logf("revoked: the object says so after %v, the config after %v", object.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
		verifications := 0
		for _, q := range w.callsWith(w.token) {
			if strings.Contains(q.Path, "tokens/verify") && q.Time.After(began) {
				verifications++
			}
		}
		// It is verified for a user and for the account, now and at most once more, and again every
		// 30 seconds.
		if most := 4 + 2*int(time.Since(began)/(30*time.Second)); verifications > most {
			t.Errorf("the token was verified %d times", verifications)
		}
		unobserved(w, r)
		w.rotate(w.another())
		verified(w, w.config(), corev1.ConditionTrue, "")
	})
}
