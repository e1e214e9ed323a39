// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package journal is a write-ahead log of creations. An entry is durable before the call
// that creates an external resource is sent, and it outlives its object. So what was
// created for an object that does not exist any more is always found, no matter how the
// process ends. It is removed, unless Entry.Close is true.
//
// An object with the provider's finalizer can still vanish. The API server decides how to
// delete an object from a slightly older read, and deletes an object that had no finalizer
// then at once. Such a deletion takes as long as a request to the API server may take. An
// entry therefore stays until its object is known to exist some time after that
// (Options.Retention). It is removed before the object's finalizer.
//
// Only an entry shows that an object may have created a resource without knowing it,
// because users can write the annotations of the object. So each creation has an entry. The
// entry stays until the object's status has the ID of what was created, or until it is
// proven that nothing was created.
//
// Entries are kept in ConfigMaps in the provider's own namespace, where no tenant writes.
// Entries of the same time share a ConfigMap. When entries are removed, those that stay
// move from many ConfigMaps to one (see removal.go). Processes that look after different
// namespaces may keep their entries in one namespace. An entry belongs to the process that
// looks after the namespace of its object.
package journal

import (
	"context"
	"encoding/json"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// DefaultRetention is longer than a request to an API server takes, which is 60 s by
// default (--request-timeout), and longer than the lag of caches.
const DefaultRetention = 2 * time.Minute

// An Entry records one creation.
type Entry struct {
	// Kind is the kind of the object, as passed to Register.
	Kind string `json:"kind"`
	// Namespace, Name and UID identify the object.
	Namespace string    `json:"namespace"`
	Name      string    `json:"name"`
	UID       types.UID `json:"uid"`
	// Config is the provider config that the object names.
	Config xpv2.ProviderConfigReference `json:"config"`
	// Subject is what is created, in the form of the kind.
	Subject json.RawMessage `json:"subject"`
	// Begun is when the creation began.
	Begun time.Time `json:"begun"`
	// Leave is true if what was created stays when the object vanishes: its policies say
	// so, or the object can vanish only after its finalizer is removed by hand.
	Leave bool `json:"leave,omitempty"`
	// ResultID is the ID of what was created, "" if it is not known. LastBegun is when the
	// last attempt began, zero if it is Begun. Ended is when that attempt ended without an
	// answer, zero if it did not. None of them is durable.
	ResultID  string    `json:"-"`
	LastBegun time.Time `json:"-"`
	Ended     time.Time `json:"-"`
}

// Object returns the name of the entry's object.
func (e Entry) Object() types.NamespacedName {
	return types.NamespacedName{Namespace: e.Namespace, Name: e.Name}
}

// Attempted returns when the last attempt at the creation began.
func (e Entry) Attempted() time.Time {
	if e.LastBegun.IsZero() {
		return e.Begun
	}
	return e.LastBegun
}

// MayHaveMade reports whether this creation can have made a resource that was created at
// that time. An older or much younger resource has another origin. Clocks differ by less
// than the margin below.
func (e Entry) MayHaveMade(createdOn time.Time) bool {
	const skew, longest = time.Minute, 10 * time.Minute
	return createdOn.After(e.Begun.Add(-skew)) && createdOn.Before(e.Begun.Add(longest))
}

// Same reports whether both entries are about the same creation.
func (e Entry) Same(o Entry) bool { return e.UID == o.UID && string(e.Subject) == string(o.Subject) }

// An entryKey identifies an entry, also among entries of one creation that began twice.
type entryKey struct {
	uid     types.UID
	subject string
	begun   int64
}

// key returns the key of the entry. It reads only fields that never change, so callers need
// not hold Journal.mu. A value receiver would copy the entry, and so read its outcome, too.
func (e *Entry) key() entryKey {
	subject := string(e.Subject)
	// A ConfigMap may have the same subject in compact form.
	if raw, err := json.Marshal(e.Subject); err == nil {
		subject = string(raw)
	}
	return entryKey{e.UID, subject, e.Begun.UnixNano()}
}

// A Kind is what a Journal needs to know about the objects of a kind.
type Kind struct {
	// New returns an empty object.
	New func() client.Object
	// Has reports whether the status of an object shows the resource of that ID as its own.
	Has func(o client.Object, id string) bool
	// TakeBack removes what was created for an object that does not exist any more. It
	// returns nil if nothing of it is left. After an error it is called again.
	TakeBack func(ctx context.Context, e Entry) error
}
