// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
)

// newFeed returns a feed of Records. Their parents are zones. The caller sets its log
// and its barred objects.
func newFeed(kube client.Reader) *external.Feed {
	return &external.Feed{
		GroupKind: v1alpha1.RecordGroupVersionKind.GroupKind(), Kind: claimKind(), Kube: kube,
		Parents: indexZone,
		Claimed: func(_, id string) string { return id },
		Suspended: func(zoneID string) []client.ListOption {
			return []client.ListOption{client.MatchingFields{indexZone: zoneID}}
		},
	}
}

// indexZone is the cache index of Records by the zone they were seen in.
const indexZone = "status.atProvider.zoneId"

func zonesOf(o client.Object) []string {
	if r, ok := o.(*v1alpha1.Record); ok && r.Status.AtProvider.ZoneID != "" {
		return []string{r.Status.AtProvider.ZoneID}
	}
	return nil
}
