// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// TestTakenBack checks, for each kind that deletes anything, that a resource is taken back if its object vanished
// before its deletion could begin.
func TestTakenBack(t *testing.T) {
	t.Parallel()
	fragments := 0
	for _, e := range roster() {
		if e.Description.Shape == kind.Singleton || e.Description.Delete == "" && e.Description.Shape != kind.Fragment {
			continue
		}
		t.Run(e.GVK.Kind, func(t *testing.T) {
			s := newStage(t, e)
			s.journal.Reset()
			s.settle(s.kind, s.key)
			if n, ok := s.left(e); n != 1 || !ok || len(s.journal.Entries()) != 1 {
				t.Fatalf("there are %d resources and %d notes of creations, want one of each", n, len(s.journal.Entries()))
			}
			s.vanish()
			must(t, s.back[s.kind].TakeBack(t.Context(), s.journal.Entries()[0]))
			if n, _ := s.left(e); n != 0 {
				t.Errorf("there are %d resources after what was made is taken back", n)
			}
		})
		if e.Description.Shape == kind.Fragment {
			fragments++
		}
	}
	if fragments < 2 {
		t.Errorf("%d kinds of fragments are fewer than there were", fragments)
	}
}

// TestFoundAndTakenBack checks a creation without a recorded answer, as after the end of the process. Only a resource
// that proves to be the work of that creation is taken back.
func TestFoundAndTakenBack(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		kind, because string
		left          int
	}{
		{"RulesetRule", "its key has the object's UID in it, and it says when it was written", 0},
		{"TunnelIngress", "anybody may have made a rule of that hostname", 1},
		{"RulesListItem", "anybody may have made an item of that value", 1},
	} {
		t.Run(tc.kind, func(t *testing.T) {
			t.Parallel()
			e := entryOf(t, tc.kind)
			s := newStage(t, e)
			s.journal.Reset()
			s.settle(s.kind, s.key)
			s.vanish()
			made := s.journal.Entries()[0]
			made.ResultID = ""
			must(t, s.back[s.kind].TakeBack(t.Context(), made))
			if n, _ := s.left(e); n != tc.left {
				t.Errorf("there are %d resources, want %d: %s", n, tc.left, tc.because)
			}
		})
	}
}

// entryOf returns the kind of that name.
func entryOf(t *testing.T, name string) entry {
	t.Helper()
	for _, e := range roster() {
		if e.GVK.Kind == name {
			return e
		}
	}
	t.Fatalf("there is no kind %s", name)
	return entry{}
}

// vanish removes the object past its finalizers.
func (s *stage) vanish() {
	s.t.Helper()
	mg := s.read(s.kind, s.key)
	mg.SetFinalizers(nil)
	must(s.t, s.server.Update(s.t.Context(), mg))
	must(s.t, s.server.Delete(s.t.Context(), mg))
	s.claims[s.kind].Forget(mg)
	s.cached = nil
}
