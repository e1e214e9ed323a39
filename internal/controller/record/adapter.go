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

// zones leads to the zones of a credential.
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
	// now is the clock, and settle how long the absence of what an earlier attempt
	// may have made is not believed.
	now    func() time.Time
	settle time.Duration
	// waiting are the Records that a new record in their zone wakes.
	waiting *parent.Waiting[types.NamespacedName]
	// reach says where references may lead.
	reach reach.Policy

	// seen is before when what is found must not have been seen last, zero for any time.
	seen time.Time

	zone *dnszone.Zone
	// zoneGone is true of a Record under deletion whose zone is proven to be gone, and made again under its name.
	zoneGone bool
	// leave ends the work on the zone, once it has begun.
	leave func()
	// want is nil for a Record that declares too little to compare with, and note the
	// note of its key.
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
	external.Filler[dnszone.Entry]
	external.Completer[dnszone.Entry]
	external.Marker[dnszone.Entry]
	external.Placed
	external.Remover[dnszone.Entry]
	external.Unprepared
	external.Part
	external.Leaver
	external.Traced
	external.Viewer
	external.Sender
} = &adapter{}

// Resume tells of a creation whose outcome the Record does not know.
func (a *adapter) Resume(about json.RawMessage, begun time.Time) error {
	a.tried = &attempt{begun: begun}
	return json.Unmarshal(about, &a.tried.subject)
}

// Prepare finds the zone and, unless the Record is being deleted, what its DNS record
// should be: to delete it, that does not matter.
func (a *adapter) Prepare(ctx context.Context) error {
	if meta.WasDeleted(a.mg) {
		return a.resolveZone(ctx)
	}
	return a.desire(ctx)
}

// Lacks says what the spec lacks for a creation.
func (a *adapter) Lacks() error {
	if a.want == nil {
		return errors.New("spec.forProvider: name, type and content (or data) are needed to create a DNS record")
	}
	return nil
}

// Adoption is the adoption policy.
func (a *adapter) Adoption() string { return string(a.mg.Spec.AdoptionPolicy) }

// Note is the key of the record that would be created.
func (a *adapter) Note() string { return a.note }

// About gives the facts of a record.
func (a *adapter) About(live dnszone.Entry) decision.Live {
	l, r := live.Live, live.Record
	out := decision.Live{
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
		out.Foreign = &decision.ForeignError{Name: noun().Name, ID: l.ID, Owner: owner}
	}
	if a.want != nil && a.want.Type != r.Type && policy.Manages(a.mg) {
		out.Mismatch = fmt.Errorf("DNS record %s is of type %s, spec.forProvider.type is %s: a record's type cannot change. "+
			"To keep the live record, set spec.deletionPolicy to Orphan first; then delete this object and create another", l.ID, r.Type, a.want.Type)
	}
	filled := a.mg.Spec.ForProvider
	out.Open = lateInitialize(&filled, live)
	return out
}

// Marked says which other controller marks a record as its own, if the spec does not name
// that controller as one to adopt from. Of a record that this object may have made, its own
// name and content say nothing: the object chose them.
func (a *adapter) Marked(live dnszone.Entry) error {
	mine := a.mayHaveMade(live)
	for _, owner := range a.zone.Owners(live) {
		if mine && owner.Itself {
			continue
		}
		if !slices.Contains(a.mg.Spec.AdoptFrom, v1alpha1.RecordOwner(owner.Controller)) {
			return &claim.MarkedError{ID: live.Live.ID, Owner: owner.Text, Allow: fmt.Sprintf("add %s to spec.adoptFrom", owner.Controller)}
		}
	}
	return nil
}

// mayHaveMade reports whether a record can be the work of an attempt whose outcome the
// Record does not know. The API may have appended the zone's name to its name.
func (a *adapter) mayHaveMade(live dnszone.Entry) bool {
	if a.tried == nil {
		return false
	}
	key, is := a.tried.Key, live.Record.Key()
	return is.Type == key.Type && is.Rdata == key.Rdata && !live.Live.CreatedOn.Before(a.tried.begun.Add(-cloudflare.ClockSkew))
}

// empty is how an empty value reads in a difference.
const empty = `""`

// Place is the record's zone.
func (a *adapter) Place() []any { return []any{"zone", a.zone.KnownName(), "zoneId", a.zone.ID()} }

// Compare says how a record differs.
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

// Subject is what a creation is about in the journal.
func (a *adapter) Subject() any {
	if a.want == nil {
		return nil
	}
	return subject{Zone: a.zone.ID(), Key: a.want.Key()}
}

// Create makes the record. The zone's writer notes it in the journal before.
func (a *adapter) Create(ctx context.Context, entry journal.Entry) (dnszone.Entry, error) {
	return a.zone.Apply(ctx, dnszone.Create(*a.want).WithIntent(entry))
}

// Outcome says what is known after a creation that failed. The API looks for conflicts of
// names and at the quota only after it has found no identical record, which an earlier
// attempt would have made. Whatever it refuses before says nothing, and that the record
// exists may be the earlier attempt's own work.
func (a *adapter) Outcome(err error) external.Outcome {
	var unsettled *dnszone.UnsettledError
	switch {
	case errors.As(err, &unsettled) || cloudflare.IsAmbiguous(err):
		return external.OutcomeUnknown
	case cloudflare.IsNameTaken(err) || cloudflare.IsQuota(err):
		return external.OutcomeNothing
	}
	return external.OutcomeRefused
}

// Completes reports whether the answer shows all there is to see. Where the zone's name
// was not known, it shows whether the name was relative to it. The next observation says
// what is wrong with a name that is outside of it.
func (a *adapter) Completes(ctx context.Context, made dnszone.Entry) bool {
	return made.Record.Name == a.want.Name || a.desire(ctx) == nil
}

// Update makes the record what is declared. A user waits for an edit.
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

// Fill fills in what the spec leaves open.
func (a *adapter) Fill(mg resource.Managed, live dnszone.Entry) {
	if r, ok := mg.(*v1alpha1.Record); ok {
		lateInitialize(&r.Spec.ForProvider, live)
	}
}

// Show puts a record on the status.
func (a *adapter) Show(live dnszone.Entry, synced *metav1.Time) {
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

// heldPlace is where the zone is that the status shows.
func (a *adapter) heldPlace() dnszone.Place {
	return dnszone.Place(ptr.Deref(a.mg.Status.Zone, apisv1alpha1.ZonePlace{}))
}

// LastSynced is when a write last succeeded.
func (a *adapter) LastSynced() *metav1.Time { return a.mg.Status.AtProvider.LastSyncedAt }

// Forget empties the status.
func (a *adapter) Forget() { a.mg.Status.AtProvider = v1alpha1.RecordObservation{} }

// ShowUnprepared puts the record that the Record names by ID on its status, where the
// name that it declares does not lead to one: a record that it observes, or had before.
// Nothing else is done with it.
func (a *adapter) ShowUnprepared(ctx context.Context, err error) {
	id := meta.GetExternalName(a.mg)
	had := a.mg.Status.AtProvider.ID == id
	if !nameRefused(err) || a.zone == nil || id == "" || (policy.Manages(a.mg) && !had) {
		return
	}
	if live, err := a.zone.Get(ctx, id); err == nil {
		a.Show(live, reconciler.LastSync(a.mg, a.LastSynced()))
	}
}

// ParentGone reports whether the record went with its zone.
func (a *adapter) ParentGone() bool { return a.zoneGone || a.zones.WasDeleted(a.zone.ID()) }

// Trace says where the audit logs have what was done to a record.
func (a *adapter) Trace(id string) audit.Subject {
	zone := a.zone.ID()
	s := audit.Subject{
		AccountID: a.zone.Account(), Fallback: a.session.AccountID, ZoneID: zone, Parent: "records of " + zone,
		ID: id, Path: "/zones/" + zone + "/dns_records/" + id,
	}
	if s.AccountID == "" && a.zone.Nameless() != nil {
		s.AccountID = a.session.AccountID // The credential may not read the zone: it is not asked again.
	}
	s.Looked, s.Sweep = a.zone.Looked()
	return s
}

// Leave ends the work on the zone. Zones are pooled.
func (a *adapter) Leave() {
	if a.leave != nil {
		a.leave()
	}
}

// MadeOn is when a record was created.
func (a *adapter) MadeOn(live dnszone.Entry) time.Time { return live.Live.CreatedOn }

// Serves is false: any record that was made for nobody is removed.
func (a *adapter) Serves(dnszone.Entry) bool { return false }

// Sends is the record that the Record declares, in which zone, and how often that zone's records changed.
func (a *adapter) Sends() string {
	if a.want == nil {
		return ""
	}
	return external.Said(a.zone.ID(), a.want.Body(), a.zone.Changes())
}
