// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/creation"
	"github.com/provider-cloudflare/provider-cloudflare/internal/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/policy"
)

// Journal is what the controller needs of the journal of creations.
type Journal interface {
	Begin(ctx context.Context, entries ...journal.Entry) error
	Made(e journal.Entry, id string)
	Unanswered(e journal.Entry)
	Void(e journal.Entry)
}

// A subject is what an entry of the journal is about.
type subject struct {
	Name     string `json:"name"`
	Account  string `json:"account"`
	Internal bool   `json:"internal,omitempty"`
}

// entry gives the journal's entry of the creation that mg is about to begin. There is
// none where mg must not delete its zone, should mg vanish.
func (e *external) entry(mg *v1alpha1.Zone, name string) ([]journal.Entry, error) {
	if !policy.May(mg, xpv2.ManagementActionDelete) || !ptr.Deref(mg.Spec.ForProvider.AllowDeletion, false) {
		return nil, nil
	}
	about, err := json.Marshal(subject{Name: name, Account: e.accountID, Internal: ptr.Deref(mg.Spec.ForProvider.Type, "") == cloudflare.ZoneTypeInternal})
	if err != nil {
		return nil, fmt.Errorf("cannot encode what is about to be created: %w", err)
	}
	return []journal.Entry{{
		Kind: v1alpha1.ZoneGroupVersionKind.Kind, Namespace: mg.GetNamespace(), Name: mg.GetName(), UID: mg.GetUID(),
		Config: ptr.Deref(mg.GetProviderConfigReference(), xpv2.ProviderConfigReference{}), Subject: about, Begun: time.Now(),
	}}, nil
}

// takesBack is how the journal removes what was created for a Zone that does not exist
// any more.
func (c *connector) takesBack() journal.Kind {
	return journal.Kind{New: func() client.Object { return &v1alpha1.Zone{} }, TakeBack: c.takeBack}
}

// takeBack deletes the zone that was created for a Zone that does not exist any more.
// It leaves a zone that another object has taken over, and one that serves.
func (c *connector) takeBack(ctx context.Context, e journal.Entry) error {
	var about subject
	if err := json.Unmarshal(e.Subject, &about); err != nil {
		return fmt.Errorf("cannot read the journal's entry: %w", err)
	}
	gone := &v1alpha1.Zone{ObjectMeta: metav1.ObjectMeta{Namespace: e.Namespace, Name: e.Name, UID: e.UID, DeletionTimestamp: ptr.To(metav1.Now())}}
	gone.SetProviderConfigReference(&e.Config)
	gone.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
	meta.AddFinalizer(gone, managed.FinalizerName) // It had one, or nothing would have been created.
	ctx, end := connect.Begin(ctx)
	defer end()
	s, err := c.sessions.For(ctx, gone)
	if err != nil {
		return err
	}
	z, found, err := c.findMade(ctx, s.Client, about, e)
	if err != nil {
		return fmt.Errorf("cannot find what was created for an object that does not exist any more: %w", cloudflare.Explain(err))
	}
	if !found || z.Status == cloudflare.ZoneActive {
		return nil
	}
	release, free, err := c.claims.Seize(ctx, gone, z.ID)
	if err != nil || !free {
		return err
	}
	defer release()
	if err := s.Client.DeleteZone(ctx, z.ID); err != nil {
		return fmt.Errorf("cannot delete what was created for an object that does not exist any more: %w", cloudflare.Explain(err))
	}
	c.deleted(z.ID)
	c.record.Event(gone, event.Normal(claim.EventTakenBack, fmt.Sprintf("Deleted zone %s (%s): this object was deleted while it was created", z.ID, z.Name)))
	return nil
}

// findMade finds the zone that a creation made: by its ID, or, where that is not known,
// by its name and its age. Absence is not believed before the creation has shown all it
// ever will, and lists may lag behind.
func (c *connector) findMade(ctx context.Context, calls api, about subject, e journal.Entry) (cloudflare.Zone, bool, error) {
	if e.ResultID != "" {
		if z, err := calls.GetZone(ctx, e.ResultID); err == nil {
			return z, true, nil
		}
		// The answer of a zone that is gone proves nothing: the list does.
	}
	settled := creation.Settled(e.Attempted(), e.Ended, c.began(), c.settle)
	open := time.Now().Before(settled)
	all, err := calls.FindZones(ctx, about.Name, about.Account, about.Internal)
	if err != nil {
		return cloudflare.Zone{}, false, err
	}
	made := func(z cloudflare.Zone) bool {
		if e.ResultID != "" {
			return z.ID == e.ResultID
		}
		return z.Name == about.Name && z.CreatedOn != nil && e.MayHaveMade(*z.CreatedOn)
	}
	i := slices.IndexFunc(all, made)
	if i >= 0 && e.ResultID == "" {
		if all[i], err = confirmed(ctx, calls, all[i]); err != nil {
			return cloudflare.Zone{}, false, err
		}
	}
	switch {
	case i >= 0 && made(all[i]):
		return all[i], true, nil
	case open:
		return cloudflare.Zone{}, false, &creation.OpenAttemptError{What: fmt.Sprintf("the zone %q", about.Name), Until: settled}
	}
	return cloudflare.Zone{}, false, nil
}
