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

// AnnotationPending holds the name of the zone that is about to be created, until
// the outcome is known.
const AnnotationPending = v1alpha1.Group + "/pending-zone"

// annotationDeleting holds the ID, the name, the account and the type of the zone that is
// about to be deleted, with blanks in between. Where the answer to that is lost, the
// zone's absence is proven by what can be seen then.
const annotationDeleting = v1alpha1.Group + "/deleting-zone"

// annotationDeleted holds the ID of the zone whose deletion the API confirmed.
// Asked for a zone that is gone, the API answers a token of limited scope that it
// is not authorized, which proves nothing: the confirmation does.
const annotationDeleted = v1alpha1.Group + "/deleted-zone"

// DeletionNote is the value of annotationDeleting for z.
func (a *adapter) DeletionNote(z cloudflare.Zone) string {
	return strings.Join([]string{z.ID, z.Name, z.Account.ID, z.Type}, " ")
}

// deletingOf is the zone that annotationDeleting names, if there is one. Earlier versions have
// noted the ID only.
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

// NotedID is the ID of the zone whose deletion the Zone has asked for.
func (a *adapter) NotedID() string {
	z, _ := deletingOf(a.mg)
	return z.ID
}

// Deleted reports whether the zone is not among those that the credential can list any
// more: it could read it when the deletion was requested, so the zone was deleted. Another
// zone of that name in the list is read first, for a list that gave the wrong ID would
// show the very same.
func (a *adapter) Deleted(ctx context.Context) (bool, error) {
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
		if _, err := a.Confirm(ctx, z); err != nil {
			return false, err
		}
	}
	return true, nil
}

// A departuresError says that objects have yet to delete something in the zone.
type departuresError struct{ Objects []types.NamespacedName }

func (e *departuresError) Error() string {
	return fmt.Sprintf("the zone is deleted when the %d Records in it that are being deleted are gone, %s among them", len(e.Objects), e.Objects[0])
}

// departuresLook is how long a Zone waits for its Records before it looks again.
const departuresLook = 5 * time.Second

// RetryAfter is when it is of use to look again. A back-off would grow while many Records leave,
// and delay the Zone for long after the last one.
func (*departuresError) RetryAfter() time.Duration { return departuresLook }

// MayDelete is nil where no object has yet to delete something in the zone: after a
// restart that could not tell any more that this is gone with the zone.
func (a *adapter) MayDelete(ctx context.Context, z cloudflare.Zone) error {
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

// Kept reports whether the API refused a deletion. That it knows no such zone is no
// refusal: it says so of a wrong route as well, and the next observation looks for the zone.
func (a *adapter) Kept(err error) bool {
	return !cloudflare.IsAmbiguous(err) && !cloudflare.IsZoneUnknown(err)
}
