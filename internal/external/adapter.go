// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift/audit"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
)

// ErrAbsent says that there is no external resource, and that this is proven.
var ErrAbsent = errors.New("no external resource")

// An Adapter works on the external resource of one object during one reconcile. L is
// what a resource looks like that is there.
//
// A look ends with ErrAbsent only where absence is proven, with a *decision.GoneError
// where the resource seems to be gone and a kind is not created again, and with a
// *cloudflare.IDError where an external name can be no ID. Any other error says that
// nobody could look.
type Adapter[L any] interface {
	// Resume comes before all else, for an object with an earlier creation of which it does not
	// know what came of it. It tells what that was about, in the words of Subject, and when it
	// began, both by the journal.
	Resume(about json.RawMessage, begun time.Time) error
	// Prepare finds out where the external resource is, and what it should be; for an object
	// that is being deleted, the former only.
	Prepare(ctx context.Context) error
	// Lacks says what the spec lacks for a creation, nil for nothing.
	Lacks() error
	// Adoption is the adoption policy.
	Adoption() string
	// Note is the natural key of what would be created, in the form of the annotation
	// that holds it from before the creation until its outcome is known.
	Note() string
	// Attempt says what is known of the creation in Resume.
	Attempt() Attempt

	// Get looks for an external resource by its ID.
	Get(ctx context.Context, id string) (L, error)
	// FindAttempt looks for what the creation in Resume made.
	FindAttempt(ctx context.Context, w Window) (L, error)
	// Find looks for those that the natural key fits.
	Find(ctx context.Context, w Window) ([]L, error)
	// About gives the facts of an external resource. The client adds whether it differs.
	About(live L) decision.Live
	// Compare says how live differs from what the object declares; false where it
	// declares nothing to compare with.
	Compare(live L) (drift.Differences, bool)

	// Subject is what a creation is about in the journal: by that alone what it made is found.
	Subject() any
	// Create makes the external resource. A kind whose writer notes creations in the journal
	// has it note the entry.
	Create(ctx context.Context, entry journal.Entry) (L, error)
	// Outcome says what is known after a creation that failed.
	Outcome(err error) Outcome
	// Update brings live closer to what the object declares, with one write. It gives
	// what the API answered. drifted is false for a user's edit.
	Update(ctx context.Context, live L, drifted bool) (L, error)
	// Delete deletes the external resource.
	Delete(ctx context.Context, live L) error

	// Show puts live on the object's status, with the time of the last write.
	Show(live L, synced *metav1.Time)
	// LastSynced is that time as the status has it.
	LastSynced() *metav1.Time
	// Forget empties what the status shows of the external resource.
	Forget()
}

// An Attempt is a creation whose outcome an object does not know.
type Attempt struct {
	// Same is true where the object would create the very same now.
	Same bool
	// UnderWay is true while this process may still send it.
	UnderWay bool
	// What is how people call what was to be created.
	What string
}

// A Window is the time in which an attempt made what it made.
type Window struct {
	// Begun is when the attempt began.
	Begun time.Time
	// Visible is from when on a list shows what the attempt made.
	Visible time.Time
	// Settled is when the attempt has shown all it ever will, zero where nothing tells.
	Settled time.Time
}

// Includes reports whether the attempt may have made what Cloudflare says was made at that time.
func (w Window) Includes(made time.Time) bool {
	return !made.Before(w.Begun.Add(-cloudflare.ClockSkew)) && (w.Settled.IsZero() || !made.After(w.Settled.Add(cloudflare.ClockSkew)))
}

// An Outcome is what is known after a creation that failed.
type Outcome int

const (
	// OutcomeUnknown is that it may have been carried out.
	OutcomeUnknown Outcome = iota
	// OutcomeRefused is that it was not carried out. An earlier attempt may have been.
	OutcomeRefused
	// OutcomeNothing is that neither it nor an earlier attempt was carried out.
	OutcomeNothing
)

// What follows are abilities that an Adapter may have.

// A Filler persists what the spec leaves open and the API has decided. About then says
// whether anything is open.
type Filler[L any] interface {
	// Fill fills in the spec of mg, which may be a copy of the object.
	Fill(mg resource.Managed, live L)
}

// A Rememberer keeps on the object's status what the external resource was before the object
// changed it.
type Rememberer[L any] interface {
	// Remember persists, once, what live is. A conflict says that the object is not the latest
	// version.
	Remember(ctx context.Context, live L) error
}

// A Confirmer reads an external resource by the ID that a list or a creation gave. An
// object keeps its ID for good, so one answer about another resource must not decide it.
type Confirmer[L any] interface {
	Confirm(ctx context.Context, live L) (L, error)
}

// A Completer says whether the answer to a creation shows all there is to see, so that
// nobody has to look again.
type Completer[L any] interface {
	Completes(ctx context.Context, made L) bool
}

// A Replacer creates, in an update, what replaces an external resource.
type Replacer[L any] interface {
	// CreateWith has the adapter make all such calls by create, which notes the creation in the
	// journal before it calls send, and then what came of it. It gives an error, and sends nothing,
	// while an earlier call for the very same may still be carried out.
	CreateWith(create func(ctx context.Context, send func(context.Context) (L, error)) (L, error))
}

// A Looker looks at an external resource once more, past all that is remembered of it.
type Looker[L any] interface {
	Look(ctx context.Context, live L) (L, error)
}

// A NotDoneError says that the API accepts a change again and again, and that what it shows stays as
// it was.
type NotDoneError struct {
	// Fields are what differs.
	Fields drift.Differences
}

func (e *NotDoneError) Error() string {
	return fmt.Sprintf("the Cloudflare API accepted the change but did not make it, twice: %s: set the fields to what Cloudflare has, or find out there why it keeps that", e.Fields)
}

// notDonePause is the pause before a change is tried again that the API did not make.
const notDonePause = 10 * time.Minute

// RetryAfter is how long it is of no use to try again.
func (*NotDoneError) RetryAfter() time.Duration { return notDonePause }

// A Readier says whether an external resource is ready, for a kind where it is not by
// being there.
type Readier[L any] interface {
	Ready(live L) xpv2.Condition
}

// A Sender tells what it writes from anything else.
type Sender interface {
	// Sends changes with what a creation or an update sends, values of Secrets included, and with what is known of
	// the parent: what the API refuses now it may accept when that is another. It is kept in memory as a hash only. ""
	// is for a kind that cannot say so.
	Sends() string
}

// A Publisher keeps the connection secret of an object as it should be. What only the
// answer to a creation shows is published by Create.
type Publisher[L any] interface {
	// Publish is for an object whose own the external resource is, where own is true, or that only looks at it.
	Publish(ctx context.Context, live L, own bool) error
}

// An Unprepared shows what can be shown of an object whose preparation failed with err.
type Unprepared interface {
	ShowUnprepared(ctx context.Context, err error)
}

// A Marker says which other controller marks an external resource as its own, nil for
// none. It is asked before a resource is taken over.
type Marker[L any] interface {
	Marked(live L) error
}

// A Placed says where the external resource is, as alternating keys and values for the log:
// such as the zone of a record. It is asked after Prepare, and makes no calls.
type Placed interface {
	Place() []any
}

// A Doubter is for a kind of which one answer that a resource is absent proves nothing: it may be
// that of a copy which is behind, or wrong.
type Doubter interface {
	// Doubt reports whether a copy may be behind of what has that ID and is young, which this
	// process has not deleted. The next Get then asks again.
	Doubt(id string) bool
	// Prove is nil where another answer says so, too, and else says what it waits for. own is true
	// for a resource that is known to have existed. The error may have a method RetryAfter, which says
	// how long it is of no use to ask again.
	Prove(ctx context.Context, id string, own bool) error
}

// A YoungError says that something seems to be gone, and that it is too early to believe that.
type YoungError struct {
	// What it is, and its ID.
	What, ID string
	// Until is when it will be believed.
	Until time.Time
}

func (e *YoungError) Error() string {
	return fmt.Sprintf("%s %s is too young for its absence to be believed: looking again after %s", e.What, e.ID, e.Until.UTC().Format(time.RFC3339))
}

// An UnsureError says that the outcome of a creation is not known, and that nothing tells which of
// the resources that are there it made, if any.
type UnsureError struct {
	// Name is what people call such a resource.
	Name string
	// IDs are those of the resources.
	IDs []string
}

func (e *UnsureError) Error() string {
	return fmt.Sprintf("the answer to the creation of the %s was lost, and what is there now may be this object's or not (ID %s): "+
		"set the annotation %s to the ID of the one that is this object's; if none is, set spec.deletionPolicy to Orphan, delete this object, and create another",
		e.Name, strings.Join(e.IDs, ", "), meta.AnnotationKeyExternalName)
}

// A Part is part of something else, and gone with it.
type Part interface {
	ParentGone() bool
}

// A Traced says where the audit logs have what was done to the external resource of that ID.
type Traced interface {
	Trace(id string) audit.Subject
}

// A Leaver lets go of what it works with.
type Leaver interface {
	Leave()
}

// A Guard says whether an external resource may be deleted now. Its error may have a method
// RetryAfter, which says how long it is of no use to ask again.
type Guard[L any] interface {
	MayDelete(ctx context.Context, live L) error
}

// A Prover is for a kind where the API's answers do not prove that a resource is gone:
// an annotation has a note of each deletion (see Notes).
type Prover[L any] interface {
	// DeletionNote is what the note of a deletion says.
	DeletionNote(live L) string
	// NotedID is the ID in the note of the object's deletion, "" for none.
	NotedID() string
	// Deleted reports whether lists show that the deletion was carried out of which the
	// object has a note.
	Deleted(ctx context.Context) (bool, error)
	// Kept reports whether a deletion that failed is certain not to have been carried out.
	Kept(err error) bool
}

// A Remover is what the journal needs to know of what was made for a vanished object.
type Remover[L any] interface {
	// MadeOn is when live was created, zero where nobody knows.
	MadeOn(live L) time.Time
	// Serves reports whether live is used by now, and left for that some time after its
	// creation.
	Serves(live L) bool
}

// ShownTime is a time as a status has it: to the second. A finer one would differ from what
// the API server has at each look, and the status would be written each time.
func ShownTime(t *time.Time) *metav1.Time {
	if t == nil || t.IsZero() {
		return nil
	}
	return ptr.To(metav1.NewTime(t.Truncate(time.Second)))
}
