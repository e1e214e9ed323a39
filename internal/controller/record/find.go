// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/policy"
)

// RequireSince sets the time after which a found record must have been seen.
func (a *adapter) RequireSince(t time.Time) { a.seen = t }

// Get looks for a record by its ID.
func (a *adapter) Get(ctx context.Context, id string) (dnszone.Entry, error) {
	if cloudflare.ValidID(id) {
		if err := a.zone.CatchUp(ctx, a.seen); err != nil {
			return dnszone.Entry{}, err
		}
	}
	switch {
	case a.remakes():
		live, err := a.zone.GetGuarded(ctx, id)
		return live, absent(err)
	case !meta.WasDeleted(a.mg) && (a.refusedAgain() || !policy.May(a.mg, xpv2.ManagementActionCreate)):
		live, err := a.zone.Get(ctx, id)
		return live, absent(err)
	}
	return a.getProven(ctx, id)
}

// getProven looks for a record whose absence leads to a write that the API would not refuse: a Record
// under deletion is released, and an edited one creates a second record. So a stale copy of the zone that
// does not have the record yet must not prove its absence.
func (a *adapter) getProven(ctx context.Context, id string) (dnszone.Entry, error) {
	shown := a.created().Add(a.settle)
	live, err := a.zone.GetSince(ctx, id, shown)
	if errors.Is(err, dnszone.ErrNotFound) && a.now().Before(shown) && !a.zone.Deleted(id) {
		return live, &external.AbsenceUnconfirmedError{What: "DNS record", ID: id, Until: shown}
	}
	return live, absent(err)
}

// refusedAgain reports whether the API would refuse to create the declared record while the record that
// was seen last exists.
func (a *adapter) refusedAgain() bool {
	seen, ok := lastSeen(a.mg.Status.AtProvider)
	return ok && a.want != nil && seen == a.want.Key()
}

// created returns when the record was created, as far as the Record knows, and zero otherwise.
func (a *adapter) created() time.Time {
	at := meta.GetExternalCreateSucceeded(a.mg)
	if made := a.mg.Status.AtProvider.CreatedOn; made != nil && made.After(at) {
		at = made.Time
	}
	return at
}

// absent returns err as an error of package external.
func absent(err error) error {
	if errors.Is(err, dnszone.ErrNotFound) {
		return external.ErrAbsent
	}
	return err
}

// remakes reports whether the Record would create the same record again that it had when last seen, if
// that is gone.
func (a *adapter) remakes() bool {
	mg := a.mg
	if meta.WasDeleted(mg) || a.want == nil || !policy.May(mg, xpv2.ManagementActionCreate) || mg.Spec.AdoptionPolicy == v1alpha1.AdoptNameAndType {
		return false
	}
	// A list that is behind may lack a young record that was changed meanwhile. The API would not refuse
	// another record like the one that was seen.
	made := mg.Status.AtProvider.CreatedOn
	if made == nil || a.now().Sub(made.Time) < a.settle {
		return false
	}
	return a.tried == nil && a.refusedAgain() && mg.Status.AtProvider.ID == meta.GetExternalName(mg)
}

// Attempt returns what is known of the creation in Resume.
func (a *adapter) Attempt() external.Attempt {
	if a.tried == nil {
		return external.Attempt{}
	}
	key := a.tried.Key
	return external.Attempt{
		Same: a.want != nil && a.want.Key() == key, UnderWay: a.zone.Creating(key),
		What: fmt.Sprintf("the DNS record %s %s", key.Name, key.Type),
	}
}

// FindCreated looks for what an earlier attempt made. A record whose name is the key's name with the
// zone's name appended may be another record: then its age decides.
func (a *adapter) FindCreated(ctx context.Context, w external.Window) (dnszone.Entry, error) {
	if a.tried == nil {
		return dnszone.Entry{}, external.ErrAbsent
	}
	key := a.tried.Key
	live, err := a.zone.FindCreated(ctx, key, w.Visible)
	if err == nil && live.Record.Name != key.Name && live.Live.CreatedOn.Before(w.Begun.Add(-cloudflare.ClockSkew)) {
		return dnszone.Entry{}, external.ErrAbsent
	}
	if err = absent(err); errors.Is(err, external.ErrAbsent) {
		return a.changedSince(ctx, w)
	}
	return live, err
}

// changedSince looks for what an attempt made if its content has changed since. The external name alone
// proves nothing, because a user can write it: the record must have the name and the type of the attempt,
// and its age. A Record that may not adopt does not rely on that, because another client may have made a
// record in the same minutes.
func (a *adapter) changedSince(ctx context.Context, w external.Window) (dnszone.Entry, error) {
	id := meta.GetExternalName(a.mg)
	if id == "" || a.mg.Spec.AdoptionPolicy == v1alpha1.AdoptNever {
		return dnszone.Entry{}, external.ErrAbsent
	}
	live, err := a.Get(ctx, id)
	if err != nil {
		return dnszone.Entry{}, err
	}
	is, key := live.Record.Key(), a.tried.Key
	if is.Name != key.Name || is.Type != key.Type || !w.Includes(live.Live.CreatedOn) {
		return dnszone.Entry{}, external.ErrAbsent
	}
	return live, nil
}

// Find looks for records that the Record may take over or, if it only observes, look at.
func (a *adapter) Find(ctx context.Context, w external.Window) ([]dnszone.Entry, error) {
	key, err := a.key(ctx)
	if err != nil {
		return nil, err
	}
	q := dnszone.Query{Key: key, Guarded: a.guarded(), Seen: a.seen}
	if a.mg.Spec.AdoptionPolicy == v1alpha1.AdoptIdentical {
		// It does not matter who made an identical record, so only an attempt of this object needs a
		// newer list.
		q.Since = w.Visible
	}
	if !policy.May(a.mg, xpv2.ManagementActionCreate) {
		// It may not create a missing record, so a sweep wakes it. Show ends that.
		a.waiting.Add(a.zone.ID(), client.ObjectKeyFromObject(a.mg))
	}
	return a.zone.Find(ctx, q)
}

// guarded reports whether a list need not prove the absence of the record. This requires that the Record
// would take over no record but an identical one. In addition, either nothing follows from the absence,
// or the Record creates the record next. The API refuses that creation if the record exists, and no
// earlier attempt of the Record can have made it.
func (a *adapter) guarded() bool {
	mg := a.mg
	switch {
	case !policy.Manages(mg):
		return true
	case mg.Spec.AdoptionPolicy == v1alpha1.AdoptNameAndType:
		return false
	case !policy.May(mg, xpv2.ManagementActionCreate):
		return true
	case mg.Spec.AdoptionPolicy == v1alpha1.AdoptNever:
		// If the creation gets no answer, an identical record counts as its work.
		return false
	}
	return a.want != nil && a.tried == nil
}

// key returns the natural key of the Record, without rdata if it declares none.
func (a *adapter) key(ctx context.Context) (dnsrecord.Key, error) {
	if a.want != nil {
		return a.want.Key(), nil
	}
	p := a.mg.Spec.ForProvider
	if p.Name == nil || p.Type == nil {
		return dnsrecord.Key{}, fmt.Errorf("cannot tell which DNS record to observe: set the annotation %s to its ID, "+
			"or spec.forProvider.name and type", meta.AnnotationKeyExternalName)
	}
	var fqdn string
	err := a.inZone(ctx, *p.Name, func(zoneName string) (err error) {
		fqdn, err = dnsrecord.FQDN(zoneName, *p.Name)
		return err
	})
	return dnsrecord.Key{Name: fqdn, Type: *p.Type}, err
}
