// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"

	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
)

// TestZoneOwnershipMatrix shows the outcome for a Zone, and for the zone of its
// name, in every combination of the policies that decide about it.
func TestZoneOwnershipMatrix(t *testing.T) {
	t.Parallel()
	const (
		observe = xpv2.ManagementActionObserve
		create  = xpv2.ManagementActionCreate
		update  = xpv2.ManagementActionUpdate
		remove  = xpv2.ManagementActionDelete
		late    = xpv2.ManagementActionLateInitialize
	)
	for _, p := range []xpv2.ManagementPolicies{
		{xpv2.ManagementActionAll}, {observe, create}, {observe, update}, {observe, remove}, {observe, late}, {observe},
	} {
		for _, a := range []zonev1alpha1.AdoptionPolicy{zonev1alpha1.AdoptIdentical, zonev1alpha1.AdoptNever} {
			for _, exists := range []bool{true, false} {
				t.Run(fmt.Sprintf("%v%sExists%t", p, a, exists), func(t *testing.T) {
					inParallel(t, func(t *testing.T) {
						zoneCell(t, p, a, exists)
					})
				})
			}
		}
	}
}

func zoneCell(t *testing.T, p xpv2.ManagementPolicies, a zonev1alpha1.AdoptionPolicy, exists bool) {
	t.Helper()
	may := func(want xpv2.ManagementAction) bool {
		return slices.Contains(p, want) || p[0] == xpv2.ManagementActionAll
	}
	creates, deletes := may(xpv2.ManagementActionCreate), may(xpv2.ManagementActionDelete)
	manages := creates || deletes || may(xpv2.ManagementActionUpdate)
	w := newWorld(t)
	name := w.zone.Name
	if !exists {
		name = "new-" + name
	}
	z := w.zoneObject("zone", name)
	z.Spec.ManagementPolicies, z.Spec.AdoptionPolicy, z.Spec.DeletionPolicy = p, a, xpv2.DeletionDelete
	w.create(z)
	owned := false
	switch {
	case exists && manages && a == zonev1alpha1.AdoptNever:
		refused(w, z, w.zone.ID, "spec.adoptionPolicy is Never")
	case exists:
		settled(w, z)
		owned = manages
	case creates:
		until(w, z, func(z *zonev1alpha1.Zone) error {
			if live, ok := w.simZone(name); !ok || meta.GetExternalName(z) != live.ID || z.Status.AtProvider.ID != live.ID {
				return fmt.Errorf("the zone is not created: %s", conditions(z))
			}
			return nil
		})
		owned = true
	default:
		refused(w, z, "does not exist")
		if c := z.GetCondition(xpv2.TypeReady); c.Status != corev1.ConditionFalse || !strings.Contains(c.Message, "does not exist") {
			t.Errorf("Ready is %+v", c)
		}
	}
	w.delete(z)
	w.gone(z)
	was := exists || creates
	if _, ok := w.simZone(name); ok != (was && (!owned || !deletes)) {
		t.Errorf("after the deletion of the object the zone exists: %t", ok)
	}
	if _, ok := w.simZone(w.zone.Name); !ok && name != w.zone.Name {
		t.Error("somebody else's zone was deleted")
	}
}
