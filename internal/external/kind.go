// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift/audit"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/reach"
)

// A Kind is what the client needs to know about a kind of objects.
type Kind[L any] struct {
	claim.Kind

	GVK   schema.GroupVersionKind
	Noun  decision.Noun
	Notes Notes
	// WriterJournals is true for a kind whose writer notes creations in the journal, together with
	// those of other objects. For all other kinds the client notes them.
	WriterJournals bool
	// LateFinalizer is true for a kind whose objects get their finalizer together with the note of
	// the creation. That saves a write. An object that is deleted at that moment vanishes, and the
	// journal removes what is created for it. So it is only for kinds whose resources the journal
	// can remove in every state.
	LateFinalizer bool
	// LooksAlone is true for a kind whose looks for the natural key are calls that no two objects
	// share.
	LooksAlone bool
	// Adapt returns the Adapter of an object for one reconcile.
	Adapt func(mg resource.Managed, s connect.Session) (Adapter[L], error)
	// Revive prepares mg, which stands for an object that vanished, with what Subject said of it.
	// Adapt then returns an Adapter that finds what was created for the object.
	Revive func(mg resource.Managed, subject json.RawMessage) error
}

// As returns mg as an object of type T, which has to be its type.
func As[T resource.Managed](mg resource.Managed) (T, error) {
	o, ok := mg.(T)
	if !ok {
		return o, fmt.Errorf("there is a %T where a %s belongs", mg, reflect.TypeFor[T]())
	}
	return o, nil
}

// Notes are the annotations in which the client keeps notes, "" for those that a kind does not
// need. Users can write them, so no note decides what is changed or deleted.
type Notes struct {
	// Pending says what is about to be created, until the outcome is known. It proves only that the
	// journal has, or had, an entry.
	Pending string
	// Deleting says what is about to be deleted. Deleted is the ID of a resource whose deletion is
	// certain. Their only effect is to let an object go, which its user can do with the deletion
	// policy Orphan as well.
	Deleting, Deleted string
}

func (n Notes) all() []string {
	var out []string
	for _, key := range append(n.creation(), n.Deleting, n.Deleted) {
		if key != "" {
			out = append(out, key)
		}
	}
	return out
}

// creation returns the notes of a creation.
func (n Notes) creation() []string { return []string{n.Pending, journal.Annotation} }

// read returns a note of mg, "" if there is none.
func read(mg client.Object, key string) string {
	if key == "" {
		return ""
	}
	return mg.GetAnnotations()[key]
}

// Sessions opens a session for a managed resource.
type Sessions interface {
	For(ctx context.Context, mg resource.ModernManaged) (connect.Session, error)
}

// A Journal is what the client needs of the journal of creations.
type Journal interface {
	// ID returns an ID that differs after the journal was lost or restored from a backup. It is
	// known once Creations has returned entries.
	ID() string
	// Creations returns the entries of an object's creations that may have been carried out, the
	// oldest first. It waits until the entries of earlier processes are known.
	Creations(ctx context.Context, uid types.UID) ([]journal.Entry, error)
	Begin(ctx context.Context, entries ...journal.Entry) error
	Made(e journal.Entry, id string)
	Unanswered(e journal.Entry)
	Void(e journal.Entry)
	// Stored notes that the object's status has the ID of what was created.
	Stored(e journal.Entry)
}

// Deps are the dependencies of a client.
type Deps struct {
	Sessions Sessions
	Kube     client.Client
	API      client.Reader // bypasses the cache
	Claims   *claim.Registry
	Drift    drift.Reporter
	// Trail finds out who caused a drift. A nil Trail finds out nothing.
	Trail   *audit.Trail
	Events  event.Recorder
	Journal Journal
	// Sights are the sights of the kind. Nil remembers nothing.
	Sights *Sights
	// Now is the clock. Settle is how long the provider does not believe that an earlier attempt
	// made nothing. Began returns when this process began to lead.
	Now    func() time.Time
	Settle time.Duration
	Began  func() time.Time
	// Interval is the time between two looks at an object.
	Interval time.Duration
	// Refused are the API's refusals. Nil remembers none.
	Refused *Refusals
	// Barred are the objects that their provider configs do not allow. Nil remembers none.
	Barred *Barred
	// Retention is the minimum time for which the journal keeps a creation. 0 is its default.
	Retention time.Duration
	// Reach says where the references of objects may lead.
	Reach reach.Policy
}
