// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

type connector struct {
	kube       client.Client
	usage      *resource.ProviderConfigUsageTracker
	url        string
	findByName bool
}

// Connect reads the credentials from the cache at each reconcile.
func (c *connector) Connect(ctx context.Context, mg *v1alpha1.Record) (managed.TypedExternalClient[*v1alpha1.Record], error) {
	if err := c.usage.Track(ctx, mg); err != nil {
		return nil, fmt.Errorf("cannot track the use of the provider config: %w", err)
	}
	pc := &cfv1alpha1.ClusterProviderConfig{}
	if err := c.kube.Get(ctx, types.NamespacedName{Name: mg.GetProviderConfigReference().Name}, pc); err != nil {
		return nil, fmt.Errorf("cannot get the provider config: %w", err)
	}
	ref := pc.Spec.Credentials.SecretRef
	s := &corev1.Secret{}
	if err := c.kube.Get(ctx, types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}, s); err != nil {
		return nil, fmt.Errorf("cannot get the credentials: %w", err)
	}
	return &external{api: api{url: c.url, token: string(s.Data[ref.Key])}, findByName: c.findByName}, nil
}

type external struct {
	api        api
	findByName bool
}

// Observe reads the record with the external name.
func (e *external) Observe(ctx context.Context, mg *v1alpha1.Record) (managed.ExternalObservation, error) {
	id := meta.GetExternalName(mg)
	if id == "" && e.findByName {
		var err error
		if id, err = e.find(ctx, mg); err != nil {
			return managed.ExternalObservation{}, err
		}
		meta.SetExternalName(mg, id)
	}
	if id == "" {
		return managed.ExternalObservation{}, nil
	}
	var live record
	err := e.api.do(ctx, http.MethodGet, path(mg)+"/"+id, nil, &live)
	var refused *apiError
	if errors.As(err, &refused) && refused.Code == codeNoRecord {
		return managed.ExternalObservation{}, nil
	}
	if err != nil {
		return managed.ExternalObservation{}, fmt.Errorf("cannot get the DNS record: %w", err)
	}
	mg.Status.AtProvider.ID, mg.Status.AtProvider.Content, mg.Status.AtProvider.FQDN = live.ID, live.Content, live.Name
	mg.SetConditions(xpv2.Available())
	return managed.ExternalObservation{ResourceExists: true, ResourceUpToDate: upToDate(desired(mg), live)}, nil
}

// find returns the ID of the first record with the declared type and content whose name
// begins with the declared one. It returns "" if there is none.
func (e *external) find(ctx context.Context, mg *v1alpha1.Record) (string, error) {
	want := desired(mg)
	q := url.Values{"type": {want.Type}, "content.exact": {want.Content}, "name.startswith": {want.Name + "."}}
	var live []record
	if err := e.api.do(ctx, http.MethodGet, path(mg)+"?"+q.Encode(), nil, &live); err != nil {
		return "", fmt.Errorf("cannot look for the DNS record: %w", err)
	}
	if len(live) == 0 {
		return "", nil
	}
	return live[0].ID, nil
}

// Create creates the record.
func (e *external) Create(ctx context.Context, mg *v1alpha1.Record) (managed.ExternalCreation, error) {
	mg.SetConditions(xpv2.Creating())
	var live record
	if err := e.api.do(ctx, http.MethodPost, path(mg), desired(mg), &live); err != nil {
		return managed.ExternalCreation{}, fmt.Errorf("cannot create the DNS record: %w", err)
	}
	meta.SetExternalName(mg, live.ID)
	return managed.ExternalCreation{}, nil
}

// Update changes the record to what is declared.
func (e *external) Update(ctx context.Context, mg *v1alpha1.Record) (managed.ExternalUpdate, error) {
	err := e.api.do(ctx, http.MethodPatch, path(mg)+"/"+meta.GetExternalName(mg), desired(mg), nil)
	if err != nil {
		err = fmt.Errorf("cannot update the DNS record: %w", err)
	}
	return managed.ExternalUpdate{}, err
}

// Delete deletes the record.
func (e *external) Delete(ctx context.Context, mg *v1alpha1.Record) (managed.ExternalDelete, error) {
	mg.SetConditions(xpv2.Deleting())
	err := e.api.do(ctx, http.MethodDelete, path(mg)+"/"+meta.GetExternalName(mg), nil, nil)
	if err != nil {
		err = fmt.Errorf("cannot delete the DNS record: %w", err)
	}
	return managed.ExternalDelete{}, err
}

// Disconnect does nothing.
func (e *external) Disconnect(context.Context) error { return nil }

func path(mg *v1alpha1.Record) string {
	return "/zones/" + *mg.Spec.ForProvider.ZoneID + "/dns_records"
}
