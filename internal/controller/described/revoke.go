// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// annotate changes annotations of the object where it is still as it was when this
// reconcile began.
func (a *adapter) annotate(ctx context.Context, change func(client.Object)) error {
	next, ok := a.mg.DeepCopyObject().(Object)
	if !ok {
		return fmt.Errorf("cannot copy %T", a.mg)
	}
	change(next)
	if err := a.kube.Patch(ctx, next, client.MergeFromWithOptions(a.mg, client.MergeFromWithOptimisticLock{})); err != nil {
		return err
	}
	a.mg.SetAnnotations(next.GetAnnotations())
	a.mg.SetResourceVersion(next.GetResourceVersion())
	return nil
}

// revoke revokes certificates that were replaced, and forgets them.
func (a *adapter) revoke(ctx context.Context, ids []string) error {
	for _, id := range ids {
		if err := a.revokeOne(ctx, id); err != nil {
			return err
		}
		a.coll.Removed(id)
	}
	a.twins = nil
	if old := a.superseded(Live{}); old == "" || !slices.Contains(ids, old) {
		return nil
	}
	err := a.annotate(ctx, func(o client.Object) { meta.RemoveAnnotations(o, annotationSuperseded) })
	if err != nil {
		return fmt.Errorf("cannot record that the %s is revoked: %w", a.Description.Noun, err)
	}
	return nil
}

// revokeRest revokes, before the object goes, what nobody would remember after that.
func (a *adapter) revokeRest(ctx context.Context, l Live) error {
	if a.Description.Issue == nil || a.made[l.id] {
		return nil
	}
	if err := a.readPublished(ctx); err != nil {
		return err
	}
	rest := a.twinsOf(l)
	if old := a.superseded(l); old != "" {
		rest = append(rest, old)
	}
	if request := string(a.published[requestPending]); request != "" && a.issues() {
		made, err := a.coll.Find(ctx, parent.Query{Key: requestKey(request)})
		if err != nil {
			return err
		}
		for _, m := range made {
			if m.id != l.id {
				rest = append(rest, m.id)
			}
		}
	}
	for _, id := range rest {
		var taken *claim.ConflictError
		if err := a.revokeOne(ctx, id); err != nil && !errors.As(err, &taken) {
			return err // What another object manages does not keep this one.
		}
	}
	if len(rest) > 0 {
		return a.still(ctx) // For the one that follows.
	}
	return nil
}

// revokeOne revokes a certificate that no decision was about. It claims it first: of what another
// object manages, nothing is revoked, and the error is a *claim.ConflictError.
func (a *adapter) revokeOne(ctx context.Context, id string) error {
	if err := a.claims.HoldToRemove(ctx, a.mg, id); err != nil {
		claim.Report(a.events, a.mg, err)
		return fmt.Errorf("cannot revoke the %s %s, which is replaced: %w", a.Description.Noun, id, err)
	}
	defer a.claims.Release(a.mg, id)
	if err := a.still(ctx); err != nil {
		return err
	}
	err := a.all.Delete(ctx, id)
	var gone *kindapi.GoneError
	if err != nil && !errors.As(err, &gone) {
		return fmt.Errorf("cannot revoke the %s %s, which is replaced: %w", a.Description.Noun, id, err)
	}
	return nil
}
