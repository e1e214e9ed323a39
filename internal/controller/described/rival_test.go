// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	tunnelv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// TestRivals: a document belongs to one object as a whole or is shared, and the object that
// was there first decides which. The other one says so and writes nothing.
func TestRivals(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, tc := range []struct {
		kind, rival string
		created     time.Time
		uid         types.UID
		policies    xpv2.ManagementPolicies
		elsewhere   string
		because     string
		refused     bool
	}{
		{"TunnelIngress", "TunnelConfiguration", now.Add(-time.Hour), "x", nil, "", "the whole was there first", true},
		{"TunnelConfiguration", "TunnelIngress", now.Add(-time.Hour), "x", nil, "", "a part was there first", true},
		{"TunnelIngress", "TunnelConfiguration", now.Add(time.Hour), "x", nil, "", "the whole came later", false},
		{"TunnelIngress", "TunnelConfiguration", now, "a", nil, "", "as old, and its UID comes before", true},
		{"TunnelIngress", "TunnelConfiguration", now, "z", nil, "", "as old, and its UID comes after", false},
		{"TunnelIngress", "TunnelConfiguration", now.Add(-time.Hour), "x", xpv2.ManagementPolicies{xpv2.ManagementActionObserve}, "", "the whole is only observed", false},
		{"TunnelIngress", "TunnelConfiguration", now.Add(-time.Hour), "x", nil, "/else", "that is another tunnel", false},
	} {
		t.Run(tc.kind+" "+tc.because, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, entryOf(t, tc.kind))
			mg := s.read(s.kind, s.key)
			mg.SetCreationTimestamp(metav1.NewTime(now))
			must(t, s.server.Update(t.Context(), mg))
			s.addRival(tc.rival, tc.created, tc.uid, tc.policies, tc.elsewhere)
			for range 3 {
				s.reconcile(s.kind, s.key)
				if tc.refused && slices.ContainsFunc(s.log, asked.writes) {
					t.Errorf("%s, and it is written: %v", tc.because, s.log)
				}
			}
			said := s.read(s.kind, s.key).GetCondition(xpv2.TypeSynced)
			if refused := strings.Contains(said.Message, "the "+tc.rival+" default/rival works on the same document"); refused != tc.refused || said.Status == "True" == tc.refused {
				t.Errorf("%s, and the object says %v", tc.because, said)
			}
		})
	}
}

// TestDocumentInAnotherSpelling: objects that name one tunnel in two spellings work on one document.
func TestDocumentInAnotherSpelling(t *testing.T) {
	t.Parallel()
	part, whole := entryOf(t, "TunnelIngress").Description, entryOf(t, "TunnelConfiguration").Description
	key := func(d kind.Description, tunnel string) string {
		return d.Group + " " + d.Name + " /accounts/a/cfd_tunnel/" + tunnel + "/configurations"
	}
	const one, spelled, other = "f70ff985-a4ef-4643-bbbc-4a0ed4fc8415", "F70FF985A4EF4643BBBC4A0ED4FC8415", "a70ff985-a4ef-4643-bbbc-4a0ed4fc8415"
	ours := document(part, key(part, one), nil)
	if theirs := document(whole, key(whole, spelled), nil); ours == "" || theirs != ours {
		t.Errorf("the documents are %q and %q", ours, theirs)
	}
	if theirs := document(whole, key(whole, other), nil); theirs == ours {
		t.Errorf("two tunnels have the document %q", ours)
	}
}

// addRival adds an object of that kind, as it is once it knows its tunnel.
func (s *stage) addRival(name string, created time.Time, uid types.UID, policies xpv2.ManagementPolicies, elsewhere string) {
	s.t.Helper()
	e := entryOf(s.t, name)
	o := e.New()
	o.SetName("rival")
	o.SetNamespace("default")
	o.SetUID(uid)
	o.SetCreationTimestamp(metav1.NewTime(created))
	if policies == nil {
		policies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
	}
	o.SetManagementPolicies(policies)
	path := strings.TrimPrefix(e.Description.Read, "GET ")
	for from, to := range s.tunnel() {
		path = strings.ReplaceAll(path, from, to)
	}
	o.GetSync().Parent = "tunnel " + name + " " + path + elsewhere
	status := o.GetSync().DeepCopy()
	must(s.t, s.server.Create(s.t.Context(), o))
	*o.GetSync() = *status
	must(s.t, s.server.Status().Update(s.t.Context(), o))
}

// tunnel has the parameters of the paths below the example's tunnel.
func (s *stage) tunnel() map[string]string {
	s.t.Helper()
	l := &tunnelv1alpha1.TunnelList{}
	must(s.t, s.server.List(s.t.Context(), l))
	return map[string]string{"{account_id}": s.session.AccountID, "{tunnel_id}": meta.GetExternalName(&l.Items[0])}
}
