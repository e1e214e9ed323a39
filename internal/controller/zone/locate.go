// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/creation"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/policy"
)

// errNone says that mg has no zone.
var errNone = errors.New("no zone")

// A GoneError says that a zone was deleted outside the provider.
type GoneError struct{ ID string }

func (e *GoneError) Error() string {
	return fmt.Sprintf("zone %s does not exist any more. It is not created again by itself: "+
		"it would get other name servers. To create it anew, remove the annotation %s; "+
		"to let an object go that is being deleted, set spec.deletionPolicy to Orphan", e.ID, meta.AnnotationKeyExternalName)
}

// A hiddenError says that a zone was deleted outside, or that the
// credential may not see it: the API gives both the same answer.
type hiddenError struct {
	ID    string
	Cause error
}

func (e *hiddenError) Error() string {
	return fmt.Sprintf("cannot read zone %s: %v: the zone was deleted, or the credential may not read it. It is not created again by itself: "+
		"it would get other name servers. If it was deleted, remove the annotation %s to create it anew, "+
		"or set spec.deletionPolicy to Orphan to let a deleted object go", e.ID, e.Cause, meta.AnnotationKeyExternalName)
}

// Unwrap gives the API's answer.
func (e *hiddenError) Unwrap() error { return e.Cause }

// locate finds the zone of mg: by its external name, else by the zone's name.
func (e *external) locate(ctx context.Context, mg *v1alpha1.Zone) (cloudflare.Zone, error) {
	if id := meta.GetExternalName(mg); meta.WasDeleted(mg) && id != "" && mg.GetAnnotations()[annotationDeleted] == id {
		return cloudflare.Zone{}, errNone
	}
	z, err := e.search(ctx, mg)
	if e.mayBeDeleted(mg, err) {
		return z, e.unlessListed(ctx, mg, err)
	}
	if err == nil {
		err = e.claims.Hold(ctx, mg, z.ID)
	}
	if meta.WasDeleted(mg) && nothingToDelete(err) {
		return cloudflare.Zone{}, errNone
	}
	return z, err
}

// mayBeDeleted reports whether err is what the API says of a zone that this object
// has tried to delete, and succeeded for all anybody knows.
func (e *external) mayBeDeleted(mg *v1alpha1.Zone, err error) bool {
	var (
		gone   *GoneError
		hidden *hiddenError
	)
	id := meta.GetExternalName(mg)
	tried := meta.WasDeleted(mg) && id != "" && deletingOf(mg).ID == id
	return tried && (errors.As(err, &gone) || errors.As(err, &hidden))
}

// unlessListed gives errNone if the zone is not among those that the credential can
// list any more: it could read it when the deletion was requested, so the zone
// was deleted. Else it gives err.
func (e *external) unlessListed(ctx context.Context, mg *v1alpha1.Zone, err error) error {
	tried := deletingOf(mg)
	found, listErr := e.api.FindZones(ctx, tried.Name, tried.Account.ID, tried.Type == cloudflare.ZoneTypeInternal)
	if listErr != nil {
		return fmt.Errorf("%w; looking for it by its name failed, too: %w", err, listErr)
	}
	if tried.Name == "" || slices.ContainsFunc(found, func(z cloudflare.Zone) bool { return z.ID == tried.ID }) {
		return err
	}
	// That lets this object go and no other: its annotations are its user's, too.
	return errNone
}

// nothingToDelete reports whether err means that an object that is being deleted
// has no zone of its own.
func nothingToDelete(err error) bool {
	var (
		conflict *claim.ConflictError
		badID    *cloudflare.IDError
	)
	return errors.As(err, &conflict) || errors.As(err, &badID)
}

func (e *external) search(ctx context.Context, mg *v1alpha1.Zone) (cloudflare.Zone, error) {
	id := meta.GetExternalName(mg)
	if id == "" {
		return e.searchByName(ctx, mg)
	}
	z, err := e.api.GetZone(ctx, id)
	var bad *cloudflare.IDError
	switch {
	case errors.As(err, &bad):
		return z, fmt.Errorf("annotation %s: %w; remove it to have the zone found by its name", meta.AnnotationKeyExternalName, err)
	case cloudflare.IsZoneUnknown(err):
		return z, &GoneError{ID: id}
	case cloudflare.IsForbidden(err):
		return z, &hiddenError{ID: id, Cause: err}
	case err != nil:
		return z, fmt.Errorf("cannot read the zone: %w", err)
	}
	return z, checkName(mg, z)
}

// checkName is nil unless the spec names another zone than its external name. To
// delete a zone, what it should be called does not matter.
func checkName(mg *v1alpha1.Zone, z cloudflare.Zone) error {
	if mg.Spec.ForProvider.Name == nil || meta.WasDeleted(mg) {
		return nil
	}
	name, err := dnsrecord.ZoneName(*mg.Spec.ForProvider.Name)
	if err != nil {
		return fmt.Errorf("spec.forProvider.name: %w", err)
	}
	if name != z.Name {
		return fmt.Errorf("the zone with ID %s is %q, spec.forProvider.name is %q: correct the name or the annotation %s",
			z.ID, z.Name, name, meta.AnnotationKeyExternalName)
	}
	return nil
}

// searchByName finds a zone that mg may take over, or that it created without
// being able to record it.
func (e *external) searchByName(ctx context.Context, mg *v1alpha1.Zone) (cloudflare.Zone, error) {
	p := mg.Spec.ForProvider
	if p.Name == nil {
		return cloudflare.Zone{}, fmt.Errorf("cannot tell which zone to observe: set the annotation %s to its ID, or spec.forProvider.name",
			meta.AnnotationKeyExternalName)
	}
	name, err := dnsrecord.ZoneName(*p.Name)
	if err != nil {
		return cloudflare.Zone{}, fmt.Errorf("spec.forProvider.name: %w", err)
	}
	settled := creation.SettledAt(mg, e.began, e.settle)
	open := meta.WasDeleted(mg) && pending(mg) && time.Now().Before(settled)
	found, err := e.api.FindZones(ctx, name, e.accountID, ptr.Deref(p.Type, "") == cloudflare.ZoneTypeInternal)
	if err != nil {
		return cloudflare.Zone{}, fmt.Errorf("cannot look up zone %q: %w", name, err)
	}
	found = slices.DeleteFunc(found, func(z cloudflare.Zone) bool { return z.Name != name })
	switch {
	case len(found) == 0 && open:
		return cloudflare.Zone{}, &creation.OpenAttemptError{What: fmt.Sprintf("the zone %q", name), Until: settled}
	case len(found) == 0:
		return cloudflare.Zone{}, errNone
	case len(found) > 1:
		return cloudflare.Zone{}, fmt.Errorf("there are zones %q in several accounts (%s): set spec.forProvider.accountId", name, accountsOf(found))
	}
	return found[0], e.adopt(ctx, mg, found[0])
}

// pending reports whether mg may have created its zone without knowing. A zone's
// name cannot change, so the zone of that name is the one.
func pending(mg *v1alpha1.Zone) bool {
	return mg.GetAnnotations()[AnnotationPending] != "" || meta.ExternalCreateIncomplete(mg)
}

func accountsOf(zs []cloudflare.Zone) string {
	var ids []string
	for _, z := range zs {
		ids = append(ids, z.Account.ID)
	}
	return strings.Join(ids, ", ")
}

// confirmed reads the zone of an ID that the API gave in a list or for a creation. An
// object keeps its ID for good, and what is deleted does not come back, so one answer
// about another zone must not decide it.
func confirmed(ctx context.Context, calls api, z cloudflare.Zone) (cloudflare.Zone, error) {
	seen, err := calls.GetZone(ctx, z.ID)
	if err == nil && seen.Name != z.Name {
		err = fmt.Errorf("that zone is %q", seen.Name)
	}
	if err != nil {
		return z, fmt.Errorf("cannot confirm that the ID of zone %q is %s: %w", z.Name, z.ID, err)
	}
	return seen, nil
}

// adopt makes z the zone of mg: it persists the external name.
func (e *external) adopt(ctx context.Context, mg *v1alpha1.Zone, z cloudflare.Zone) error {
	ours := pending(mg)
	if mg.Spec.AdoptionPolicy == v1alpha1.AdoptNever && policy.Manages(mg) && !ours {
		return fmt.Errorf("zone %q exists with ID %s, and spec.adoptionPolicy is %s: set it to %s, or the annotation %s to the ID",
			z.Name, z.ID, v1alpha1.AdoptNever, v1alpha1.AdoptIdentical, meta.AnnotationKeyExternalName)
	}
	z, err := confirmed(ctx, e.api, z)
	if err != nil {
		return err
	}
	if err := e.claims.Hold(ctx, mg, z.ID); err != nil {
		return err
	}
	next := mg.DeepCopy()
	meta.SetExternalName(next, z.ID)
	clearPending(next)
	// With the external name, or an object that is deleted in between would leave its zone.
	meta.AddFinalizer(next, managed.FinalizerName)
	// Under the resource version that was decided on: whoever has written meanwhile may
	// have left no reason to adopt.
	if err := e.kube.Update(ctx, next); err != nil {
		e.claims.Release(mg, z.ID)
		return fmt.Errorf("cannot record the ID of the adopted zone: %w", err)
	}
	next.DeepCopyInto(mg)
	why := "it existed before"
	if ours {
		why = "created by this object before its creation could be recorded"
	}
	e.record.Event(mg, event.Normal(claim.EventAdopted, fmt.Sprintf("Adopted zone %s (%s): %s", z.ID, z.Name, why)))
	return nil
}
