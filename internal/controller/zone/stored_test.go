// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"slices"
	"strings"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
)

// storedBefore is a Zone as revision 4bd47a0 stored one: its status does not say whether the object owns the zone.
const storedBefore = `
apiVersion: zone.cloudflare.m.crossplane.io/v1alpha1
kind: Zone
metadata:
  annotations:
    crossplane.io/external-name: ` + liveID + `
  finalizers: [finalizer.managedresource.crossplane.io]
  generation: GENERATION
  name: one
  namespace: ns
  uid: first
spec:
  adoptionPolicy: ADOPTION
  deletionPolicy: Delete
  forProvider: {name: example.com, paused: true}
  managementPolicies: POLICIES
status:
  atProvider: {id: ` + liveID + `, name: example.com, status: active, type: full}
  conditions:
  - {lastTransitionTime: "2026-11-28T02:33:55Z", observedGeneration: 1, reason: Available, status: "True", type: Ready}
  - {lastTransitionTime: "2026-11-28T02:33:55Z", observedGeneration: 1, reason: REASON, status: "True", type: UpToDate}
  - {lastTransitionTime: "2026-11-28T02:33:55Z", observedGeneration: 1, reason: ReconcileSuccess, status: "True", type: Synced}
`

// TestStoredByRevision4bd47a0 reconciles Zones as that revision has stored them. The zone exists and is not as
// declared. docs/how-to/upgrade.md describes the results.
func TestStoredByRevision4bd47a0(t *testing.T) {
	const created = `crossplane.io/external-name: ` + liveID
	for _, tc := range []struct {
		reason string
		// values replace the words in capitals, and others.
		values []string
		// owned is whether the zone is changed to what the object declares, and deleted with it.
		owned bool
	}{
		{"settled", nil, true},
		{"about to be deleted", []string{created, created + "\n    " + annotationDeleting + ": " + liveID}, true},
		{"only observed", []string{"POLICIES", "[Observe]", "REASON", "ZoneObserved"}, false},
		{"observed, and managed by its user since", []string{"GENERATION", "2"}, true},
		// The API server increments the generation for a deletion, too, and the fake one does not.
		{"observed, and managed by its user since, under Never", []string{"GENERATION", "3", "ADOPTION", "Never"}, false},
		{"refused by that version since it was observed", []string{"REASON", "UpdatePending", "ADOPTION", "Never"}, false},
		{
			"about to be created",
			[]string{created, AnnotationPending + ": example.com\n    crossplane.io/external-create-pending: \"2026-11-28T02:33:55Z\"", "id: " + liveID + ", ", ""},
			false,
		},
	} {
		text := strings.NewReplacer(tc.values...).Replace(storedBefore)
		text = strings.NewReplacer("GENERATION", "1", "ADOPTION", "Identical", "POLICIES", `["*"]`, "REASON", "ZoneSynced").Replace(text)
		mg := &v1alpha1.Zone{}
		if err := yaml.UnmarshalStrict([]byte(text), mg); err != nil {
			t.Fatal(err)
		}
		if mg.Spec.DeletionPolicy != xpv2.DeletionDelete {
			t.Fatal("nothing would be deleted")
		}
		asked := lived(t, mg)
		if changed, deleted := slices.Contains(asked, "PATCH"), slices.Contains(asked, "DELETE"); changed != tc.owned || deleted != tc.owned {
			t.Errorf("%s: the zone is changed: %t, and deleted: %t, want %t: %v", tc.reason, changed, deleted, tc.owned, asked)
		}
	}
}
