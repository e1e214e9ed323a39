// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"bytes"
	"net/http"
	"slices"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/utils/ptr"

	iamv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/iam/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// TestChangedPermissionsKeepTheToken shows that permissions change in place, by one update.
// The token keeps its ID, its value and its undeclared fields.
func TestChangedPermissionsKeepTheToken(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := tokenWorld(t)
		w.apply()
		id, value := meta.GetExternalName(mg), w.secret(mg.GetConnectionSecretName()).Data["token"]
		const expiry = "2099-01-01T00:00:00Z"
		w.editStored(id, func(doc map[string]any) { doc["expires_on"] = expiry })

		group := mg.Spec.ForProvider.Policies[0].PermissionGroups[0]
		for _, names := range [][]string{
			{"Workers R2 Storage Read", "Workers R2 Storage Write"}, // one more
			{"Workers R2 Storage Read"},                             // one less
		} {
			updates := w.sent(http.MethodPut)
			harness.Edit(w.Objects, mg, func(mg *iamv1alpha1.AccountToken) {
				policy := &mg.Spec.ForProvider.Policies[0]
				policy.PermissionGroups = nil
				for _, name := range names {
					g := group
					g.Name = ptr.To(name)
					policy.PermissionGroups = append(policy.PermissionGroups, g)
				}
			})
			w.Settled(mg)
			if got := permissions(w.raw(id)); !slices.Equal(got, names) {
				t.Errorf("the token permits %q, want %q", got, names)
			}
			if n := w.sent(http.MethodPut) - updates; n != 1 {
				t.Errorf("%d updates made the permissions %q, want 1", n, names)
			}
		}

		if got := w.raw(id)["expires_on"]; got != expiry {
			t.Errorf("the token expires on %v, want what nobody declared as it was", got)
		}
		if got := meta.GetExternalName(mg); got != id {
			t.Errorf("the token is %s and was %s", got, id)
		}
		if got := w.secret(mg.GetConnectionSecretName()).Data["token"]; !bytes.Equal(got, value) || w.status(string(value)) != "active" {
			t.Error("the value of the token is not what it was, or does not work")
		}
		if n := w.rolls(); n != 0 {
			t.Errorf("the token was rolled %d times", n)
		}
		w.is(1)
	})
}

// permissions returns the names of the permissions in the policies of a token, sorted.
func permissions(token kind.Document) []string {
	var names []string
	policies, _ := token["policies"].([]any)
	for _, p := range policies {
		groups, _ := kind.At(p, "permission_groups")
		list, _ := groups.([]any)
		for _, g := range list {
			names = append(names, kind.Text(g, "name"))
		}
	}
	slices.Sort(names)
	return names
}
