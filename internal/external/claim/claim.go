// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package claim settles which object manages an external resource, so that no two
// objects write to one resource.
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

// Index is the cache index of a kind by its external name. A Registry of that kind
// needs it.
const Index = "metadata.annotations.external-name"

// Reasons of events about claims.
const (
	// EventAdopted is about an external resource that an object took over.
	EventAdopted event.Reason = "AdoptedExternalResource"
	// EventConflict is about a refused claim.
	EventConflict event.Reason = "ConflictingOwner"
	// EventTakenBack is about an external resource that was created for an object, and
	// deleted again because the object was deleted meanwhile.
	EventTakenBack event.Reason = "TookBackExternalResource"
	// EventLeft is about an external resource that the deletion of an object leaves,
	// because it is not the object's own.
	EventLeft event.Reason = "LeftExternalResource"
)

// Report emits an event about err, if err says that another object manages the external
// resource, or that another controller marks it.
func Report(events event.Recorder, mg resource.Managed, err error) {
	var (
		conflict *ConflictError
		marked   *OwnedByControllerError
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
	// ID is the ID of the external resource.
	ID string
	// Holder is the object that was first.
	Holder types.NamespacedName
	// Lease names the holder, if another process looks after it. Otherwise it is empty.
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

// An OwnedByControllerError says that another controller marks the external resource as its own.
type OwnedByControllerError struct {
	// ID is the ID of the external resource.
	ID string
	// Owner is the name of that controller for users.
	Owner string
	// Allow says how an object consents to take over a resource of that controller.
	Allow string
}

func (e *OwnedByControllerError) Error() string {
	return fmt.Sprintf("%s is marked as owned by %s: have that let go of it, or %s", e.ID, e.Owner, e.Allow)
}

// Ownership of the external resource that a status shows. It is empty if the status
// does not say it yet.
const (
	// Own means that the object has created it or taken it over.
	Own = "Own"
	// Adopting means that the object is about to take it over. It is the object's own
	// once the external name is its ID.
	Adopting = "Adopting"
	// Observed means that the object has only looked at it.
	Observed = "Observed"
)

// An OwnershipStatus is an object whose status says whether it owns the resource that it shows.
type OwnershipStatus interface {
	GetOwnership() string
	SetOwnership(is string)
}

// A Kind is what a Registry needs to know about the kind of its objects.
type Kind struct {
	New     func() resource.Managed
	NewList func() resource.ManagedList
	// SeenID returns the ID of the external resource that the status of the object
	// shows.
	SeenID func(resource.Managed) string
	// Replaced returns the IDs of resources that the object's resource has replaced and
	// that the object still owns, by its status. Nil is for kinds that replace nothing.
	Replaced func(resource.Managed) []string
	// Qualify returns the key of an ID that mg names. The same ID below another parent
	// has another key. All names of one resource have the same key. Nil is for IDs that
	// no two parents share.
	Qualify func(mg resource.Managed, id string) string
}

// KindOf returns the kind of objects of type T, for IDs that no two parents share.
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

// OwnIDs returns the IDs of what mg has created or taken over, by its status, which no
// user writes. An earlier version of the provider wrote a status without ownership.
// Such a status counts only if mg manages, and that version has looked at mg since its
// last edit: nothing records the effect of a later edit, such as one of the policies.
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

// HasAny reports whether mg has created or taken over a resource, by its status.
func (k Kind) HasAny(mg resource.Managed) bool { return len(k.OwnIDs(mg)) > 0 }

// owns reports whether the resource of that ID, which the status of mg shows, is the
// object's own by that status.
func owns(mg resource.Managed, id string) bool {
	var is string
	if o, ok := mg.(OwnershipStatus); ok {
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

// shownBefore reports whether the status of mg shows the resource of that key without
// its ownership, as an earlier version of the provider wrote it. That version may have
// looked at mg before an edit.
func (k Kind) shownBefore(mg resource.Managed, key string) bool {
	o, ok := mg.(OwnershipStatus)
	return ok && o.GetOwnership() == "" && k.SeenID(mg) != "" && k.key(mg, k.SeenID(mg)) == key
}

// ExternalNames is the function of Index.
func (k Kind) ExternalNames(o client.Object) []string {
	mg, ok := o.(resource.Managed)
	if name := meta.GetExternalName(o); ok && name != "" {
		return []string{k.key(mg, name)}
	}
	return nil
}

// key returns the key under which an ID that mg names is held.
func (k Kind) key(mg resource.Managed, id string) string {
	if k.Qualify == nil || id == "" {
		return id
	}
	return k.Qualify(mg, id)
}

// A Registry knows the claims of the objects of one kind: by the cache, and by its own
// memory, which covers the time until the cache shows a claim. It is safe for
// concurrent use.
type Registry struct {
	kube client.Reader
	kind Kind
	// made is the function of Trust.
	made func(uid types.UID, id string) (may, has bool)
	// page is the kind's part of the ledger. It is nil if no other process claims
	// anything.
	page *page
	// barred reports whether the provider config of an object does not allow it. Nil
	// allows all objects.
	barred func(ctx context.Context, mg resource.Managed) bool

	mu   sync.Mutex
	held map[string]holder
	// ids are the keys that each holder holds, by its UID.
	ids map[types.UID][]string
}

type holder struct {
	name types.NamespacedName
	uid  types.UID
	// seized is true while a resource is removed that the object does not name, or does
	// not name any more.
	seized bool
}

func holderOf(mg resource.Managed) holder {
	return holder{name: types.NamespacedName{Namespace: mg.GetNamespace(), Name: mg.GetName()}, uid: mg.GetUID()}
}

// NewRegistry returns an empty Registry over a cache that has Index.
func NewRegistry(kube client.Reader, k Kind) *Registry {
	return &Registry{kube: kube, kind: k, held: map[string]holder{}, ids: map[types.UID][]string{}}
}

// Share makes r keep its claims also in l, where other processes see them. It has to be
// called before any claim. A nil l changes nothing.
func (r *Registry) Share(l *Ledger, kind string) {
	if l != nil {
		r.page = l.page(kind, r.wants)
	}
}

// Bar makes Seize ignore an object that f reports, if the object only names the
// resource. Its provider config does not allow the object, so it could not get the
// resource. Bar has to be called before any claim.
func (r *Registry) Bar(f func(ctx context.Context, mg resource.Managed) bool) { r.barred = f }

// mayGet reports whether mg, whose status shows no such resource, may get what it
// names.
func (r *Registry) mayGet(ctx context.Context, mg resource.Managed) bool {
	return r.barred == nil || !r.barred(ctx, mg)
}

// Trust sets the function that reports whether the object of that UID may have created
// the resource of that ID, and whether it has. The status of the object may not show it
// yet. Trust has to be called before any claim. Without it, no creation counts before
// the status shows it.
func (r *Registry) Trust(made func(uid types.UID, id string) (may, has bool)) { r.made = made }

// Hold claims the external resource of that ID for mg, or returns a *ConflictError. An
// object that only observes needs no claim: any number of objects may look at one
// resource.
func (r *Registry) Hold(ctx context.Context, mg resource.Managed, id string) error {
	return r.hold(ctx, id, mg, holderOf(mg))
}

// HoldToRemove claims a resource that mg is about to remove and does not name any more.
// No other object gets it until Release.
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

// Holds reports whether this process has claimed the resource of that ID for mg, and
// the claim has not ended since.
func (r *Registry) Holds(mg resource.Managed, id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	h, ok := r.held[r.kind.key(mg, id)]
	return ok && h.uid == mg.GetUID() && !h.seized
}

// holdHere claims the resource among the objects that this process looks after.
func (r *Registry) holdHere(ctx context.Context, id string, mg resource.Managed, by holder) error {
	key := r.kind.key(mg, id)
	all, err := r.claimants(ctx, key)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	// The holder keeps the claim. By the cache, another object may come first that saw
	// the resource while it only observed.
	h, ok := r.held[key]
	switch ok = ok && r.wants(ctx, h, key); {
	case ok && h.uid != mg.GetUID():
		return &ConflictError{ID: id, Holder: h.name}
	case !ok && len(all) > 0 && all[0].GetUID() != mg.GetUID() && r.standing(mg, key) <= r.standing(all[0], key):
		return &ConflictError{ID: id, Holder: holderOf(all[0]).name}
	}
	r.drop(key)
	r.held[key] = by
	if !by.seized { // A seizure must not end when mg is forgotten.
		r.ids[by.uid] = append(r.ids[by.uid], key)
	}
	return nil
}

// drop ends the claim on a key of any holder. r.mu is held.
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

// heldByOther reports whether another object than mg holds that key, by memory.
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

// Seize blocks all claims on the resource of that ID, which is about to be removed,
// until release is called. mg does not exist any more. Seize returns false if another
// object has the resource or the claim on it, or names it and may get it.
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
			err = nil // An object of another process has it.
		}
		return nil, false, err
	}
	return release, true, nil
}

// seizeHere seizes the resource among the objects that this process looks after.
func (r *Registry) seizeHere(ctx context.Context, mg resource.Managed, key string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if h, held := r.held[key]; held && h.uid != mg.GetUID() && r.wants(ctx, h, key) {
		return false
	}
	// The seizure must not end when the former holder or mg is forgotten. So the key is
	// not among those of either object.
	r.drop(key)
	h := holderOf(mg)
	h.seized = true
	r.held[key] = h
	return true
}

// Release ends the claim of mg on that ID.
func (r *Registry) Release(mg resource.Managed, id string) {
	id = r.kind.key(mg, id)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held[id].uid == mg.GetUID() {
		r.drop(id)
		r.page.release(id, mg.GetUID())
	}
}

// Forget ends all claims of an object that is gone.
func (r *Registry) Forget(o client.Object) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range slices.Clone(r.ids[o.GetUID()]) {
		r.drop(id)
		r.page.release(id, o.GetUID())
	}
}

// claimants returns the objects that manage the resource of that key, by the cache, in
// the order of precedence. An object that only names the resource does not count.
// Otherwise a user could block the resources of others, and take what they create. The
// status or the journal has to show that the object has the resource, because users can
// write names and finalizers.
func (r *Registry) claimants(ctx context.Context, key string) ([]resource.Managed, error) {
	l := r.kind.NewList()
	// There is no deep copy, because the objects are only read, and each reconcile calls this.
	if err := r.kube.List(ctx, l, client.MatchingFields{Index: key}, client.UnsafeDisableDeepCopy); err != nil {
		return nil, fmt.Errorf("cannot list the objects that claim %s: %w", key, err)
	}
	out := slices.DeleteFunc(l.GetItems(), func(o resource.Managed) bool {
		return !policy.Manages(o) || r.standing(o, key) == none
	})
	slices.SortFunc(out, func(a, b resource.Managed) int { return r.precedence(a, b, key) })
	return out, nil
}

// How certain it is that an object has the resource that it names.
const (
	// none means that only the object says so.
	none = iota
	// perhaps means that the journal has a creation of unknown outcome.
	perhaps
	// shown means that an earlier version of the provider saw the object with the
	// resource, and did not note the ownership.
	shown
	// created means that the object has created the resource, by the journal.
	created
	// before means that the object owned the resource by its status, and was edited
	// since. It may have let go of the resource meanwhile, like an object that only
	// observes for a while.
	before
	// settled means that the object owns the resource, by its status.
	settled
)

// standing returns how certain it is that o has the resource of that key, which it
// names.
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

// precedence orders claimants by standing, then by age with the older one first, and
// then by name, so that the order is total.
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

// wants reports whether a holder from memory exists and may still want the resource of
// that key: its external name has that key, or the cache does not show an external name
// yet.
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
