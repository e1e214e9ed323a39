// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journaltest"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// blank is an API whose lists show nothing and which refuses to create.
type blank struct {
	api

	refusal error
}

func (blank) FindZones(context.Context, string, string, bool) ([]cloudflare.Zone, error) {
	return nil, nil
}

func (b blank) CreateZone(context.Context, string, string, string) (cloudflare.Zone, error) {
	return cloudflare.Zone{}, b.refusal
}

func untried() *v1alpha1.Zone {
	z := &v1alpha1.Zone{}
	z.UID = "zone"
	z.Spec.ForProvider.Name = ptr.To("example.com")
	z.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
	return z
}

// tried returns a Zone whose creation was attempted a moment ago.
func tried() *v1alpha1.Zone {
	z := untried()
	meta.AddAnnotations(z, map[string]string{AnnotationPending: "example.com"})
	meta.SetExternalCreatePending(z, time.Now())
	return z
}

// journalOf returns a journal with the creation of z, if that was attempted.
func journalOf(t *testing.T, z *v1alpha1.Zone) *journaltest.Memory {
	t.Helper()
	j := &journaltest.Memory{Name: "journal"}
	if z.GetAnnotations()[AnnotationPending] == "" {
		return j
	}
	about, err := json.Marshal(subject{Name: "example.com", Account: testAccount})
	if err := errors.Join(err, j.Begin(t.Context(), journal.Entry{UID: z.UID, Subject: about, Begun: time.Now()})); err != nil {
		t.Fatal(err)
	}
	return j
}

// connectorOf returns the Connector of Zones with the API calls.
func connectorOf(t *testing.T, calls api, settle time.Duration, j *journaltest.Memory) *external.Connector[cloudflare.Zone] {
	t.Helper()
	s := runtime.NewScheme()
	if err := apis.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	kube := fake.NewClientBuilder().WithScheme(s).WithIndex(&v1alpha1.Zone{}, claim.Index, claimKind().ExternalNames).Build()
	now := time.Now()
	return &external.Connector[cloudflare.Zone]{
		Kind: kind(Deps{Deleted: func(string) {}}, func(connect.Session) api { return calls }),
		Deps: external.Deps{
			Sessions: sessions{}, Kube: kube, API: kube, Claims: claim.NewRegistry(kube, claimKind()), Journal: j,
			Drift:  drift.Reporter{Events: event.NewNopRecorder()},
			Events: event.NewNopRecorder(), Refused: &external.Refusals{}, Now: time.Now, Settle: settle, Began: func() time.Time { return now },
		},
	}
}

// sessions returns sessions of the account that the tests are about.
type sessions struct{}

func (sessions) For(context.Context, resource.ModernManaged) (connect.Session, error) {
	return connect.Session{AccountID: testAccount}, nil
}

const testAccount = "01a7362d577a6c3019a474fd6f485823"

// TestDeletedZoneWhoseCreationIsOpen keeps an object that may have a zone which no list
// shows yet.
func TestDeletedZoneWhoseCreationIsOpen(t *testing.T) {
	z := tried()
	j := journalOf(t, z)
	z.DeletionTimestamp = ptr.To(metav1.Now())
	observe := func(settle time.Duration) (managed.ExternalObservation, error) {
		c, err := connectorOf(t, blank{}, settle, j).Connect(t.Context(), z)
		if err != nil {
			t.Fatal(err)
		}
		return c.Observe(t.Context(), z)
	}
	var open *reconciler.CreatePendingError
	if _, err := observe(time.Hour); !errors.As(err, &open) {
		t.Errorf("Observe(...) = %v, want a CreatePendingError", err)
	}
	if o, err := observe(0); o.ResourceExists || err != nil {
		t.Errorf("after the settle time Observe(...) = %+v, %v, want none", o, err)
	}
}

// TestRefusedZoneMayBeOurs has a creation refused because the zone exists. If an
// attempt was open, the zone may be its work, and the object must find it so under
// every adoption policy.
func TestRefusedZoneMayBeOurs(t *testing.T) {
	for reason, tc := range map[string]struct {
		z    *v1alpha1.Zone
		code int
		want bool
	}{
		"tried before, and the zone exists":            {tried(), 1061, true},
		"tried before, and refused for something else": {tried(), 1105, false},
		"never tried before, so the zone is not ours":  {untried(), 1061, false},
	} {
		refusal := &cloudflare.Error{Status: 400, Details: []cloudflare.Detail{{Code: tc.code}}}
		c, err := connectorOf(t, blank{refusal: refusal}, time.Hour, journalOf(t, tc.z)).Connect(t.Context(), tc.z)
		if err != nil {
			t.Fatal(err)
		}
		if o, err := c.Observe(t.Context(), tc.z); o.ResourceExists || err != nil {
			t.Fatalf("%s: Observe(...) = %+v, %v", reason, o, err)
		}
		var got *cloudflare.Error
		if _, err := c.Create(t.Context(), tc.z); !errors.As(err, &got) {
			t.Fatalf("%s: the creation was not refused by the API: %v", reason, err)
		}
		if got := tc.z.GetAnnotations()[AnnotationPending] != ""; got != tc.want {
			t.Errorf("%s: pending is %t, want %t", reason, got, tc.want)
		}
	}
}

// listed is an API whose list shows one zone. Its GET shows a zone that may be another
// one.
type listed struct {
	api

	shows, is cloudflare.Zone
	deleted   *[]string
}

func (l listed) DeleteZone(_ context.Context, id string) error {
	*l.deleted = append(*l.deleted, id)
	return nil
}

func (l listed) FindZones(context.Context, string, string, bool) ([]cloudflare.Zone, error) {
	return []cloudflare.Zone{l.shows}, nil
}

func (l listed) GetZone(_ context.Context, id string) (cloudflare.Zone, error) {
	if id != l.is.ID {
		return cloudflare.Zone{}, &cloudflare.Error{Status: 403, Details: []cloudflare.Detail{{Code: 9109}}}
	}
	return l.is, nil
}

// TestTakingBackConfirmsTheID checks that no zone is deleted by an ID that only a list
// showed.
func TestTakingBackConfirmsTheID(t *testing.T) {
	now, old := time.Now(), time.Now().Add(-time.Hour)
	zone := func(id, name string, created time.Time) cloudflare.Zone {
		return cloudflare.Zone{ID: id, Name: name, CreatedOn: &created}
	}
	shows := zone("a", "example.com", now)
	for reason, tc := range map[string]struct {
		is           cloudflare.Zone
		found, fails bool
	}{
		"it is the one":                   {shows, true, false},
		"the ID is another zone's":        {zone("a", "other.example", now), false, true},
		"nobody knows the ID":             {zone("b", "example.com", now), false, true},
		"the ID is that of an older zone": {zone("a", "example.com", old), false, true}, // Its own may still appear.
	} {
		var deleted []string
		calls := listed{shows: shows, is: tc.is, deleted: &deleted}
		about, err := json.Marshal(subject{Name: "example.com", Account: testAccount})
		if err != nil {
			t.Fatal(err)
		}
		err = connectorOf(t, calls, time.Hour, &journaltest.Memory{}).TakesBack().TakeBack(t.Context(), journal.Entry{UID: "gone", Subject: about, Begun: now})
		if (err != nil) != tc.fails || slices.Equal(deleted, []string{"a"}) != tc.found || !tc.found && len(deleted) > 0 {
			t.Errorf("%s: deleted %v, %v", reason, deleted, err)
		}
	}
}
