// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/tunnel"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// killedBetween is the name of the row that TestKilledBetween shows for all kinds.
const killedBetween = "KilledBetween"

// unanswered is longer than the duration of these tests.
const unanswered = time.Hour

// TestKilledBetween kills the provider after the call that creates a resource, or first changes
// a singleton, and before the record of that call. A second provider finds the resource, and
// there is exactly one. If the object is gone by then, the second provider deletes the resource.
// It leaves the resource, with an event, if Cloudflare does not show the creation time. The test
// loses the record in each way.
func TestKilledBetween(t *testing.T) {
	for _, d := range kinds.All() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			if why, ok := d.Excused[killedBetween]; ok {
				t.Logf("%s is excused from %s: %s", d.Name, killedBetween, why)
				return
			}
			for way, name := range []string{stillWaiting: "StillWaiting", wasReset: "WasReset", wasAnswered: "WasAnswered"} {
				for _, goes := range []bool{false, true} {
					if goes && d.Shape == kind.Singleton {
						continue // The resource exists without an object, too.
					}
					t.Run(fmt.Sprintf("%s/Goes=%t", name, goes), func(t *testing.T) {
						t.Parallel()
						inBubble(t, func(t *testing.T) { (&victim{world: newWorld(t, d), way: way, goes: goes}).show() }, kindsOf(t, d.Name)...)
					})
				}
			}
		})
	}
}

// These are the ways in which the record of a creation is lost.
const (
	stillWaiting = iota // The provider still waits for the answer.
	wasReset            // The connection is reset, and the provider knows that there is no answer.
	wasAnswered         // The provider has the answer, and cannot record it.
)

// A victim is a world whose provider is killed before it records what it created.
type victim struct {
	*world

	way   int
	goes  bool // The object is gone before the next provider starts.
	dated bool // Cloudflare shows when the resource was created.
}

// show kills the provider, and shows that a second one finds the resource.
func (v *victim) show() {
	v.T.Helper()
	v.create()
	v.kill()
	v.unrecorded()
	v.leaves()
	v.start()
	v.recovers()
}

// create creates the object and its resource at Cloudflare. Nothing about the resource is
// recorded.
func (v *victim) create() {
	v.T.Helper()
	v.prepare()
	fault := simulator.Fault{Kind: simulator.FaultSlow, Method: v.creates(), Path: v.created(), Token: v.token, Delay: unanswered}
	if v.way == wasReset {
		fault.Kind = simulator.FaultResetAfter
	}
	fired := func() bool { return true }
	if v.way != wasAnswered {
		id := v.sim.AddFault(fault)
		fired = func() bool { return v.sim.Fired(id) > 0 }
	}
	var lost atomic.Bool
	if from := v.writes(); v.way != stillWaiting {
		v.provider.Lose(func(r *http.Request) bool {
			ours := r.Method != http.MethodGet && strings.Contains(r.URL.Path, "/namespaces/"+v.ns+"/") && v.writes() > from
			if ours {
				lost.Store(true)
			}
			return ours
		})
	}
	v.Create(v.example)
	v.is(1)
	v.Eventually(func() error {
		switch {
		case v.way != stillWaiting && !lost.Load():
			return errors.New("the provider writes nothing down")
		case !fired():
			return errors.New("the creation, or the first change, has its answer")
		}
		return nil
	})
	v.unrecorded()
	v.dated = v.isDated()
}

// leaves deletes the object and removes its finalizers, if goes is true.
func (v *victim) leaves() {
	v.T.Helper()
	if !v.goes {
		return
	}
	harness.Edit(v.Objects, client.Object(v.example), func(o client.Object) { o.SetFinalizers(nil) })
	v.Delete(v.example)
}

// unrecorded shows that the object does not have the ID of its resource. The ID of a singleton
// is known: its object is not Ready.
func (w *world) unrecorded() {
	w.T.Helper()
	if err := w.Get(w.example); err != nil {
		w.T.Fatal(err)
	}
	if w.d.Shape == kind.Singleton {
		if w.example.GetCondition(xpv2.TypeReady).Status == corev1.ConditionTrue {
			w.T.Errorf("the %s is Ready, although nobody wrote down what it became", w.d.Name)
		}
		return
	}
	if name := meta.GetExternalName(w.example); name != "" {
		w.T.Errorf("the %s has the ID %s, which nobody answered", w.d.Name, name)
	}
}

// isDated reports whether Cloudflare shows when the resource was created.
func (v *victim) isDated() bool {
	v.T.Helper()
	switch v.d.Shape {
	case kind.Fragment:
		return v.d.Mark != ""
	case kind.Singleton:
		return false
	}
	made := v.sim.Resources(v.collection())[0] // Some collections contain resources of other worlds, too.
	return slices.ContainsFunc(stamps(), func(name string) bool { return made[name] != nil })
}

// stamps returns the members that may contain the creation time of a resource.
func stamps() []string {
	return []string{"created_at", "created_on", "created", "creation_date", "issued_on", "uploaded_on"}
}

// creates returns the method of the call that creates the resource, or changes a singleton.
func (w *world) creates() string {
	s := cmp.Or(w.d.Create, w.d.Update)
	if w.d.Make != nil {
		s = w.d.Make.Operation // The first fragment creates the document.
	}
	op, _ := kind.ParseOperation(s)
	return op.Method
}

// recovers shows that the object has the only resource. If the object is gone, it shows that the
// resource is deleted, or left with an event.
func (v *victim) recovers() {
	v.T.Helper()
	switch {
	case v.goes && v.dated:
		v.is(0)
		return
	case v.goes: // The resource may have been created by another client.
		v.Eventually(func() error {
			return v.event(v.example, string(claim.EventLeft), "may have been created for this object")
		})
		v.is(1)
		return
	}
	v.Settled(v.example)
	v.is(1)
	if err := v.asDeclared(meta.GetExternalName(v.example)); err != nil {
		v.T.Error(err)
	}
	v.Delete(v.example)
	v.Gone(v.example, func() string { return harness.Conditions(v.example) })
	v.is(0)
}

// TestKilledWhileASettingIsTakenOver kills the provider before and after Cloudflare carries out
// the first change of a setting. The deletion of the object restores the value from before that
// change.
func TestKilledWhileASettingIsTakenOver(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T) {
		settings := map[*zonev1alpha1.ZoneSetting]*world{}
		for _, moment := range []simulator.FaultKind{simulator.FaultSlowBefore, simulator.FaultSlow} {
			w, mg := settingWorld(t, "min_tls_version", `"1.2"`)
			mg.Spec.OnDelete = ptr.To(kind.Restore)
			settings[mg] = w
			w.prepare()
			w.set(`"1.1"`)
			fault := w.sim.AddFault(simulator.Fault{Kind: moment, Method: http.MethodPatch, Path: w.item(""), Token: w.token, Delay: unanswered, Times: 1})
			w.Create(mg)
			w.Eventually(func() error {
				if w.sim.Fired(fault) == 0 {
					return errors.New("the provider has not changed the setting")
				}
				return nil
			})
		}
		suiteOf(t).kill()
		suiteOf(t).start()
		for mg, w := range settings {
			w.Settled(mg)
			if got := w.setting()["value"]; got != "1.2" {
				t.Errorf("the value is %v", got)
			}
			w.Delete(mg)
			w.Gone(mg, func() string { return harness.Conditions(mg) })
			if got := w.setting()["value"]; got != "1.1" {
				t.Errorf("the value after the deletion is %v, want what it was before", got)
			}
		}
	})
}

// TestRestartFetchesNothing starts a second provider. It knows from the status what the
// connection secret has to contain, and fetches no value.
func TestRestartFetchesNothing(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, tunnel.Tunnel())
		mg := w.apply()
		w.publishesLive(mg)
		w.lists(2)
		if len(mg.GetSync().Details) == 0 {
			t.Error("the status does not say what was fetched")
		}
		if err := w.stop(); err != nil {
			t.Error(err)
		}
		fetched := w.fetches()
		w.start()
		w.lists(3)
		w.Settled(mg)
		if n := w.fetches() - fetched; n > 0 {
			t.Errorf("the token was fetched again %d times", n)
		}
		w.publishesLive(mg)
	})
}

// TestKilledWhileASecretIsMade kills the provider between the call that makes a new secret and
// the write of the connection secret. It does so for the roll of a token, and for the renewal of
// a certificate.
func TestKilledWhileASecretIsMade(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T) {
		token, mg := tokenWorld(t)
		mg.Spec.SecretPolicy = cfv1alpha1.RollSecretIfMissing
		token.apply()
		value := simulator.Fault{Kind: simulator.FaultSlow, Method: http.MethodPut, Path: "/accounts/{account_id}/tokens/{token_id}/value", Token: token.token, Delay: unanswered, Times: 1}
		token.sim.AddFault(value)
		token.Delete(token.secret(mg.GetConnectionSecretName()))
		certificate, cert := certificateWorld(t)
		certificate.apply()
		old := meta.GetExternalName(cert)
		order := simulator.Fault{Kind: simulator.FaultSlow, Method: http.MethodPost, Path: "/certificates", Token: certificate.token, Delay: unanswered, Times: 1}
		certificate.sim.AddFault(order)
		certificate.expires(old)
		certificate.is(2)
		token.Eventually(func() error {
			if n := token.rolls(); n != 1 {
				return fmt.Errorf("the token was rolled %d times", n)
			}
			return nil
		})
		token.kill()
		if s := (&corev1.Secret{}); token.kube.Get(t.Context(), client.ObjectKey{Namespace: token.ns, Name: mg.GetConnectionSecretName()}, s) == nil && len(s.Data["token"]) > 0 {
			t.Error("the Secret has a token that nobody answered")
		}
		certificate.pair() // The old one is there as long as there is no new one.
		token.start()
		token.Settled(mg)
		if got := token.status(string(token.secret(mg.GetConnectionSecretName()).Data["token"])); got != "active" {
			t.Errorf("the token in the Secret is %q", got)
		}
		token.is(1)
		certificate.replaced(old, func() { certificate.pair() })
	})
}
