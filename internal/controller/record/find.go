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

// ViewSince has what is found be seen after that time.
func (a *adapter) ViewSince(t time.Time) { a.seen = t }

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

// getProven looks for a record of which more follows from its absence than the API would
// refuse: a Record that is deleted is let go, and one that was edited makes a second record. So
// a copy that does not have the record yet must not be believed.
func (a *adapter) getProven(ctx context.Context, id string) (dnszone.Entry, error) {
	shown := a.created().Add(a.settle)
	live, err := a.zone.GetSince(ctx, id, shown)
	if errors.Is(err, dnszone.ErrNotFound) && a.now().Before(shown) && !a.zone.Deleted(id) {
		return live, &external.YoungError{What: "DNS record", ID: id, Until: shown}
	}
	return live, absent(err)
}

// refusedAgain reports whether the API refuses to make what is declared while the record exists
// that was seen last.
func (a *adapter) refusedAgain() bool {
	seen, ok := lastSeen(a.mg.Status.AtProvider)
	return ok && a.want != nil && seen == a.want.Key()
}

// created is when the record was created, as far as the Record knows; zero if it does not.
func (a *adapter) created() time.Time {
	at := meta.GetExternalCreateSucceeded(a.mg)
	if made := a.mg.Status.AtProvider.CreatedOn; made != nil && made.After(at) {
		at = made.Time
	}
	return at
}

// absent is err in the words of package external.
func absent(err error) error {
	if errors.Is(err, dnszone.ErrNotFound) {
		return external.ErrAbsent
	}
	return err
}

// remakes reports whether the Record, should its record be gone, makes the very record
// again that it had when last seen.
func (a *adapter) remakes() bool {
	mg := a.mg
	if meta.WasDeleted(mg) || a.want == nil || !policy.May(mg, xpv2.ManagementActionCreate) || mg.Spec.AdoptionPolicy == v1alpha1.AdoptNameAndType {
		return false
	}
	// A list that is behind may lack a record that is young, and that somebody has
	// changed meanwhile: the API would not refuse another like the one that was seen.
	made := mg.Status.AtProvider.CreatedOn
	if made == nil || a.now().Sub(made.Time) < a.settle {
		return false
	}
	return a.tried == nil && a.refusedAgain() && mg.Status.AtProvider.ID == meta.GetExternalName(mg)
}

// Attempt says what is known of the creation in Resume.
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

// FindAttempt looks for what an earlier attempt made. What is found under the key's name
// with the zone's appended may be another record, which its age shows.
func (a *adapter) FindAttempt(ctx context.Context, w external.Window) (dnszone.Entry, error) {
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

// changedSince looks for what an attempt made that has another content by now. The external name alone, which a user can
// write, proves nothing: the record has the name and the type that the attempt gave it, and is as old as the attempt. A Record
// that takes over nothing does not rely on that, either: another one may have been made in those minutes.
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
		// It is all the same who made an identical record: only an attempt of this object counts.
		q.Since = w.Visible
	}
	if !policy.May(a.mg, xpv2.ManagementActionCreate) {
		// It may not create what it does not find: a sweep wakes it. Show ends that.
		a.waiting.Add(a.zone.ID(), client.ObjectKeyFromObject(a.mg))
	}
	return a.zone.Find(ctx, q)
}

// guarded reports whether nothing is relied on that a list would have to prove: the
// Record would take over no record but the very one it declares, and nothing comes of its
// absence, or it creates it next, for the API to refuse if it exists, and no attempt of
// its own can have made it already.
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
		// Should the creation get no answer, what is there like it is taken for its work.
		return false
	}
	return a.want != nil && a.tried == nil
}

// key is the natural key of the Record, without rdata where it declares none.
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
