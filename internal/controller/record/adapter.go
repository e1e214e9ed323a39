// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	apisv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift/audit"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/policy"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/reach"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// zones returns the zones of a credential, and what is known of them.
type zones interface {
	Zone(api dnszone.API, zoneID string) *dnszone.Zone
	WasDeleted(zoneID string) bool
	ByName(ctx context.Context, api dnszone.API, name, accountID string) (string, error)
	Place(zoneID string, held dnszone.Place) dnszone.Place
	Replaced(ctx context.Context, api dnszone.API, was string, held dnszone.Place, now string) (bool, error)
}

// adapter works on the DNS record of one Record during one reconcile.
type adapter struct {
	mg      *v1alpha1.Record
	session connect.Session
	zones   zones
	kube    client.Client
	// now is the clock. settle is how long after an attempt the absence of its record proves nothing.
	now    func() time.Time
	settle time.Duration
	// waiting has the Records that a new record in their zone wakes.
	waiting *parent.Waiters[types.NamespacedName]
	// reach says where references may lead.
	reach reach.Policy

	// seen is the time after which a found record must have been seen. Zero accepts any time.
	seen time.Time

	zone *dnszone.Zone
	// zoneGone is true for a Record under deletion whose zone is proven to be gone and was created again under
	// its name.
	zoneGone bool
	// leave ends the work on the zone. It is nil before the work has begun.
	leave func()
	// want is the declared record. It is nil if the Record declares too little to compare with. note is the note
	// of its key.
	want *dnsrecord.Record
	note string
	// tried is the creation whose outcome the Record does not know, nil for none.
	tried *attempt
}

// An attempt is a creation of the Record whose outcome it does not know.
type attempt struct {
	subject

	begun time.Time
}

var _ interface {
	external.Adapter[dnszone.Entry]
	external.LateInitializer[dnszone.Entry]
	external.CreateResultChecker[dnszone.Entry]
	external.OwnershipChecker[dnszone.Entry]
	external.Locator
	external.GarbageCollectable[dnszone.Entry]
	external.PrepareFailureReporter
	external.Child
	external.Closer
	external.Audited
	external.FreshnessRequirer
	external.RequestHasher
} = &adapter{}

// ResumeCreate sets the creation whose outcome the Record does not know.
func (a *adapter) ResumeCreate(about json.RawMessage, begun time.Time) error {
	a.tried = &attempt{begun: begun}
	return json.Unmarshal(about, &a.tried.subject)
}

// Prepare finds the zone and, unless the Record is being deleted, the desired DNS record. A deletion does not
// need the latter.
func (a *adapter) Prepare(ctx context.Context) error {
	if meta.WasDeleted(a.mg) {
		return a.resolveZone(ctx)
	}
	return a.desire(ctx)
}

// ValidateForCreate returns what the spec lacks for a creation.
func (a *adapter) ValidateForCreate() error {
	if a.want == nil {
		return errors.New("spec.forProvider: name, type and content (or data) are needed to create a DNS record")
	}
	return nil
}

// AdoptionPolicy returns the adoption policy.
func (a *adapter) AdoptionPolicy() string { return string(a.mg.Spec.AdoptionPolicy) }

// NaturalKey returns the key of the record that would be created.
func (a *adapter) NaturalKey() string { return a.note }

// Facts returns the facts about a record.
func (a *adapter) Facts(live dnszone.Entry) decision.ResourceFacts {
	l, r := live.Live, live.Record
	out := decision.ResourceFacts{
		ID: l.ID, Label: r.Type + " " + r.Name,
		Existing: "another record of that name and type", Several: fmt.Sprintf("records %s of type %s", r.Name, r.Type),
	}
	if a.want != nil {
		out.Named = r.Name == a.want.Name && r.Type == a.want.Type
		out.Alike = a.want.Key().Rdata != "" && r.Key() == a.want.Key()
	}
	if out.Alike {
		out.Existing = "an identical record"
	}
	if owner, ok := l.Foreign(); ok {
		out.Foreign = &decision.ManagedByProductError{Name: noun().Name, ID: l.ID, Owner: owner}
	}
	if a.want != nil && a.want.Type != r.Type && policy.Manages(a.mg) {
		out.Mismatch = fmt.Errorf("DNS record %s is of type %s, spec.forProvider.type is %s: a record's type cannot change. "+
			"To keep the live record, set spec.deletionPolicy to Orphan first; then delete this object and create another", l.ID, r.Type, a.want.Type)
	}
	filled := a.mg.Spec.ForProvider
	out.Open = lateInitialize(&filled, live)
	return out
}

// CheckOwnership returns an error if another controller marks a record as its own, unless spec.adoptFrom names that
// controller. If this object may have made the record, marks in the record's own name and content do not count,
// because the object chose these.
func (a *adapter) CheckOwnership(live dnszone.Entry) error {
	mine := a.mayHaveMade(live)
	for _, owner := range a.zone.Owners(live) {
		if mine && owner.Itself {
			continue
		}
		if !slices.Contains(a.mg.Spec.AdoptFrom, v1alpha1.RecordOwner(owner.Controller)) {
			return &claim.OwnedByControllerError{ID: live.Live.ID, Owner: owner.Text, Allow: fmt.Sprintf("add %s to spec.adoptFrom", owner.Controller)}
		}
	}
	return nil
}

// mayHaveMade reports whether a record can be the work of an attempt whose outcome the Record does not know. It
// does not compare names, because the API may have appended the zone's name.
func (a *adapter) mayHaveMade(live dnszone.Entry) bool {
	if a.tried == nil {
		return false
	}
	key, is := a.tried.Key, live.Record.Key()
	return is.Type == key.Type && is.Rdata == key.Rdata && !live.Live.CreatedOn.Before(a.tried.begun.Add(-cloudflare.ClockSkew))
}

// empty is the text of an empty value in a difference.
const empty = `""`

// LogLocation returns the record's zone.
func (a *adapter) LogLocation() []any {
	return []any{"zone", a.zone.KnownName(), "zoneId", a.zone.ID()}
}

// Compare returns how a record differs from the declared one.
func (a *adapter) Compare(live dnszone.Entry) (drift.Differences, bool) {
	if a.want == nil {
		return nil, false
	}
	var out drift.Differences
	for _, d := range dnsrecord.Diff(*a.want, live.Record) {
		out = append(out, drift.Difference{Field: d.Field, Live: cmp.Or(d.Live, empty), Desired: cmp.Or(d.Desired, empty)})
	}
	return out, true
}

// A subject is what an entry of the journal is about.
type subject struct {
	Zone string        `json:"zone"`
	Key  dnsrecord.Key `json:"key"`
}

// JournalPayload returns what a creation is about in the journal.
func (a *adapter) JournalPayload() any {
	if a.want == nil {
		return nil
	}
	return subject{Zone: a.zone.ID(), Key: a.want.Key()}
}

// Create creates the record. Before that, the zone's writer records it in the journal.
func (a *adapter) Create(ctx context.Context, entry journal.Entry) (dnszone.Entry, error) {
	return a.zone.Apply(ctx, dnszone.Create(*a.want).WithIntent(entry))
}

// ClassifyCreateError returns what is known after a failed creation. The API checks for name conflicts and the quota only
// after it has found no identical record, so these refusals prove that an earlier attempt made none. Other
// refusals prove nothing, and an existing record may be the work of an earlier attempt.
func (a *adapter) ClassifyCreateError(err error) external.Outcome {
	var unsettled *dnszone.OutcomeUnknownError
	switch {
	case errors.As(err, &unsettled) || cloudflare.IsAmbiguous(err):
		return external.OutcomeUnknown
	case cloudflare.IsNameTaken(err) || cloudflare.IsQuota(err):
		return external.OutcomeNothing
	}
	return external.OutcomeRefused
}

// IsComplete reports whether the answer shows everything about the record. If the zone's name was not known, the
// answer shows whether the record's name is relative to it. The next observation reports a name outside of the
// zone.
func (a *adapter) IsComplete(ctx context.Context, made dnszone.Entry) bool {
	return made.Record.Name == a.want.Name || a.desire(ctx) == nil
}

// Update changes the record to what is declared. A user waits for an edit, so an edit is sent soon.
func (a *adapter) Update(ctx context.Context, live dnszone.Entry, drifted bool) (dnszone.Entry, error) {
	op := dnszone.Update(live, *a.want)
	if !drifted {
		op = op.Soon()
	}
	return a.zone.Apply(ctx, op)
}

// Delete deletes the record.
func (a *adapter) Delete(ctx context.Context, live dnszone.Entry) error {
	_, err := a.zone.Apply(ctx, dnszone.Delete(live))
	return err
}

// LateInitialize fills in what the spec leaves open.
func (a *adapter) LateInitialize(mg resource.Managed, live dnszone.Entry) {
	if r, ok := mg.(*v1alpha1.Record); ok {
		lateInitialize(&r.Spec.ForProvider, live)
	}
}

// SetStatus puts a record on the status.
func (a *adapter) SetStatus(live dnszone.Entry, synced *metav1.Time) {
	a.waiting.Remove(client.ObjectKeyFromObject(a.mg))
	zoneName := cmp.Or(a.zone.KnownName(), a.mg.Status.AtProvider.ZoneName)
	held := a.heldPlace()
	a.mg.Status.AtProvider = observation(a.zone.ID(), live)
	a.mg.Status.AtProvider.ZoneName = zoneName
	a.mg.Status.AtProvider.LastSyncedAt = synced
	a.mg.Status.Zone = nil
	if at := a.zones.Place(a.zone.ID(), held); at.Name != "" {
		a.mg.Status.Zone = (*apisv1alpha1.ZonePlace)(&at)
	}
}

// heldPlace returns the place of the zone that the status shows.
func (a *adapter) heldPlace() dnszone.Place {
	return dnszone.Place(ptr.Deref(a.mg.Status.Zone, apisv1alpha1.ZonePlace{}))
}

// LastWrite returns when a write last succeeded.
func (a *adapter) LastWrite() *metav1.Time { return a.mg.Status.AtProvider.LastSyncedAt }

// ClearStatus empties the status.
func (a *adapter) ClearStatus() { a.mg.Status.AtProvider = v1alpha1.RecordObservation{} }

// SetPrepareFailedStatus puts the record that the Record names by ID on its status if the declared name is not valid in
// the zone. It does so only for a record that the Record observes, or had before. Nothing else is done with the
// record.
func (a *adapter) SetPrepareFailedStatus(ctx context.Context, err error) {
	id := meta.GetExternalName(a.mg)
	had := a.mg.Status.AtProvider.ID == id
	if !nameRefused(err) || a.zone == nil || id == "" || (policy.Manages(a.mg) && !had) {
		return
	}
	if live, err := a.zone.Get(ctx, id); err == nil {
		a.SetStatus(live, reconciler.LastSync(a.mg, a.LastWrite()))
	}
}

// ParentGone reports whether the record is gone together with its zone.
func (a *adapter) ParentGone() bool { return a.zoneGone || a.zones.WasDeleted(a.zone.ID()) }

// AuditSubject returns where the audit logs record changes of a record.
func (a *adapter) AuditSubject(id string) audit.Subject {
	zone := a.zone.ID()
	s := audit.Subject{
		AccountID: a.zone.Account(), Fallback: a.session.AccountID, ZoneID: zone, Parent: "records of " + zone,
		ID: id, Path: "/zones/" + zone + "/dns_records/" + id,
	}
	if s.AccountID == "" && a.zone.Nameless() != nil {
		s.AccountID = a.session.AccountID // The credential may not read the zone: it is not asked for again.
	}
	s.Looked, s.Sweep = a.zone.Looked()
	return s
}

// Close ends the work on the zone. Zones are pooled.
func (a *adapter) Close() {
	if a.leave != nil {
		a.leave()
	}
}

// CreatedAt returns when a record was created.
func (a *adapter) CreatedAt(live dnszone.Entry) time.Time { return live.Live.CreatedOn }

// InUse returns false: a record that was made for a vanished object is removed even if it is used.
func (a *adapter) InUse(dnszone.Entry) bool { return false }

// RequestHash returns a text that identifies the declared record, its zone, and the number of changes of that zone's
// records.
func (a *adapter) RequestHash() string {
	if a.want == nil {
		return ""
	}
	return external.Said(a.zone.ID(), a.want.Body(), a.zone.Changes())
}
