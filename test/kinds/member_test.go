// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"slices"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	iamv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/iam/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/iam"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// TestPersonHasToAccept is trap 25: an invitation that is not accepted yet is no error and no
// drift. A change reaches an invited member, too: the API ignores the other fields of a request
// that has a status.
func TestPersonHasToAccept(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, iam.AccountMember())
		mg, ok := w.apply().(*iamv1alpha1.AccountMember)
		if !ok {
			t.Fatalf("the example is %T", w.example)
		}
		id, from := meta.GetExternalName(mg), w.writes()
		w.editStored(id, func(doc map[string]any) { doc["status"] = "pending" })
		w.Says(mg, xpv2.TypeReady, "waits for a person", "accept the invitation")
		w.lists(2)
		if n := w.writes() - from; n > 0 {
			t.Errorf("there were %d writes for who has not accepted", n)
		}
		w.edit("roles", func(v any) any { return v.([]any)[:1] })
		w.Eventually(func() error {
			doc := w.raw(id)
			if roles, _ := doc["roles"].([]any); len(roles) != 1 || doc["status"] != "pending" {
				return fmt.Errorf("the roles are %v of a member who is %v", roles, doc["status"])
			}
			return nil
		})
		w.editStored(id, func(doc map[string]any) { doc["status"] = "accepted" })
		w.Settled(mg)
	})
}

// TestMemberChangesToPolicies shows that policies replace roles, and that neither is lost if an
// answer shows both.
func TestMemberChangesToPolicies(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, iam.AccountMember())
		mg := w.apply()
		id := meta.GetExternalName(mg)
		group := func(digit string) map[string]any {
			return map[string]any{"id": fmt.Sprintf("%032s", digit)}
		}
		harness.Edit(w.Objects, w.untyped(mg), func(u *unstructured.Unstructured) {
			unstructured.RemoveNestedField(u.Object, "spec", "forProvider", "roles")
			change(u.Object, "spec.forProvider.policies", func(any) any {
				return []any{map[string]any{"access": "allow", "permissionGroups": []any{group("2"), group("1")}, "resourceGroups": []any{group("3")}}}
			})
		})
		w.Settled(mg)
		stored := w.raw(id)
		groups, _ := stored["policies"].([]any)[0].(map[string]any)["permission_groups"].([]any)
		if roles, _ := stored["roles"].([]any); len(roles) != 0 || len(groups) != 2 || !slices.ContainsFunc(groups, func(g any) bool { return g.(map[string]any)["id"] == group("2")["id"] }) {
			t.Errorf("the member has the roles %v and the groups %v", roles, groups)
		}
	})
}
