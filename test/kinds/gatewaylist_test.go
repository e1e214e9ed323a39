// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"slices"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/utils/ptr"

	gatewayv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/gateway/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/gateway"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// TestItemsOfAGatewayList shows that all items match the declared ones, also items after the first page. Items
// stay if the spec does not mention them any more. They are removed if the spec declares an empty list.
func TestItemsOfAGatewayList(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, gateway.GatewayList())
		mg, ok := w.example.(*gatewayv1alpha1.GatewayList)
		if !ok {
			t.Fatalf("the example is a %T", w.example)
		}
		var want []string
		mg.Spec.ForProvider.Items = nil
		for i := range 1050 {
			value := fmt.Sprintf("n%04d.example.com", i)
			want = append(want, value)
			mg.Spec.ForProvider.Items = append(mg.Spec.ForProvider.Items, gatewayv1alpha1.GatewayListItems{Value: ptr.To(value)})
		}
		w.apply()
		id := meta.GetExternalName(mg)
		are := func(reason string) {
			t.Helper()
			w.Eventually(func() error {
				var got []string
				items, _ := w.raw(id)["items"].([]any)
				for _, v := range items {
					item, _ := v.(map[string]any)
					got = append(got, fmt.Sprint(item["value"]))
				}
				slices.Sort(got)
				if !slices.Equal(got, want) {
					return fmt.Errorf("%s: the list has %d items, want %d as declared", reason, len(got), len(want))
				}
				return nil
			})
		}
		are("after the creation")
		w.editStored(id, func(doc map[string]any) {
			items, _ := doc["items"].([]any)
			doc["items"] = slices.Delete(slices.Clone(items), 1020, 1021)
		})
		are("after somebody else removes one of the last page")
		harness.Edit(w.Objects, mg, func(mg *gatewayv1alpha1.GatewayList) {
			mg.Spec.ForProvider.Items = mg.Spec.ForProvider.Items[:1049]
		})
		want = want[:1049]
		are("after one is declared no more")
		harness.Edit(w.Objects, mg, func(mg *gatewayv1alpha1.GatewayList) {
			mg.Spec.ForProvider.Items, mg.Spec.ForProvider.Description = nil, ptr.To("another text")
		})
		w.Eventually(func() error {
			if got := w.raw(id)["description"]; got != "another text" {
				return fmt.Errorf("the description is %v", got)
			}
			return nil
		})
		are("after the items are declared no more")
		harness.Edit(w.Objects, mg, func(mg *gatewayv1alpha1.GatewayList) {
			mg.Spec.ForProvider.Items = []gatewayv1alpha1.GatewayListItems{}
		})
		want = nil
		are("after it is declared that there are none")
	})
}
