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

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/creation"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/policy"
)

// locate finds the live record of mg: by its external name, by the key of a
// creation whose outcome it does not know, or by what its adoption policy lets it
// take. dnszone.ErrNotFound says that there is none, and that is proven.
func (e *external) locate(ctx context.Context, mg *v1alpha1.Record) (dnszone.Entry, error) {
	given := givenID(mg)
	live, err := e.search(ctx, mg)
	if err == nil {
		err = e.own(ctx, mg, live)
	}
	if err == nil {
		err = e.beginToManage(ctx, mg, live)
	}
	if err == nil && given == live.Live.ID {
		why := "annotation " + meta.AnnotationKeyExternalName + " names it"
		if had := mg.Status.AtProvider.ID; had != "" {
			why += fmt.Sprintf(" now, and record %s is left alone", had)
		}
		e.adopted(mg, live, why)
	}
	if !meta.WasDeleted(mg) || err == nil || errors.Is(err, dnszone.ErrNotFound) {
		return live, err
	}
	if nothingToDelete(err) {
		e.record.Event(mg, event.Normal(claim.EventLeft, fmt.Sprintf("No DNS record was deleted: %v", err)))
		return dnszone.Entry{}, dnszone.ErrNotFound
	}
	if e.zones.WasDeleted(e.zone.ID()) {
		return dnszone.Entry{}, dnszone.ErrNotFound
	}
	return live, fmt.Errorf("%w (if the DNS record or its zone is gone for good, set spec.deletionPolicy to Orphan to let this object go)", err)
}

// nothingToDelete reports whether err means that an object that is being deleted
// has no record of its own: the record is someone else's, or the external name
// never was a record's. That the API knows no such zone is no proof: it says so
// of a wrong route as well.
func nothingToDelete(err error) bool {
	var (
		conflict *claim.ConflictError
		foreign  *ForeignError
		badID    *cloudflare.IDError
		never    *neverTakenError
	)
	return errors.As(err, &conflict) || errors.As(err, &foreign) || errors.As(err, &badID) || errors.As(err, &never)
}

func (e *external) search(ctx context.Context, mg *v1alpha1.Record) (dnszone.Entry, error) {
	if id := meta.GetExternalName(mg); id != "" {
		get := e.zone.Get
		if e.remakes(mg) {
			get = e.zone.GetGuarded
		}
		live, err := get(ctx, id)
		if err == nil || !errors.Is(err, dnszone.ErrNotFound) {
			return live, externalNameError(err)
		}
	}
	if key, ok := pendingKey(mg); ok {
		if live, err := e.searchPending(ctx, mg, key); !errors.Is(err, dnszone.ErrNotFound) {
			return live, err
		}
	}
	if meta.WasDeleted(mg) {
		return dnszone.Entry{}, dnszone.ErrNotFound
	}
	return e.searchByKey(ctx, mg)
}

// remakes reports whether mg, should its record be gone, makes the very record
// anew that it had when last seen.
func (e *external) remakes(mg *v1alpha1.Record) bool {
	if meta.WasDeleted(mg) || e.want == nil || !policy.May(mg, xpv2.ManagementActionCreate) || mg.Spec.AdoptionPolicy == v1alpha1.AdoptNameAndType {
		return false
	}
	// A list that is behind may lack a record that is young, and that somebody has
	// changed meanwhile: the API would not refuse another like the one that was seen.
	made := mg.Status.AtProvider.CreatedOn
	if made == nil || e.now().Sub(made.Time) < e.settle {
		return false
	}
	_, tried := pendingKey(mg)
	seen, ok := lastSeen(mg.Status.AtProvider)
	return ok && !tried && seen == e.want.Key() && mg.Status.AtProvider.ID == meta.GetExternalName(mg)
}

// searchPending looks for what an earlier attempt of mg made. For a while its
// absence is not believed, for a list may be behind and the server may not have
// come to it: whoever acted on it, other than by trying the same again, would leave
// an orphan.
func (e *external) searchPending(ctx context.Context, mg *v1alpha1.Record, key dnsrecord.Key) (dnszone.Entry, error) {
	settled := creation.SettledAt(mg, e.began, e.settle)
	open := e.now().Before(settled) || e.zone.Creating(key)
	live, err := e.findAttempt(ctx, mg, key, settled)
	if err == nil {
		err = e.adopt(ctx, mg, live, "created by this object before its creation could be recorded")
		// Where another object has taken it meanwhile, there cannot be a second one like it:
		// nothing is left to find, and mg may have become another one.
		if !others(err) || meta.WasDeleted(mg) {
			return live, err
		}
	} else if !errors.Is(err, dnszone.ErrNotFound) {
		return dnszone.Entry{}, err
	}
	if open && !e.triesAgain(mg, key) {
		return dnszone.Entry{}, openAttempt(key, settled)
	}
	return dnszone.Entry{}, dnszone.ErrNotFound
}

// findAttempt gives what an earlier attempt of mg to create the record of that key
// made, which has shown by then all it ever will. What is found under the key's name with
// the zone's appended may be another record, which its age shows.
func (e *external) findAttempt(ctx context.Context, mg *v1alpha1.Record, key dnsrecord.Key, settled time.Time) (dnszone.Entry, error) {
	live, err := e.zone.FindCreated(ctx, key, e.visibleSince(mg, settled))
	if err == nil && live.Record.Name != key.Name && live.Live.CreatedOn.Before(meta.GetExternalCreatePending(mg).Add(-dnszone.ClockSkew)) {
		return dnszone.Entry{}, dnszone.ErrNotFound
	}
	return live, err
}

// visibleSince is from when on a list shows what the last attempt of mg made.
func (e *external) visibleSince(mg *v1alpha1.Record, settled time.Time) time.Time {
	return creation.VisibleSince(meta.GetExternalCreatePending(mg), settled, e.now())
}

func openAttempt(key dnsrecord.Key, until time.Time) error {
	return &creation.OpenAttemptError{What: fmt.Sprintf("the DNS record %s %s", key.Name, key.Type), Until: until}
}

// others reports whether err says that a record is somebody else's.
func others(err error) bool {
	var (
		conflict *claim.ConflictError
		foreign  *ForeignError
	)
	return errors.As(err, &conflict) || errors.As(err, &foreign)
}

// triesAgain reports whether mg can do nothing but create the record of that key,
// which the API refuses if it exists.
func (e *external) triesAgain(mg *v1alpha1.Record, key dnsrecord.Key) bool {
	return !meta.WasDeleted(mg) && e.want != nil && e.want.Key() == key &&
		policy.May(mg, xpv2.ManagementActionCreate) && mg.Spec.AdoptionPolicy != v1alpha1.AdoptNameAndType
}

func externalNameError(err error) error {
	var bad *cloudflare.IDError
	if errors.As(err, &bad) {
		return fmt.Errorf("annotation %s: %w; remove it to have the record found by its name, type and content", meta.AnnotationKeyExternalName, err)
	}
	return err
}

// searchByKey looks for a record that mg may take over or, if it only observes,
// look at.
func (e *external) searchByKey(ctx context.Context, mg *v1alpha1.Record) (dnszone.Entry, error) {
	key, err := e.key(ctx, mg)
	if err != nil {
		return dnszone.Entry{}, err
	}
	q := dnszone.Query{Key: key, Guarded: e.guarded(mg)}
	if mg.Spec.AdoptionPolicy == v1alpha1.AdoptIdentical {
		// It is all the same who made an identical record: only an attempt of mg counts.
		q.Since = e.visibleSince(mg, creation.SettledAt(mg, e.began, e.settle))
	}
	found, err := e.zone.Find(ctx, q)
	if err != nil {
		return dnszone.Entry{}, err
	}
	live, ok, err := choose(found, key, !policy.Manages(mg), mg.Spec.AdoptionPolicy, func(id string) (bool, error) {
		return e.claims.Taken(ctx, mg, id)
	}, e.zone.Owner)
	if err != nil {
		return dnszone.Entry{}, err
	}
	if !ok {
		return dnszone.Entry{}, dnszone.ErrNotFound
	}
	return live, e.adopt(ctx, mg, live, why(key, live))
}

// guarded reports whether nothing is relied on that a list would have to prove: mg
// would take over no record but the very one it declares, and nothing comes of its
// absence, or mg creates it next, for the API to refuse if it exists, and no
// attempt of its own can have made it already.
func (e *external) guarded(mg *v1alpha1.Record) bool {
	switch {
	case !policy.Manages(mg):
		return true
	case mg.Spec.AdoptionPolicy == v1alpha1.AdoptNameAndType:
		return false
	case !policy.May(mg, xpv2.ManagementActionCreate):
		return true
	case mg.Spec.AdoptionPolicy == v1alpha1.AdoptNever:
		// Should the creation get no answer, what is there like it is taken for its work.
		return false
	}
	_, tried := pendingKey(mg)
	return e.want != nil && !tried && !meta.ExternalCreateIncomplete(mg)
}

// key is the natural key of mg, without rdata where it declares none.
func (e *external) key(ctx context.Context, mg *v1alpha1.Record) (dnsrecord.Key, error) {
	if e.want != nil {
		return e.want.Key(), nil
	}
	p := mg.Spec.ForProvider
	if p.Name == nil || p.Type == nil {
		return dnsrecord.Key{}, fmt.Errorf("cannot tell which DNS record to observe: set the annotation %s to its ID, "+
			"or spec.forProvider.name and type", meta.AnnotationKeyExternalName)
	}
	var fqdn string
	err := e.inZone(ctx, *p.Name, func(zoneName string) (err error) {
		fqdn, err = dnsrecord.FQDN(zoneName, *p.Name)
		return err
	})
	return dnsrecord.Key{Name: fqdn, Type: *p.Type}, err
}

// adopt makes live the record of mg: it persists the external name, with what goes
// along.
func (e *external) adopt(ctx context.Context, mg *v1alpha1.Record, live dnszone.Entry, why string) error {
	if err := e.own(ctx, mg, live); err != nil {
		return err
	}
	next := mg.DeepCopy()
	meta.SetExternalName(next, live.Live.ID)
	clearPending(next)
	if !policy.Manages(mg) {
		meta.AddAnnotations(next, map[string]string{annotationObserved: live.Live.ID})
	}
	// The rest that is to be persisted goes along: the runtime adds the finalizer in
	// any case, and what the spec leaves open is known.
	meta.AddFinalizer(next, managed.FinalizerName)
	if policy.May(mg, xpv2.ManagementActionLateInitialize) {
		lateInitialize(&next.Spec.ForProvider, live)
	}
	// Under the resource version that was decided on: whoever has written meanwhile may
	// have left no reason to adopt.
	if err := e.kube.Update(ctx, next); err != nil {
		e.claims.Release(mg, live.Live.ID)
		return fmt.Errorf("cannot record the ID of the adopted DNS record: %w", err)
	}
	next.DeepCopyInto(mg)
	if policy.Manages(mg) {
		e.adopted(mg, live, why)
	}
	return nil
}

// why a record that was found by a key is taken.
func why(key dnsrecord.Key, live dnszone.Entry) string {
	if live.Record.Key() == key {
		return "it existed before, with the same name, type and content"
	}
	return "it existed before, as the only one of its name and type"
}

// givenID is the external name of mg if it has that from its user and has not been
// seen with that record yet, else "". What mg adopts or creates by itself comes with
// the finalizer, in one write.
func givenID(mg *v1alpha1.Record) string {
	id, seen := meta.GetExternalName(mg), mg.Status.AtProvider.ID
	switch {
	case !policy.Manages(mg) || meta.WasDeleted(mg) || mg.GetAnnotations()[annotationObserved] == id:
		return ""
	case seen != "" && seen != id: // It was renamed.
		return id
	case seen != "" || meta.FinalizerExists(mg, managed.FinalizerName):
		return ""
	}
	return id
}

// adopted tells what mg has taken over and why, and what becomes of it.
func (e *external) adopted(mg *v1alpha1.Record, live dnszone.Entry, why string) {
	msg := fmt.Sprintf("Adopted DNS record %s (%s %s): %s", live.Live.ID, live.Record.Type, live.Record.Name, why)
	if e.want != nil {
		diff := differences(*e.want, live.Record)
		switch {
		case len(diff) == 0:
		case policy.May(mg, xpv2.ManagementActionUpdate):
			msg += fmt.Sprintf(". It is changed: %s", diff)
		default:
			msg += fmt.Sprintf(". It differs and is left as it is, for spec.managementPolicies does not include Update: %s", diff)
		}
	}
	e.record.Event(mg, event.Normal(claim.EventAdopted, msg))
}

// foreign is nil unless a record belongs to another product.
func foreign(live dnszone.Entry) error {
	if owner, ok := live.Live.Foreign(); ok {
		return &ForeignError{ID: live.Live.ID, Owner: owner}
	}
	return nil
}

// A ForeignError says that a record belongs to another product of Cloudflare.
type ForeignError struct{ ID, Owner string }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("DNS record %s belongs to %s and cannot be managed here: change it there, "+
		"or set spec.managementPolicies to [\"Observe\"]", e.ID, e.Owner)
}

// own is nil when mg may act on live: nobody else manages it, and it is of the
// type mg declares.
func (e *external) own(ctx context.Context, mg *v1alpha1.Record, live dnszone.Entry) error {
	if !policy.Manages(mg) {
		return nil
	}
	if err := foreign(live); err != nil {
		return err
	}
	if e.want != nil && e.want.Type != live.Record.Type && !meta.WasDeleted(mg) {
		return fmt.Errorf("DNS record %s is of type %s, spec.forProvider.type is %s: a record's type cannot change; "+
			"delete this object and create another", live.Live.ID, live.Record.Type, e.want.Type)
	}
	return e.claims.Hold(ctx, mg, live.Live.ID)
}
