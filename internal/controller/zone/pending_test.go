// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/creation"
	"github.com/provider-cloudflare/provider-cloudflare/internal/journal"
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
	z.Spec.ForProvider.Name = ptr.To("example.com")
	z.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
	return z
}

// tried is a Zone that was tried to create a moment ago.
func tried() *v1alpha1.Zone {
	z := untried()
	meta.AddAnnotations(z, map[string]string{AnnotationPending: "example.com"})
	meta.SetExternalCreatePending(z, time.Now())
	return z
}

// TestDeletedZoneWhoseCreationIsOpen keeps an object that may have a zone which no
// list shows yet.
func TestDeletedZoneWhoseCreationIsOpen(t *testing.T) {
	z := tried()
	z.DeletionTimestamp = ptr.To(metav1.Now())
	e := &external{api: blank{}, settle: time.Hour, began: time.Now()}
	var open *creation.OpenAttemptError
	if _, err := e.locate(t.Context(), z); !errors.As(err, &open) {
		t.Errorf("locate(...) = %v, want an OpenAttemptError", err)
	}
	e.settle, e.began = 0, time.Now()
	if _, err := e.locate(t.Context(), z); !errors.Is(err, errNone) {
		t.Errorf("after the settle time locate(...) = %v, want none", err)
	}
}

// TestRefusedZoneMayBeOurs has a creation refused because the zone exists: where
// an attempt was open, the zone may be its work, and the object must find it so
// whatever its adoption policy.
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
		e := &external{api: blank{refusal: refusal}, accountID: "a", journal: journal.New(journal.Options{})}
		if err := e.notFound(tc.z); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Create(t.Context(), tc.z); err == nil {
			t.Fatalf("%s: the creation was not refused", reason)
		}
		if got := tc.z.GetAnnotations()[AnnotationPending] != ""; got != tc.want {
			t.Errorf("%s: pending is %t, want %t", reason, got, tc.want)
		}
	}
}

// listed is an API whose list shows one zone, and whose GET shows what that ID is.
type listed struct {
	api

	shows, is cloudflare.Zone
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

// TestTakingBackConfirmsTheID deletes nothing by an ID that only a list gave.
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
		c := &connector{began: func() time.Time { return now }, settle: time.Hour}
		_, found, err := c.findMade(t.Context(), listed{shows: shows, is: tc.is}, subject{Name: "example.com"}, journal.Entry{Begun: now})
		if found != tc.found || (err != nil) != tc.fails {
			t.Errorf("%s: found %t, %v", reason, found, err)
		}
	}
}
