// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package claim

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// auditInterval is the interval of the search for claims that no object wants any more. A
	// process leaves such claims if it ends before it deletes them. The search skips claims that
	// this process has known for a shorter time.
	auditInterval = 5 * time.Minute
	// ledgerRetry is the pause before a failed deletion is tried again.
	ledgerRetry = 5 * time.Second
	// ledgerPage is the number of Leases in one page of a list.
	ledgerPage = 500
)

// Start deletes the Leases of claims that have ended, until ctx is done.
func (l *Ledger) Start(ctx context.Context) error {
	t := time.NewTicker(auditInterval)
	defer t.Stop()
	retry := time.NewTimer(0)
	defer retry.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			l.audit(ctx)
		case <-l.wake:
		case <-retry.C:
		}
		err := l.load(ctx)
		if err == nil {
			err = l.letGo(ctx)
		}
		if err != nil && ctx.Err() == nil {
			l.o.Log.Info("cannot delete the Leases of claims that have ended, trying again", "error", err)
			retry.Reset(ledgerRetry)
		}
	}
}

// load finds out, once, which Leases name objects that this process looks after.
func (l *Ledger) load(ctx context.Context) error {
	l.loading.Lock()
	defer l.loading.Unlock()
	l.mu.Lock()
	loaded := l.loaded
	l.mu.Unlock()
	if loaded {
		return nil
	}
	found := map[string]note{}
	for next := ""; ; {
		page := &coordinationv1.LeaseList{}
		err := l.o.API.List(ctx, page, client.InNamespace(l.o.Namespace), client.MatchingLabels{LedgerLabel: ledgerValue},
			client.Limit(ledgerPage), client.Continue(next))
		if err != nil {
			return fmt.Errorf("cannot list the claims: %w", err)
		}
		for i := range page.Items {
			lease := &page.Items[i]
			by, err := holderIn(lease)
			if err == nil && l.o.Covers(by.name.Namespace) && subjectOf(lease).lease() == lease.Name {
				found[lease.Name] = note{subject: subjectOf(lease), by: by, since: l.o.Now()}
			}
		}
		if next = page.Continue; next == "" {
			break
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.notes, l.loaded = found, true
	return nil
}

// audit marks claims that their objects do not want any more, or whose objects are gone.
func (l *Ledger) audit(ctx context.Context) {
	l.mu.Lock()
	notes, kinds := maps.Clone(l.notes), maps.Clone(l.wants)
	l.mu.Unlock()
	for name, n := range notes {
		f, known := kinds[n.kind]
		if !known || n.leaving || l.o.Now().Sub(n.since) < auditInterval || f(ctx, n.by, n.key) {
			continue
		}
		l.mu.Lock()
		if l.notes[name] == n {
			n.leaving = true
			l.notes[name] = n
		}
		l.mu.Unlock()
	}
}

// letGo deletes the Leases of claims that have ended.
func (l *Ledger) letGo(ctx context.Context) error {
	l.mu.Lock()
	leaving := maps.Clone(l.notes)
	l.mu.Unlock()
	maps.DeleteFunc(leaving, func(_ string, n note) bool { return !n.leaving })
	var errs []error
	for name, n := range leaving {
		if err := l.remove(ctx, name, n); err != nil {
			errs = append(errs, err)
			continue
		}
		l.mu.Lock()
		if l.notes[name] == n { // There was no other claim meanwhile.
			delete(l.notes, name)
		}
		l.mu.Unlock()
	}
	return errors.Join(errs...)
}

// remove deletes a Lease, unless it names another object than n or was written meanwhile.
func (l *Ledger) remove(ctx context.Context, name string, n note) error {
	lease := &coordinationv1.Lease{}
	if err := l.o.API.Get(ctx, client.ObjectKey{Namespace: l.o.Namespace, Name: name}, lease); err != nil {
		return client.IgnoreNotFound(err)
	}
	if by, err := holderIn(lease); err != nil || by.uid != n.by.uid {
		return nil //nolint:nilerr // It is nobody's that this process knows.
	}
	err := l.o.Kube.Delete(ctx, lease, client.Preconditions{UID: &lease.UID, ResourceVersion: &lease.ResourceVersion})
	if kerrors.IsConflict(err) {
		return nil // Another claim wrote the Lease.
	}
	return client.IgnoreNotFound(err)
}
