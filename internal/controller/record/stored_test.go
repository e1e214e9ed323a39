// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	apisv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// Placeholders in the stored Records for the zone and the DNS record.
const (
	storedZone   = "00000000000000000000000000000001"
	storedRecord = "00000000000000000000000000000003"
)

// store replaces the object by the Record that revision 4bd47a0 stored. The DNS record
// that it declares exists.
func (s *stage) store(file string) (id string) {
	s.t.Helper()
	s.call(http.MethodPost, "", `{"type":"A","name":"www.example.com","content":"192.0.2.1","ttl":300}`)
	id = s.records()[0]
	raw, err := os.ReadFile(filepath.Join("testdata", "4bd47a0", file+".yaml"))
	must(s.t, err)
	o := &v1alpha1.Record{}
	must(s.t, yaml.UnmarshalStrict([]byte(strings.NewReplacer(storedZone, s.zone, storedRecord, id).Replace(string(raw))), o))
	s.read()
	must(s.t, s.server.Delete(s.t.Context(), s.now))
	o.SetResourceVersion("")
	shown := o.DeepCopy()
	must(s.t, s.server.Create(s.t.Context(), o))
	shown.SetResourceVersion(o.GetResourceVersion())
	must(s.t, s.server.Status().Update(s.t.Context(), shown))
	s.restart()
	return id
}

// TestStoredByRevision4bd47a0 reconciles Records as that revision has stored them.
// docs/how-to/upgrade.md describes the results.
func TestStoredByRevision4bd47a0(t *testing.T) {
	for _, tc := range []struct {
		reason, file string
		adoption     v1alpha1.AdoptionPolicy
		// owned is whether the object owns the DNS record. changed is whether the DNS
		// record is changed to what the object declares. left is whether it stays when
		// the object is deleted.
		owned, changed, left bool
		waits                string
	}{
		{reason: "settled", file: "record-settled", owned: true},
		{reason: "about to be created", file: "record-creating", left: true, waits: "the journal of creations that tells what came of it is lost"},
		{reason: "only observed, found by what it declares", file: "record-observed-by-key", left: true},
		{reason: "only observed, by its ID", file: "record-observed-by-name", left: true},
		{reason: "observed, and managed with another TTL since", file: "record-observed-then-managed-by-key", owned: true, changed: true},
		{reason: "observed by its ID, and managed with another TTL since", file: "record-observed-then-managed-by-name", owned: true, changed: true},
		{
			reason: "observed, and managed since, under Never", file: "record-observed-then-managed-by-key", adoption: v1alpha1.AdoptNever,
			left: true, waits: "and spec.adoptionPolicy is Never",
		},
	} {
		t.Run(tc.file+"/"+tc.reason, func(t *testing.T) {
			s := newStage(t)
			id := s.store(tc.file)
			if tc.adoption != "" {
				s.read()
				s.now.Spec.AdoptionPolicy = tc.adoption
				must(t, s.server.Update(t.Context(), s.now))
			}
			writes := 0
			for range 4 {
				s.reconcile()
				for _, a := range s.log {
					if a.writes() {
						writes++
					}
				}
			}
			s.read()
			synced := s.now.GetCondition(xpv2.TypeSynced)
			if (synced.Status == "True") != (tc.waits == "") || !strings.Contains(synced.Message, tc.waits) || (writes > 0) != tc.changed {
				t.Errorf("the object says %v, want %q, after %d writes", synced, tc.waits, writes)
			}
			if got := s.now.Status.Ownership == apisv1alpha1.OwnershipOwn; got != tc.owned {
				t.Errorf("the DNS record is its own: %t, want %t: %v", got, tc.owned, synced)
			}
			if strings.HasSuffix(tc.file, "-creating") { // The user does what the message says.
				meta.SetExternalName(s.now, id)
				meta.RemoveAnnotations(s.now, AnnotationPending, meta.AnnotationKeyExternalCreatePending)
				must(t, s.server.Update(t.Context(), s.now))
				for range 3 {
					s.reconcile()
				}
				s.read()
				if s.now.Status.Ownership != apisv1alpha1.OwnershipOwn {
					t.Errorf("it does not have what its user has named: %v", s.now.GetCondition(xpv2.TypeSynced))
				}
				tc.left = false
			}
			must(t, s.server.Delete(t.Context(), s.now))
			for range 4 {
				s.reconcile()
			}
			if left := slices.Contains(s.records(), id); left != tc.left || s.read() {
				t.Errorf("after its deletion the DNS record is left: %t", left)
			}
		})
	}
}
