// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package claim settles which object owns an external resource, so that no two
// objects fight over one.
package claim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/policy"
)

// Index is the cache index of a kind by its external name, which a Registry of
// that kind needs.
const Index = "metadata.annotations.external-name"

// Reasons of events about claims.
const (
	// EventAdopted is about an external resource that was taken over.
	EventAdopted event.Reason = "AdoptedExternalResource"
	// EventConflict is about a refused claim.
	EventConflict event.Reason = "ConflictingOwner"
	// EventTakenBack is about an external resource that was created for an object
	// that was deleted meanwhile, and deleted again.
	EventTakenBack event.Reason = "TookBackExternalResource"
	// EventLeft is about an external resource that the deletion of an object leaves,
	// because it is not the object's own.
	EventLeft event.Reason = "LeftExternalResource"
)

// Report tells of err, if it is about an external resource that another object
// manages, or another controller.
func Report(events event.Recorder, mg resource.Managed, err error) {
	var (
		conflict *ConflictError
		marked   *MarkedError
	)
	switch {
	case errors.As(err, &conflict):
		events.Event(mg, event.Warning(EventConflict, conflict))
	case errors.As(err, &marked):
		events.Event(mg, event.Warning(EventConflict, marked))
	}
}

// Lost reports whether err says that another object manages the external resource
// of that ID.
func Lost(err error, id string) bool {
	var conflict *ConflictError
	return errors.As(err, &conflict) && conflict.ID == id
}

// A ConflictError says that another object manages the external resource.
type ConflictError struct {
	// ID of the external resource.
	ID string
	// Holder is the object that was first.
	Holder types.NamespacedName
	// Lease says so, where another process looks after that object. It is empty otherwise.
	Lease types.NamespacedName
}

func (e *ConflictError) Error() string {
	if e.Lease.Name != "" {
		return fmt.Sprintf("%s is already managed by %s, which another provider looks after: delete one of the two objects, or give this one "+
			"something of its own to manage; if that object does not exist any more and its provider does not run, delete the Lease %s", e.ID, e.Holder, e.Lease)
	}
	return fmt.Sprintf("%s is already managed by %s: delete one of the two objects, or give this one something of its own to manage",
		e.ID, e.Holder)
}

// A MarkedError says that another controller marks the external resource as its own.
type MarkedError struct {
	// ID of the external resource.
	ID string
	// Owner is what people call that controller.
	Owner string
	// Allow says how an object consents to take over what that controller has.
	Allow string
}

func (e *MarkedError) Error() string {
	return fmt.Sprintf("%s is marked as owned by %s: have that let go of it, or %s", e.ID, e.Owner, e.Allow)
}

// What a status says of the external resource that it shows. The empty string is that it does not
// say so yet.
const (
	// Own is that the object has created it or taken it over.
	Own = "Own"
	// Adopting is that the object is about to take it over: it is the object's once the external name is its ID.
	Adopting = "Adopting"
	// Observed is that the object has only looked at it.
	Observed = "Observed"
)

// An Owner is an object whose status says whether what it shows is the object's.
type Owner interface {
	GetOwnership() string
	SetOwnership(is string)
}

// A Kind is what a Registry needs to know of the kind of its objects.
type Kind struct {
	New     func() resource.Managed
	NewList func() resource.ManagedList
	// SeenID is the ID of the external resource the object was last seen with.
	SeenID func(resource.Managed) string
	// Replaced gives the IDs of what the object's own resource has replaced and what still is the
	// object's, by its status. Nil is for kinds that replace nothing.
	Replaced func(resource.Managed) []string
	// Qualify makes of an ID what tells it from the same ID below another parent, by the
	// object that names it: the same key for all names of one resource. Nil is for IDs that no two
	// parents share.
	Qualify func(mg resource.Managed, id string) string
}

// KindOf is the kind whose objects are of type T, by IDs that no two parents share.
func KindOf[T resource.Managed](made func() T, list func() resource.ManagedList, seenID func(T) string) Kind {
	return Kind{
		New: func() resource.Managed { return made() }, NewList: list,
		SeenID: func(mg resource.Managed) string {
			if o, ok := mg.(T); ok {
				return seenID(o)
			}
			return ""
		},
	}
}

// OwnIDs are those of what mg has created or taken over, by its status, which no user writes. A
// status that does not say so yet is an earlier version's. It counts where mg manages and that version has
// looked at mg as it is: what an edit since then, such as of the policies, makes of it, nothing says.
func (k Kind) OwnIDs(mg resource.Managed) []string {
	var out []string
	if id := k.SeenID(mg); id != "" && owns(mg, id) {
		out = append(out, id)
	}
	if k.Replaced != nil {
		out = append(out, k.Replaced(mg)...)
	}
	return out
}

// HasAny reports whether mg has created or taken over something, by its status.
func (k Kind) HasAny(mg resource.Managed) bool { return len(k.OwnIDs(mg)) > 0 }

// owns reports whether the resource of that ID, which the status of mg shows, is the object's by it.
func owns(mg resource.Managed, id string) bool {
	var is string
	if o, ok := mg.(Owner); ok {
		is = o.GetOwnership()
	}
	switch is {
	case "":
		return policy.Manages(mg) && drift.Looked(mg)
	case Adopting:
		return meta.GetExternalName(mg) == id
	}
	return is == Own
}

// has reports whether mg owns the resource of that key.
func (k Kind) has(mg resource.Managed, key string) bool {
	return slices.ContainsFunc(k.OwnIDs(mg), func(id string) bool { return k.key(mg, id) == key })
}

// shownBefore reports whether mg has the resource of that key by the status of an earlier version, which does not say
// whose it is. That version may have looked at mg before an edit.
func (k Kind) shownBefore(mg resource.Managed, key string) bool {
	o, ok := mg.(Owner)
	return ok && o.GetOwnership() == "" && k.SeenID(mg) != "" && k.key(mg, k.SeenID(mg)) == key
}

// ExternalNames is the function behind Index.
func (k Kind) ExternalNames(o client.Object) []string {
	mg, ok := o.(resource.Managed)
	if name := meta.GetExternalName(o); ok && name != "" {
		return []string{k.key(mg, name)}
	}
	return nil
}

// key is what an ID that mg names is held under.
func (k Kind) key(mg resource.Managed, id string) string {
	if k.Qualify == nil || id == "" {
		return id
	}
	return k.Qualify(mg, id)
}

// A Registry knows who claims what among the objects of one kind: by the cache,
// and by its own memory, which closes the gap between a claim and the moment the
// cache shows it. It is safe for concurrent use.
type Registry struct {
	kube client.Reader
	kind Kind
	// made is what Trust got.
	made func(uid types.UID, id string) (may, has bool)
	// page of the ledger, nil where no other process claims anything.
	page *page
	// barred reports whether the provider config of an object does not allow it. Nil is that all are allowed.
	barred func(ctx context.Context, mg resource.Managed) bool

	mu   sync.Mutex
	held map[string]holder
	// ids are what each holder holds, by its UID.
	ids map[types.UID][]string
}

type holder struct {
	name types.NamespacedName
	uid  types.UID
	// seized is true while what the object does not name, or not any more, is removed.
	seized bool
}

func holderOf(mg resource.Managed) holder {
	return holder{name: types.NamespacedName{Namespace: mg.GetNamespace(), Name: mg.GetName()}, uid: mg.GetUID()}
}

// NewRegistry makes an empty Registry over a cache that has Index.
func NewRegistry(kube client.Reader, k Kind) *Registry {
	return &Registry{kube: kube, kind: k, held: map[string]holder{}, ids: map[types.UID][]string{}}
}

// Share has r keep its claims in l as well, where other processes see them. It comes before any
// claim. A nil l changes nothing.
func (r *Registry) Share(l *Ledger, kind string) {
	if l != nil {
		r.page = l.page(kind, r.wants)
	}
}

// Bar has objects that f reports stand in no way of a removal by what they name alone: their provider configs do not allow
// them, and what they name they could not get. It comes before any claim.
func (r *Registry) Bar(f func(ctx context.Context, mg resource.Managed) bool) { r.barred = f }

// mayGet reports whether mg, whose status does not say that it has something, may get what it names.
func (r *Registry) mayGet(ctx context.Context, mg resource.Managed) bool {
	return r.barred == nil || !r.barred(ctx, mg)
}

// Trust has r know by made whether the object of that UID may have created the resource of that ID, or has, though its
// status does not say so yet. It comes before any claim. Without it, no object may have.
func (r *Registry) Trust(made func(uid types.UID, id string) (may, has bool)) { r.made = made }

// Hold claims the external resource of that ID for mg, or gives a
// *ConflictError. An object that only observes needs no claim: any number of
// objects may look at one resource.
func (r *Registry) Hold(ctx context.Context, mg resource.Managed, id string) error {
	return r.hold(ctx, id, mg, holderOf(mg))
}

// HoldToRemove is Hold for what mg is about to remove and names no more. No other object gets it
// until Release.
func (r *Registry) HoldToRemove(ctx context.Context, mg resource.Managed, id string) error {
	h := holderOf(mg)
	h.seized = true
	return r.hold(ctx, id, mg, h)
}

func (r *Registry) hold(ctx context.Context, id string, mg resource.Managed, h holder) error {
	if !policy.Manages(mg) {
		return nil
	}
	if err := r.holdHere(ctx, id, mg, h); err != nil {
		return err
	}
	if err := r.page.hold(ctx, r.kind.key(mg, id), id, h); err != nil {
		r.Release(mg, id)
		return err
	}
	return nil
}

// Holds reports whether this process has given mg the claim on the resource of that ID, and nothing
// has ended that since.
func (r *Registry) Holds(mg resource.Managed, id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	h, ok := r.held[r.kind.key(mg, id)]
	return ok && h.uid == mg.GetUID() && !h.seized
}

// holdHere is hold among the objects that this process looks after.
func (r *Registry) holdHere(ctx context.Context, id string, mg resource.Managed, by holder) error {
	key := r.kind.key(mg, id)
	all, err := r.claimants(ctx, key)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	// Whoever holds it keeps it: what the cache shows may put another first who has
	// seen it too, when it only observed.
	h, ok := r.held[key]
	switch ok = ok && r.wants(ctx, h, key); {
	case ok && h.uid != mg.GetUID():
		return &ConflictError{ID: id, Holder: h.name}
	case !ok && len(all) > 0 && all[0].GetUID() != mg.GetUID() && r.standing(mg, key) <= r.standing(all[0], key):
		return &ConflictError{ID: id, Holder: holderOf(all[0]).name}
	}
	r.drop(key)
	r.held[key] = by
	if !by.seized { // That mg is forgotten must not end a seizure.
		r.ids[by.uid] = append(r.ids[by.uid], key)
	}
	return nil
}

// drop lets go of an ID, whoever holds it. r.mu is held.
func (r *Registry) drop(id string) {
	h, ok := r.held[id]
	if !ok {
		return
	}
	delete(r.held, id)
	rest := slices.DeleteFunc(r.ids[h.uid], func(held string) bool { return held == id })
	if len(rest) == 0 {
		delete(r.ids, h.uid)
		return
	}
	r.ids[h.uid] = rest
}

// Taken reports whether another object than mg manages the resource of that ID.
func (r *Registry) Taken(ctx context.Context, mg resource.Managed, id string) (bool, error) {
	id = r.kind.key(mg, id)
	all, err := r.claimants(ctx, id)
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(all, func(o resource.Managed) bool { return o.GetUID() != mg.GetUID() }) {
		return true, nil
	}
	if r.heldByOther(ctx, mg, id) {
		return true, nil
	}
	return r.page.taken(ctx, id)
}

// heldByOther reports whether another object than mg holds what has that key, by memory.
func (r *Registry) heldByOther(ctx context.Context, mg resource.Managed, key string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	h, ok := r.held[key]
	if !ok || h.uid == mg.GetUID() {
		return false
	}
	if r.wants(ctx, h, key) {
		return true
	}
	r.drop(key)
	return false
}

// Seize keeps everybody from the resource of that ID, for it is about to be removed,
// until release is called. It gives false where any other object than mg, which does
// not exist any more, names the resource, and has it or may get it.
func (r *Registry) Seize(ctx context.Context, mg resource.Managed, id string) (release func(), ok bool, err error) {
	key := r.kind.key(mg, id)
	l := r.kind.NewList()
	if err := r.kube.List(ctx, l, client.MatchingFields{Index: key}, client.UnsafeDisableDeepCopy); err != nil {
		return nil, false, fmt.Errorf("cannot list the objects that claim %s: %w", id, err)
	}
	if slices.ContainsFunc(l.GetItems(), func(o resource.Managed) bool {
		return o.GetUID() != mg.GetUID() && policy.Manages(o) && (r.kind.has(o, key) || r.mayGet(ctx, o))
	}) {
		return nil, false, nil
	}
	if !r.seizeHere(ctx, mg, key) {
		return nil, false, nil
	}
	release = func() { r.Release(mg, id) }
	if err := r.page.hold(ctx, key, id, holderOf(mg)); err != nil {
		release()
		if Lost(err, id) {
			err = nil // An object has it that another process looks after.
		}
		return nil, false, err
	}
	return release, true, nil
}

// seizeHere is Seize among the objects that this process looks after.
func (r *Registry) seizeHere(ctx context.Context, mg resource.Managed, key string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if h, held := r.held[key]; held && h.uid != mg.GetUID() && r.wants(ctx, h, key) {
		return false
	}
	// That the holder before is forgotten must not end the seizure, nor that mg is: it is
	// not among what either of them holds.
	r.drop(key)
	h := holderOf(mg)
	h.seized = true
	r.held[key] = h
	return true
}

// Release lets go of what mg holds under that ID.
func (r *Registry) Release(mg resource.Managed, id string) {
	id = r.kind.key(mg, id)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held[id].uid == mg.GetUID() {
		r.drop(id)
		r.page.release(id, mg.GetUID())
	}
}

// Forget lets go of everything that an object holds which is gone.
func (r *Registry) Forget(o client.Object) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range slices.Clone(r.ids[o.GetUID()]) {
		r.drop(id)
		r.page.release(id, o.GetUID())
	}
}

// claimants are the objects that manage the resource of that key by what the
// cache shows, the first claimant first. One that names it and has never got as far
// as to have it is none: anybody could keep others from what is theirs, and take what they
// make. That it has, its status shows, or the journal: names and finalizers, anybody may write.
func (r *Registry) claimants(ctx context.Context, key string) ([]resource.Managed, error) {
	l := r.kind.NewList()
	// They are only read, and this is asked in each reconcile.
	if err := r.kube.List(ctx, l, client.MatchingFields{Index: key}, client.UnsafeDisableDeepCopy); err != nil {
		return nil, fmt.Errorf("cannot list the objects that claim %s: %w", key, err)
	}
	out := slices.DeleteFunc(l.GetItems(), func(o resource.Managed) bool {
		return !policy.Manages(o) || r.standing(o, key) == none
	})
	slices.SortFunc(out, func(a, b resource.Managed) int { return r.precedence(a, b, key) })
	return out, nil
}

// How sure it is that an object has the resource that it names.
const (
	// none is that nothing says so but the object.
	none = iota
	// perhaps is that the journal has a creation of which nobody knows what it made.
	perhaps
	// shown is that an earlier version has seen the object with it, and did not note whose it is.
	shown
	// created is that the object has created it, by the journal.
	created
	// before is that it was the object's, by the status, and that the object was edited since: it may have let go of
	// the resource meanwhile, as an object does that only observes for a while.
	before
	// settled is that it is the object's, by the status.
	settled
)

// standing is how sure it is that o has the resource of that key, which it names.
func (r *Registry) standing(o resource.Managed, key string) int {
	var may, made bool
	if name := meta.GetExternalName(o); r.made != nil && r.kind.key(o, name) == key {
		may, made = r.made(o.GetUID(), name)
	}
	has := r.kind.has(o, key)
	switch {
	case has && drift.Looked(o):
		return settled
	case has:
		return before
	case made:
		return created
	case r.kind.shownBefore(o, key):
		return shown
	case may:
		return perhaps
	}
	return none
}

// precedence orders claimants: who was seen with the resource comes first, before who
// was edited since, then who is older, then by name so that the order is total.
func (r *Registry) precedence(a, b resource.Managed, key string) int {
	if c := r.standing(b, key) - r.standing(a, key); c != 0 {
		return c
	}
	ca, cb := a.GetCreationTimestamp(), b.GetCreationTimestamp()
	if c := ca.Compare(cb.Time); c != 0 {
		return c
	}
	return strings.Compare(holderOf(a).name.String(), holderOf(b).name.String())
}

// wants reports whether a holder from memory exists and may still want the
// resource of that ID: its external name is that ID, or is not shown yet.
func (r *Registry) wants(ctx context.Context, h holder, id string) bool {
	if h.seized {
		return true
	}
	o := r.kind.New()
	if err := r.kube.Get(ctx, h.name, o); err != nil {
		return client.IgnoreNotFound(err) != nil
	}
	name := r.kind.key(o, meta.GetExternalName(o))
	return o.GetUID() == h.uid && (name == id || name == "") && policy.Manages(o)
}
