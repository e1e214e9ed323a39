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

// A Kind is what the client needs to know of a kind, whatever the object.
type Kind[L any] struct {
	claim.Kind

	GVK   schema.GroupVersionKind
	Noun  decision.Noun
	Notes Notes
	// WriterJournals is true for a kind whose writer notes creations in the journal, with
	// those of other objects. For the others the client does.
	WriterJournals bool
	// LateFinalizer is true for a kind whose objects get their finalizer together with
	// the note of the creation. That saves a write, and an object that is deleted in that
	// moment vanishes: the journal has to remove what is created for it. So it is for kinds
	// whose resources the journal removes whatever has become of them.
	LateFinalizer bool
	// LooksAlone is set for a kind whose looks for the natural key are calls that no two objects share.
	LooksAlone bool
	// Adapt makes the Adapter of an object, for one reconcile.
	Adapt func(mg resource.Managed, s connect.Session) (Adapter[L], error)
	// Revive puts on mg, which stands for an object that vanished, what Subject said of
	// it, so that Adapt makes an Adapter that finds what was created for it.
	Revive func(mg resource.Managed, subject json.RawMessage) error
}

// As is mg as an object of type T, the one of its kind.
func As[T resource.Managed](mg resource.Managed) (T, error) {
	o, ok := mg.(T)
	if !ok {
		return o, fmt.Errorf("there is a %T where a %s belongs", mg, reflect.TypeFor[T]())
	}
	return o, nil
}

// Notes are the annotations that the client keeps notes in, "" for those that a kind does
// not need. Users can write them, so no note decides what is changed or deleted.
type Notes struct {
	// Pending has what is about to be created, until the outcome is known. It says that the
	// journal has an entry, or had one, and nothing else.
	Pending string
	// Deleting has what is about to be deleted, and Deleted the ID of what is deleted for
	// certain. All that they do is to let an object go, as its user can by orphaning.
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

// creation are the notes of a creation.
func (n Notes) creation() []string { return []string{n.Pending, journal.Annotation} }

// read gives a note of mg, "" for none.
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

// Journal is what the client needs of the journal of creations.
type Journal interface {
	// ID tells the journal from one that somebody has lost or brought back from a backup. It is
	// known once Creations has given an answer.
	ID() string
	// Creations gives the entries of an object's creations that may have been carried out, the
	// oldest first. It waits until those of earlier processes are known.
	Creations(ctx context.Context, uid types.UID) ([]journal.Entry, error)
	Begin(ctx context.Context, entries ...journal.Entry) error
	Made(e journal.Entry, id string)
	Unanswered(e journal.Entry)
	Void(e journal.Entry)
	// Stored notes that the object's status has the ID of what was created.
	Stored(e journal.Entry)
}

// Deps are what a client works with.
type Deps struct {
	Sessions Sessions
	Kube     client.Client
	API      client.Reader // past the cache
	Claims   *claim.Registry
	Drift    drift.Reporter
	// Trail finds out who caused a drift; nil does not.
	Trail   *audit.Trail
	Events  event.Recorder
	Journal Journal
	// Sights of the kind; nil remembers nothing.
	Sights *Sights
	// Now is the clock. Settle is how long the absence of what an earlier attempt may
	// have made is not believed, and Began is when this process began to lead.
	Now    func() time.Time
	Settle time.Duration
	Began  func() time.Time
	// Interval is the time between two looks at an object.
	Interval time.Duration
	// Refused is what the API refused. Nil is that nothing is remembered of it.
	Refused *Refusals
	// Barred are the objects which their provider configs do not allow. Nil notes none.
	Barred *Barred
	// Retention is how long the journal keeps a creation at least; 0 is its default.
	Retention time.Duration
	// Reach says where the references of objects may lead.
	Reach reach.Policy
}
