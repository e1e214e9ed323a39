// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift/audit"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
)

// api is the part of a client that an adapter uses.
type api interface {
	GetZone(ctx context.Context, id string) (cloudflare.Zone, error)
	FindZones(ctx context.Context, name, accountID string, internal bool) ([]cloudflare.Zone, error)
	CreateZone(ctx context.Context, name, accountID, kind string) (cloudflare.Zone, error)
	EditZone(ctx context.Context, id, property string, value any) (cloudflare.Zone, error)
	DeleteZone(ctx context.Context, id string) error
}

// adapter works on the zone of one Zone during one reconcile.
type adapter struct {
	mg        *v1alpha1.Zone
	api       api
	accountID string
	// name is the zone's name from the spec in the form of the API, after Prepare. nameErr is
	// set if the spec's name is missing or not valid.
	name    string
	nameErr error
	// tried is the creation whose outcome the Zone does not know, nil for none.
	tried *subject
	// listed is the result of the list of zones of that name, nil before it.
	listed *listing

	// deleted is called with each zone whose deletion the API confirmed.
	deleted func(zoneID string)
	// seen is called with each zone that the object shows. It may be nil.
	seen func(cloudflare.Zone)
	// departing returns the objects that have yet to delete a resource in a zone.
	departing func(ctx context.Context, zoneID string) ([]types.NamespacedName, error)
	// look is the number of the drift interval that the reconcile is in.
	look uint64
}

var _ interface {
	external.Adapter[cloudflare.Zone]
	external.IDVerifier[cloudflare.Zone]
	external.Locator
	external.Readier[cloudflare.Zone]
	external.DeletionGuard[cloudflare.Zone]
	external.DeletionTracker[cloudflare.Zone]
	external.GarbageCollectable[cloudflare.Zone]
	external.Audited
	external.RequestHasher
} = &adapter{}

// ValidateForCreate returns what the spec lacks for a creation.
func (a *adapter) ValidateForCreate() error {
	switch {
	case a.mg.Spec.ForProvider.Name == nil:
		return errors.New("spec.forProvider.name is needed to create a zone")
	case a.accountID == "":
		return errors.New("spec.forProvider.accountId is needed to create a zone: set it, or accountId on the provider config")
	}
	return a.nameErr
}

// AdoptionPolicy returns the adoption policy.
func (a *adapter) AdoptionPolicy() string { return string(a.mg.Spec.AdoptionPolicy) }

// NaturalKey returns the name of the zone that would be created.
func (a *adapter) NaturalKey() string { return ptr.Deref(a.mg.Spec.ForProvider.Name, "") }

// ResumeCreate sets the creation whose outcome the Zone does not know.
func (a *adapter) ResumeCreate(about json.RawMessage, _ time.Time) error {
	a.tried = &subject{}
	return json.Unmarshal(about, a.tried)
}

// Attempt returns what is known of the creation in Resume. A zone's name cannot change, so the
// zone of that name is the right one.
func (a *adapter) Attempt() external.Attempt {
	if a.tried == nil {
		return external.Attempt{}
	}
	return external.Attempt{Same: a.tried.Name == a.name, What: fmt.Sprintf("the zone %q", a.tried.Name)}
}

// Facts returns the facts about a zone.
func (a *adapter) Facts(z cloudflare.Zone) decision.ResourceFacts {
	return decision.ResourceFacts{ID: z.ID, Label: z.Name, Existing: fmt.Sprintf("zone %q", z.Name), Alike: true, Named: true}
}

// Compare returns how a zone differs from what is declared.
func (a *adapter) Compare(z cloudflare.Zone) (drift.Differences, bool) {
	return differences(edits(a.mg.Spec.ForProvider, z)), true
}

// LogLocation returns the zone itself, by its name, and its account.
func (a *adapter) LogLocation() []any {
	at := a.mg.Status.AtProvider
	return []any{"zone", cmp.Or(at.Name, a.name), "accountId", cmp.Or(at.AccountID, a.accountID)}
}

// A subject is what an entry of the journal is about.
type subject struct {
	Name     string `json:"name"`
	Account  string `json:"account"`
	Internal bool   `json:"internal,omitempty"`
}

// JournalPayload returns what a creation is about in the journal.
func (a *adapter) JournalPayload() any {
	return subject{Name: a.name, Account: a.accountID, Internal: a.internal()}
}

func (a *adapter) internal() bool {
	return ptr.Deref(a.mg.Spec.ForProvider.Type, "") == cloudflare.ZoneTypeInternal
}

// Create creates the zone.
func (a *adapter) Create(ctx context.Context, _ journal.Entry) (cloudflare.Zone, error) {
	z, err := a.api.CreateZone(ctx, a.name, a.accountID, ptr.Deref(a.mg.Spec.ForProvider.Type, "full"))
	if err != nil {
		return z, fmt.Errorf("cannot create the zone: %w", err)
	}
	return z, nil
}

// ClassifyCreateError returns what is known after a failed creation. If the zone exists, it may be the work
// of an earlier attempt.
func (a *adapter) ClassifyCreateError(err error) external.Outcome {
	switch {
	case cloudflare.IsAmbiguous(err):
		return external.OutcomeUnknown
	case cloudflare.IsZoneExists(err):
		return external.OutcomeRefused
	}
	return external.OutcomeNothing
}

// VerifyID reads the zone of an ID from the answer to a list or a creation. A deleted zone does
// not come back, so a single answer with a wrong ID must not decide about a deletion.
func (a *adapter) VerifyID(ctx context.Context, z cloudflare.Zone) (cloudflare.Zone, error) {
	seen, err := a.api.GetZone(ctx, z.ID)
	if err == nil && seen.Name != z.Name {
		err = fmt.Errorf("that zone is %q", seen.Name)
	}
	if err != nil {
		return z, fmt.Errorf("cannot confirm that the ID of zone %q is %s: %w", z.Name, z.ID, err)
	}
	return seen, nil
}

// Update sets the first property that differs: the API refuses more in one call.
func (a *adapter) Update(ctx context.Context, z cloudflare.Zone, _ bool) (cloudflare.Zone, error) {
	all := edits(a.mg.Spec.ForProvider, z)
	if len(all) == 0 {
		return z, nil
	}
	now, err := a.api.EditZone(ctx, z.ID, all[0].property, all[0].value)
	if err != nil {
		return z, fmt.Errorf("cannot set the zone's %s: %w", all[0].field, err)
	}
	return now, nil
}

// SetStatus puts a zone on the status.
func (a *adapter) SetStatus(z cloudflare.Zone, synced *metav1.Time) {
	if a.seen != nil {
		a.seen(z)
	}
	a.mg.Status.AtProvider = observation(z)
	a.mg.Status.AtProvider.LastSyncedAt = synced
}

// LastWrite returns when a write last succeeded.
func (a *adapter) LastWrite() *metav1.Time { return a.mg.Status.AtProvider.LastSyncedAt }

// ClearStatus empties the status.
func (a *adapter) ClearStatus() { a.mg.Status.AtProvider = v1alpha1.ZoneObservation{} }

// AuditSubject returns where the audit logs record changes of a zone. Each zone is looked at
// individually, once an interval.
func (a *adapter) AuditSubject(id string) audit.Subject {
	return audit.Subject{
		AccountID: a.mg.Status.AtProvider.AccountID, Fallback: a.accountID, ZoneID: id, Parent: "zone " + id,
		ID: id, Path: "/zones/" + id, Sweep: a.look,
	}
}

// Ready returns whether the zone serves.
func (a *adapter) Ready(z cloudflare.Zone) xpv2.Condition {
	if why := notReady(z); why != "" {
		return xpv2.Unavailable().WithMessage(why)
	}
	return xpv2.Available()
}

// CreatedAt returns when a zone was created.
func (a *adapter) CreatedAt(z cloudflare.Zone) time.Time { return ptr.Deref(z.CreatedOn, time.Time{}) }

// InUse reports whether the zone was activated.
func (a *adapter) InUse(z cloudflare.Zone) bool { return z.Status == cloudflare.ZoneActive }

// RequestHash returns a text that identifies the declared zone and its account.
func (a *adapter) RequestHash() string {
	return external.Said(a.accountID, a.name, a.mg.Spec.ForProvider)
}
