// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// AnnotationPending holds the name of the zone that is about to be created, until the outcome is
// known.
const AnnotationPending = v1alpha1.Group + "/pending-zone"

// annotationDeleting holds the ID, the name, the account and the type of the zone that is about
// to be deleted, separated by blanks. If the answer to the deletion is lost, these show with a
// later list that the zone is gone.
const annotationDeleting = v1alpha1.Group + "/deleting-zone"

// annotationDeleted holds the ID of the zone whose deletion the API confirmed. If a token of
// limited scope asks for a deleted zone, the API answers that the token is not authorized. That
// answer proves nothing, but the confirmation does.
const annotationDeleted = v1alpha1.Group + "/deleted-zone"

// DeletionRecord returns the value of annotationDeleting for z.
func (a *adapter) DeletionRecord(z cloudflare.Zone) string {
	return strings.Join([]string{z.ID, z.Name, z.Account.ID, z.Type}, " ")
}

// deletingOf returns the zone that annotationDeleting names, if there is one. Earlier versions
// recorded the ID only.
func deletingOf(mg *v1alpha1.Zone) (z cloudflare.Zone, ok bool) {
	parts := strings.Split(mg.GetAnnotations()[annotationDeleting], " ")
	seen := mg.Status.AtProvider
	switch {
	case len(parts) == 1 && parts[0] != "" && parts[0] == seen.ID:
		return cloudflare.Zone{ID: seen.ID, Name: seen.Name, Account: cloudflare.Named{ID: seen.AccountID}, Type: seen.Type}, true
	case len(parts) != 4:
		return cloudflare.Zone{}, false
	}
	return cloudflare.Zone{ID: parts[0], Name: parts[1], Account: cloudflare.Named{ID: parts[2]}, Type: parts[3]}, true
}

// RecordedID returns the ID of the zone whose deletion the Zone has requested.
func (a *adapter) RecordedID() string {
	z, _ := deletingOf(a.mg)
	return z.ID
}

// DeletionCompleted reports whether the credential cannot list the zone any more. It could read the zone
// when the deletion was requested, so the zone was deleted. If the list has another zone of that
// name, Deleted reads that first: a list with a wrong ID would look the same.
func (a *adapter) DeletionCompleted(ctx context.Context) (bool, error) {
	tried, ok := deletingOf(a.mg)
	if !ok || tried.Name == "" {
		return false, nil
	}
	found, err := a.api.FindZones(ctx, tried.Name, tried.Account.ID, tried.Type == cloudflare.ZoneTypeInternal)
	if err != nil {
		return false, err
	}
	for _, z := range found {
		if z.ID == tried.ID {
			return false, nil
		}
		if _, err := a.VerifyID(ctx, z); err != nil {
			return false, err
		}
	}
	return true, nil
}

// A departuresError says that objects have yet to delete a resource in the zone.
type departuresError struct{ Objects []types.NamespacedName }

func (e *departuresError) Error() string {
	return fmt.Sprintf("the zone is deleted when the %d Records in it that are being deleted are gone, %s among them", len(e.Objects), e.Objects[0])
}

// departuresLook is how long a Zone waits for its Records before it looks again.
const departuresLook = 5 * time.Second

// RetryAfter returns when it is of use to look again. A backoff would grow while many Records
// are deleted, and delay the Zone long after the last one.
func (*departuresError) RetryAfter() time.Duration { return departuresLook }

// ValidateDelete returns an error if objects have yet to delete a resource in the zone. After a
// restart these could not find out any more that the resource is gone with the zone.
func (a *adapter) ValidateDelete(ctx context.Context, z cloudflare.Zone) error {
	if a.departing == nil {
		return nil
	}
	objects, err := a.departing(ctx, z.ID)
	if err == nil && len(objects) > 0 {
		return &departuresError{Objects: objects}
	}
	return err
}

// Delete deletes the zone.
func (a *adapter) Delete(ctx context.Context, z cloudflare.Zone) error {
	if err := a.api.DeleteZone(ctx, z.ID); err != nil {
		return fmt.Errorf("cannot delete the zone: %w", err)
	}
	a.deleted(z.ID)
	return nil
}

// DeletionRejected reports whether the API refused a deletion. The answer that it knows no such zone is no
// refusal: it is the same for a wrong route, and the next observation looks for the zone.
func (a *adapter) DeletionRejected(err error) bool {
	return !cloudflare.IsAmbiguous(err) && !cloudflare.IsZoneUnknown(err)
}
