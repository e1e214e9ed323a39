// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// A Connector returns the clients of a kind.
type Connector[L any] struct {
	Kind Kind[L]
	Deps Deps
}

// Connect returns a client with the credential of mg. A deleted object without a resource needs
// none.
func (c *Connector[L]) Connect(ctx context.Context, mg resource.Managed) (managed.ExternalClient, error) {
	if meta.WasDeleted(mg) {
		if none, err := c.untouched(ctx, mg); none || err != nil {
			return untouched{}, err
		}
	}
	return c.client(ctx, mg)
}

// untouched reports whether mg has no external resource and no creation of unknown outcome. Such an
// object can be deleted without a credential.
func (c *Connector[L]) untouched(ctx context.Context, mg resource.Managed) (bool, error) {
	if meta.GetExternalName(mg) != "" {
		return false, nil
	}
	o, err := c.originOf(ctx, mg)
	return len(o.own) == 0 && len(o.open) == 0 && o.lost == nil, err
}

func (c *Connector[L]) client(ctx context.Context, mg resource.Managed) (*Client[L], error) {
	modern, ok := mg.(resource.ModernManaged)
	if !ok {
		return nil, fmt.Errorf("there is no provider config for %T", mg)
	}
	s, err := c.Deps.Sessions.For(ctx, modern)
	if err != nil {
		c.Deps.Barred.note(mg, err)
		return nil, c.unconnected(mg, err)
	}
	adapt := func(mg resource.Managed) (Adapter[L], error) { return c.Kind.Adapt(mg, s) }
	a, err := adapt(mg)
	if err != nil {
		return nil, err
	}
	out := c.of(a, s)
	out.adapt = adapt
	return out, nil
}

// Resolver returns a function that calls resolve if the references of the object may lead where
// they do. Otherwise the function returns an error, and says on the object that the provider does
// not look at its external resource. A nil resolve resolves nothing.
func (c *Connector[L]) Resolver(resolve reconciler.Resolve) reconciler.Resolve {
	return func(ctx context.Context, r client.Reader, mg resource.Managed) error {
		if err := c.Deps.Reach.Check(mg); err != nil {
			return c.unconnected(mg, err)
		}
		if resolve == nil {
			return nil
		}
		return resolve(ctx, c.Deps.Reach.Within(r, mg.GetNamespace()), mg)
	}
}

func (c *Connector[L]) of(a Adapter[L], s connect.Session) *Client[L] {
	return &Client[L]{
		kind: &c.Kind, deps: &c.Deps, adapter: a, api: s.Client,
		paused: func() error {
			if s.Client == nil {
				return nil
			}
			return s.Client.Paused()
		},
		began: c.Deps.Began(), lives: map[string]L{},
	}
}
