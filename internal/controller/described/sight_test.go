// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"maps"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// manage edits the management policies, as a user does.
func (s *stage) manage(policies ...xpv2.ManagementAction) {
	s.t.Helper()
	mg := s.read(s.kind, s.key)
	mg.SetGeneration(mg.GetGeneration() + 1)
	mg.SetManagementPolicies(policies)
	must(s.t, s.server.Update(s.t.Context(), mg))
}

// renewed returns what a renewed object says and writes to Cloudflare. Before the renewal, the provider has seen its
// resource differ, or not, and another client has corrected that. seen is false if the provider saw no difference.
func renewed(t *testing.T, e entry, differs bool, renew func(s *stage, id string)) (c xpv2.Condition, writes []asked, seen bool) {
	t.Helper()
	s := newStage(t, e)
	s.settle(s.kind, s.key)
	s.reconcile(s.kind, s.key)
	id, was := meta.GetExternalName(s.read(s.kind, s.key)), map[string]any{}
	path := s.made + "/" + id
	err := s.sim.EditResource(path, func(doc map[string]any) { maps.Copy(was, doc) })
	if err != nil || differs && !s.drifts(e) {
		return c, nil, false
	}
	s.manage(xpv2.ManagementActionObserve)
	s.reconcile(s.kind, s.key)
	if differs && s.read(s.kind, s.key).GetCondition(xpv2.TypeUpToDate).Status != "False" {
		return c, nil, false
	}
	must(t, s.sim.EditResource(path, func(doc map[string]any) {
		clear(doc)
		maps.Copy(doc, was)
	}))
	renew(s, id)
	s.reconcile(s.kind, s.key)
	writes = slices.DeleteFunc(slices.Clone(s.log), func(a asked) bool { return !a.writes() })
	return s.read(s.kind, s.key).GetCondition(xpv2.TypeUpToDate), writes, true
}

// TestTheFirstLookComesAfterTheObject checks, for each kind that can be updated, a resource that the provider has
// seen differ and that another client has corrected since. An object that is new, or that may change the resource
// from now on, is compared with what exists now.
func TestTheFirstLookComesAfterTheObject(t *testing.T) {
	t.Parallel()
	judged := &atomic.Int32{}
	t.Cleanup(func() {
		if n := judged.Load(); n < 60 {
			t.Errorf("%d objects are fewer than there were", n)
		}
	})
	for _, e := range roster() {
		if e.Description.Shape != kind.Collection || e.Description.Update == "" {
			continue
		}
		for reason, renew := range map[string]func(s *stage, id string){
			"its policies changed": func(s *stage, _ string) { s.manage(xpv2.ManagementActionAll) },
			"it is another object": func(s *stage, id string) {
				s.replace("second")
				mg := s.read(s.kind, s.key)
				meta.SetExternalName(mg, id)
				must(s.t, s.server.Update(s.t.Context(), mg))
			},
		} {
			t.Run(e.GVK.Kind+"/"+reason, func(t *testing.T) {
				t.Parallel()
				c, writes, seen := renewed(t, e, true, renew)
				if !seen {
					return
				}
				if len(writes) > 0 || c.Status == "False" {
					always, sent, _ := renewed(t, e, false, renew) // A new object sends its Secrets, or lacks those that are shown once.
					if always.Message == c.Message && len(sent) == len(writes) {
						return
					}
					t.Errorf("it writes %v, and says that %s: %s", writes, c.Reason, c.Message)
				}
				judged.Add(1)
			})
		}
	}
}
