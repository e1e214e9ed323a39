// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/policy"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// A Client acts for one object during one reconcile.
type Client[L any] struct {
	kind    *Kind[L]
	deps    *Deps
	adapter Adapter[L]
	// adapt returns another adapter of the same object.
	adapt func(mg resource.Managed) (Adapter[L], error)
	api   *cloudflare.Client
	// paused returns why no creation is possible at the moment.
	paused func() error
	began  time.Time

	// origin says where the external resources of the object come from.
	origin origin
	// facts are what Observe has found out. lives are the resources that they are about, by ID.
	facts decision.Facts
	lives map[string]L
	// decided is the decision of Observe, for the action that follows.
	decided decided
}

var _ managed.ExternalClient = &Client[int]{}

// Observe finds the external resource of mg, and decides what to do with it.
func (c *Client[L]) Observe(ctx context.Context, mg resource.Managed) (managed.ExternalObservation, error) {
	o, err := c.observe(ctx, mg)
	c.deps.Barred.note(mg, err)
	if err == nil {
		c.deps.Sights.looked(mg)
	}
	return o, err
}

func (c *Client[L]) observe(ctx context.Context, mg resource.Managed) (managed.ExternalObservation, error) {
	if err := c.prepareAdapter(ctx, mg); err != nil {
		return managed.ExternalObservation{}, c.refused(ctx, mg, err)
	}
	step, err := c.decide(ctx, mg)
	if decision.AttemptMadeNothing(c.facts) {
		c.deps.Journal.Void(c.origin.open[0])
	}
	if err != nil {
		return managed.ExternalObservation{}, c.refused(ctx, mg, err)
	}
	c.decided = decidedOn(mg, step)
	switch step.Do {
	case decision.Keep, decision.Update, decision.Delete:
		return c.present(ctx, mg, step)
	case decision.Leave:
		c.deps.Events.Event(mg, event.Normal(claim.EventLeft, fmt.Sprintf("No %s was deleted: %v", c.kind.Noun.Name, step.Err)))
		fallthrough
	case decision.Gone:
		c.deps.Claims.Release(mg, meta.GetExternalName(mg))
		return managed.ExternalObservation{}, nil
	default:
		return managed.ExternalObservation{}, c.absent(ctx, mg, step)
	}
}

// prepareAdapter prepares the adapter. If the object continues in another place, it prepares another one there.
func (c *Client[L]) prepareAdapter(ctx context.Context, mg resource.Managed) error {
	err := c.prepareOnce(ctx, mg)
	var moved *MovedError
	if !errors.As(err, &moved) || !moved.Gone {
		return err
	}
	if err := c.follow(ctx, mg, moved); err != nil {
		return err
	}
	return c.prepareOnce(ctx, mg)
}

// prepareOnce passes to the adapter what the journal knows, and prepares it.
func (c *Client[L]) prepareOnce(ctx context.Context, mg resource.Managed) (err error) {
	if c.origin, err = c.deps.originOf(ctx, mg, &c.kind.Kind, c.kind.Notes, c.kind.Noun.Name); err != nil {
		return err
	}
	if err := c.resume(); err != nil {
		return err
	}
	since, first := c.deps.Sights.first(mg)
	if a, ok := c.adapter.(FreshnessRequirer); ok && first {
		a.RequireSince(since)
	}
	if a, ok := c.adapter.(ReplacementCreator[L]); ok {
		a.SetCreateFunc(func(ctx context.Context, send func(context.Context) (L, error)) (L, error) {
			return c.replace(ctx, mg, send)
		})
	}
	err = c.adapter.Prepare(ctx)
	c.origin.learnClaim(c.deps.Claims, mg)
	if a, ok := c.adapter.(PrepareFailureReporter); ok && err != nil {
		a.SetPrepareFailedStatus(ctx, err)
		c.origin.setOwnership(mg, c.kind.SeenID(mg))
	}
	return err
}

// resume passes to the adapter the oldest creation whose outcome the object does not know.
func (c *Client[L]) resume() error {
	if len(c.origin.open) == 0 {
		return nil
	}
	e := c.origin.open[0]
	if err := c.adapter.ResumeCreate(e.Subject, e.Begun); err != nil {
		return fmt.Errorf("cannot read the journal's entry: %w", err)
	}
	return nil
}

// refused puts on the conditions of mg what a failed observation means for it: an object without an external resource
// is not ready, and an edit that cannot be carried out is pending.
func (c *Client[L]) refused(ctx context.Context, mg resource.Managed, err error) error {
	var stands *standingError
	if errors.As(err, &stands) {
		return creationStands(ctx, mg, cloudflare.Explain(err))
	}
	claim.Report(c.deps.Events, mg, err)
	reconciler.NotBefore(ctx, pause(err))
	err = cloudflare.Explain(err)
	if meta.WasDeleted(mg) || kerrors.IsConflict(err) {
		return err
	}
	var gone *decision.MissingError
	if errors.As(err, &gone) {
		mg.SetConditions(drift.Unknown(mg, gone.Says()), unavailable(mg, gone.Says()))
		return err
	}
	if id := c.kind.SeenID(mg); id != "" && claim.Lost(err, id) {
		// An ID that mg only observed must not count as a claim after a restart.
		c.adapter.ClearStatus()
		c.origin.setOwnership(mg, "")
		mg.SetConditions(drift.Pending(mg, err))
	}
	switch {
	case c.kind.SeenID(mg) == "":
		mg.SetConditions(unavailable(mg, fmt.Sprintf("there is no %s for this object", c.kind.Noun.Name)))
	case mg.GetCondition(xpv2.TypeUpToDate).ObservedGeneration != mg.GetGeneration():
		mg.SetConditions(drift.Pending(mg, err))
	case isUnseen(err):
		showUnseen(mg, err, c.deps.Now(), c.deps.Interval)
	}
	return err
}

// pause returns how long another attempt after err is of no use, 0 if err does not say so.
func pause(err error) time.Duration {
	var later interface{ RetryAfter() time.Duration }
	if errors.As(err, &later) {
		return later.RetryAfter()
	}
	return cloudflare.RetryAfter(err)
}

func unavailable(mg resource.Managed, why string) xpv2.Condition {
	return xpv2.Unavailable().WithMessage(why).WithObservedGeneration(mg.GetGeneration())
}

// absent reports an external resource that is proven not to exist. It leaves on mg the note of the next creation,
// which the runtime persists before it calls Create. By that note, a process that ends before it records the ID finds
// its own work later.
func (c *Client[L]) absent(ctx context.Context, mg resource.Managed, step decision.Step) error {
	if err := c.reportVanished(ctx, mg, step.Vanished); err != nil {
		return err
	}
	if step.Do == decision.Refuse {
		return c.refused(ctx, mg, step.Err)
	}
	if step.Do == decision.Create && c.facts.Object.Declared {
		if key := c.kind.Notes.Pending; key != "" {
			meta.AddAnnotations(mg, map[string]string{key: c.adapter.NaturalKey(), journal.Annotation: c.deps.Journal.ID()})
		}
		if c.kind.LateFinalizer {
			reconciler.WillCreate(ctx)
		}
	}
	mg.SetConditions(unavailable(mg, fmt.Sprintf("the %s does not exist", c.kind.Noun.Name)))
	return policy.Absent(mg, c.kind.Noun.Name)
}

// reportVanished reports, once, that the object's resource was deleted outside the provider. It persists the
// condition at once, because the update before a creation would overwrite it.
func (c *Client[L]) reportVanished(ctx context.Context, mg resource.Managed, id string) error {
	if id == "" {
		return nil
	}
	diff := drift.Differences{{Field: c.kind.Noun.Short, Live: "none", Desired: id}}
	v := c.explain(ctx, mg, drift.Judge(mg, c.kind.GVK.Kind, diff, policy.May(mg, xpv2.ManagementActionCreate)), id, true)
	if v.News {
		// If mg is not the latest version, another reconcile decides what to report.
		mg.SetConditions(v.Condition)
		if err := drift.Show(ctx, c.deps.Kube, mg); err != nil {
			return err
		}
	}
	c.announce(mg, v, id)
	return nil
}

// present reports an external resource that exists and that the object has or observes.
func (c *Client[L]) present(ctx context.Context, mg resource.Managed, step decision.Step) (managed.ExternalObservation, error) {
	live := c.lives[step.Live.ID]
	o := managed.ExternalObservation{ResourceExists: true, ResourceUpToDate: true}
	c.show(mg, live, reconciler.LastSync(mg, c.adapter.LastWrite()))
	c.resolve(ctx, mg, step.Live.ID)
	if meta.WasDeleted(mg) {
		return o, nil
	}
	if a, ok := c.adapter.(Snapshotter[L]); ok && c.origin.owns(step.Live.ID) && policy.Manages(mg) {
		if err := a.Snapshot(ctx, live); err != nil {
			return o, err
		}
	}
	if a, ok := c.adapter.(ConnectionPublisher[L]); ok {
		if err := a.PublishConnection(ctx, live, c.origin.owns(step.Live.ID)); err != nil {
			return o, err
		}
	}
	diff, compared := c.adapter.Compare(live)
	if !compared {
		mg.SetConditions(drift.Observed(mg))
		return o, nil
	}
	asked := policy.Manages(mg) && !c.origin.owns(step.Live.ID) // It only looks at a resource that it may not change.
	v := drift.Judge(mg, c.kind.GVK.Kind, diff, !asked && policy.May(mg, xpv2.ManagementActionUpdate))
	c.announce(mg, c.explain(ctx, mg, v, step.Live.ID, false), step.Live.ID)
	o.Diff, o.ResourceUpToDate = diff.String(), len(diff) == 0 || asked
	return o, nil
}

// announce reports the verdict on the external resource of that ID.
func (c *Client[L]) announce(mg resource.Managed, v drift.Verdict, id string) {
	s := drift.Resource{ID: id}
	if a, ok := c.adapter.(Locator); ok {
		s.Place = a.LogLocation()
	}
	c.deps.Drift.Announce(mg, v, s)
}

// show puts live on the object's status, with the time of the last write and whether it is ready.
func (c *Client[L]) show(mg resource.Managed, live L, synced *metav1.Time) {
	c.adapter.SetStatus(live, synced)
	c.origin.setOwnership(mg, c.adapter.Facts(live).ID)
	if meta.WasDeleted(mg) {
		return
	}
	ready := xpv2.Available()
	if a, ok := c.adapter.(Readier[L]); ok {
		ready = a.Ready(live)
	}
	mg.SetConditions(ready.WithObservedGeneration(mg.GetGeneration()))
}

// Disconnect releases what the adapter works with. Clients stay open, because they are pooled.
func (c *Client[L]) Disconnect(context.Context) error {
	if a, ok := c.adapter.(Closer); ok {
		a.Close()
	}
	return nil
}
