// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"net/http"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"
)

// TestTheFirstLookComesAfterTheRecord: the TTL was changed outside since the provider has listed the zone,
// and the user declares that same TTL. A Record that is new, or that may change the record from now on, has
// nothing to change.
func TestTheFirstLookComesAfterTheRecord(t *testing.T) {
	for reason, renew := range map[string]func(s *stage){
		"another Record finds it": func(s *stage) { s.replace("second") },
		"another Record names its ID": func(s *stage) {
			id := meta.GetExternalName(s.now)
			s.replace("second")
			s.read()
			s.edit(func() { meta.SetExternalName(s.now, id) })
		},
		"its policies change": func(s *stage) {
			s.edit(func() { s.now.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionObserve} })
		},
	} {
		t.Run(reason, func(t *testing.T) {
			s := newStage(t)
			s.settle()
			s.reconcile()
			s.read()
			s.call(http.MethodPatch, "/"+meta.GetExternalName(s.now), `{"ttl":600}`)
			renew(s)
			s.read()
			s.edit(func() { s.now.Spec.ForProvider.TTL = ptr.To[int64](600) })
			s.reconcile()
			for _, a := range s.log {
				if a.writes() {
					t.Errorf("it sends %s, and nothing differs", a.what)
				}
			}
			s.read()
			if c := s.now.GetCondition(xpv2.TypeUpToDate); c.Status != "True" {
				t.Errorf("it says that %s: %s", c.Reason, c.Message)
			}
		})
	}
}
