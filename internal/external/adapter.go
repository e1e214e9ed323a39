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

// ErrAbsent says that it is proven that no external resource exists.
var ErrAbsent = errors.New("no external resource")

// An Adapter works on the external resource of one object during one reconcile. L is the type of an
// external resource that exists.
//
// A look returns ErrAbsent only if absence is proven. It returns a *decision.GoneError if the
// resource seems to be gone and the kind is not created again, and a *cloudflare.IDError if the
// external name cannot be an ID. Any other error says that the look failed.
type Adapter[L any] interface {
	// Resume comes before all other calls, for an object that does not know the outcome of an
	// earlier creation. about is what Subject returned for that creation, and begun is when it
	// began, both by the journal.
	Resume(about json.RawMessage, begun time.Time) error
	// Prepare finds out where the external resource is, and what it should be. For an object that
	// is being deleted it finds out only where.
	Prepare(ctx context.Context) error
	// Lacks returns what the spec lacks for a creation, nil if it lacks nothing.
	Lacks() error
	// Adoption returns the adoption policy.
	Adoption() string
	// Note returns the natural key of what would be created. The annotation Notes.Pending has it
	// from before the creation until its outcome is known.
	Note() string
	// Attempt returns what is known of the creation in Resume.
	Attempt() Attempt

	// Get looks for an external resource by its ID.
	Get(ctx context.Context, id string) (L, error)
	// FindAttempt looks for the resource that the creation in Resume made.
	FindAttempt(ctx context.Context, w Window) (L, error)
	// Find looks for the resources that match the natural key.
	Find(ctx context.Context, w Window) ([]L, error)
	// About returns the facts of an external resource. The client adds whether it differs.
	About(live L) decision.Live
	// Compare returns how live differs from what the object declares. It returns false if the
	// object declares nothing to compare with.
	Compare(live L) (drift.Differences, bool)

	// Subject returns what the journal records of a creation. It alone has to identify what was
	// created.
	Subject() any
	// Create creates the external resource. For a kind whose writer notes creations in the journal,
	// it has the writer note the entry.
	Create(ctx context.Context, entry journal.Entry) (L, error)
	// Outcome returns what is known after a creation that failed with err.
	Outcome(err error) Outcome
	// Update brings live closer to what the object declares, with one write. It returns the API's
	// answer. drifted is false for a user's edit.
	Update(ctx context.Context, live L, drifted bool) (L, error)
	// Delete deletes the external resource.
	Delete(ctx context.Context, live L) error

	// Show puts live on the object's status, with the time of the last write.
	Show(live L, synced *metav1.Time)
	// LastSynced returns the time of the last write that the status shows.
	LastSynced() *metav1.Time
	// Forget clears what the status shows of the external resource.
	Forget()
}

// An Attempt is a creation whose outcome an object does not know.
type Attempt struct {
	// Same is true if the object would create the very same now.
	Same bool
	// UnderWay is true while this process may still send the creation.
	UnderWay bool
	// What describes what was to be created, for users.
	What string
}

// A Window is the time in which an attempt may have made its resource.
type Window struct {
	// Begun is when the attempt began.
	Begun time.Time
	// Visible is the time from which lists show what the attempt made.
	Visible time.Time
	// Settled is when the attempt has shown all that it will ever show. It is zero if that is not
	// known.
	Settled time.Time
}

// Includes reports whether the attempt may have made a resource that Cloudflare says was created at
// that time.
func (w Window) Includes(made time.Time) bool {
	return !made.Before(w.Begun.Add(-cloudflare.ClockSkew)) && (w.Settled.IsZero() || !made.After(w.Settled.Add(cloudflare.ClockSkew)))
}

// An Outcome is what is known after a creation that failed.
type Outcome int

const (
	// OutcomeUnknown means that the creation may have been carried out.
	OutcomeUnknown Outcome = iota
	// OutcomeRefused means that it was not carried out. An earlier attempt may have been.
	OutcomeRefused
	// OutcomeNothing means that neither it nor an earlier attempt was carried out.
	OutcomeNothing
)

// The following interfaces are optional abilities of an Adapter.

// A Filler fills in fields that the spec leaves unset and the API has set. The facts that its About
// returns say whether there are any.
type Filler[L any] interface {
	// Fill fills in the spec of mg, which may be a copy of the object.
	Fill(mg resource.Managed, live L)
}

// A Rememberer keeps on the object's status what the external resource was before the object
// changed it.
type Rememberer[L any] interface {
	// Remember persists what live is, once. A conflict says that the object is not the latest
	// version.
	Remember(ctx context.Context, live L) error
}

// A Confirmer reads an external resource by the ID that a list or a creation returned. An object
// keeps its ID for good, so a single wrong answer must not decide it.
type Confirmer[L any] interface {
	Confirm(ctx context.Context, live L) (L, error)
}

// A Completer reports whether the answer to a creation shows all there is to see, so that no other
// look is needed.
type Completer[L any] interface {
	Completes(ctx context.Context, made L) bool
}

// A Replacer creates a replacement of an external resource during an update.
type Replacer[L any] interface {
	// CreateWith makes the adapter send all such creations by create. create notes the creation in
	// the journal, calls send, and then notes the outcome. It returns an error, and does not call
	// send, while an earlier call for the very same may still be carried out.
	CreateWith(create func(ctx context.Context, send func(context.Context) (L, error)) (L, error))
}

// A Looker looks at an external resource once more, without any memory of it.
type Looker[L any] interface {
	Look(ctx context.Context, live L) (L, error)
}

// A NotDoneError says that the API accepts a change repeatedly, and that the resource stays as it
// was.
type NotDoneError struct {
	// Fields are the differences that remain.
	Fields drift.Differences
}

func (e *NotDoneError) Error() string {
	return fmt.Sprintf("the Cloudflare API accepted the change but did not make it, twice: %s: set the fields to what Cloudflare has, or find out there why it keeps that", e.Fields)
}

// notDonePause is the pause before a change that the API did not make is tried again.
const notDonePause = 10 * time.Minute

// RetryAfter returns how long another attempt is of no use.
func (*NotDoneError) RetryAfter() time.Duration { return notDonePause }

// A Readier reports the readiness of an external resource, for a kind whose resources may exist
// without being ready.
type Readier[L any] interface {
	Ready(live L) xpv2.Condition
}

// A Sender identifies what it writes.
type Sender interface {
	// Sends returns a value that changes with what a creation or an update sends, values of Secrets
	// included, and with what is known of the parent: after a change of the parent, the API may
	// accept what it refuses now. Only a hash of it is kept in memory. It is "" for a kind that
	// cannot say.
	Sends() string
}

// A Publisher keeps the connection secret of an object up to date. Create publishes what only the
// answer to a creation shows.
type Publisher[L any] interface {
	// Publish publishes for an object that owns the external resource if own is true, and for one
	// that only looks at it otherwise.
	Publish(ctx context.Context, live L, own bool) error
}

// An Unprepared shows what is known of an object whose preparation failed with err.
type Unprepared interface {
	ShowUnprepared(ctx context.Context, err error)
}

// A Marker returns an error that names another controller which marks an external resource as its
// own, nil if none does. The client calls it before the object takes a resource over.
type Marker[L any] interface {
	Marked(live L) error
}

// A Placed returns where the external resource is, such as the zone of a record, as alternating
// keys and values for the log. It is called after Prepare, and makes no calls.
type Placed interface {
	Place() []any
}

// A Doubter is for a kind for which one answer does not prove that a resource is absent: the answer
// may come from a stale copy, or be wrong.
type Doubter interface {
	// Doubt reports whether a stale copy may hide the resource of that ID, which is young. It
	// returns false if this process has deleted the resource. After true, the next Get asks again.
	Doubt(id string) bool
	// Prove returns nil if another answer confirms the absence, and otherwise an error that says
	// what it waits for. own is true for a resource that is known to have existed. The error may
	// have a method RetryAfter, which returns how long another look is of no use.
	Prove(ctx context.Context, id string, own bool) error
}

// A YoungError says that a resource seems to be gone, and that it is too early to believe that.
type YoungError struct {
	// What is the name of such a resource for users, and ID is its ID.
	What, ID string
	// Until is when its absence will be believed.
	Until time.Time
}

func (e *YoungError) Error() string {
	return fmt.Sprintf("%s %s is too young for its absence to be believed: looking again after %s", e.What, e.ID, e.Until.UTC().Format(time.RFC3339))
}

// An UnsureError says that the outcome of a creation is not known, and that it may have made any
// one of several existing resources, or none.
type UnsureError struct {
	// Name is the name of such a resource for users.
	Name string
	// IDs are the IDs of these resources.
	IDs []string
}

func (e *UnsureError) Error() string {
	return fmt.Sprintf("the answer to the creation of the %s was lost, and what is there now may be this object's or not (ID %s): "+
		"set the annotation %s to the ID of the one that is this object's; if none is, set spec.deletionPolicy to Orphan, delete this object, and create another",
		e.Name, strings.Join(e.IDs, ", "), meta.AnnotationKeyExternalName)
}

// A Part reports whether the parent of its external resource is gone, and the resource with it.
type Part interface {
	ParentGone() bool
}

// A Traced says where the audit logs record changes of the external resource of that ID.
type Traced interface {
	Trace(id string) audit.Subject
}

// A Leaver releases what it works with.
type Leaver interface {
	Leave()
}

// A Guard returns an error if an external resource may not be deleted now. The error may have a
// method RetryAfter, which returns how long another attempt is of no use.
type Guard[L any] interface {
	MayDelete(ctx context.Context, live L) error
}

// A Prover is for a kind for which the API's answers do not prove that a resource is gone. An
// annotation has a note of each deletion (see Notes).
type Prover[L any] interface {
	// DeletionNote returns the text of the note of a deletion.
	DeletionNote(live L) string
	// NotedID returns the ID in the note of the object's deletion, "" if there is none.
	NotedID() string
	// Deleted reports whether lists show that the deletion in the object's note was carried out.
	Deleted(ctx context.Context) (bool, error)
	// Kept reports whether a deletion that failed with err was certainly not carried out.
	Kept(err error) bool
}

// A Remover is what the journal needs to know about a resource that was made for a vanished object.
type Remover[L any] interface {
	// MadeOn returns when live was created. It is zero if that is not known.
	MadeOn(live L) time.Time
	// Serves reports whether live is in use. The journal leaves such a resource, except shortly
	// after its creation.
	Serves(live L) bool
}

// ShownTime returns a time to the second, as a status has it. A finer one would always differ from
// what the API server has, and each look would write the status.
func ShownTime(t *time.Time) *metav1.Time {
	if t == nil || t.IsZero() {
		return nil
	}
	return ptr.To(metav1.NewTime(t.Truncate(time.Second)))
}
