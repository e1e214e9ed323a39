// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	saasv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/saas/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/saas"
)

// TestTenantHasToAct is trap 25: a host name that waits for its tenant is no error. Ready says
// what the tenant has to do, the status has the record, and the provider writes nothing.
func TestTenantHasToAct(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, saas.CustomHostname())
		mg, ok := w.apply().(*saasv1alpha1.CustomHostname)
		if !ok {
			t.Fatalf("the example is %T", w.example)
		}
		from := w.writes()
		show := func(status string) {
			w.editStored(meta.GetExternalName(mg), func(doc map[string]any) {
				doc["status"] = status
				doc["ownership_verification"] = map[string]any{"type": "txt", "name": "_cf.tenant", "value": "v1"}
			})
		}
		if drifts := w.events(mg, "DriftDetected"); len(drifts) > 0 {
			t.Errorf("what the tenant did is drift: %q", drifts)
		}
		show("moved")
		w.Says(mg, xpv2.TypeReady, "waits for a person", "the tenant has to point the host name at the zone again")
		if v := mg.Status.AtProvider.OwnershipVerification; v == nil || ptr.Deref(v.Name, "") != "_cf.tenant" || ptr.Deref(v.Value, "") != "v1" {
			t.Errorf("the status has the record %+v", v)
		}
		show("blocked")
		w.Says(mg, xpv2.TypeReady, "is blocked at Cloudflare", "correct its spec")
		show("active")
		w.Settled(mg)
		if n := w.writes() - from; n != 0 {
			t.Errorf("there were %d writes", n)
		}
	})
}
