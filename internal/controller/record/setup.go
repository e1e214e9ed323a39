// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
	"github.com/provider-cloudflare/provider-cloudflare/internal/workers"
)

// Setup adds a controller of Records to mgr. The pool records creations in the journal.
func Setup(mgr ctrl.Manager, o controller.Options, s external.Shared, p *dnszone.Pool) error {
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), &v1alpha1.Record{}, indexZone, zonesOf); err != nil {
		return fmt.Errorf("cannot index Records by zone: %w", err)
	}
	f := newFeed(mgr.GetClient())
	b := external.NewBuilder(mgr, o, s, v1alpha1.RecordGroupVersionKind, claimKind())
	k := kind(p, b.Client(), s, &f.Waiting)
	f.Log, f.Barred = b.Log(), b.Barred()
	if err := mgr.Add(sweep(p, f)); err != nil {
		return fmt.Errorf("cannot add the sweep of zones: %w", err)
	}
	return external.Add(b, k, external.Controller{
		Poll: pollInterval(s.DriftInterval), Wakes: []workers.Source{f.Source()}, Resolve: resolve, Gone: f.Gone,
	})
}

func kind(z zones, kube client.Client, shared external.Shared, w *parent.Waiters[types.NamespacedName]) external.Kind[dnszone.Entry] {
	return external.Kind[dnszone.Entry]{
		Kind:           claimKind(),
		GVK:            v1alpha1.RecordGroupVersionKind,
		Noun:           noun(),
		Notes:          external.Notes{Pending: AnnotationPending},
		WriterJournals: true,
		LateFinalizer:  true,
		Revive:         revive,
		Adapt: func(mg resource.Managed, s connect.Session) (external.Adapter[dnszone.Entry], error) {
			r, err := external.As[*v1alpha1.Record](mg)
			if err != nil {
				return nil, err
			}
			return &adapter{mg: r, session: s, zones: z, kube: kube, now: time.Now, settle: shared.Settle, reach: shared.References, waiting: w}, nil
		},
	}
}

func noun() decision.Noun {
	return decision.Noun{
		Name: "DNS record", Short: "record", Natural: "name, type and content",
		Alike: ", with the same name, type and content", Only: ", as the only one of its name and type",
		Allow:  fmt.Sprintf("delete that record, or set spec.adoptionPolicy to %s", v1alpha1.AdoptIdentical),
		Change: fmt.Sprintf("set spec.adoptionPolicy to %s to have the record changed", v1alpha1.AdoptNameAndType),
		Stuck:  "if the DNS record or its zone is gone for good, set spec.deletionPolicy to Orphan to let this object go",
	}
}

// revive puts on a Record that does not exist any more what was created for it.
func revive(mg resource.Managed, raw json.RawMessage) error {
	var about subject
	if err := json.Unmarshal(raw, &about); err != nil {
		return err
	}
	r, err := external.As[*v1alpha1.Record](mg)
	if err != nil {
		return err
	}
	r.Status.AtProvider.ZoneID = about.Zone
	return nil
}

// Has reports whether an object has a resource at Cloudflare according to its status.
func Has(mg resource.Managed) bool { return claimKind().HasAny(mg) }

func claimKind() claim.Kind {
	return claim.KindOf(
		func() *v1alpha1.Record { return &v1alpha1.Record{} },
		func() resource.ManagedList { return &v1alpha1.RecordList{} },
		func(r *v1alpha1.Record) string { return r.Status.AtProvider.ID },
	)
}

// sweep looks for drift as long as this process leads, and waits for its calls before
// it returns.
func sweep(p *dnszone.Pool, f *external.Feed) manager.Runnable {
	return manager.RunnableFunc(func(ctx context.Context) error {
		p.Run(ctx, parent.Handler{
			InUse:    func(zoneID string) bool { return f.InUse(ctx, zoneID) },
			OnChange: func(c dnszone.Change) { f.Changed(ctx, c) },
		})
		return nil
	})
}

// pollInterval spreads polls. The sweep does not report a Record that has not found its
// record yet, so such a Record polls as often as the sweep runs.
func pollInterval(driftInterval time.Duration) managed.PollIntervalHook {
	return func(mg resource.Managed, poll time.Duration) time.Duration {
		if meta.GetExternalName(mg) == "" {
			poll = min(poll, driftInterval)
		}
		return reconciler.Jitter(poll)
	}
}
