// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	emailv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/email/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/email"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// mailbox is a destination outside of the zone of the world.
const mailbox = "mailbox@example.net"

func mailWorld(t *testing.T) (*world, *emailv1alpha1.EmailRoutingRule) {
	t.Helper()
	w := newWorld(t, email.EmailRoutingRule())
	mg, ok := w.example.(*emailv1alpha1.EmailRoutingRule)
	if !ok {
		t.Fatalf("the example is %T", w.example)
	}
	w.prepare()
	return w, mg
}

func forwards() []emailv1alpha1.EmailRoutingRuleActions {
	return []emailv1alpha1.EmailRoutingRuleActions{{Type: ptr.To("forward"), Value: []string{mailbox}}}
}

// TestForwarding shows that a rule waits for the owner of the mailbox that it forwards to. It
// keeps nothing of that action when it gets another action.
func TestForwarding(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := mailWorld(t)
		mg.Spec.ForProvider.Actions = forwards()
		w.Create(mg)
		w.Says(mg, xpv2.TypeSynced, "DestinationNotVerified", "follow the link")
		if _, err := w.sim.PostResource("/accounts/"+w.account.ID+"/email/routing/addresses", map[string]any{"email": mailbox}); err != nil {
			t.Fatal(err)
		}
		w.Settled(mg)
		harness.Edit(w.Objects, mg, func(mg *emailv1alpha1.EmailRoutingRule) {
			mg.Spec.ForProvider.Actions = []emailv1alpha1.EmailRoutingRuleActions{{Type: ptr.To("drop")}}
		})
		w.Settled(mg)
		if got := kind.Text(parsed(w.raw(meta.GetExternalName(mg))), "actions[0].type"); got != "drop" {
			t.Errorf("the action is %q, want drop", got)
		}
		if v, _ := kind.At(parsed(w.raw(meta.GetExternalName(mg))), "actions[0].value"); v != nil {
			t.Errorf("the rule drops mail, and has the value %v", v)
		}
	})
}

// TestCatchAllIsNoRule shows that an EmailRoutingRule with the ID of the catch-all rule of a
// zone is refused, and changes nothing.
func TestCatchAllIsNoRule(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := mailWorld(t)
		general, err := w.sim.GetResource("/zones/" + w.zone.ID + "/email/routing/rules/catch_all")
		if err != nil {
			t.Fatal(err)
		}
		meta.SetExternalName(mg, kind.Text(general, "id"))
		w.Create(mg)
		w.Says(mg, xpv2.TypeSynced, "Invalid rule operation")
		if now, _ := w.sim.GetResource("/zones/" + w.zone.ID + "/email/routing/rules/catch_all"); !same(now, general) {
			t.Errorf("the catch-all rule is %v now, and was %v", now, general)
		}
	})
}

// TestTokenOfAnAccount shows that the message says that the token of a user is needed.
func TestTokenOfAnAccount(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := mailWorld(t)
		token := w.sim.AddToken(simulator.TokenOptions{Account: w.account.ID, Grants: []simulator.Grant{{Account: w.account.ID, Permission: simulator.Everything}}})
		harness.Edit(w.Objects, w.secret("cloudflare"), func(s *corev1.Secret) { s.Data["token"] = []byte(token) })
		w.Create(mg)
		w.Says(mg, xpv2.TypeSynced, "Forbidden", "use an API token of a user")
		harness.Edit(w.Objects, w.secret("cloudflare"), func(s *corev1.Secret) { s.Data["token"] = []byte(w.token) })
		w.Settled(mg)
	})
}

// TestVerifiedByAPerson shows that an address is not Ready until its owner agrees. This is not
// an error.
func TestVerifiedByAPerson(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, email.EmailRoutingAddress())
		trap := w.trap(simulator.Trap{Kind: simulator.TrapConvergingStatus, Field: "verified", Values: []string{""}, For: time.Minute})
		w.Create(w.example)
		w.Says(w.example, xpv2.TypeReady, "waits for a person", "follow the link")
		if c := w.example.GetCondition(xpv2.TypeSynced); c.Status != corev1.ConditionTrue {
			t.Errorf("the object is not synced: %s", c.Message)
		}
		w.sim.RemoveTrap(trap)
		w.Settled(w.example)
	})
}

// TestMailIsLeftOn shows that the deletion of an EmailRouting leaves the mail of the zone
// enabled. Another EmailRouting can disable it.
func TestMailIsLeftOn(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, email.EmailRouting())
		mg := w.apply()
		w.Delete(mg)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
		if now := w.answer(""); now["enabled"] != true || now["status"] != "ready" {
			t.Errorf("the zone's mail is %v after the deletion, want it on", now)
		}
		off, ok := copyOf(mg, "off").(*emailv1alpha1.EmailRouting)
		if !ok {
			t.Fatalf("the example is %T", mg)
		}
		off.Spec.ForProvider.Enabled = ptr.To(false)
		w.Create(off)
		w.Settled(off)
		if now := w.answer(""); now["enabled"] != false || now["status"] != "unconfigured" {
			t.Errorf("the zone's mail is %v, want it off", now)
		}
	})
}
