// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/utils/ptr"

	rulesetv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ruleset/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// describes edits the description of a Ruleset, as a user does.
func (s *stage) describes(as string) {
	s.t.Helper()
	mg, ok := s.read(s.kind, s.key).(*rulesetv1alpha1.Ruleset)
	if !ok {
		s.t.Fatal("the object is no Ruleset")
	}
	mg.Spec.ForProvider.Description = ptr.To(as)
	mg.SetGeneration(mg.GetGeneration() + 1)
	must(s.t, s.server.Update(s.t.Context(), mg))
}

// TestOlderVersionOfARuleset checks an update whose read comes from a copy without our last write. Nothing is written
// on that basis, and the update is made once a read shows the last state.
func TestOlderVersionOfARuleset(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, entryOf(t, "Ruleset"))
		s.settle(s.kind, s.key)
		s.reconcile(s.kind, s.key)
		at := s.made + "/" + meta.GetExternalName(s.read(s.kind, s.key))
		old, err := s.sim.GetResource(at)
		must(t, err)
		body, err := json.Marshal(map[string]any{"success": true, "errors": []any{}, "messages": []any{}, "result": old})
		must(t, err)
		s.describes("first")
		s.settled()
		stale := 0
		s.answers = func(r *http.Request) *http.Response {
			if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, at) || stale > 0 {
				return nil
			}
			stale++
			return answered(r, http.StatusOK, string(body))
		}
		s.describes("second")
		s.reconcileWithoutWrites()
		if said := s.read(s.kind, s.key).GetCondition("Synced").Message; stale != 1 || !strings.Contains(said, "older than version") {
			t.Errorf("after %d stale answers the object says %q", stale, said)
		}
		for range 4 {
			<-time.After(parent.Lag / 2)
			s.reconcile(s.kind, s.key)
		}
		now, err := s.sim.GetResource(at)
		must(t, err)
		if now["description"] != "second" || s.read(s.kind, s.key).GetCondition("Synced").Status != "True" {
			t.Errorf("in the end the ruleset is %v", now)
		}
	})
}

// TestDeletionOfARulesetThatWasNeverWritten checks an object that adopts a phase with exactly its declared rules, if
// each of its writes is refused. A rule that another client adds in the meantime stays when the object is deleted.
func TestDeletionOfARulesetThatWasNeverWritten(t *testing.T) {
	t.Parallel()
	s := newStage(t, entryOf(t, "Ruleset"))
	s.settle(s.kind, s.key)
	at := s.made
	s.forgetful()
	s.restart()
	s.reconcileWithoutWrites()
	id := meta.GetExternalName(s.read(s.kind, s.key))
	if id == "" {
		t.Fatal("the object takes nothing over")
	}
	s.refuseWrites()
	must(t, s.sim.EditResource(at+"/"+id, func(doc map[string]any) {
		rules, _ := doc["rules"].([]any)
		doc["rules"] = append(rules, map[string]any{"id": "a1", "ref": "theirs", "action": "redirect", "expression": "true", "enabled": true, "version": "1"})
	}))
	s.restart()
	s.reconcile(s.kind, s.key)
	if !slices.ContainsFunc(s.log, asked.writes) {
		t.Fatal("the object does not try to write")
	}
	s.answers = nil
	s.delete()
	for range 4 {
		s.reconcileWithoutWrites()
	}
	if s.read(s.kind, s.key) != nil || s.sim.CountResources(at) != 1 {
		t.Errorf("after the deletion there are %v", s.sim.Resources(at))
	}
}
