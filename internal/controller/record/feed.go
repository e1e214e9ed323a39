// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"sync"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// A feed turns changes of live records into reconciles of just the Records they
// belong to, behind whatever users are waiting for.
type feed struct {
	kube client.Reader
	log  logging.Logger
	// waiting are the Records that may not create what they look for, by zone.
	waiting parent.Waiting[types.NamespacedName]

	mu sync.Mutex
	q  reconciler.Queue
}

// source hands the controller's queue to the feed.
func (f *feed) source() source.Source {
	return source.Func(func(_ context.Context, q reconciler.Queue) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.q = q
		return nil
	})
}

func (f *feed) tell(ctx context.Context, c dnszone.Change) {
	f.mu.Lock()
	q := f.q
	f.mu.Unlock()
	if c.Err != nil {
		f.log.Info("cannot look for drift in a zone", "zone", c.ZoneID, "error", c.Err)
	}
	if q == nil {
		return
	}
	if cloudflare.IsInvalidCredential(c.Err) || cloudflare.MayBeInvalidCredential(c.Err) {
		// The zone is not swept with this credential until somebody asks for it. Its
		// Records find out whether there is another credential, and say so if not.
		f.wake(ctx, q, indexZone, c.ZoneID)
	}
	for _, id := range c.RecordIDs {
		f.wake(ctx, q, claim.Index, id)
	}
	if len(c.RecordIDs) > 0 {
		for _, name := range f.waiting.Take(c.ZoneID) {
			reconciler.Enqueue(q, reconciler.PriorityDrift, name)
		}
	}
}

// wake enqueues the Records that the index has under that key.
func (f *feed) wake(ctx context.Context, q reconciler.Queue, index, key string) {
	l := &v1alpha1.RecordList{}
	// Their names are only read: a sweep may tell of thousands.
	if err := f.kube.List(ctx, l, client.MatchingFields{index: key}, client.UnsafeDisableDeepCopy); err != nil {
		f.log.Info("cannot find the Records to look at", "index", index, "key", key, "error", err)
		return
	}
	for i := range l.Items {
		reconciler.Enqueue(q, reconciler.PriorityDrift, client.ObjectKeyFromObject(&l.Items[i]))
	}
}

// inUse reports whether any Record is in the zone, as far as one was seen there, or waits
// for a record there. Where that is not known, it may be.
func (f *feed) inUse(ctx context.Context, zoneID string) bool {
	for _, name := range f.waiting.Of(zoneID) {
		if err := f.kube.Get(ctx, name, &v1alpha1.Record{}); !kerrors.IsNotFound(err) {
			return true
		}
		f.waiting.Remove(name)
	}
	l := &v1alpha1.RecordList{}
	err := f.kube.List(ctx, l, client.MatchingFields{indexZone: zoneID}, client.Limit(1), client.UnsafeDisableDeepCopy)
	return err != nil || len(l.Items) > 0
}

// indexZone is the cache index of Records by the zone they were seen in.
const indexZone = "status.atProvider.zoneId"

func zonesOf(o client.Object) []string {
	if r, ok := o.(*v1alpha1.Record); ok && r.Status.AtProvider.ZoneID != "" {
		return []string{r.Status.AtProvider.ZoneID}
	}
	return nil
}
