// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/policy"
)

// takesBack deletes the record that was made for mg, which find finds, for when mg
// turns out to be gone: its deletion would have deleted the record. A record that
// another object has taken over meanwhile is that object's.
func (e *external) takesBack(mg *v1alpha1.Record, find func(context.Context) (dnszone.Entry, error)) func(context.Context) error {
	gone := mg.DeepCopy()
	return func(ctx context.Context) error {
		if !policy.May(gone, xpv2.ManagementActionDelete) {
			return nil
		}
		live, err := find(ctx)
		if errors.Is(err, dnszone.ErrNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("cannot find what was created for an object that is gone: %w", cloudflare.Explain(err))
		}
		e.claims.Release(gone, live.Live.ID)
		if taken, err := e.claims.Taken(ctx, gone, live.Live.ID); taken || err != nil {
			return err
		}
		if _, err := e.zone.Apply(ctx, dnszone.Delete(live)); err != nil {
			return fmt.Errorf("cannot delete what was created for an object that is gone: %w", cloudflare.Explain(err))
		}
		e.record.Event(gone, event.Normal(claim.EventTakenBack, fmt.Sprintf("Deleted DNS record %s (%s %s): this object was deleted while it was created",
			live.Live.ID, live.Record.Type, live.Record.Name)))
		return nil
	}
}

// attemptAge is longer than an attempt takes, and how far clocks differ.
const attemptAge = 4 * time.Minute

// findMade looks for what a creation without an answer made. Its absence is not
// believed for a while.
func (e *external) findMade() func(context.Context) (dnszone.Entry, error) {
	key, settled := e.want.Key(), e.now().Add(e.settle)
	// What is older than the attempt is somebody else's. Clocks differ by less.
	oldest := e.now().Add(-attemptAge)
	return func(ctx context.Context) (dnszone.Entry, error) {
		open := e.now().Before(settled)
		live, err := e.zone.FindCreated(ctx, key)
		if err == nil && live.Live.CreatedOn.After(oldest) {
			return live, nil
		}
		if err != nil && !errors.Is(err, dnszone.ErrNotFound) {
			return dnszone.Entry{}, err
		}
		if open {
			return dnszone.Entry{}, openAttempt(key, settled)
		}
		return dnszone.Entry{}, dnszone.ErrNotFound
	}
}
