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

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// keep persists at once what the provider has to remember. It fails if the object has changed since this reconcile
// began.
func (a *adapter) keep(ctx context.Context, change func(*cfv1alpha1.SyncStatus)) error {
	before, okBefore := a.mg.DeepCopyObject().(Object)
	next, okNext := a.mg.DeepCopyObject().(Object)
	if !okBefore || !okNext {
		return fmt.Errorf("cannot copy %T", a.mg)
	}
	change(next.GetSync())
	if err := a.kube.Status().Patch(ctx, next, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})); err != nil {
		return err
	}
	change(&a.sync)
	change(a.mg.GetSync())
	a.mg.SetResourceVersion(next.GetResourceVersion())
	return nil
}

// rename persists the external name of the object, under the same condition.
func (a *adapter) rename(ctx context.Context, id string) error {
	next, ok := a.mg.DeepCopyObject().(Object)
	if !ok {
		return fmt.Errorf("cannot copy %T", a.mg)
	}
	meta.SetExternalName(next, id)
	if err := a.kube.Patch(ctx, next, client.MergeFromWithOptions(a.mg, client.MergeFromWithOptimisticLock{})); err != nil {
		return err
	}
	a.mg.SetAnnotations(next.GetAnnotations())
	a.mg.SetResourceVersion(next.GetResourceVersion())
	return nil
}

// revoke revokes certificates that were replaced, and forgets them. If another object manages a certificate by now,
// revoke leaves it to that object, and the renewal goes on.
func (a *adapter) revoke(ctx context.Context, ids []string) error {
	for _, id := range ids {
		var taken *claim.ConflictError
		switch err := a.revokeOne(ctx, id); {
		case errors.As(err, &taken):
			continue
		case err != nil:
			return err
		}
		a.coll.Removed(id)
	}
	a.twins = nil
	revoked := func(s cfv1alpha1.SupersededResource) bool { return slices.Contains(ids, s.ID) }
	if !slices.ContainsFunc(a.sync.Superseded, revoked) {
		return nil
	}
	err := a.keep(ctx, func(sync *cfv1alpha1.SyncStatus) { sync.Superseded = slices.DeleteFunc(sync.Superseded, revoked) })
	if err != nil {
		return fmt.Errorf("cannot record that the %s is revoked: %w", a.Description.Noun, err)
	}
	return nil
}

// revokeRest revokes, before the object is deleted, the certificates that nothing else remembers.
func (a *adapter) revokeRest(ctx context.Context, l Live) error {
	if a.Description.Issue == nil || a.made[l.id] {
		return nil
	}
	if err := a.readPublished(ctx); err != nil {
		return err
	}
	rest := append(a.twinsOf(l), others(a.sync.Superseded, l.id)...)
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
			return err // A certificate that another object manages does not block the deletion.
		}
	}
	if len(rest) > 0 {
		return a.still(ctx) // The deletion of l follows.
	}
	return nil
}

// revokeOne revokes a certificate that no decision was about. It claims the certificate first. If another object
// manages it, nothing is revoked, and the error is a *claim.ConflictError.
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
	var gone *kindapi.NotFoundError
	if err != nil && !errors.As(err, &gone) {
		return fmt.Errorf("cannot revoke the %s %s, which is replaced: %w", a.Description.Noun, id, err)
	}
	return nil
}
