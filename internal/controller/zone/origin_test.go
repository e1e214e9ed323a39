// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	apisv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journaltest"
)

// forgeries returns annotations that claim the zone for the object, each in a form that the provider writes.
func forgeries() map[string]map[string]string {
	const then = "2026-01-02T03:04:05Z"
	z := &cloudflare.Zone{ID: liveID, Name: "example.com", Type: "full"}
	pending := map[string]string{AnnotationPending: "example.com", journal.Annotation: "journal", meta.AnnotationKeyExternalCreatePending: then}
	with := func(base map[string]string, more ...string) map[string]string {
		out := maps.Clone(base)
		for i := 0; i < len(more); i += 2 {
			out[more[i]] = more[i+1]
		}
		return out
	}
	named := map[string]string{meta.AnnotationKeyExternalName: liveID}
	out := map[string]map[string]string{
		"a creation without an answer": pending,
		"a creation that failed":       with(pending, meta.AnnotationKeyExternalCreateFailed, then),
		"a creation of a lost journal": with(pending, journal.Annotation, "lost"),
		"a creation":                   with(pending, meta.AnnotationKeyExternalCreateSucceeded, then, meta.AnnotationKeyExternalName, liveID),
		"an external name":             named,
		"a deletion":                   with(named, annotationDeleting, (&adapter{}).DeletionRecord(*z)),
		"a deletion that is done":      with(named, annotationDeleted, liveID),
	}
	all := map[string]string{}
	for _, reason := range slices.Sorted(maps.Keys(out)) {
		maps.Copy(all, out[reason])
	}
	out["all at once"] = all
	return out
}

// TestForgedAnnotations: a zone that no object has stays unchanged, regardless of a Zone's annotations. The
// Zones may take over nothing, or declare another zone or none.
func TestForgedAnnotations(t *testing.T) {
	for reason, annotations := range forgeries() {
		for _, policies := range []xpv2.ManagementPolicies{{xpv2.ManagementActionObserve, xpv2.ManagementActionDelete}, {xpv2.ManagementActionAll}} {
			for _, tc := range []struct {
				name     *string
				adoption v1alpha1.AdoptionPolicy
			}{
				{ptr.To("example.com"), v1alpha1.AdoptNever},
				{ptr.To("other.example"), v1alpha1.AdoptIdentical},
				{nil, v1alpha1.AdoptIdentical},
			} {
				mg := untried()
				mg.Namespace, mg.Name, mg.UID, mg.Generation = "ns", "one", "first", 1
				mg.Spec.ManagementPolicies, mg.Spec.DeletionPolicy = policies, xpv2.DeletionDelete
				mg.Spec.ForProvider.Name, mg.Spec.AdoptionPolicy = tc.name, tc.adoption
				mg.Spec.ForProvider.Paused = ptr.To(true)
				meta.AddFinalizer(mg, managed.FinalizerName)
				meta.AddAnnotations(mg, annotations)
				asked := lived(t, mg)
				if slices.Contains(asked, "PATCH") || slices.Contains(asked, "DELETE") {
					t.Errorf("%s, %v, %s under %s: the object asks for %v", reason, policies, ptr.Deref(tc.name, "no name"), tc.adoption, asked)
				}
			}
		}
	}
}

// TestOwnIsDeleted: a zone that the object owns according to its status is changed and deleted, so lived shows
// both.
func TestOwnIsDeleted(t *testing.T) {
	mg := untried()
	mg.Namespace, mg.Name, mg.UID, mg.Generation = "ns", "one", "first", 1
	mg.Spec.DeletionPolicy, mg.Spec.ForProvider.Paused = xpv2.DeletionDelete, ptr.To(true)
	meta.AddFinalizer(mg, managed.FinalizerName)
	meta.SetExternalName(mg, liveID)
	mg.Status.AtProvider.ID, mg.Status.Ownership = liveID, apisv1alpha1.OwnershipOwn
	if asked := lived(t, mg); !slices.Contains(asked, "PATCH") || !slices.Contains(asked, "DELETE") {
		t.Errorf("the object asks for %v", asked)
	}
}

// An occupied account has one zone, and creates no other.
type occupied struct{ *account }

func (o occupied) FindZones(_ context.Context, name, _ string, _ bool) ([]cloudflare.Zone, error) {
	o.before("LIST")
	if name != o.zone.Name {
		return nil, nil
	}
	return []cloudflare.Zone{*o.zone}, nil
}

func (o occupied) CreateZone(context.Context, string, string, string) (cloudflare.Zone, error) {
	o.before("POST")
	return cloudflare.Zone{}, errNone
}

// lived reconciles a Zone a few times, deletes it, and reconciles the deletion. It returns the requests to
// Cloudflare.
func lived(t *testing.T, mg *v1alpha1.Zone) (asked []string) {
	t.Helper()
	calls := occupied{&account{zone: &cloudflare.Zone{ID: liveID, Name: "example.com", Type: "full"}, before: func(what string) { asked = append(asked, what) }}}
	c := connectorOf(t, calls, 0, &journaltest.Memory{Name: "journal"})
	server := fake.NewClientBuilder().WithScheme(c.Deps.Kube.Scheme()).WithStatusSubresource(mg).
		WithIndex(&v1alpha1.Zone{}, claim.Index, claimKind().ExternalNames).WithObjects(mg.DeepCopy()).Build()
	c.Deps.Kube, c.Deps.API, c.Deps.Claims = server, server, claim.NewRegistry(server, claimKind())
	for round := range 8 {
		now := &v1alpha1.Zone{}
		switch err := server.Get(t.Context(), client.ObjectKeyFromObject(mg), now); {
		case kerrors.IsNotFound(err):
			return asked
		case err != nil:
			t.Fatal(err)
		}
		if round == 4 {
			if err := server.Delete(t.Context(), now); err != nil {
				t.Fatal(err)
			}
			continue
		}
		now.SetGroupVersionKind(v1alpha1.ZoneGroupVersionKind)
		if err := once(t, c, now); err == nil {
			err = server.Status().Update(t.Context(), now)
			if err != nil && !kerrors.IsConflict(err) {
				t.Fatal(err)
			}
		}
	}
	return asked
}

var errNone = errors.New("there is none")

// once observes a Zone, and acts on the result as the runtime does.
func once(t *testing.T, c *external.Connector[cloudflare.Zone], mg *v1alpha1.Zone) error {
	t.Helper()
	e, err := c.Connect(t.Context(), mg)
	if err != nil {
		return err
	}
	o, err := e.Observe(t.Context(), mg)
	switch {
	case err != nil:
	case !o.ResourceExists:
		err = errNone
	case !mg.DeletionTimestamp.IsZero():
		_, err = e.Delete(t.Context(), mg)
	case !o.ResourceUpToDate:
		_, err = e.Update(t.Context(), mg)
	}
	return err
}
