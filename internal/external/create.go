// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/policy"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// Create creates the external resource. The runtime keeps only the annotations that it sets on mg.
func (c *Client[L]) Create(ctx context.Context, mg resource.Managed) (managed.ExternalCreation, error) {
	if err := c.adapter.ValidateForCreate(); err != nil {
		return managed.ExternalCreation{}, err
	}
	if err := c.decided.holds(mg, decision.Create); err != nil {
		return managed.ExternalCreation{}, err
	}
	made, err := c.create(ctx, mg)
	if err != nil {
		reconciler.NotBefore(ctx, pause(err))
		return managed.ExternalCreation{}, cloudflare.Explain(err)
	}
	id := c.adapter.Facts(made).ID
	c.origin.own = append(c.origin.own, id)
	meta.RemoveAnnotations(mg, c.kind.Notes.creation()...)
	meta.SetExternalName(mg, id)
	if gone := c.decided.step.Vanished; gone != "" {
		c.deps.Drift.Reverted(mg, fmt.Sprintf("%s %s is back as %s", c.kind.Noun.Short, gone, id))
	}
	if err := c.deps.Claims.Hold(ctx, mg, id); err != nil {
		return managed.ExternalCreation{}, err
	}
	c.complete(ctx, mg, made)
	return managed.ExternalCreation{}, nil
}

// create creates the external resource of mg.
func (c *Client[L]) create(ctx context.Context, mg resource.Managed) (L, error) {
	entry, err := c.entry(mg)
	if err != nil {
		var none L
		return none, err
	}
	return c.noted(ctx, mg, entry, c.decided.step.TriesAgain, func(ctx context.Context, e journal.Entry) (L, error) {
		sends := c.sends(mg)
		made, err := c.adapter.Create(ctx, e)
		c.deps.Refused.note(mg.GetUID(), sends, err, c.deps.Now())
		return made, err
	})
}

// replace creates a replacement of the resource of mg.
func (c *Client[L]) replace(ctx context.Context, mg resource.Managed, send func(context.Context) (L, error)) (none L, err error) {
	entry, err := c.entry(mg)
	if err != nil {
		return none, err
	}
	again := len(c.origin.open) > 0 && c.origin.open[0].Same(entry)
	if again && c.facts.Attempt.Open {
		return none, c.facts.Attempt.Err
	}
	return c.noted(ctx, mg, entry, again, func(ctx context.Context, _ journal.Entry) (L, error) { return send(ctx) })
}

// noted calls send, which creates something. It notes the creation in the journal before the call, and the outcome
// after it. again is true if an earlier call for the same may have been carried out.
func (c *Client[L]) noted(ctx context.Context, mg resource.Managed, entry journal.Entry, again bool, send func(context.Context, journal.Entry) (L, error)) (made L, err error) {
	if !c.kind.WriterJournals {
		if err := c.deps.Journal.Begin(ctx, entry); err != nil {
			return made, err
		}
	}
	made, err = send(ctx, entry)
	answered := err == nil
	if a, ok := c.adapter.(IDVerifier[L]); ok && answered {
		made, err = a.VerifyID(ctx, made)
	}
	switch {
	case err == nil:
		c.deps.Journal.Made(entry, c.adapter.Facts(made).ID)
	case !answered && c.adapter.ClassifyCreateError(err) != OutcomeUnknown && (!again || c.adapter.ClassifyCreateError(err) == OutcomeNothing):
		c.deps.Journal.Void(entry)
		meta.RemoveAnnotations(mg, c.kind.Notes.creation()...)
	default: // This call, or the earlier one, may have been carried out.
		c.deps.Journal.Unanswered(entry)
	}
	return made, err
}

// leaves reports whether what is created for mg stays if mg vanishes. It stays if the policies of mg say so. It also
// stays if mg has had a resource for so long that mg can vanish only after its finalizer is removed by hand.
func (c *Client[L]) leaves(mg resource.Managed) bool {
	made := meta.GetExternalCreateSucceeded(mg)
	// A copied manifest may carry the annotation of another object.
	own := made.After(mg.GetCreationTimestamp().Time)
	settled := own && c.deps.Now().Sub(made) > cmp.Or(c.deps.Retention, journal.DefaultRetention)
	return settled || !policy.May(mg, xpv2.ManagementActionDelete)
}

// entry returns the journal's entry of the creation that mg is about to begin.
func (c *Client[L]) entry(mg resource.Managed) (journal.Entry, error) {
	about, err := json.Marshal(c.adapter.JournalPayload())
	if err != nil {
		return journal.Entry{}, fmt.Errorf("cannot encode what is about to be created: %w", err)
	}
	e := journal.Entry{
		Kind: c.kind.GVK.Kind, Namespace: mg.GetNamespace(), Name: mg.GetName(), UID: mg.GetUID(), Subject: about, Begun: c.deps.Now(),
		Leave: c.leaves(mg),
	}
	if modern, ok := mg.(resource.ModernManaged); ok {
		e.Config = ptr.Deref(modern.GetProviderConfigReference(), xpv2.ProviderConfigReference{})
	}
	return e, nil
}

// complete saves the look at a new resource, if the answer to its creation shows all there is to see. If the resource
// differs from what was declared, it leaves that to the next observation.
func (c *Client[L]) complete(ctx context.Context, mg resource.Managed, made L) {
	a, ok := c.adapter.(CreateResultChecker[L])
	if !ok || !a.IsComplete(ctx, made) {
		return
	}
	if diff, _ := c.adapter.Compare(made); len(diff) > 0 {
		return
	}
	c.fillIn(mg, made)
	reconciler.Complete(ctx, func() {
		c.show(mg, made, reconciler.LastSync(mg, c.adapter.LastWrite()))
		mg.SetConditions(drift.UpToDate(mg, c.kind.GVK.Kind))
	})
}
