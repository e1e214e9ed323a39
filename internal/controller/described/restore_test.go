// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/utils/ptr"

	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// TestRestoreAfterAnUpgrade checks an object that an earlier version stored without a note of the setting before. It
// restores only what it can know, and says so.
func TestRestoreAfterAnUpgrade(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason     string
		annotated  bool // The earlier version noted it in an annotation.
		written    bool // The object has changed the setting.
		kept, says bool
	}{
		{"it has changed the setting, and nothing tells what that was", false, true, false, true},
		{"it has changed the setting, and an annotation tells what that was", true, true, false, true},
		{"it has changed nothing, so the setting is what it was", false, false, true, false},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, entryOf(t, "ZoneSetting"))
			mg, ok := s.read(s.kind, s.key).(*zonev1alpha1.ZoneSetting)
			if !ok {
				t.Fatal("the object has another type")
			}
			mg.Spec.OnDelete = ptr.To(kind.Restore)
			must(t, s.server.Update(t.Context(), mg))
			s.settle(s.kind, s.key)
			for range 2 {
				s.reconcile(s.kind, s.key)
			}
			stored := s.read(s.kind, s.key)
			if stored.GetSync().Before == "" || stored.GetSync().LastSyncedAt == nil {
				t.Fatalf("the status has %+v", stored.GetSync())
			}
			if tc.annotated {
				meta.AddAnnotations(stored, map[string]string{annotationBefore: `{"value":"1.0"}`})
				must(t, s.server.Update(t.Context(), stored))
			}
			stored.GetSync().Before = ""
			if !tc.written {
				stored.GetSync().LastSyncedAt = nil
			}
			must(t, s.server.Status().Update(t.Context(), stored))
			s.restart()
			s.said = nil
			s.reconcileWithoutWrites()
			if kept := s.read(s.kind, s.key).GetSync().Before != ""; kept != tc.kept {
				t.Errorf("the status has what the setting was before: %t", kept)
			}
			about := func(reason string) bool {
				return slices.ContainsFunc(s.said, func(e string) bool { return strings.HasPrefix(e, reason+": ") })
			}
			if about(string(EventNotRestorable)) != tc.says || about(string(EventIgnored)) != tc.annotated {
				t.Errorf("the object says %v", s.said)
			}
			s.delete()
			s.reconcileWithoutWrites()
		})
	}
}
