// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// wrongAt makes call n return that the resource does not exist, and counts the calls.
func (s *stage) wrongAt(e entry, n int) *int {
	calls, code := 0, 10001
	if len(e.Description.Gone) > 0 && e.Description.Gone[0].Code != 0 {
		code = e.Description.Gone[0].Code
	}
	s.answers = func(r *http.Request) *http.Response {
		calls++
		if calls != n+1 {
			return nil
		}
		return answered(r, http.StatusNotFound, fmt.Sprintf(`{"success":false,"errors":[{"code":%d,"message":"not found"}],"messages":[],"result":null}`, code))
	}
	return &calls
}

// settled reconciles the object until it sends no request any more.
func (s *stage) settled() {
	s.t.Helper()
	for range 12 {
		s.reconcile(s.kind, s.key)
		if len(s.log) == 0 {
			return
		}
	}
}

// TestOneWrong404 checks each kind whose resources are created, with one call of each step that returns that the
// resource does not exist. After that, the same one resource exists, or none if the object is deleted.
func TestOneWrong404(t *testing.T) {
	t.Parallel()
	for _, e := range roster() {
		if e.Description.Shape != kind.Collection {
			continue
		}
		t.Run(e.GVK.Kind, func(t *testing.T) {
			t.Parallel()
			for _, sc := range scenes() {
				for n, calls := 0, 1; n < calls; n++ {
					s := newStage(t, e)
					if !sc.begin(s, e) {
						break
					}
					calls = s.oneWrong404(e, sc, n)
				}
			}
		})
	}
}

// oneWrong404 fails the test if the step does not end well although call n of it is answered wrongly. It returns how
// many calls there were.
func (s *stage) oneWrong404(e entry, sc scene, n int) int {
	s.t.Helper()
	list, was := s.made, meta.GetExternalName(s.read(s.kind, s.key))
	made := s.wrongAt(e, n)
	s.settled()
	if list == "" {
		list = s.made
	}
	s.answers = nil
	s.settled()
	mg, left, count := s.read(s.kind, s.key), s.ids(e.Description, list), s.sim.CountResources(list)-s.sim.Seeded(list)
	switch {
	case sc.step == "delete" && (mg != nil || count > 0):
		s.t.Errorf("%s, call %d: the object is there: %t, and %v", sc.step, n, mg != nil, left)
	case sc.step == "delete":
	case count != 1 || !slices.Contains(left, meta.GetExternalName(mg)) || was != "" && was != meta.GetExternalName(mg):
		s.t.Errorf("%s, call %d: the object has %q, it was %q, and there are %v: %v", sc.step, n, meta.GetExternalName(mg), was, left, mg.GetCondition(xpv2.TypeSynced))
	case mg.GetCondition(xpv2.TypeSynced).Status != "True":
		s.t.Errorf("%s, call %d: the object says %v", sc.step, n, mg.GetCondition(xpv2.TypeSynced))
	}
	return *made
}
