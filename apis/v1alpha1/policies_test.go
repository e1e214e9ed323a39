// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
)

func TestEffectivePolicies(t *testing.T) {
	type p = xpv2.ManagementPolicies
	all := p{xpv2.ManagementActionAll}
	cases := map[string]struct {
		reason string
		mp     p
		dp     xpv2.DeletionPolicy
		want   p
	}{
		"Default":          {"nothing is taken from the defaults", all, xpv2.DeletionDelete, all},
		"Unset":            {"an unset deletion policy is Delete", all, "", all},
		"OrphanAll":        {"under Orphan, all means all but deletion", all, xpv2.DeletionOrphan, p{"Observe", "Create", "Update", "LateInitialize"}},
		"OrphanWins":       {"under Orphan nothing is deleted, whatever the policies say", p{"Observe", "Delete"}, xpv2.DeletionOrphan, p{"Observe"}},
		"OrphanWithout":    {"policies without Delete stay as they are", p{"Observe", "Create"}, xpv2.DeletionOrphan, p{"Observe", "Create"}},
		"OrphanPaused":     {"no policies at all is a pause, and stays one", p{}, xpv2.DeletionOrphan, p{}},
		"DeleteStillNeeds": {"Delete does not add the action to policies without it", p{"Observe"}, xpv2.DeletionDelete, p{"Observe"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			given := append(p{}, tc.mp...)
			if diff := cmp.Diff(tc.want, EffectivePolicies(tc.mp, tc.dp)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(given, tc.mp); diff != "" {
				t.Errorf("the policies given were changed (-was +is):\n%s", diff)
			}
		})
	}
}
