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
