// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/creation"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kubeclient"
	"github.com/provider-cloudflare/provider-cloudflare/internal/policy"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconcilestate"
)

// external acts for one Zone during one reconcile.
type external struct {
	// api is nil for an object that has nothing at Cloudflare.
	api       api
	accountID string
	kube      client.Client
	reader    client.Reader // past the cache
	claims    *claim.Registry
	// deleted is called with each zone whose deletion the API confirmed.
	deleted func(zoneID string)
	// departing gives the objects that have yet to delete something in a zone.
	departing func(ctx context.Context, zoneID string) ([]types.NamespacedName, error)
	drift     drift.Reporter
	record    event.Recorder
	// settle is how long the absence of what an earlier attempt may have made is not
	// believed.
	settle  time.Duration
	began   time.Time // when this process began to lead
	journal Journal

	// live and edits are what Observe found, for the action that follows.
	live  cloudflare.Zone
	edits []edit
	// unsettled is true when an earlier attempt may have created the zone.
	unsettled bool
}

// Observe finds the zone and says how it differs.
func (e *external) Observe(ctx context.Context, mg *v1alpha1.Zone) (managed.ExternalObservation, error) {
	if e.api == nil {
		return managed.ExternalObservation{}, nil
	}
	live, err := e.locate(ctx, mg)
	switch {
	case errors.Is(err, errNone):
		return managed.ExternalObservation{}, e.notFound(mg)
	case err != nil:
		claim.Report(e.record, mg, err)
		showAbsence(mg, err)
		if id := mg.Status.AtProvider.ID; !meta.WasDeleted(mg) && id != "" && claim.Lost(err, id) {
			// What it saw when it only observed is no claim after a restart either.
			mg.Status.AtProvider = v1alpha1.ZoneObservation{}
			mg.SetConditions(drift.Pending(mg, err),
				xpv2.Unavailable().WithMessage("there is no zone for this object").WithObservedGeneration(mg.GetGeneration()))
		}
		reconcilestate.NotBefore(ctx, cloudflare.RetryAfter(err))
		return managed.ExternalObservation{}, cloudflare.Explain(err)
	}
	e.live = live
	e.edits = edits(mg.Spec.ForProvider, live)
	e.show(mg)
	if !meta.WasDeleted(mg) {
		v := drift.Judge(mg, differences(e.edits), policy.May(mg, xpv2.ManagementActionUpdate))
		e.drift.Announce(mg, v, live.ID)
	}
	return managed.ExternalObservation{
		ResourceExists:   true,
		ResourceUpToDate: len(e.edits) == 0,
		Diff:             differences(e.edits).String(),
	}, nil
}

// showAbsence says on the conditions of mg that its zone, as far as anybody can see,
// does not exist any more.
func showAbsence(mg *v1alpha1.Zone, err error) {
	var (
		gone   *GoneError
		hidden *hiddenError
	)
	if meta.WasDeleted(mg) || !errors.As(err, &gone) && !errors.As(err, &hidden) {
		return
	}
	why := "the zone does not exist any more"
	if gone == nil {
		why = "the zone does not exist any more, or the credential may not read it"
	}
	mg.SetConditions(drift.Unknown(mg, why), xpv2.Unavailable().WithMessage(why).WithObservedGeneration(mg.GetGeneration()))
}

// notFound is for a zone that is proven not to exist. It leaves on mg the name of
// the zone that will be created next: the runtime persists it before it calls
// Create, and a process that dies before it can record the ID finds its own zone by
// it, whatever the adoption policy.
func (e *external) notFound(mg *v1alpha1.Zone) error {
	if meta.WasDeleted(mg) {
		e.claims.Release(mg, meta.GetExternalName(mg))
		return nil
	}
	if mg.Spec.ForProvider.Name != nil && e.accountID != "" && policy.May(mg, xpv2.ManagementActionCreate) {
		e.unsettled = pending(mg)
		meta.AddAnnotations(mg, map[string]string{AnnotationPending: *mg.Spec.ForProvider.Name})
	}
	mg.SetConditions(xpv2.Unavailable().WithMessage("the zone does not exist").WithObservedGeneration(mg.GetGeneration()))
	return policy.Absent(mg, "zone")
}

// clearPending notes that the outcome of a creation is known.
func clearPending(mg *v1alpha1.Zone) { meta.RemoveAnnotations(mg, AnnotationPending) }

// show puts the live zone on the object's status.
func (e *external) show(mg *v1alpha1.Zone) {
	synced := creation.LastSync(mg, mg.Status.AtProvider.LastSyncedAt)
	mg.Status.AtProvider = observation(e.live)
	mg.Status.AtProvider.LastSyncedAt = synced
	if meta.WasDeleted(mg) {
		return
	}
	ready := xpv2.Available()
	if why := notReady(e.live); why != "" {
		ready = xpv2.Unavailable().WithMessage(why)
	}
	mg.SetConditions(ready.WithObservedGeneration(mg.GetGeneration()))
}

// Create makes the zone. Only annotations survive it.
func (e *external) Create(ctx context.Context, mg *v1alpha1.Zone) (managed.ExternalCreation, error) {
	p := mg.Spec.ForProvider
	if p.Name == nil {
		return managed.ExternalCreation{}, errors.New("spec.forProvider.name is needed to create a zone")
	}
	if e.accountID == "" {
		return managed.ExternalCreation{}, errors.New("spec.forProvider.accountId is needed to create a zone: set it, or accountId on the provider config")
	}
	name, err := dnsrecord.ZoneName(*p.Name)
	if err != nil {
		return managed.ExternalCreation{}, fmt.Errorf("spec.forProvider.name: %w", err)
	}
	z, err := e.create(ctx, mg, name)
	if err != nil {
		reconcilestate.NotBefore(ctx, cloudflare.RetryAfter(err))
		return managed.ExternalCreation{}, cloudflare.Explain(fmt.Errorf("cannot create the zone: %w", err))
	}
	clearPending(mg)
	meta.SetExternalName(mg, z.ID)
	return managed.ExternalCreation{}, e.claims.Hold(ctx, mg, z.ID)
}

// create creates the zone of that name. It notes in the journal, before the call, what is
// created for whom, and then what came of it.
func (e *external) create(ctx context.Context, mg *v1alpha1.Zone, name string) (cloudflare.Zone, error) {
	entry, err := e.entry(mg, name)
	if err != nil {
		return cloudflare.Zone{}, err
	}
	if err := e.journal.Begin(ctx, entry...); err != nil {
		return cloudflare.Zone{}, err
	}
	z, err := e.api.CreateZone(ctx, name, e.accountID, ptr.Deref(mg.Spec.ForProvider.Type, "full"))
	// That the zone exists may be the earlier attempt's own work.
	void := err != nil && !cloudflare.IsAmbiguous(err) && (!e.unsettled || !cloudflare.IsZoneExists(err))
	if void {
		clearPending(mg)
	}
	if err == nil {
		z, err = confirmed(ctx, e.api, z)
	}
	for _, entry := range entry {
		switch {
		case err == nil:
			e.journal.Made(entry, z.ID)
		case void:
			e.journal.Void(entry)
		default:
			e.journal.Unanswered(entry)
		}
	}
	return z, err
}

// Update undoes the differences, one property a call.
func (e *external) Update(ctx context.Context, mg *v1alpha1.Zone) (managed.ExternalUpdate, error) {
	drifted := mg.GetCondition(xpv2.TypeUpToDate).Reason == drift.ReasonDetected
	if drifted {
		// What was found must be seen before it is undone.
		if err := drift.Show(ctx, e.kube, mg); err != nil {
			return managed.ExternalUpdate{}, err
		}
	}
	for _, ed := range e.edits {
		z, err := e.api.EditZone(ctx, e.live.ID, ed.property, ed.value)
		if err != nil {
			reconcilestate.NotBefore(ctx, cloudflare.RetryAfter(err))
			return managed.ExternalUpdate{}, cloudflare.Explain(fmt.Errorf("cannot set the zone's %s: %w", ed.field, err))
		}
		e.live = z
		mg.Status.AtProvider.LastSyncedAt = ptr.To(metav1.NewTime(time.Now()))
	}
	e.show(mg)
	if left := edits(mg.Spec.ForProvider, e.live); len(left) > 0 {
		return managed.ExternalUpdate{}, fmt.Errorf("the Cloudflare API accepted the change but did not make it: %s", differences(left))
	}
	mg.SetConditions(drift.Synced(mg))
	if drifted {
		e.drift.Reverted(mg, differences(e.edits).String())
	}
	return managed.ExternalUpdate{}, nil
}

// AnnotationPending holds the name of the zone that is about to be created, until
// the outcome is known.
const AnnotationPending = v1alpha1.Group + "/pending-zone"

// annotationDeleting holds the ID, the name, the account and the type of the zone that is
// about to be deleted, with blanks in between. Where the answer to that is lost, the
// zone's absence is proven by what can be seen then.
const annotationDeleting = v1alpha1.Group + "/deleting-zone"

// deleting is the value of annotationDeleting for z.
func deleting(z cloudflare.Zone) string {
	return strings.Join([]string{z.ID, z.Name, z.Account.ID, z.Type}, " ")
}

// deletingOf is the zone that annotationDeleting names: empty where there is none. Earlier
// versions have noted the ID only.
func deletingOf(mg *v1alpha1.Zone) cloudflare.Zone {
	parts := strings.Split(mg.GetAnnotations()[annotationDeleting], " ")
	seen := mg.Status.AtProvider
	switch {
	case len(parts) == 1 && parts[0] == seen.ID:
		return cloudflare.Zone{ID: seen.ID, Name: seen.Name, Account: cloudflare.Named{ID: seen.AccountID}, Type: seen.Type}
	case len(parts) != 4:
		return cloudflare.Zone{}
	}
	return cloudflare.Zone{ID: parts[0], Name: parts[1], Account: cloudflare.Named{ID: parts[2]}, Type: parts[3]}
}

// annotationDeleted holds the ID of the zone whose deletion the API confirmed.
// Asked for a zone that is gone, the API answers a token of limited scope that it
// is not authorized, which proves nothing: the confirmation does.
const annotationDeleted = v1alpha1.Group + "/deleted-zone"

// errDeletionNotAllowed says that the spec does not allow to delete the zone.
var errDeletionNotAllowed = errors.New("deleting the zone would delete all its DNS records, and adding it again gives it other name servers: " +
	"set spec.forProvider.allowDeletion to true to delete it, or spec.deletionPolicy to Orphan to keep it")

// Delete removes the zone, if its spec allows it.
func (e *external) Delete(ctx context.Context, mg *v1alpha1.Zone) (managed.ExternalDelete, error) {
	if !ptr.Deref(mg.Spec.ForProvider.AllowDeletion, false) {
		return managed.ExternalDelete{}, errDeletionNotAllowed
	}
	if err := e.awaitDepartures(ctx); err != nil {
		return managed.ExternalDelete{}, err
	}
	// This is the last look at what the user wants, too: mg is the latest version.
	if err := e.note(ctx, mg, annotationDeleting, deleting(e.live)); err != nil {
		return managed.ExternalDelete{}, fmt.Errorf("cannot record that the zone is about to be deleted: %w", err)
	}
	if err := e.api.DeleteZone(ctx, e.live.ID); err != nil {
		return managed.ExternalDelete{}, e.notDeleted(ctx, mg, err)
	}
	e.deleted(e.live.ID)
	if err := e.note(ctx, mg, annotationDeleted, e.live.ID); err != nil {
		// The next observation finds out by looking for the zone.
		return managed.ExternalDelete{}, fmt.Errorf("cannot record that the zone was deleted: %w", err)
	}
	mg.SetConditions(xpv2.Deleting())
	return managed.ExternalDelete{}, nil
}

// notDeleted is the error of a deletion that the API did not confirm. Where it refused,
// the zone's absence would be no work of ours. That it knows no such zone is neither: it
// says so of a wrong route as well, and the next observation looks for the zone.
func (e *external) notDeleted(ctx context.Context, mg *v1alpha1.Zone, err error) error {
	reconcilestate.NotBefore(ctx, cloudflare.RetryAfter(err))
	if !cloudflare.IsAmbiguous(err) && !cloudflare.IsZoneUnknown(err) {
		if noteErr := e.note(ctx, mg, annotationDeleting, ""); noteErr != nil {
			return fmt.Errorf("cannot record that the zone was not deleted: %w", noteErr)
		}
	}
	return cloudflare.Explain(fmt.Errorf("cannot delete the zone: %w", err))
}

// A departuresError says that objects have yet to delete something in the zone.
type departuresError struct{ Objects []types.NamespacedName }

func (e *departuresError) Error() string {
	return fmt.Sprintf("the zone is deleted when the %d Records in it that are being deleted are gone, %s among them", len(e.Objects), e.Objects[0])
}

// awaitDepartures is nil when no object has yet to delete something in the zone:
// after a restart it could not tell any more that this is gone with the zone.
func (e *external) awaitDepartures(ctx context.Context) error {
	if e.departing == nil {
		return nil
	}
	objects, err := e.departing(ctx, e.live.ID)
	if err == nil && len(objects) > 0 {
		return &departuresError{Objects: objects}
	}
	return err
}

// note persists an annotation, "" for none. A conflict says that mg is not the latest
// version: nothing may be done then that was decided on it.
func (e *external) note(ctx context.Context, mg *v1alpha1.Zone, annotation, value string) error {
	if mg.GetAnnotations()[annotation] == value {
		return kubeclient.EnsureCurrent(ctx, e.reader, mg)
	}
	next := mg.DeepCopy()
	if value == "" {
		meta.RemoveAnnotations(next, annotation)
	} else {
		meta.AddAnnotations(next, map[string]string{annotation: value})
	}
	if err := e.kube.Update(ctx, next); err != nil {
		return err
	}
	mg.SetAnnotations(next.GetAnnotations())
	mg.SetResourceVersion(next.GetResourceVersion())
	return nil
}

// Disconnect does nothing: clients are pooled.
func (e *external) Disconnect(context.Context) error { return nil }
