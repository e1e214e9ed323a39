// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	gatewayv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/gateway/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// subject settles the object, and returns what the journal has of its creation.
func (s *stage) subject() json.RawMessage {
	s.t.Helper()
	var out json.RawMessage
	s.before = func(int) {
		s.mu.Lock()
		last := s.log[len(s.log)-1]
		s.mu.Unlock()
		if !last.writes() || out != nil {
			return
		}
		all, err := s.journal.Creations(s.t.Context(), s.fresh.GetUID())
		must(s.t, err)
		if len(all) > 0 {
			out = all[0].Subject
		}
	}
	s.settle(s.kind, s.key)
	s.before = nil
	return out
}

// TestSubjects checks that the journal entry of each creation says where the resource is, and no more than that for a
// resource with a name. An entry of an earlier version has the whole spec, and says the same.
func TestSubjects(t *testing.T) {
	t.Parallel()
	named := 0
	for _, e := range roster() {
		if e.Description.Shape == kind.Singleton {
			continue
		}
		t.Run(e.GVK.Kind, func(t *testing.T) {
			s := newStage(t, e)
			raw := s.subject()
			var got attempted
			must(t, json.Unmarshal(raw, &got))
			mg := s.read(s.kind, s.key)
			want := kind.Parameters(mg.GetForProvider())
			whole, err := json.Marshal(subject{Spec: mg.GetForProvider(), Note: got.Note})
			must(t, err)
			k := (&described{entry: e}).externalKind()
			for version, about := range map[string][]byte{"this version": raw, "an earlier one": whole} {
				revived := e.New()
				must(t, k.Revive(revived, about))
				if params := kind.Parameters(revived.GetForProvider()); !maps.Equal(params, want) {
					t.Errorf("%s says that it is in %v, want %v", version, params, want)
				}
				if now := kind.ZoneName(revived.GetForProvider()); now != kind.ZoneName(mg.GetForProvider()) {
					t.Errorf("%s says that it is in zone %q", version, now)
				}
			}
			if strings.Contains(string(raw), `"body"`) {
				named++
			}
		})
	}
	if named < 25 {
		t.Errorf("%d kinds with a name are fewer than there were", named)
	}
}

// TestLargeSpec checks that an object whose spec is larger than a ConfigMap is created, and found again if the answer
// is lost.
func TestLargeSpec(t *testing.T) {
	t.Parallel()
	e := entryOf(t, "GatewayList")
	for _, lost := range []bool{false, true} {
		t.Run(fmt.Sprintf("lost=%t", lost), func(t *testing.T) {
			s := newStage(t, e)
			mg, ok := s.read(s.kind, s.key).(*gatewayv1alpha1.GatewayList)
			if !ok {
				t.Fatal("it is no GatewayList")
			}
			p := &mg.Spec.ForProvider
			item := p.Items[0]
			p.Items = nil
			for i := range 2500 {
				next := *item.DeepCopy()
				next.Value = ptr.To(fmt.Sprintf("host%d.example.com", i))
				next.Description = ptr.To(strings.Repeat("x", 450))
				p.Items = append(p.Items, next)
			}
			must(t, s.server.Update(t.Context(), mg))
			if lost {
				s.loseCreations(1, true)
			}
			raw := s.subject()
			if len(raw) == 0 || len(raw) > 4<<10 {
				t.Errorf("the journal has %d bytes of it", len(raw))
			}
			now := s.read(s.kind, s.key)
			if n := s.sim.CountResources(s.made) - s.sim.Seeded(s.made); n != 1 || meta.GetExternalName(now) == "" {
				t.Errorf("there are %d lists: %v", n, now.GetCondition(xpv2.TypeSynced))
			}
		})
	}
}

// TestSubjectOfWhatHasNoName checks that the journal has the whole spec of a resource without a name, up to a size.
// Without the whole spec, the provider does not distinguish the resource from the work of others by itself.
func TestSubjectOfWhatHasNoName(t *testing.T) {
	t.Parallel()
	e := entryOf(t, "LogpushJob")
	for _, row := range []struct {
		reason string
		filter int
		cut    bool
	}{
		{"it is small", 10, false},
		{"it is large", 2 * mostSubject, true},
	} {
		mg := e.New()
		s := newStage(t, e)
		must(t, json.Unmarshal(marshalled(t, s.fresh), mg))
		must(t, json.Unmarshal([]byte(fmt.Sprintf(`{"filter":%q}`, strings.Repeat("f", row.filter))), mg.GetForProvider()))
		want, err := kind.Encode(mg.GetForProvider())
		must(t, err)
		for _, path := range e.Description.Natural {
			kind.Without(want, path)
		}
		a := &adapter{described: &described{entry: e, names: kind.Names(mg.GetForProvider())}, mg: mg, want: want}
		raw, err := json.Marshal(a.JournalPayload())
		must(t, err)
		var got attempted
		must(t, json.Unmarshal(raw, &got))
		if got.Cut != row.cut || strings.Contains(string(got.Spec), "ffff") == row.cut {
			t.Errorf("%s: cut is %t of %d bytes", row.reason, got.Cut, len(raw))
		}
	}
}

func marshalled(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	must(t, err)
	return raw
}
