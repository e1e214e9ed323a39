// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package zone

import (
	"context"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
)

// Sessions opens a session for a managed resource.
type Sessions interface {
	For(ctx context.Context, mg resource.ModernManaged) (connect.Session, error)
}

// api is what external needs of a client.
type api interface {
	GetZone(ctx context.Context, id string) (cloudflare.Zone, error)
	FindZones(ctx context.Context, name, accountID string, internal bool) ([]cloudflare.Zone, error)
	CreateZone(ctx context.Context, name, accountID, kind string) (cloudflare.Zone, error)
	EditZone(ctx context.Context, id, property string, value any) (cloudflare.Zone, error)
	DeleteZone(ctx context.Context, id string) error
}

type connector struct {
	sessions  Sessions
	kube      client.Client
	reader    client.Reader // past the cache
	claims    *claim.Registry
	deleted   func(zoneID string)
	departing func(ctx context.Context, zoneID string) ([]types.NamespacedName, error)
	drift     drift.Reporter
	record    event.Recorder
	journal   Journal
	settle    time.Duration
	// began is when the first object was connected: when this process began to lead.
	began func() time.Time
}

var _ managed.TypedExternalConnector[*v1alpha1.Zone] = &connector{}

// Connect finds the credential to work on a Zone with.
func (c *connector) Connect(ctx context.Context, mg *v1alpha1.Zone) (managed.TypedExternalClient[*v1alpha1.Zone], error) {
	e := &external{
		kube:      c.kube,
		reader:    c.reader,
		claims:    c.claims,
		deleted:   c.deleted,
		departing: c.departing,
		drift:     c.drift.For(mg),
		record:    c.record,
		journal:   c.journal,
		settle:    c.settle,
		began:     c.began(),
	}
	if meta.WasDeleted(mg) && untouched(mg) {
		// Nothing at Cloudflare can be this object's: it needs no credential to go.
		return e, nil
	}
	s, err := c.sessions.For(ctx, mg)
	if err != nil {
		return nil, err
	}
	e.api = s.Client
	e.accountID = ptr.Deref(mg.Spec.ForProvider.AccountID, s.AccountID)
	if e.accountID != "" && !cloudflare.ValidID(e.accountID) {
		return nil, fmt.Errorf("spec.forProvider.accountId: %w", &cloudflare.IDError{What: "account", ID: e.accountID})
	}
	return e, nil
}

func untouched(mg *v1alpha1.Zone) bool {
	return meta.GetExternalName(mg) == "" && !pending(mg)
}
