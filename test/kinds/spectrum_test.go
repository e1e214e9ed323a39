// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	spectrumv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/spectrum/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/spectrum"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// TestOriginOfASpectrumApplication shows that an application has the declared origin, by name or by
// address, also after a change from one to the other.
func TestOriginOfASpectrumApplication(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, spectrum.SpectrumApplication())
		mg, ok := w.apply().(*spectrumv1alpha1.SpectrumApplication)
		if !ok {
			t.Fatalf("the example is a %T", w.example)
		}
		p := &mg.Spec.ForProvider
		named, port := p.OriginDNS, p.OriginPort
		has := func(direct, name, port any) {
			t.Helper()
			w.Eventually(func() error {
				doc := w.raw(meta.GetExternalName(mg))
				dns, _ := doc["origin_dns"].(map[string]any)
				if fmt.Sprint(doc["origin_direct"], dns["name"], doc["origin_port"]) != fmt.Sprint(direct, name, port) {
					return fmt.Errorf("the origin is %v, %v, %v", doc["origin_direct"], dns["name"], doc["origin_port"])
				}
				return nil
			})
			w.Settled(mg)
		}
		has(nil, *named.Name, 22)
		harness.Edit(w.Objects, mg, func(mg *spectrumv1alpha1.SpectrumApplication) {
			p := &mg.Spec.ForProvider
			p.OriginDNS, p.OriginPort, p.OriginDirect = nil, nil, []string{"tcp://192.0.2.1:22"}
		})
		has([]string{"tcp://192.0.2.1:22"}, nil, nil)
		harness.Edit(w.Objects, mg, func(mg *spectrumv1alpha1.SpectrumApplication) {
			p := &mg.Spec.ForProvider
			p.OriginDNS, p.OriginPort, p.OriginDirect = named, port, nil
		})
		has(nil, *named.Name, 22)
		harness.Edit(w.Objects, mg, func(mg *spectrumv1alpha1.SpectrumApplication) {
			p := &mg.Spec.ForProvider
			p.Protocol, p.OriginPort = ptr.To("tcp/1000-1001"), ptr.To(intstr.FromString("2000-2001"))
		})
		has(nil, *named.Name, "2000-2001")
	})
}
