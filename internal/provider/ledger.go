// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"cmp"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
)

// newLedger returns the ledger of claims that shards share. It returns nil for a provider
// that watches all namespaces: such a provider sees every object and needs none.
func newLedger(mgr ctrl.Manager, o Options) (*claim.Ledger, error) {
	if o.WatchNamespaces.All() {
		return nil, nil //nolint:nilnil // There is none.
	}
	l := claim.NewLedger(claim.LedgerOptions{
		Kube: mgr.GetClient(), API: mgr.GetAPIReader(), Namespace: cmp.Or(o.Namespace, defaultNamespace),
		Covers: o.WatchNamespaces.Cover, Log: o.Log,
	})
	if err := mgr.Add(l); err != nil {
		return nil, fmt.Errorf("cannot add the ledger of claims: %w", err)
	}
	return l, nil
}
