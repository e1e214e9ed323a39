// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package drift

import (
	"context"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Show persists the UpToDate condition of mg at once, before the drift is undone:
// `kubectl wait` and watchers would never see it otherwise. The other conditions are
// sent with it, because a merge patch replaces a whole list. Nothing else is sent, and
// only the resource version of mg changes. If the version of mg is not the latest, Show
// returns a conflict: the reconcile must not continue with a spec that has been edited
// since.
func Show(ctx context.Context, kube client.StatusClient, mg resource.Managed) error {
	shown, ok := mg.DeepCopyObject().(resource.Managed)
	if !ok {
		return fmt.Errorf("cannot copy %T", mg)
	}
	before, ok := mg.DeepCopyObject().(resource.Managed)
	if !ok {
		return fmt.Errorf("cannot copy %T", mg)
	}
	before.SetConditions(xpv2.Condition{Type: xpv2.TypeUpToDate})
	if err := kube.Status().Patch(ctx, shown, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("cannot show the drift on the object's status: %w", err)
	}
	mg.SetResourceVersion(shown.GetResourceVersion())
	return nil
}
