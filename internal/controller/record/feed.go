// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"sync"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
)

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// A feed turns changes of live records into reconciles of just the Records they
// belong to, behind whatever users are waiting for.
type feed struct {
	kube client.Reader
	log  logging.Logger

	mu sync.Mutex
	q  queue
}

// source hands the controller's queue to the feed.
func (f *feed) source() source.Source {
	return source.Func(func(_ context.Context, q queue) error {
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
	if cloudflare.IsInvalidCredential(c.Err) {
		// The zone is swept no more with this credential. Its Records find out whether
		// there is another, and say so if not.
		f.wake(ctx, q, indexZone, c.ZoneID)
	}
	for _, id := range c.RecordIDs {
		f.wake(ctx, q, claim.Index, id)
	}
}

// wake enqueues the Records that the index has under that key.
func (f *feed) wake(ctx context.Context, q queue, index, key string) {
	l := &v1alpha1.RecordList{}
	if err := f.kube.List(ctx, l, client.MatchingFields{index: key}); err != nil {
		f.log.Info("cannot find the Records to look at", "index", index, "key", key, "error", err)
		return
	}
	for i := range l.Items {
		enqueue(q, client.ObjectKeyFromObject(&l.Items[i]))
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

func enqueue(q queue, key types.NamespacedName) {
	r := reconcile.Request{NamespacedName: key}
	if pq, ok := q.(priorityqueue.PriorityQueue[reconcile.Request]); ok {
		pq.AddWithOpts(priorityqueue.AddOpts{Priority: ptr.To(handler.LowPriority)}, r)
		return
	}
	q.Add(r)
}
