// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// minUse is the time after its creation from which a resource that serves counts as used. A younger resource
// only counts as the result of the creation.
const minUse = 10 * time.Minute

// TakesBack returns the kind by which the journal removes what was created for objects that no longer exist.
func (c *Connector[L]) TakesBack() journal.Kind {
	return journal.Kind{
		New: func() client.Object { return c.Kind.New() },
		Has: func(o client.Object, id string) bool {
			mg, ok := o.(resource.Managed)
			return ok && slices.Contains(c.Kind.OwnIDs(mg), id)
		},
		TakeBack: c.takeBack,
	}
}

// takeBack deletes what was created for an object that no longer exists, as the deletion of the object would
// have done. It uses the current credential of the provider config. It leaves a resource that another object
// has taken over since, and one that has come into use.
func (c *Connector[L]) takeBack(ctx context.Context, e journal.Entry) error {
	gone, err := c.revived(e)
	if err != nil {
		return err
	}
	ctx, end := connect.BeginTakingBack(ctx)
	defer end()
	cl, err := c.client(ctx, gone)
	if err != nil {
		return err
	}
	defer func() { _ = cl.Disconnect(ctx) }()
	a, ok := cl.adapter.(GarbageCollectable[L])
	if !ok {
		return nil // Such a kind has no subject, so the journal has no entry.
	}
	cl.origin.open = []journal.Entry{e}
	if err := cl.resume(); err != nil {
		return err
	}
	if err := cl.adapter.Prepare(ctx); err != nil {
		return fmt.Errorf("cannot find what was created for an object that does not exist any more: %w", cloudflare.Explain(err))
	}
	live, err := cl.findMade(ctx, gone, e)
	part, isPart := cl.adapter.(Child)
	var unproven *unprovenError
	switch {
	case errors.As(err, &unproven):
		c.left(gone, err)
		return nil
	case errors.Is(err, ErrAbsent), err != nil && isPart && part.ParentGone():
		return nil
	case err != nil:
		return fmt.Errorf("cannot find what was created for an object that does not exist any more: %w", cloudflare.Explain(err))
	}
	if err := cl.spared(e, live, a); err != nil {
		c.left(gone, err)
		return nil
	}
	return cl.takeBack(ctx, gone, live)
}

// left reports, on an object that no longer exists, why nothing was deleted for it.
func (c *Connector[L]) left(gone resource.Managed, err error) {
	c.Deps.Events.Event(gone, event.Warning(claim.EventLeft, fmt.Errorf("no %s was deleted: %w", c.Kind.Noun.Name, err)))
}

// An unprovenError says that a resource like the one to be created exists, and that its time of creation is
// unknown. It may have another origin.
type unprovenError struct{ noun, id, label string }

func (e *unprovenError) Error() string {
	return fmt.Sprintf("%s %s (%s) may have been created for this object, which vanished before that was recorded: "+
		"delete it at Cloudflare if nobody needs it, or create an object that adopts it", e.noun, e.id, e.label)
}

// An inUseError says that what was created for an object that no longer exists is in use, so that a person has
// to decide.
type inUseError struct{ noun, id, label string }

func (e *inUseError) Error() string {
	return fmt.Sprintf("%s %s (%s) was created for this object, and has come into use since this object vanished: "+
		"delete it at Cloudflare if nobody needs it, or create an object that adopts it", e.noun, e.id, e.label)
}

// spared returns why the resource that was found is left. It returns nil if the creation made it and it is not
// in use.
func (c *Client[L]) spared(e journal.Entry, live L, a GarbageCollectable[L]) error {
	if c.deps.Now().Sub(e.Attempted()) > minUse && a.InUse(live) {
		about := c.adapter.Facts(live)
		return &inUseError{noun: c.kind.Noun.Name, id: about.ID, label: about.Label}
	}
	return c.marked(e, live)
}

// marked returns an error that names the other controller which marks live as its own, or the product of
// Cloudflare that live belongs to. If the creation made nothing, either may have made the very same. An ID in
// the API's answer proves that the creation made the resource, so marked then returns nil.
func (c *Client[L]) marked(e journal.Entry, live L) error {
	if e.ResultID != "" {
		return nil
	}
	if err := c.adapter.Facts(live).Foreign; err != nil {
		return err
	}
	if a, ok := c.adapter.(OwnershipChecker[L]); ok {
		return a.CheckOwnership(live)
	}
	return nil
}

// revived returns a stand-in for the object that no longer exists.
func (c *Connector[L]) revived(e journal.Entry) (resource.Managed, error) {
	mg := c.Kind.New()
	mg.SetNamespace(e.Namespace)
	mg.SetName(e.Name)
	mg.SetUID(e.UID)
	mg.SetDeletionTimestamp(ptr.To(metav1.Now()))
	mg.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionAll})
	if modern, ok := mg.(resource.ModernManaged); ok {
		modern.SetProviderConfigReference(&e.Config)
	}
	meta.AddFinalizer(mg, managed.FinalizerName) // It had one, or nothing would have been created.
	if err := c.Kind.Revive(mg, e.Subject); err != nil {
		return nil, fmt.Errorf("cannot read the journal's entry: %w", err)
	}
	if e.ResultID != "" {
		meta.SetExternalCreateSucceeded(mg, e.Attempted())
	}
	return mg, nil
}

func (c *Client[L]) takeBack(ctx context.Context, gone resource.Managed, live L) error {
	about := c.adapter.Facts(live)
	release, free, err := c.deps.Claims.Seize(ctx, gone, about.ID)
	if err != nil || !free {
		return err
	}
	defer release()
	if err := c.adapter.Delete(ctx, live); err != nil {
		return fmt.Errorf("cannot delete what was created for an object that does not exist any more: %w", cloudflare.Explain(err))
	}
	c.deps.Events.Event(gone, event.Normal(claim.EventTakenBack,
		fmt.Sprintf("Deleted %s %s (%s): this object was deleted while it was created", c.kind.Noun.Name, about.ID, about.Label)))
	return nil
}

// findMade finds the result of a creation. It looks by ID, or by key and age if the ID is not known or proves
// nothing. It does not believe an absence before the creation has shown all that it will ever show.
func (c *Client[L]) findMade(ctx context.Context, mg resource.Managed, e journal.Entry) (none L, err error) {
	if live, known, err := c.result(ctx, mg, e); known {
		return live, err
	}
	attempt, settled := c.adapter.Attempt(), c.settledAt(e)
	open := c.deps.Now().Before(settled) || attempt.UnderWay
	live, err := c.adapter.FindCreated(ctx, c.windowOf(e))
	if a, ok := c.adapter.(IDVerifier[L]); ok && err == nil && e.ResultID == "" && c.isMade(e, live) {
		// A deletion must not rely on an ID that only a list showed.
		live, err = a.VerifyID(ctx, live)
	}
	var unsure *AmbiguousCreateError
	switch {
	case err == nil && c.isMade(e, live):
		return live, nil
	case err != nil && !errors.Is(err, ErrAbsent) && !errors.As(err, &unsure):
		return none, err
	case open:
		return none, &reconciler.CreatePendingError{What: attempt.What, Until: settled}
	case unsure != nil:
		return none, &unprovenError{noun: unsure.Name, id: strings.Join(unsure.IDs, ", "), label: "one of these at most"}
	case err == nil:
		return none, c.unproven(ctx, mg, live)
	}
	return none, ErrAbsent
}

// unproven returns an *unprovenError if live has no owner and may be the result of a creation. Otherwise it
// returns ErrAbsent or the error of the look.
func (c *Client[L]) unproven(ctx context.Context, mg resource.Managed, live L) error {
	about := c.adapter.Facts(live)
	if a, ok := c.adapter.(GarbageCollectable[L]); !ok || !a.CreatedAt(live).IsZero() || about.Foreign != nil {
		return ErrAbsent
	}
	taken, err := c.deps.Claims.Taken(ctx, mg, about.ID)
	if err == nil && !taken {
		err = &unprovenError{noun: c.kind.Noun.Name, id: about.ID, label: about.Label}
	}
	return cmp.Or(err, ErrAbsent)
}

// isMade reports whether that creation can have made live.
func (c *Client[L]) isMade(e journal.Entry, live L) bool {
	if e.ResultID != "" {
		return c.adapter.Facts(live).ID == e.ResultID
	}
	a, ok := c.adapter.(GarbageCollectable[L])
	return ok && e.MayHaveMade(a.CreatedAt(live))
}
