// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
)

// Sessions opens a session for a managed resource.
type Sessions interface {
	For(ctx context.Context, mg resource.ModernManaged) (connect.Session, error)
}

// zones leads to the zones of a credential.
type zones interface {
	Zone(api dnszone.API, zoneID string) *dnszone.Zone
	WasDeleted(zoneID string) bool
	ByName(ctx context.Context, api dnszone.API, name, accountID string) (string, error)
}

type connector struct {
	sessions Sessions
	zones    zones
	kube     client.Client
	api      client.Reader // past the cache
	claims   *claim.Registry
	drift    drift.Reporter
	record   event.Recorder
	journal  Journal
	settle   time.Duration
	// began is when the first object was connected: when this process began to lead.
	began func() time.Time
}

var _ managed.TypedExternalConnector[*v1alpha1.Record] = &connector{}

// Connect finds the credential to work on a Record with.
func (c *connector) Connect(ctx context.Context, mg *v1alpha1.Record) (managed.TypedExternalClient[*v1alpha1.Record], error) {
	if meta.WasDeleted(mg) && untouched(mg) {
		return absent{}, nil
	}
	s, err := c.sessions.For(ctx, mg)
	if err != nil {
		return nil, err
	}
	return &external{
		session: s,
		zones:   c.zones,
		kube:    c.kube,
		api:     c.api,
		claims:  c.claims,
		drift:   c.drift.For(mg),
		record:  c.record,
		journal: c.journal,
		now:     time.Now,
		settle:  c.settle,
		began:   c.began(),
	}, nil
}

// untouched reports whether nothing at Cloudflare can be this object's: it then
// needs neither credentials nor a zone to go.
func untouched(mg *v1alpha1.Record) bool {
	_, pending := pendingKey(mg)
	return meta.GetExternalName(mg) == "" && !pending && !meta.ExternalCreateIncomplete(mg)
}

// absent is the ExternalClient of an object that has nothing at Cloudflare.
type absent struct{}

func (absent) Observe(context.Context, *v1alpha1.Record) (managed.ExternalObservation, error) {
	return managed.ExternalObservation{}, nil
}

func (absent) Create(context.Context, *v1alpha1.Record) (managed.ExternalCreation, error) {
	return managed.ExternalCreation{}, nil
}

func (absent) Update(context.Context, *v1alpha1.Record) (managed.ExternalUpdate, error) {
	return managed.ExternalUpdate{}, nil
}

func (absent) Delete(context.Context, *v1alpha1.Record) (managed.ExternalDelete, error) {
	return managed.ExternalDelete{}, nil
}

func (absent) Disconnect(context.Context) error { return nil }
