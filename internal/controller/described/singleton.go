// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/policy"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// The annotations of a deletion: a singleton exists after it.
const (
	annotationDeleting = cfv1alpha1.Group + "/deleting-resource"
	annotationDeleted  = cfv1alpha1.Group + "/deleted-resource"
)

// annotationBefore is where earlier versions kept what a singleton was before the object adopted it. Now the status
// has it.
const annotationBefore = cfv1alpha1.Group + "/resource-before"

// A singleton works on a resource that exists with its parent. The resource is never created. A deletion leaves it or
// sets it back.
type singleton struct{ *adapter }

var (
	_ external.Adapter[Live]         = singleton{}
	_ external.DeletionTracker[Live] = singleton{}

	_ external.Snapshotter[Live] = singleton{}
)

// A SingletonAbsentError reports that a resource does not exist because its parent does not exist or has no such resource.
type SingletonAbsentError struct{ Noun, ID string }

func (e *SingletonAbsentError) Error() string {
	return fmt.Sprintf("there is no %s %s: what it belongs to does not exist, or does not have one", e.Noun, e.ID)
}

// Unseen marks the error as one that does not pass by itself: without its parent, the resource cannot be looked at.
func (*SingletonAbsentError) Unseen() {}

// MayBeStale returns false: a singleton is as old as its parent.
func (singleton) MayBeStale(string) bool { return false }

// VerifyAbsence returns nil: Get returns no absence that is not proven.
func (singleton) VerifyAbsence(context.Context, string, bool) error { return nil }

// id returns the identity of the resource.
func (s singleton) id() string { return s.Description.SingletonID(s.params) }

// Get returns the resource.
func (s singleton) Get(ctx context.Context, id string) (Live, error) {
	if id != s.id() {
		return Live{}, &cloudflare.IDError{What: s.Description.Noun, ID: id}
	}
	q := s.document().ask()
	l, err := found(s.get(ctx, id))
	switch {
	case err == nil && s.Description.NotSet(l.doc):
		q.found(id)
		return l, s.notSet(q, id)
	case err == nil:
		s.document().found(id)
		s.document().denies(saysNotSet)
	case !errors.Is(err, external.ErrAbsent):
	case !meta.WasDeleted(s.mg):
		return l, &SingletonAbsentError{Noun: s.Description.Noun, ID: id}
	default:
		return s.absent(ctx, id)
	}
	return l, err
}

// absent looks again for the resource of an object under deletion that a read did not show. The resource is believed
// to be gone with its parent if another read says so a lag later.
func (s singleton) absent(ctx context.Context, id string) (Live, error) {
	s.coll.Forget(id) // The next look reads again.
	q := s.document().ask()
	if err := q.lacks(id); err != nil {
		return Live{}, err
	}
	l, err := found(s.coll.Look(ctx, id))
	s.coll.Forget(id)
	return l, err
}

// notSet returns nil if it is believed that nothing is set. That is so if the object has not set it, if the object
// would not change it, or if two reads a lag apart say so.
func (s singleton) notSet(q question, id string) error {
	if s.sync.LastSyncedAt == nil || meta.WasDeleted(s.mg) || !policy.May(s.mg, xpv2.ManagementActionUpdate) {
		return nil
	}
	s.coll.Forget(id) // The next look reads again.
	if stands, wait := q.stands(saysNotSet, parent.Lag); !stands {
		return disputed(s.Description, saysNotSet, nil, wait)
	}
	return nil
}

// Find returns the resource.
func (s singleton) Find(ctx context.Context, _ external.Window) ([]Live, error) {
	l, err := s.Get(ctx, s.id())
	return []Live{l}, err
}

// Attempt returns none: nothing is ever created.
func (singleton) Attempt() external.Attempt { return external.Attempt{} }

// VerifyID returns l: its identity follows from the spec.
func (singleton) VerifyID(_ context.Context, l Live) (Live, error) { return l, nil }

// Facts returns the facts of the resource.
func (s singleton) Facts(l Live) decision.ResourceFacts {
	s.showPlace()
	return decision.ResourceFacts{ID: l.id, Label: l.id, Existing: "the " + s.Description.Noun, Alike: true, Named: true, Empty: s.Description.NotSet(l.doc), Foreign: s.shared}
}

// Update brings the resource to what the object declares, unless it must not be changed.
func (s singleton) Update(ctx context.Context, l Live, drifted bool) (Live, error) {
	if err := uneditable(s.Description, l.doc); err != nil {
		return l, err
	}
	if err := s.unrivalled(ctx); err != nil {
		return l, fmt.Errorf("cannot change the %s: %w", s.Description.Noun, err)
	}
	if err := s.begin(ctx); err != nil {
		return l, err
	}
	now, err := s.adapter.Update(ctx, l, drifted)
	switch {
	case err == nil:
		s.synced()
	case s.ClassifyCreateError(err) != external.OutcomeUnknown:
		s.sync.Writing, s.mg.GetSync().Writing = "", ""
	}
	return now, err
}

// synced records that a write of this object succeeded.
func (s singleton) synced() {
	s.sync.LastSyncedAt, s.sync.Writing = external.ShownTime(ptr.To(s.now())), ""
	s.memory.wrote(s.mg.GetUID(), s.sync)
}

// SetStatus puts l on the object's status. Only a write of the object itself sets the time of the last write: what an
// annotation says of a creation does not.
func (s singleton) SetStatus(l Live, synced *metav1.Time) {
	if s.sync.LastSyncedAt == nil && s.wrote(l) {
		s.synced()
	}
	if s.sync.LastSyncedAt == nil || synced == nil {
		synced = s.sync.LastSyncedAt
	}
	s.adapter.SetStatus(l, synced)
}

// begin persists, before the first write of this object, what is about to be written. If the process ends before it
// records the write, the next one recognizes the work by that.
func (s singleton) begin(ctx context.Context) error {
	now := s.intent()
	if s.sync.LastSyncedAt != nil || s.sync.Writing == now {
		return nil
	}
	if err := s.keep(ctx, func(sync *cfv1alpha1.SyncStatus) { sync.Writing = now }); err != nil {
		return fmt.Errorf("cannot record that the %s is about to be changed: %w", s.Description.Noun, err)
	}
	return nil
}

// intent returns a hash that identifies what the object declares. It covers no value of a Secret: users who can read
// the object see it.
func (s singleton) intent() string { return kind.Hash(s.declared()) }

// wrote reports whether this object has written to l. Either its status says when it last did, or its status says
// that a write of what it declares was begun, and l equals that. A resource that was equal before is never written.
// So only an equal change of another client can be mistaken for the object's work.
func (s singleton) wrote(l Live) bool {
	if s.sync.LastSyncedAt != nil {
		return true
	}
	return s.sync.Writing != "" && s.sync.Writing == s.intent() && len(s.different(l)) == 0
}

// Delete does what the description says of a deletion, which is nothing for most kinds. It leaves a resource that
// must not be changed, and one that a rival was the first to work on. It also leaves a resource that this object has
// never written to, unless the user asks for a reset.
func (s singleton) Delete(ctx context.Context, l Live) error {
	err := cmp.Or(uneditable(s.Description, l.doc), s.unrivalled(ctx))
	var (
		locked *ReadOnlyDocumentError
		rival  *DocumentConflictError
	)
	switch {
	case errors.As(err, &locked), errors.As(err, &rival):
		s.events.Event(s.mg, event.Normal(claim.EventLeft, fmt.Sprintf("The %s %s stays as it is: %v", s.Description.Noun, l.id, err)))
		return nil
	case err != nil:
		return err
	}
	if !s.wrote(l) && !s.resets() && s.Description.OnDelete.Verb != "" {
		why := "this object has never changed it"
		if s.sync.Writing != "" {
			why = "nothing tells whether this object has ever changed it"
		}
		s.events.Event(s.mg, event.Normal(claim.EventLeft, fmt.Sprintf("The %s %s stays as it is: %s", s.Description.Noun, l.id, why)))
		return nil
	}
	if len(s.Description.Unset) > 0 {
		return s.unset(ctx, l)
	}
	body, err := s.last()
	if err != nil {
		return err
	}
	if len(body) == 0 {
		why := "the deletion of its object changes nothing at Cloudflare"
		if s.options()[s.Description.OnDelete.By] == kind.Restore && s.unknownBefore() {
			why = "what it was before, an earlier version of the provider did not note"
		}
		s.events.Event(s.mg, event.Normal(claim.EventLeft, fmt.Sprintf("The %s %s stays as it is: %s", s.Description.Noun, l.id, why)))
		return nil
	}
	q := s.document().ask()
	_, err = s.all.Call(ctx, s.Description.OnDelete.Verb, l.id, s.Description.Sent(body))
	if err := s.answered(q, l.id, err); err != nil {
		return fmt.Errorf("cannot set back the %s: %w", s.Description.Noun, err)
	}
	s.coll.Removed(l.id)
	return nil
}

// resets reports whether the user asks for the deletion to reset the resource, also if this object did not set it. A
// reset by default does not count.
func (s singleton) resets() bool {
	by := s.Description.OnDelete.By
	asked := by != "" && s.options()[by] == kind.Reset
	return asked && !slices.ContainsFunc(s.Description.Options, func(o kind.ProviderField) bool { return o.Name == by && o.Default == kind.Reset })
}

// unset deletes what is set.
func (s singleton) unset(ctx context.Context, l Live) error {
	q := s.document().ask()
	if err := s.answered(q, l.id, s.all.Unset(ctx, l.id)); err != nil {
		return fmt.Errorf("cannot delete the %s: %w", s.Description.Noun, err)
	}
	s.coll.Written(newLive(s.Description, l.id, kind.Document{}))
	return nil
}

// answered evaluates the call by which the deletion changes the resource. The answer that there is nothing to change
// is believed if two answers a lag apart say so: only the object remembers that the change is needed.
func (s singleton) answered(q question, id string, err error) error {
	var gone *kindapi.NotFoundError
	switch {
	case errors.As(err, &gone):
		s.coll.Forget(id) // The next look reads again.
		return q.again(saysUnset)
	case err == nil:
		q.denies(saysUnset)
	}
	return err
}

// Snapshot keeps the state of the resource on the status, if the user can have the deletion restore it. The state
// before a change by an earlier version is unknown.
func (s singleton) Snapshot(ctx context.Context, l Live) error {
	if s.Description.OnDelete.By == "" || s.sync.Before != "" || s.unknownBefore() {
		return nil
	}
	raw, err := json.Marshal(s.declarable(l.doc))
	if err != nil {
		return err
	}
	if err := s.keep(ctx, func(sync *cfv1alpha1.SyncStatus) { sync.Before = string(raw) }); err != nil {
		return fmt.Errorf("cannot record what the %s was before it is changed: %w", s.Description.Noun, err)
	}
	return nil
}

// unknownBefore reports whether the object has changed the resource without a record of its state before.
func (a *adapter) unknownBefore() bool { return a.sync.Before == "" && a.sync.LastSyncedAt != nil }

// declarable returns the part of a resource that an object of the kind can declare.
func (s singleton) declarable(doc kind.Document) kind.Document {
	out := kind.Document{}
	for path := range s.names {
		if v, has := doc[path]; has && v != nil {
			out[path] = v
		}
	}
	return out
}

// last returns what the deletion sends. It is empty if the deletion leaves the resource.
func (s singleton) last() (kind.Document, error) {
	d := s.Description.OnDelete
	switch s.options()[d.By] {
	case kind.Restore:
		return s.before()
	case kind.Reset:
		return s.Variants.Defaults(s.params[s.Description.VariantBy]), nil
	}
	return d.Body, nil
}

// before returns what Remember kept, as far as an object of the kind can declare it. It is empty if this object has
// never changed anything.
func (s singleton) before() (kind.Document, error) {
	if s.sync.Before == "" {
		return nil, nil
	}
	v, err := kind.Parse([]byte(s.sync.Before))
	if err != nil {
		return nil, fmt.Errorf("cannot restore the %s: status.sync.before is no JSON: %w", s.Description.Noun, err)
	}
	doc, _ := v.(kind.Document)
	doc = s.declarable(doc)
	if of := s.params[s.Description.VariantBy]; s.Variants[of] != nil {
		err = s.Variants.Check(of, doc, s.names)
	}
	if err = cmp.Or(err, s.Description.Unmet(doc)); err != nil {
		return nil, fmt.Errorf("cannot restore the %s to what it was: %w: set spec.%s to %s", s.Description.Noun, err, s.Description.OnDelete.By, kind.Leave)
	}
	return doc, nil
}

// DeletionRecord returns what the annotation of a deletion says.
func (singleton) DeletionRecord(l Live) string { return l.id }

// RecordedID returns the identity in that annotation.
func (s singleton) RecordedID() string { return s.mg.GetAnnotations()[annotationDeleting] }

// DeletionCompleted returns false: the resource exists for as long as its parent does.
func (singleton) DeletionCompleted(context.Context) (bool, error) { return false, nil }

// DeletionRejected reports whether a deletion that failed is certain not to have been carried out.
func (singleton) DeletionRejected(err error) bool { return !cloudflare.IsAmbiguous(err) }
