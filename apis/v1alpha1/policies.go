// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	"slices"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// EffectivePolicies are the management policies mp under the deletion policy dp:
// under Orphan nothing may be deleted, whatever mp says. mp is not changed.
func EffectivePolicies(mp xpv2.ManagementPolicies, dp xpv2.DeletionPolicy) xpv2.ManagementPolicies {
	if dp != xpv2.DeletionOrphan {
		return mp
	}
	if slices.Contains(mp, xpv2.ManagementActionAll) {
		return xpv2.ManagementPolicies{
			xpv2.ManagementActionObserve,
			xpv2.ManagementActionCreate,
			xpv2.ManagementActionUpdate,
			xpv2.ManagementActionLateInitialize,
		}
	}
	return slices.DeleteFunc(slices.Clone(mp), func(a xpv2.ManagementAction) bool {
		return a == xpv2.ManagementActionDelete
	})
}
