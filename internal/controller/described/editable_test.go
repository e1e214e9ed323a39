// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	tunnelv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1"
)

// TestUneditable checks that no kind writes the configuration of a tunnel that is configured where it runs. The
// object says so, and is gone when it is deleted.
func TestUneditable(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"TunnelConfiguration", "TunnelIngress"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, entryOf(t, name))
			s.configuredLocally()
			for range 3 {
				s.reconcileWithoutWrites()
			}
			said := s.read(s.kind, s.key).GetCondition(xpv2.TypeSynced)
			if said.Status != "False" || !strings.Contains(said.Message, "the tunnel is configured where cloudflared runs") {
				t.Errorf("the object says %v", said)
			}
			s.delete()
			for range 3 {
				s.reconcileWithoutWrites()
			}
			if now := s.read(s.kind, s.key); now != nil {
				t.Errorf("the object does not go: %v", now.GetCondition(xpv2.TypeSynced))
			}
		})
	}
}

func (s *stage) reconcileWithoutWrites() {
	s.t.Helper()
	s.reconcile(s.kind, s.key)
	if slices.ContainsFunc(s.log, asked.writes) {
		s.t.Errorf("something is written: %v", s.log)
	}
}

// configuredLocally makes all tunnels configured where they run.
func (s *stage) configuredLocally() {
	s.t.Helper()
	l := &tunnelv1alpha1.TunnelList{}
	must(s.t, s.server.List(s.t.Context(), l))
	for i := range l.Items {
		at := "/accounts/" + s.session.AccountID + "/cfd_tunnel/" + meta.GetExternalName(&l.Items[i])
		must(s.t, s.sim.EditResource(at, func(doc map[string]any) { doc["config_src"] = "local" }))
	}
}
