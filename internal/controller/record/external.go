// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/creation"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kubeclient"
	"github.com/provider-cloudflare/provider-cloudflare/internal/policy"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconcilestate"
)

// external acts for one Record during one reconcile.
type external struct {
	session connect.Session
	zones   zones
	kube    client.Client
	api     client.Reader // past the cache
	claims  *claim.Registry
	drift   drift.Reporter
	record  event.Recorder
	// now is the clock, and settle how long the absence of what an earlier attempt
	// may have made is not believed.
	now    func() time.Time
	settle time.Duration
	began  time.Time // when this process began to lead

	journal Journal

	// zone, want and live are what Observe found, for the action that follows. want
	// is nil for a Record that declares too little to compare with.
	zone *dnszone.Zone
	// leave ends the work on the zone, once it has begun.
	leave func()
	want  *dnsrecord.Record
	live  dnszone.Entry
	// gone is the ID of a record that was deleted outside the provider, or "".
	gone string
	// unsettled is true when an earlier attempt may have created the very record
	// that is wanted.
	unsettled bool
}

// Observe finds the Record's DNS record and says how it differs.
func (e *external) Observe(ctx context.Context, mg *v1alpha1.Record) (managed.ExternalObservation, error) {
	find := e.desire
	if meta.WasDeleted(mg) {
		// To delete it, what a record should be does not matter.
		find = e.resolveZone
	}
	if err := find(ctx, mg); err != nil {
		if nameRefused(err) {
			e.showNamed(ctx, mg)
		}
		reconcilestate.NotBefore(ctx, cloudflare.RetryAfter(err))
		return managed.ExternalObservation{}, e.refused(mg, err)
	}
	live, err := e.locate(ctx, mg)
	switch {
	case errors.Is(err, dnszone.ErrNotFound):
		return e.notFound(ctx, mg)
	case err != nil:
		claim.Report(e.record, mg, err)
		reconcilestate.NotBefore(ctx, cloudflare.RetryAfter(err))
		return managed.ExternalObservation{}, e.refused(mg, err)
	}
	e.live = live
	return e.found(ctx, mg)
}

// refused says on the conditions of mg what an observation that failed means for
// them: an object without a record is not ready, and an edit that cannot be
// carried out is pending.
func (e *external) refused(mg *v1alpha1.Record, err error) error {
	err = cloudflare.Explain(err)
	if meta.WasDeleted(mg) || kerrors.IsConflict(err) {
		return err
	}
	if id := mg.Status.AtProvider.ID; id != "" && claim.Lost(err, id) {
		// What it saw when it only observed is no claim after a restart either.
		mg.Status.AtProvider = v1alpha1.RecordObservation{}
		mg.SetConditions(drift.Pending(mg, err))
	}
	if mg.Status.AtProvider.ID == "" {
		mg.SetConditions(xpv2.Unavailable().WithMessage("there is no DNS record for this object").WithObservedGeneration(mg.GetGeneration()))
	} else if mg.GetCondition(xpv2.TypeUpToDate).ObservedGeneration != mg.GetGeneration() {
		mg.SetConditions(drift.Pending(mg, err))
	}
	return err
}

// notFound is the observation of a record that is proven not to exist. It leaves
// on mg the key of the record that will be created next: the runtime persists it
// before it calls Create.
func (e *external) notFound(ctx context.Context, mg *v1alpha1.Record) (managed.ExternalObservation, error) {
	if meta.WasDeleted(mg) {
		e.claims.Release(mg, meta.GetExternalName(mg))
		return managed.ExternalObservation{}, nil
	}
	if err := e.reportGone(ctx, mg); err != nil {
		return managed.ExternalObservation{}, err
	}
	if e.want != nil && policy.May(mg, xpv2.ManagementActionCreate) {
		// Writing down a creation that cannot be tried, and that it failed, would cost
		// the Kubernetes API three requests at each attempt.
		if err := e.session.Client.Paused(); err != nil {
			reconcilestate.NotBefore(ctx, cloudflare.RetryAfter(err))
			return managed.ExternalObservation{}, e.refused(mg, fmt.Errorf("cannot create the DNS record: %w", err))
		}
		was, pending := pendingKey(mg)
		e.unsettled = pending && was == e.want.Key()
		if err := setPending(mg, e.want.Key()); err != nil {
			return managed.ExternalObservation{}, fmt.Errorf("cannot note which record is about to be created: %w", err)
		}
		reconcilestate.WillCreate(ctx)
	}
	mg.SetConditions(xpv2.Unavailable().WithMessage("the DNS record does not exist").WithObservedGeneration(mg.GetGeneration()))
	return managed.ExternalObservation{}, policy.Absent(mg, "DNS record")
}

// reportGone reports, once, that a record this object had was deleted outside the
// provider. The condition is persisted at once: the update that precedes a creation
// would overwrite it.
func (e *external) reportGone(ctx context.Context, mg *v1alpha1.Record) error {
	id := mg.Status.AtProvider.ID
	if id == "" || id != meta.GetExternalName(mg) {
		return nil
	}
	e.gone = id
	v := drift.Judge(mg, drift.Differences{fmt.Sprintf("record: live none, desired %s", id)}, policy.May(mg, xpv2.ManagementActionCreate))
	e.drift.Announce(mg, v, id)
	if v.News {
		return drift.Show(ctx, e.kube, mg)
	}
	return nil
}

func (e *external) found(ctx context.Context, mg *v1alpha1.Record) (managed.ExternalObservation, error) {
	o := managed.ExternalObservation{ResourceExists: true, ResourceUpToDate: true}
	if !meta.WasDeleted(mg) {
		if err := e.lateInitialize(ctx, mg); err != nil {
			return managed.ExternalObservation{}, err
		}
	}
	e.show(mg, e.live)
	if !meta.WasDeleted(mg) {
		mg.SetConditions(xpv2.Available().WithObservedGeneration(mg.GetGeneration()))
		o.Diff, o.ResourceUpToDate = e.compare(mg)
	}
	return o, nil
}

// showNamed puts the record that mg names by ID on its status, where the name that mg
// declares does not lead to one: a record that mg observes, had before or made. Nothing
// else is done with it.
func (e *external) showNamed(ctx context.Context, mg *v1alpha1.Record) {
	id := meta.GetExternalName(mg)
	had := mg.Status.AtProvider.ID == id || !meta.GetExternalCreateSucceeded(mg).IsZero()
	if e.zone == nil || id == "" || (policy.Manages(mg) && !had) {
		return
	}
	if live, err := e.zone.Get(ctx, id); err == nil {
		e.show(mg, live)
	}
}

// lateInitialize persists what the spec leaves open and Cloudflare has decided.
// The runtime would do it with an update of the whole object, which throws away
// the status that was just observed.
func (e *external) lateInitialize(ctx context.Context, mg *v1alpha1.Record) error {
	filled := mg.DeepCopy()
	if !policy.May(mg, xpv2.ManagementActionLateInitialize) || !lateInitialize(&filled.Spec.ForProvider, e.live) {
		return nil
	}
	spec := filled.Spec.ForProvider
	if err := e.kube.Patch(ctx, filled, client.MergeFromWithOptions(mg, client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("cannot fill in what the spec leaves open: %w", err)
	}
	mg.Spec.ForProvider = spec
	mg.SetResourceVersion(filled.GetResourceVersion())
	mg.SetGeneration(filled.GetGeneration())
	return nil
}

// show puts a live record on the object's status.
func (e *external) show(mg *v1alpha1.Record, live dnszone.Entry) {
	synced := creation.LastSync(mg, mg.Status.AtProvider.LastSyncedAt)
	mg.Status.AtProvider = observation(e.zone.ID(), live)
	mg.Status.AtProvider.LastSyncedAt = synced
}

// compare announces the differences and gives them.
func (e *external) compare(mg *v1alpha1.Record) (string, bool) {
	if e.want == nil {
		mg.SetConditions(drift.Observed(mg))
		return "", true
	}
	diff := differences(*e.want, e.live.Record)
	e.drift.Announce(mg, drift.Judge(mg, diff, policy.May(mg, xpv2.ManagementActionUpdate)), e.live.Live.ID)
	return diff.String(), len(diff) == 0
}

func differences(want, live dnsrecord.Record) drift.Differences {
	var out drift.Differences
	for _, d := range dnsrecord.Diff(want, live) {
		out = append(out, d.String())
	}
	return out
}

// Create makes the DNS record.
func (e *external) Create(ctx context.Context, mg *v1alpha1.Record) (managed.ExternalCreation, error) {
	if e.want == nil {
		return managed.ExternalCreation{}, errors.New("spec.forProvider: name, type and content (or data) are needed to create a DNS record")
	}
	made, err := e.create(ctx, mg)
	if err != nil {
		reconcilestate.NotBefore(ctx, cloudflare.RetryAfter(err))
		return managed.ExternalCreation{}, cloudflare.Explain(err)
	}
	clearPending(mg)
	meta.SetExternalName(mg, made.Live.ID)
	if e.gone != "" {
		e.drift.Reverted(mg, fmt.Sprintf("record %s is back as %s", e.gone, made.Live.ID))
	}
	if err := e.claims.Hold(ctx, mg, made.Live.ID); err != nil {
		return managed.ExternalCreation{}, err
	}
	// Where the zone's name was not known, the answer shows whether the name was relative
	// to it. The next observation says what is wrong with a name that is outside of it.
	if made.Record.Name == e.want.Name || e.desire(ctx, mg) == nil {
		e.complete(ctx, mg, made)
	}
	return managed.ExternalCreation{}, nil
}

// create creates the DNS record that mg wants. It notes in the journal, before the call
// is sent, what is created for whom, and then what came of it.
func (e *external) create(ctx context.Context, mg *v1alpha1.Record) (dnszone.Entry, error) {
	op := dnszone.Create(*e.want)
	entry, err := e.entry(mg)
	if err != nil {
		return dnszone.Entry{}, err
	}
	if entry == nil {
		entry = &journal.Entry{} // It is nobody's.
	} else {
		op = op.WithIntent(*entry)
	}
	made, err := e.zone.Apply(ctx, op)
	switch {
	case err == nil:
		e.journal.Made(*entry, made.Live.ID)
	case !outcomeKnown(err):
		e.journal.Unanswered(*entry)
	case !e.unsettled || disprovesEarlier(err):
		e.journal.Void(*entry)
		clearPending(mg)
	}
	return made, err
}

// complete saves the look at a record that was just made: its own answer shows
// all there is to see. Where that is not what was wanted, the next observation
// tells.
func (e *external) complete(ctx context.Context, mg *v1alpha1.Record, made dnszone.Entry) {
	if len(differences(*e.want, made.Record)) > 0 {
		return
	}
	if policy.May(mg, xpv2.ManagementActionLateInitialize) {
		lateInitialize(&mg.Spec.ForProvider, made)
	}
	reconcilestate.Complete(ctx, func() {
		e.show(mg, made)
		mg.SetConditions(xpv2.Available().WithObservedGeneration(mg.GetGeneration()), drift.Synced(mg))
	})
}

// disprovesEarlier reports whether a refused creation shows that an attempt before
// it made nothing: the API looks for conflicts of names and at the quota only after
// it has found no identical record. Whatever it refuses before says nothing, and
// that the record exists may be the earlier attempt's own work.
func disprovesEarlier(err error) bool { return cloudflare.IsNameTaken(err) || cloudflare.IsQuota(err) }

// outcomeKnown reports whether a write that failed is certain not to have been
// carried out.
func outcomeKnown(err error) bool {
	var unsettled *dnszone.UnsettledError
	return !errors.As(err, &unsettled) && !cloudflare.IsAmbiguous(err)
}

// Update undoes the differences.
func (e *external) Update(ctx context.Context, mg *v1alpha1.Record) (managed.ExternalUpdate, error) {
	if e.want == nil {
		return managed.ExternalUpdate{}, nil
	}
	drifted := mg.GetCondition(xpv2.TypeUpToDate).Reason == drift.ReasonDetected
	if drifted {
		// What was found must be seen before it is undone: `kubectl wait` and
		// watchers would never know otherwise.
		if err := drift.Show(ctx, e.kube, mg); err != nil {
			return managed.ExternalUpdate{}, err
		}
	}
	op := dnszone.Update(e.live, *e.want)
	if !drifted {
		op = op.Soon() // A user's edit.
	}
	now, err := e.zone.Apply(ctx, op)
	if err != nil {
		reconcilestate.NotBefore(ctx, cloudflare.RetryAfter(err))
		return managed.ExternalUpdate{}, cloudflare.Explain(err)
	}
	e.show(mg, now)
	mg.Status.AtProvider.LastSyncedAt = ptr.To(metav1.NewTime(time.Now()))
	if left := differences(*e.want, now.Record); len(left) > 0 {
		return managed.ExternalUpdate{}, fmt.Errorf("the Cloudflare API accepted the change but did not make it: %s", left)
	}
	if err := foreign(now); err != nil {
		return managed.ExternalUpdate{}, err // It became another product's since it was last seen.
	}
	mg.SetConditions(drift.Synced(mg))
	if drifted {
		e.drift.Reverted(mg, differences(*e.want, e.live.Record).String())
	}
	return managed.ExternalUpdate{}, nil
}

// Delete removes the DNS record.
func (e *external) Delete(ctx context.Context, mg *v1alpha1.Record) (managed.ExternalDelete, error) {
	mg.SetConditions(xpv2.Deleting())
	// What is deleted does not come back: the user may have changed his mind since the
	// cache was filled.
	if err := kubeclient.EnsureCurrent(ctx, e.api, mg); err != nil {
		return managed.ExternalDelete{}, err
	}
	_, err := e.zone.Apply(ctx, dnszone.Delete(e.live))
	reconcilestate.NotBefore(ctx, cloudflare.RetryAfter(err))
	return managed.ExternalDelete{}, cloudflare.Explain(err)
}

// Disconnect ends the work on the zone. Zones and clients are pooled.
func (e *external) Disconnect(context.Context) error {
	if e.leave != nil {
		e.leave()
	}
	return nil
}
