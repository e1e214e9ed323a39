// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"encoding/json"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	iamv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/iam/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/iam"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// userTokenWorld returns a world for a token of a user.
func userTokenWorld(t *testing.T) (*world, *iamv1alpha1.UserToken) {
	t.Helper()
	w := newWorld(t, iam.UserToken())
	mg, ok := w.example.(*iamv1alpha1.UserToken)
	if !ok {
		t.Fatalf("the example is %T", w.example)
	}
	return w, mg
}

// useToken writes another token into the Secret of the provider config.
func (w *world) useToken(token string) {
	w.T.Helper()
	harness.Edit(w.Objects, w.secret("cloudflare"), func(s *corev1.Secret) { s.Data["token"] = []byte(token) })
}

// another returns a new token with all permissions.
func (w *world) another(o simulator.TokenOptions) string {
	o.Grants = []simulator.Grant{{Permission: simulator.Everything}}
	return w.sim.AddToken(o)
}

func TestUserTokenNeedsAUser(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := userTokenWorld(t)
		w.useToken(w.another(simulator.TokenOptions{Account: w.account.ID}))
		w.Create(mg)
		w.Says(mg, xpv2.TypeSynced, "the API token belongs to an account and to no user", "put an API token of the user")
		w.is(0)
		w.useToken(w.token)
		w.Settled(mg)
		w.is(1)
	})
}

// TestUserTokenStaysWithItsUser shows that a token is not created again, and its deletion
// does not end, while the credential of another user cannot see it.
func TestUserTokenStaysWithItsUser(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := userTokenWorld(t)
		w.apply()

		w.useToken(w.another(simulator.TokenOptions{Email: "other@example.net"}))
		w.Says(mg, xpv2.TypeSynced, "it cannot move")
		w.Delete(mg)
		w.Says(mg, xpv2.TypeSynced, "it cannot move")
		w.is(1)
		w.useToken(w.another(simulator.TokenOptions{})) // It is a token of the same user.
		w.Gone(mg, func() string { return harness.Conditions(mg) })
		w.is(0)
	})
}

func TestOwnUserTokenIsNotDeleted(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := userTokenWorld(t)
		group := mg.Spec.ForProvider.Policies[0].PermissionGroups[0]
		group.Name = ptr.To("API Tokens Write")
		mg.Spec.ForProvider.Policies = append(mg.Spec.ForProvider.Policies, iamv1alpha1.UserTokenPolicies{
			Effect: ptr.To("allow"), PermissionGroups: []iamv1alpha1.UserTokenPoliciesPermissionGroups{group},
		})
		if err := json.Unmarshal([]byte(`{"com.cloudflare.api.user.0123456789abcdef0123456789abcdef":"*"}`), &mg.Spec.ForProvider.Policies[1].Resources); err != nil {
			t.Fatal(err)
		}
		w.apply()
		w.useToken(string(w.secret(mg.GetConnectionSecretName()).Data["token"]))
		w.Delete(mg)
		w.Says(mg, xpv2.TypeSynced, "is the one that the provider config uses")
		w.is(1)
		w.useToken(w.token)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
		w.is(0)
	})
}
