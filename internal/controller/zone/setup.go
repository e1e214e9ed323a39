// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// Deps are the dependencies of the controller that other kinds do not share.
type Deps struct {
	// Deleted is called with each zone whose deletion the API confirmed.
	Deleted func(zoneID string)
	// Seen is called with each zone that an object shows. It may be nil.
	Seen func(cloudflare.Zone)
	// Departing returns the objects under deletion that have yet to delete a resource
	// in the zone with that ID. If it is nil, there are none.
	Departing func(ctx context.Context, zoneID string) ([]types.NamespacedName, error)
	// look numbers the drift intervals. Setup sets it. If it is nil, there is only one.
	look func() uint64
}

// Setup adds a controller of Zones to mgr. Zones are few and nothing else reports their
// changes, so each is polled once a drift interval.
func Setup(mgr ctrl.Manager, o controller.Options, s external.Shared, d Deps) error {
	d.look = func() uint64 { return uint64(time.Now().UnixNano() / int64(s.DriftInterval)) } //nolint:gosec // It is after 1970.
	k := kind(d, allowedBy)
	b := external.NewBuilder(mgr, o, s, k.GVK, k.Kind)
	return external.Add(b, k, external.Controller{Poll: func(_ resource.Managed, poll time.Duration) time.Duration {
		return reconciler.Jitter(min(poll, s.DriftInterval))
	}})
}

// allowedBy returns the API of a session, restricted to what its provider config
// allows.
func allowedBy(s connect.Session) api { return admitted{s.Client, s.Admit} }

// kind returns the kind Zone. calls returns the API of a session.
func kind(d Deps, calls func(connect.Session) api) external.Kind[cloudflare.Zone] {
	return external.Kind[cloudflare.Zone]{
		Kind:   claimKind(),
		GVK:    v1alpha1.ZoneGroupVersionKind,
		Noun:   noun(),
		Notes:  external.Notes{Pending: AnnotationPending, Deleting: annotationDeleting, Deleted: annotationDeleted},
		Revive: revive, LooksAlone: true,
		Adapt: func(mg resource.Managed, s connect.Session) (external.Adapter[cloudflare.Zone], error) {
			z, err := external.As[*v1alpha1.Zone](mg)
			if err != nil {
				return nil, err
			}
			account := ptr.Deref(z.Spec.ForProvider.AccountID, s.AccountID)
			if account != "" && !cloudflare.ValidID(account) {
				return nil, fmt.Errorf("spec.forProvider.accountId: %w", &cloudflare.IDError{What: "account", ID: account})
			}
			a := &adapter{mg: z, api: calls(s), accountID: account, deleted: d.Deleted, seen: d.Seen, departing: d.Departing}
			if d.look != nil {
				a.look = d.look()
			}
			return a, nil
		},
	}
}

func noun() decision.Noun {
	return decision.Noun{
		Name: "zone", Short: "zone", Natural: "name",
		Allow: fmt.Sprintf("set it to %s", v1alpha1.AdoptIdentical),
		Loss:  "it would get other name servers",
	}
}

// revive puts on a Zone that does not exist any more what was created for it.
func revive(mg resource.Managed, raw json.RawMessage) error {
	var about subject
	if err := json.Unmarshal(raw, &about); err != nil {
		return err
	}
	z, err := external.As[*v1alpha1.Zone](mg)
	if err != nil {
		return err
	}
	z.Spec.ForProvider.Name, z.Spec.ForProvider.AccountID = &about.Name, &about.Account
	if about.Internal {
		z.Spec.ForProvider.Type = ptr.To(cloudflare.ZoneTypeInternal)
	}
	return nil
}

// Has reports whether an object has a resource at Cloudflare according to its status.
func Has(mg resource.Managed) bool { return claimKind().HasAny(mg) }

func claimKind() claim.Kind {
	return claim.KindOf(
		func() *v1alpha1.Zone { return &v1alpha1.Zone{} },
		func() resource.ManagedList { return &v1alpha1.ZoneList{} },
		func(z *v1alpha1.Zone) string { return z.Status.AtProvider.ID },
	)
}
