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
// A look returns ErrAbsent only if absence is proven. It returns a *decision.MissingError if the
// resource seems to be gone and the kind is not created again, and a *cloudflare.IDError if the
// external name cannot be an ID. Any other error says that the look failed.
type Adapter[L any] interface {
	// ResumeCreate comes before all other calls, for an object that does not know the outcome of an
	// earlier creation. about is what Subject returned for that creation, and begun is when it
	// began, both by the journal.
	ResumeCreate(about json.RawMessage, begun time.Time) error
	// Prepare finds out where the external resource is, and what it should be. For an object that
	// is being deleted it finds out only where.
	Prepare(ctx context.Context) error
	// ValidateForCreate returns what the spec lacks for a creation, nil if it lacks nothing.
	ValidateForCreate() error
	// AdoptionPolicy returns the adoption policy.
	AdoptionPolicy() string
	// NaturalKey returns the natural key of what would be created. The annotation Notes.Pending has it
	// from before the creation until its outcome is known.
	NaturalKey() string
	// Attempt returns what is known of the creation in Resume.
	Attempt() Attempt

	// Get looks for an external resource by its ID.
	Get(ctx context.Context, id string) (L, error)
	// FindCreated looks for the resource that the creation in Resume made.
	FindCreated(ctx context.Context, w Window) (L, error)
	// Find looks for the resources that match the natural key.
	Find(ctx context.Context, w Window) ([]L, error)
	// Facts returns the facts of an external resource. The client adds whether it differs.
	Facts(live L) decision.ResourceFacts
	// Compare returns how live differs from what the object declares. It returns false if the
	// object declares nothing to compare with.
	Compare(live L) (drift.Differences, bool)

	// JournalPayload returns what the journal records of a creation. It alone has to identify what was
	// created.
	JournalPayload() any
	// Create creates the external resource. For a kind whose writer notes creations in the journal,
	// it has the writer note the entry.
	Create(ctx context.Context, entry journal.Entry) (L, error)
	// ClassifyCreateError returns what is known after a creation that failed with err.
	ClassifyCreateError(err error) Outcome
	// Update brings live closer to what the object declares, with one write. It returns the API's
	// answer. drifted is false for a user's edit.
	Update(ctx context.Context, live L, drifted bool) (L, error)
	// Delete deletes the external resource.
	Delete(ctx context.Context, live L) error

	// SetStatus puts live on the object's status, with the time of the last write.
	SetStatus(live L, synced *metav1.Time)
	// LastWrite returns the time of the last write that the status shows.
	LastWrite() *metav1.Time
	// ClearStatus clears what the status shows of the external resource.
	ClearStatus()
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

// A LateInitializer fills in fields that the spec leaves unset and the API has set. The facts that its About
// returns say whether there are any.
type LateInitializer[L any] interface {
	// LateInitialize fills in the spec of mg, which may be a copy of the object.
	LateInitialize(mg resource.Managed, live L)
}

// A Snapshotter keeps on the object's status what the external resource was before the object
// changed it.
type Snapshotter[L any] interface {
	// Snapshot persists what live is, once. A conflict says that the object is not the latest
	// version.
	Snapshot(ctx context.Context, live L) error
}

// An IDVerifier reads an external resource by the ID that a list or a creation returned. An object
// keeps its ID for good, so a single wrong answer must not decide it.
type IDVerifier[L any] interface {
	VerifyID(ctx context.Context, live L) (L, error)
}

// A CreateResultChecker reports whether the answer to a creation shows all there is to see, so that no other
// look is needed.
type CreateResultChecker[L any] interface {
	IsComplete(ctx context.Context, made L) bool
}

// A ReplacementCreator creates a replacement of an external resource during an update.
type ReplacementCreator[L any] interface {
	// SetCreateFunc makes the adapter send all such creations by create. create notes the creation in
	// the journal, calls send, and then notes the outcome. It returns an error, and does not call
	// send, while an earlier call for the very same may still be carried out.
	SetCreateFunc(create func(ctx context.Context, send func(context.Context) (L, error)) (L, error))
}

// An UncachedReader looks at an external resource once more, without any memory of it.
type UncachedReader[L any] interface {
	GetUncached(ctx context.Context, live L) (L, error)
}

// An UpdateIneffectiveError says that the API accepts a change repeatedly, and that the resource stays as it
// was.
type UpdateIneffectiveError struct {
	// Fields are the differences that remain.
	Fields drift.Differences
}

func (e *UpdateIneffectiveError) Error() string {
	return fmt.Sprintf("the Cloudflare API accepted the change but did not make it, twice: %s: set the fields to what Cloudflare has, or find out there why it keeps that", e.Fields)
}

// notDonePause is the pause before a change that the API did not make is tried again.
const notDonePause = 10 * time.Minute

// RetryAfter returns how long another attempt is of no use.
func (*UpdateIneffectiveError) RetryAfter() time.Duration { return notDonePause }

// A Readier reports the readiness of an external resource, for a kind whose resources may exist
// without being ready.
type Readier[L any] interface {
	Ready(live L) xpv2.Condition
}

// A RequestHasher identifies what it writes.
type RequestHasher interface {
	// RequestHash returns a value that changes with what a creation or an update sends, values of Secrets
	// included, and with what is known of the parent: after a change of the parent, the API may
	// accept what it refuses now. Only a hash of it is kept in memory. It is "" for a kind that
	// cannot say.
	RequestHash() string
}

// A ConnectionPublisher keeps the connection secret of an object up to date. Create publishes what only the
// answer to a creation shows.
type ConnectionPublisher[L any] interface {
	// PublishConnection publishes for an object that owns the external resource if own is true, and for one
	// that only looks at it otherwise.
	PublishConnection(ctx context.Context, live L, own bool) error
}

// A PrepareFailureReporter shows what is known of an object whose preparation failed with err.
type PrepareFailureReporter interface {
	SetPrepareFailedStatus(ctx context.Context, err error)
}

// An OwnershipChecker returns an error that names another controller which marks an external resource as its
// own, nil if none does. The client calls it before the object takes a resource over.
type OwnershipChecker[L any] interface {
	CheckOwnership(live L) error
}

// A Locator returns where the external resource is, such as the zone of a record, as alternating
// keys and values for the log. It is called after Prepare, and makes no calls.
type Locator interface {
	LogLocation() []any
}

// An AbsenceVerifier is for a kind for which one answer does not prove that a resource is absent: the answer
// may come from a stale copy, or be wrong.
type AbsenceVerifier interface {
	// MayBeStale reports whether a stale copy may hide the resource of that ID, which is young. It
	// returns false if this process has deleted the resource. After true, the next Get asks again.
	MayBeStale(id string) bool
	// VerifyAbsence returns nil if another answer confirms the absence, and otherwise an error that says
	// what it waits for. own is true for a resource that is known to have existed. The error may
	// have a method RetryAfter, which returns how long another look is of no use.
	VerifyAbsence(ctx context.Context, id string, own bool) error
}

// An AbsenceUnconfirmedError says that a resource seems to be gone, and that it is too early to believe that.
type AbsenceUnconfirmedError struct {
	// What is the name of such a resource for users, and ID is its ID.
	What, ID string
	// Until is when its absence will be believed.
	Until time.Time
}

func (e *AbsenceUnconfirmedError) Error() string {
	return fmt.Sprintf("%s %s is too young for its absence to be believed: looking again after %s", e.What, e.ID, e.Until.UTC().Format(time.RFC3339))
}

// An AmbiguousCreateError says that the outcome of a creation is not known, and that it may have made any
// one of several existing resources, or none.
type AmbiguousCreateError struct {
	// Name is the name of such a resource for users.
	Name string
	// IDs are the IDs of these resources.
	IDs []string
}

func (e *AmbiguousCreateError) Error() string {
	return fmt.Sprintf("the answer to the creation of the %s was lost, and what is there now may be this object's or not (ID %s): "+
		"set the annotation %s to the ID of the one that is this object's; if none is, set spec.deletionPolicy to Orphan, delete this object, and create another",
		e.Name, strings.Join(e.IDs, ", "), meta.AnnotationKeyExternalName)
}

// A Child reports whether the parent of its external resource is gone, and the resource with it.
type Child interface {
	ParentGone() bool
}

// An Audited says where the audit logs record changes of the external resource of that ID.
type Audited interface {
	AuditSubject(id string) audit.Subject
}

// A Closer releases what it works with.
type Closer interface {
	Close()
}

// A DeletionGuard returns an error if an external resource may not be deleted now. The error may have a
// method RetryAfter, which returns how long another attempt is of no use.
type DeletionGuard[L any] interface {
	ValidateDelete(ctx context.Context, live L) error
}

// A DeletionTracker is for a kind for which the API's answers do not prove that a resource is gone. An
// annotation has a note of each deletion (see Notes).
type DeletionTracker[L any] interface {
	// DeletionRecord returns the text of the note of a deletion.
	DeletionRecord(live L) string
	// RecordedID returns the ID in the note of the object's deletion, "" if there is none.
	RecordedID() string
	// DeletionCompleted reports whether lists show that the deletion in the object's note was carried out.
	DeletionCompleted(ctx context.Context) (bool, error)
	// DeletionRejected reports whether a deletion that failed with err was certainly not carried out.
	DeletionRejected(err error) bool
}

// A GarbageCollectable is what the journal needs to know about a resource that was made for a vanished object.
type GarbageCollectable[L any] interface {
	// CreatedAt returns when live was created. It is zero if that is not known.
	CreatedAt(live L) time.Time
	// InUse reports whether live is in use. The journal leaves such a resource, except shortly
	// after its creation.
	InUse(live L) bool
}

// ShownTime returns a time to the second, as a status has it. A finer one would always differ from
// what the API server has, and each look would write the status.
func ShownTime(t *time.Time) *metav1.Time {
	if t == nil || t.IsZero() {
		return nil
	}
	return ptr.To(metav1.NewTime(t.Truncate(time.Second)))
}
