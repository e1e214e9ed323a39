// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/creation"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/policy"
)

// Journal is what the controller needs of the journal of creations.
type Journal interface {
	Made(e journal.Entry, id string)
	Unanswered(e journal.Entry)
	Void(e journal.Entry)
}

// A subject is what an entry of the journal is about.
type subject struct {
	Zone string        `json:"zone"`
	Key  dnsrecord.Key `json:"key"`
}

// entry is the journal's entry of the creation that mg is about to begin. It is nil
// where nothing has to be removed should mg vanish: its policies leave the record, or
// mg has been there for so long that it cannot vanish.
func (e *external) entry(mg *v1alpha1.Record) (*journal.Entry, error) {
	made := meta.GetExternalCreateSucceeded(mg)
	// A copied manifest may bring the annotation along.
	own := made.After(mg.GetCreationTimestamp().Time)
	if settled := own && e.now().Sub(made) > journal.DefaultRetention; settled || !policy.May(mg, xpv2.ManagementActionDelete) {
		return nil, nil //nolint:nilnil // There is none.
	}
	about, err := json.Marshal(subject{Zone: e.zone.ID(), Key: e.want.Key()})
	if err != nil {
		return nil, fmt.Errorf("cannot encode what is about to be created: %w", err)
	}
	return &journal.Entry{
		Kind: v1alpha1.RecordGroupVersionKind.Kind, Namespace: mg.GetNamespace(), Name: mg.GetName(), UID: mg.GetUID(),
		Config: ptr.Deref(mg.GetProviderConfigReference(), xpv2.ProviderConfigReference{}), Subject: about, Begun: e.now(),
	}, nil
}

// takesBack is how the journal removes what was created for a Record that does not
// exist any more.
func (c *connector) takesBack() journal.Kind {
	return journal.Kind{New: func() client.Object { return &v1alpha1.Record{} }, TakeBack: c.takeBack}
}

// takeBack deletes the DNS record that was created for a Record that does not exist
// any more, as the Record's deletion would have done. It uses the credential that the
// provider config has by now. A DNS record that another object has taken over
// meanwhile is that object's.
func (c *connector) takeBack(ctx context.Context, e journal.Entry) error {
	var about subject
	if err := json.Unmarshal(e.Subject, &about); err != nil {
		return fmt.Errorf("cannot read the journal's entry: %w", err)
	}
	gone := &v1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: e.Namespace, Name: e.Name, UID: e.UID, DeletionTimestamp: ptr.To(metav1.Now())}}
	gone.SetProviderConfigReference(&e.Config)
	gone.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
	meta.AddFinalizer(gone, managed.FinalizerName) // It had one, or nothing would have been created.
	ctx, end := connect.Begin(ctx)
	defer end()
	s, err := c.sessions.For(ctx, gone)
	if err != nil {
		return err
	}
	zone := c.zones.Zone(s.Client, about.Zone)
	live, err := c.findMade(ctx, zone, about.Key, e)
	switch {
	case errors.Is(err, dnszone.ErrNotFound), err != nil && c.zones.WasDeleted(about.Zone):
		return nil
	case err != nil:
		return fmt.Errorf("cannot find what was created for an object that does not exist any more: %w", cloudflare.Explain(err))
	}
	release, free, err := c.claims.Seize(ctx, gone, live.Live.ID)
	if err != nil || !free {
		return err
	}
	defer release()
	if _, err := zone.Apply(ctx, dnszone.Delete(live)); err != nil {
		return fmt.Errorf("cannot delete what was created for an object that does not exist any more: %w", cloudflare.Explain(err))
	}
	c.record.Event(gone, event.Normal(claim.EventTakenBack, fmt.Sprintf("Deleted DNS record %s (%s %s): this object was deleted while it was created",
		live.Live.ID, live.Record.Type, live.Record.Name)))
	return nil
}

// findMade finds what a creation made: by its ID, or, where that is not known, by its
// key and its age. Absence is not believed before the creation has shown all it ever
// will.
func (c *connector) findMade(ctx context.Context, zone *dnszone.Zone, key dnsrecord.Key, e journal.Entry) (dnszone.Entry, error) {
	if e.ResultID != "" {
		return zone.Get(ctx, e.ResultID)
	}
	settled := creation.Settled(e.Attempted(), e.Ended, c.began(), c.settle)
	now := time.Now()
	open := now.Before(settled) || zone.Creating(key)
	live, err := zone.FindCreated(ctx, key, creation.VisibleSince(e.Attempted(), settled, now))
	switch {
	case err == nil && e.MayHaveMade(live.Live.CreatedOn):
		return live, nil
	case err != nil && !errors.Is(err, dnszone.ErrNotFound):
		return dnszone.Entry{}, err
	case open:
		return dnszone.Entry{}, openAttempt(key, settled)
	}
	return dnszone.Entry{}, dnszone.ErrNotFound
}
