// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
)

// A scene is one step of a reconcile. It begins with an object that was never reconciled,
// and prepare creates the state before the step.
type scene struct {
	step    string
	prepare func(s *stage)
	// writes is true for a step that writes to Cloudflare. irreversible is true for a step
	// that first asks the API server whether its object is the latest version.
	writes, irreversible bool
}

func scenes() []scene {
	return []scene{
		{"create", func(*stage) {}, true, true},
		{"adopt", func(s *stage) {
			s.spared = true // It is not ours before the end.
			s.call(http.MethodPost, "", `{"type":"A","name":"www.example.com","content":"192.0.2.1","ttl":300}`)
		}, false, false},
		{"undo a drift", func(s *stage) {
			s.settle()
			s.call(http.MethodPatch, "/"+s.records()[0], `{"ttl":3600}`)
			s.restart() // The new process does not have the lists of the one before.
		}, true, false},
		{"change", func(s *stage) {
			s.settle()
			s.edit(func() { s.now.Spec.ForProvider.TTL = ptr.To[int64](600) })
		}, true, false},
		{"delete", func(s *stage) {
			s.settle()
			s.restart()
			s.remove()
		}, true, true},
	}
}

// TestNothingIsDecidedOnAnOlderRecord lets a user edit, delete or replace the Record before
// each request of each step. After that, no write to Cloudflare rests on the older object,
// except a call that is being sent at that moment. The object settles in the end.
func TestNothingIsDecidedOnAnOlderRecord(t *testing.T) {
	acts := map[string]func(*stage){
		"edit": func(s *stage) {
			s.spared = true
			s.edit(func() { s.now.Spec.DeletionPolicy = xpv2.DeletionOrphan })
		},
		"delete":  (*stage).remove,
		"replace": func(s *stage) { s.replace("second") },
	}
	tried := 0
	for _, sc := range scenes() {
		s := newStage(t)
		sc.prepare(s)
		s.reconcile()
		all := slices.Clone(s.log)
		if writes := slices.ContainsFunc(all, asked.writes); writes != sc.writes || len(all) < 2 {
			t.Errorf("%s writes: %t: %v", sc.step, writes, all)
		}
		for n := range all {
			for what, act := range acts {
				interleave(t, sc, n, what, act)
				tried++
			}
		}
	}
	const least = 50
	if tried < least {
		t.Errorf("%d interleavings, want %d at least", tried, least)
	}
}

// interleave runs a step, with act before its request number n.
func interleave(t *testing.T, sc scene, n int, what string, act func(*stage)) {
	t.Helper()
	s := newStage(t)
	sc.prepare(s)
	s.before = func(i int) {
		if i == n {
			s.before = nil
			act(s)
		}
	}
	s.reconcile()
	when := fmt.Sprintf("%s, %s before %d", sc.step, what, n)
	known, written := false, 0 // known: the API server could have reported it.
	for i, a := range s.log[min(n, len(s.log)):] {
		if !a.writes() {
			known = known || a.of == "server"
			continue
		}
		written++
		if known || written > 1 || i > 0 && sc.irreversible {
			t.Errorf("%s: %v was decided on the object before it: %v", when, a, s.log)
		}
	}
	s.holdsTogether(when)
}

// holdsTogether checks that the object settles, with one DNS record at most. The journal has
// what an object left that vanished, and removes it.
func (s *stage) holdsTogether(when string) {
	s.t.Helper()
	if s.read() && s.now.GetUID() == "second" && (meta.GetExternalName(s.now) != "" || !meta.GetExternalCreatePending(s.now).IsZero() || s.now.Status.AtProvider.ID != "") {
		s.t.Errorf("%s: another object of the name has what was the first's: %v", when, s.now.GetAnnotations())
	}
	for range 8 {
		s.reconcile()
		if len(s.log) == 0 {
			break
		}
	}
	left := s.records()
	if !s.read() {
		if len(left) > 0 && !s.spared && !s.noted(left[0]) {
			s.t.Errorf("%s: the object is gone, and nobody removes %v", when, left)
		}
		return
	}
	switch synced := s.now.GetCondition(xpv2.TypeSynced); {
	case s.now.GetDeletionTimestamp() != nil:
		s.t.Errorf("%s: the object does not go: %v", when, synced)
	case synced.Status != "True" || !slices.Equal(left, []string{meta.GetExternalName(s.now)}):
		s.t.Errorf("%s: the object is not well, or does not have %v: %v", when, left, synced)
	}
}

// remove deletes the object as kubectl delete does.
func (s *stage) remove() {
	s.t.Helper()
	s.read()
	if len(s.now.GetFinalizers()) > 0 && s.now.GetDeletionTimestamp() == nil {
		s.now.SetGeneration(s.now.GetGeneration() + 1)
		must(s.t, s.server.Update(s.t.Context(), s.now))
	}
	must(s.t, s.server.Delete(s.t.Context(), s.now))
}

// edit changes the object as kubectl edit does.
func (s *stage) edit(change func()) {
	s.t.Helper()
	s.read()
	s.now.SetGeneration(s.now.GetGeneration() + 1)
	change()
	must(s.t, s.server.Update(s.t.Context(), s.now))
}

// replace deletes the object with its finalizers, and creates another one with its name.
func (s *stage) replace(uid types.UID) {
	s.t.Helper()
	s.read()
	if s.now.GetFinalizers() != nil {
		s.now.SetFinalizers(nil)
		must(s.t, s.server.Update(s.t.Context(), s.now))
	}
	must(s.t, client.IgnoreNotFound(s.server.Delete(s.t.Context(), s.now)))
	s.claims.Forget(s.now)
	next := s.fresh.DeepCopy()
	next.SetUID(uid)
	must(s.t, s.server.Create(s.t.Context(), next))
	for range 20 { // Versions begin again with each object here: this makes them new.
		must(s.t, s.server.Update(s.t.Context(), next))
	}
}

// noted reports whether the journal has a result, which it removes once the object is gone.
func (s *stage) noted(id string) bool {
	return slices.ContainsFunc(s.journal.Entries(), func(e journal.Entry) bool { return e.ResultID == id })
}
