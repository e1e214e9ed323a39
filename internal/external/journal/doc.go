// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package journal is a write-ahead log of creations. An entry is durable before the
// call that creates an external resource is sent, and it outlives its object, so that
// what was created for an object that does not exist any more is always found and
// removed, whatever ends the process.
//
// An object that has the provider's finalizer can vanish all the same: the API server
// decides how to delete an object from what it read a moment earlier, and an object
// that had no finalizer then goes at once. Such a deletion takes as long as a request
// to the API server may take. An entry therefore stays until its object is known to
// exist some time after that (Options.Retention), and goes before the object's
// finalizer does.
//
// An entry is also the only thing that says of an object that it may have created something
// without knowing: what its annotations say, users can write. So each creation has one, and
// keeps it until the object's status has the ID of what was created, or until it is proven
// that nothing was.
//
// Entries are kept in ConfigMaps in the provider's own namespace, where no tenant
// writes. Entries that come at the same time share one, and so do those that stay when
// others are removed: a group of removals takes one write for many ConfigMaps
// (see removal.go). Processes that look after different
// namespaces may keep their entries in one namespace: an entry belongs to the process
// that looks after the namespace of its object.
package journal

import (
	"context"
	"encoding/json"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// DefaultRetention is longer than a request to an API server takes, which is 60 s
// by default (--request-timeout), and than caches lag behind.
const DefaultRetention = 2 * time.Minute

// An Entry is one creation.
type Entry struct {
	// Kind of the object, as it was given to Register.
	Kind string `json:"kind"`
	// Namespace, Name and UID of the object.
	Namespace string    `json:"namespace"`
	Name      string    `json:"name"`
	UID       types.UID `json:"uid"`
	// Config that the object names.
	Config xpv2.ProviderConfigReference `json:"config"`
	// Subject is what is created, in the words of the kind.
	Subject json.RawMessage `json:"subject"`
	// Begun is when the creation began.
	Begun time.Time `json:"begun"`
	// Leave is true where what was created stays, should the object vanish: its policies say so, or
	// the object can vanish only if its finalizer is taken away.
	Leave bool `json:"leave,omitempty"`
	// ResultID is the ID of what was created, "" where it is not known. LastBegun is when
	// the last attempt at it began, zero where that is Begun. Ended is when it ended
	// without an answer, zero where it did not. None of them is durable.
	ResultID  string    `json:"-"`
	LastBegun time.Time `json:"-"`
	Ended     time.Time `json:"-"`
}

// Object is the name of the entry's object.
func (e Entry) Object() types.NamespacedName {
	return types.NamespacedName{Namespace: e.Namespace, Name: e.Name}
}

// Attempted is when the last attempt at the creation began.
func (e Entry) Attempted() time.Time {
	if e.LastBegun.IsZero() {
		return e.Begun
	}
	return e.LastBegun
}

// MayHaveMade reports whether what was created at that time can be the work of this
// creation. What is older or much younger is somebody else's. Clocks differ by less
// than the margin below.
func (e Entry) MayHaveMade(createdOn time.Time) bool {
	const skew, longest = time.Minute, 10 * time.Minute
	return createdOn.After(e.Begun.Add(-skew)) && createdOn.Before(e.Begun.Add(longest))
}

// Same reports whether both are about the same creation.
func (e Entry) Same(o Entry) bool { return e.UID == o.UID && string(e.Subject) == string(o.Subject) }

// An entryKey tells entries apart, also those of one creation that began twice.
type entryKey struct {
	uid     types.UID
	subject string
	begun   int64
}

// key reads only what never changes, so that nobody has to hold Journal.mu: a copy of the entry
// would read its outcome, too.
func (e *Entry) key() entryKey {
	subject := string(e.Subject)
	// A ConfigMap has the same in fewer words, perhaps.
	if raw, err := json.Marshal(e.Subject); err == nil {
		subject = string(raw)
	}
	return entryKey{e.UID, subject, e.Begun.UnixNano()}
}

// A Kind is what a Journal needs to know about the objects of a kind.
type Kind struct {
	// New makes an empty object.
	New func() client.Object
	// Has reports whether the status of an object has the resource of that ID as the object's.
	Has func(o client.Object, id string) bool
	// TakeBack removes what was created for an object that does not exist any more.
	// nil says that nothing of it is left. It is called again after an error.
	TakeBack func(ctx context.Context, e Entry) error
}
