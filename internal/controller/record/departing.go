// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/policy"
)

// Departing returns the Records under deletion that have yet to delete their DNS record
// in the zone with that ID. Once the zone is gone, the API does not show them any more
// that their record is gone.
func Departing(ctx context.Context, kube client.Reader, zoneID string) ([]types.NamespacedName, error) {
	l := &v1alpha1.RecordList{}
	err := kube.List(ctx, l, client.UnsafeDisableDeepCopy) // They are only read.
	if apimeta.IsNoMatchError(err) {
		return nil, nil // The kind is not activated, so there are none.
	}
	if err != nil {
		return nil, fmt.Errorf("cannot list the Records that are being deleted: %w", err)
	}
	var out []types.NamespacedName
	for i := range l.Items {
		if r := &l.Items[i]; departing(r) && r.Status.AtProvider.ZoneID == zoneID {
			out = append(out, client.ObjectKeyFromObject(r))
		}
	}
	return out, nil
}

func departing(r *v1alpha1.Record) bool {
	has := meta.GetExternalName(r) != "" || meta.ExternalCreateIncomplete(r)
	return meta.WasDeleted(r) && len(r.GetFinalizers()) > 0 && has && policy.May(r, xpv2.ManagementActionDelete)
}
