// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"errors"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/policy"
)

func TestPolicies(t *testing.T) {
	const (
		all     = xpv2.ManagementActionAll
		observe = xpv2.ManagementActionObserve
		create  = xpv2.ManagementActionCreate
		update  = xpv2.ManagementActionUpdate
		remove  = xpv2.ManagementActionDelete
		late    = xpv2.ManagementActionLateInitialize
	)
	type actions = []xpv2.ManagementAction
	tests := []struct {
		reason   string
		policies xpv2.ManagementPolicies
		deletion xpv2.DeletionPolicy
		may      actions
		manages  bool
		// absent is true if Absent has to return an error.
		absent bool
	}{
		{"all is all", actions{all}, xpv2.DeletionDelete, actions{observe, create, update, remove, late}, true, false},
		{"no deletion policy deletes", actions{all}, "", actions{observe, create, update, remove, late}, true, false},
		{"Orphan takes deletion out of all", actions{all}, xpv2.DeletionOrphan, actions{observe, create, update, late}, true, false},
		{"Orphan wins over Delete", actions{observe, create, remove}, xpv2.DeletionOrphan, actions{observe, create}, true, false},
		{"Delete adds nothing", actions{observe, create}, xpv2.DeletionDelete, actions{observe, create}, true, false},
		{"observing manages nothing", actions{observe}, xpv2.DeletionDelete, actions{observe}, false, false},
		{"filling in one's own spec manages nothing", actions{observe, late}, xpv2.DeletionDelete, actions{observe, late}, false, true},
		{"updating manages", actions{observe, update}, xpv2.DeletionDelete, actions{observe, update}, true, true},
		{"deleting manages", actions{observe, remove}, xpv2.DeletionDelete, actions{observe, remove}, true, true},
		{"what was to be deleted and is orphaned is not managed", actions{observe, remove}, xpv2.DeletionOrphan, actions{observe}, false, false},
		{"nothing is paused", actions{}, xpv2.DeletionDelete, nil, false, true},
	}
	for _, tc := range tests {
		mg := &v1alpha1.Record{}
		mg.Spec.ManagementPolicies, mg.Spec.DeletionPolicy = tc.policies, tc.deletion
		var may actions
		for _, a := range (actions{observe, create, update, remove, late}) {
			if policy.May(mg, a) {
				may = append(may, a)
			}
		}
		if diff := cmp.Diff(tc.may, may); diff != "" {
			t.Errorf("%s: may (-want +got):\n%s", tc.reason, diff)
		}
		if got := policy.Manages(mg); got != tc.manages {
			t.Errorf("%s: Manages is %t, want %t", tc.reason, got, tc.manages)
		}
		var absent *policy.AbsentError
		if err := policy.Absent(mg, "thing"); errors.As(err, &absent) != tc.absent || (err != nil) != tc.absent {
			t.Errorf("%s: where there is nothing it gives %v, want an error: %t", tc.reason, err, tc.absent)
		}
		if diff := cmp.Diff(tc.policies, mg.Spec.ManagementPolicies); diff != "" {
			t.Errorf("%s: asking changed the spec (-want +got):\n%s", tc.reason, diff)
		}
	}
}
