// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/utils/ptr"

	devicev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/device/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/device"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// TestSplitTunnelOfAProfile shows that a profile that excludes becomes one that includes, and other settings change
// along with it. A declared zero is sent, although answers omit the field until it is set.
func TestSplitTunnelOfAProfile(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, device.DeviceProfile())
		mg, ok := w.apply().(*devicev1alpha1.DeviceProfile)
		if !ok {
			t.Fatalf("the example is a %T", w.example)
		}
		id := meta.GetExternalName(mg)
		zero, err := cfv1alpha1.ParseDecimal("0")
		if err != nil {
			t.Fatal(err)
		}
		harness.Edit(w.Objects, mg, func(mg *devicev1alpha1.DeviceProfile) {
			p := &mg.Spec.ForProvider
			p.Exclude, p.Include = nil, []devicev1alpha1.DeviceProfileInclude{{Host: ptr.To("build.example.com")}}
			p.Description, p.LanAllowMinutes = ptr.To("includes"), &zero
		})
		w.Settled(mg)
		w.Eventually(func() error {
			doc := w.raw(id)
			list, _ := doc["include"].([]any)
			if doc["exclude"] != nil || len(list) != 1 || doc["description"] != "includes" || fmt.Sprint(doc["lan_allow_minutes"]) != "0" {
				return fmt.Errorf("the profile is %v", doc)
			}
			return nil
		})
		both := copyOf(mg, "both")
		other, _ := both.(*devicev1alpha1.DeviceProfile)
		other.Spec.ForProvider.Exclude = []devicev1alpha1.DeviceProfileExclude{{Host: ptr.To("a.example.com")}}
		if err := w.kube.Create(t.Context(), other); err == nil {
			t.Error("the API server takes a profile that includes and excludes")
		}
	})
}
