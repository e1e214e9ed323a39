// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/keyed"
)

// kept is the state that the provider stores in its own namespace.
type kept struct {
	key       keyed.Key
	creations *journal.Journal
	// claims is nil if no other process makes claims.
	claims *claim.Ledger
}

func newKept(ctx context.Context, mgr ctrl.Manager, o Options) (out kept, err error) {
	if out.key, err = newKey(ctx, mgr, o); err != nil {
		return out, err
	}
	if out.creations, err = newJournal(mgr, o); err != nil {
		return out, err
	}
	out.claims, err = newLedger(mgr, o)
	return out, err
}
