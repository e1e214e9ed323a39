// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// The IDs of the zone and the account in the stored objects.
const (
	storedZone    = "00000000000000000000000000000001"
	storedAccount = "00000000000000000000000000000002"
)

// store replaces the object by one that revision 4bd47a0 stored, which is to have its resource, and starts another
// process of the provider, without a journal.
func (s *stage) store(e entry, file string) {
	s.t.Helper()
	was := s.read(s.kind, s.key)
	raw, err := os.ReadFile(filepath.Join("testdata", "4bd47a0", file+".yaml"))
	must(s.t, err)
	text := strings.NewReplacer(storedZone, s.sim.Zones()[0].ID, storedAccount, s.session.AccountID).Replace(string(raw))
	o := e.New()
	must(s.t, yaml.Unmarshal([]byte(text), o))
	for literal, is := range map[string]string{
		meta.GetExternalName(o):                          meta.GetExternalName(was),
		kind.Parameters(o.GetForProvider())["tunnel_id"]: kind.Parameters(was.GetForProvider())["tunnel_id"],
	} {
		if literal != "" {
			text = strings.ReplaceAll(text, literal, is)
		}
	}
	o = e.New()
	must(s.t, yaml.UnmarshalStrict([]byte(text), o))
	was.SetFinalizers(nil)
	must(s.t, s.server.Update(s.t.Context(), was))
	must(s.t, client.IgnoreNotFound(s.server.Delete(s.t.Context(), was)))
	s.claims[s.kind].Forget(was)
	leaving := o.GetDeletionTimestamp() != nil
	o.SetDeletionTimestamp(nil)
	o.SetResourceVersion("")
	shown, _ := o.DeepCopyObject().(Object)
	must(s.t, s.server.Create(s.t.Context(), o))
	shown.SetResourceVersion(o.GetResourceVersion())
	must(s.t, s.server.Status().Update(s.t.Context(), shown))
	if leaving {
		must(s.t, s.server.Delete(s.t.Context(), o))
	}
	s.inner[s.kind] = s.reconciler(e)
	s.journal.Reset()
	s.said = nil
}

// look reconciles a few times, and returns what was sent to Cloudflare.
func (s *stage) look() []string {
	s.t.Helper()
	var out []string
	for range 6 {
		s.reconcile(s.kind, s.key)
		for _, a := range s.log {
			if a.writes() {
				out = append(out, a.what)
			}
		}
		<-time.After(parent.Lag + time.Second)
	}
	return out
}

// A storedObject is the expected outcome for an object that revision 4bd47a0 stored.
type storedObject struct {
	reason, file string
	adoption     cfv1alpha1.AdoptionPolicy
	// owned is true if the resource is the object's own. left is true if its deletion leaves the resource.
	owned, left bool
	// waits is what Synced says of an object that waits for a person. warns is what an event says.
	waits, warns string
}

const lostJournal = "the journal of creations that tells what came of it is lost"

func storedObjects() []storedObject {
	out := []storedObject{
		{reason: "only observed", file: "virtualnetwork-observed", left: true},
		{reason: "only observed, by its ID", file: "accessgroup-observed", left: true},
		{reason: "only observed, of a kind without dates", file: "kvnamespace-observed", left: true},
		{reason: "observed, and managed by its user since", file: "virtualnetwork-observed-then-managed", owned: true},
		{
			reason: "observed, and managed by its user since, under Never", file: "virtualnetwork-observed-then-managed", adoption: cfv1alpha1.AdoptNever,
			left: true, waits: "spec.adoptionPolicy is Never",
		},
		{reason: "observed, and managed by that version since", file: "kvnamespace-observed-then-managed-settled", owned: true},
		{
			reason: "with a certificate that was replaced", file: "origincacertificate-superseded", owned: true,
			warns: "IgnoredAnnotation: the annotation " + annotationSuperseded + " of an earlier version is ignored, so the certificate ",
		},
		{
			reason: "whose deletion is to restore a setting", file: "zonesetting-restore", owned: true, left: true,
			warns: "IgnoredAnnotation: the annotation " + annotationBefore + " of an earlier version is ignored",
		},
		{reason: "whose deletion leaves a setting", file: "zonesetting-leave", owned: true, left: true},
	}
	for _, name := range []string{"accessgroup", "virtualnetwork", "kvnamespace", "rulesetrule", "tunnelingress"} {
		out = append(out,
			storedObject{reason: "settled", file: name + "-settled", owned: true},
			storedObject{reason: "about to be created", file: name + "-creating", left: true, waits: lostJournal},
			storedObject{reason: "about to be deleted", file: name + "-deleting", owned: true},
		)
	}
	return out
}

// TestStoredByRevision4bd47a0 checks objects that the revision has stored and whose resources exist. Objects that it
// had settled go on without a call that changes anything. Resources that it only observed are the object's only by
// the adoption policy. What it noted in annotations decides nothing. docs/how-to/upgrade.md says so.
func TestStoredByRevision4bd47a0(t *testing.T) {
	t.Parallel()
	for _, tc := range storedObjects() {
		t.Run(tc.file+"/"+tc.reason, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { tc.try(t) })
		})
	}
}

func (tc storedObject) try(t *testing.T) {
	t.Helper()
	name, _, _ := strings.Cut(tc.file, "-")
	all := roster()
	e := all[slices.IndexFunc(all, func(e entry) bool { return strings.EqualFold(e.GVK.Kind, name) })]
	<-time.After(time.Until(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))) // The objects are from a day before that.
	s := newStage(t, e)
	s.settle(s.kind, s.key)
	s.reconcile(s.kind, s.key)
	id := meta.GetExternalName(s.read(s.kind, s.key))
	s.store(e, tc.file)
	if tc.adoption != "" {
		mg := s.read(s.kind, s.key)
		setAdoption(t, mg, tc.adoption)
		must(t, s.server.Update(t.Context(), mg))
	}
	if mg := s.read(s.kind, s.key); mg.GetDeletionTimestamp() == nil {
		tc.settles(s)
		if tc.waits == lostJournal {
			tc.waysOut(s, id)
			return
		}
		s.delete()
	}
	sent := s.look()
	if mg := s.read(s.kind, s.key); mg != nil {
		t.Errorf("the object does not go: %v", mg.GetCondition(xpv2.TypeSynced))
	}
	deleted := slices.ContainsFunc(sent, func(what string) bool { return !strings.HasPrefix(what, "GET") })
	if deleted == tc.left || len(sent) > 1 {
		t.Errorf("its deletion sends %v, and what it has (%s) is to be left: %t", sent, id, tc.left)
	}
}

// settles fails the test if the object is not as expected, or sends something.
func (tc storedObject) settles(s *stage) {
	s.t.Helper()
	sent := s.look()
	mg := s.read(s.kind, s.key)
	synced := mg.GetCondition(xpv2.TypeSynced)
	if len(sent) > 0 || (synced.Status == "True") != (tc.waits == "") || !strings.Contains(synced.Message, tc.waits) {
		s.t.Errorf("the object sends %v and says %v, want %q", sent, synced, tc.waits)
	}
	if got := mg.GetOwnership() == claim.Own; got != tc.owned {
		s.t.Errorf("what it has is its own: %t, want %t: %v", got, tc.owned, synced)
	}
	if tc.warns != "" && !slices.ContainsFunc(s.said, func(e string) bool { return strings.HasPrefix(e, tc.warns) }) {
		s.t.Errorf("no event says %q: %q", tc.warns, s.said)
	}
}

// waysOut follows the message of an object that waits for the outcome of its creation. The object then has the
// resource that its user names.
func (tc storedObject) waysOut(s *stage, id string) {
	s.t.Helper()
	mg := s.read(s.kind, s.key)
	meta.SetExternalName(mg, id)
	meta.RemoveAnnotations(mg, annotationPending, meta.AnnotationKeyExternalCreatePending)
	must(s.t, s.server.Update(s.t.Context(), mg))
	tc.waits, tc.owned = "", true
	tc.settles(s)
}
