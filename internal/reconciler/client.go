// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A Client is the client of a kind's reconciler. It records the writes to the object
// that is being reconciled, and sends a status only if it differs from the persisted
// one. All other calls pass unchanged.
type Client struct {
	client.Client

	writes *Writes
}

// NewClient returns a Client that sends its requests with c.
func NewClient(c client.Client) Client { return Client{Client: c, writes: newWrites()} }

// Writes returns the record of what the Client wrote.
func (c Client) Writes() *Writes { return c.writes }

// Update sends obj.
func (c Client) Update(ctx context.Context, obj client.Object, opts ...client.UpdateOption) error {
	return c.record(ctx, obj, func() error { return c.Client.Update(ctx, obj, opts...) })
}

// Patch sends a patch of obj.
func (c Client) Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.PatchOption) error {
	return c.record(ctx, obj, func() error { return c.Client.Patch(ctx, obj, patch, opts...) })
}

// record records a write to the object that is being reconciled. The reconcile
// continues with what it wrote, so the event of the write need not enqueue the object
// again.
func (c Client) record(ctx context.Context, obj client.Object, send func() error) error {
	if !StateFrom(ctx).IsFor(obj) {
		return send()
	}
	to := ""
	end := c.writes.Begin(obj.GetUID(), obj.GetResourceVersion())
	defer func() { end(to) }() // Even if send panics: an event may wait for it.
	err := send()
	if err == nil {
		to = obj.GetResourceVersion()
	}
	return err
}

// Status returns the writer of statuses.
func (c Client) Status() client.SubResourceWriter {
	return status{SubResourceWriter: c.Client.Status(), kube: c}
}

type status struct {
	client.SubResourceWriter

	kube Client
}

// Update sends the status of obj. If the creation of obj is complete and the runtime
// reports it as being created, Update first puts the complete status on obj: otherwise
// the runtime would reconcile it again at once. Update does not send a status that the
// API server already has, because it would cost as much there as a new one.
func (s status) Update(ctx context.Context, obj client.Object, opts ...client.SubResourceUpdateOption) error {
	state := StateFrom(ctx)
	mg, ok := obj.(resource.Managed)
	if !ok || !state.IsFor(obj) {
		return s.SubResourceWriter.Update(ctx, obj, opts...)
	}
	if state.Stands != nil {
		state.Stands()
	}
	truncateMessages(mg)
	finish := state.Complete
	if mg.GetCondition(xpv2.TypeSynced).Status != corev1.ConditionTrue {
		finish = nil // The runtime met an error after the creation.
	}
	switch {
	case finish != nil:
		finish()
	case isPersisted(ctx, s.kube.Client, s.kube.writes, mg):
		return nil
	}
	from := mg.GetResourceVersion()
	if err := s.SubResourceWriter.Update(ctx, obj, opts...); err != nil {
		return err
	}
	s.kube.writes.Wrote(mg.GetUID(), from, mg.GetResourceVersion())
	if finish != nil {
		state.Finished = mg
	}
	return nil
}

// maxMessage bounds the message of a condition, in bytes. Errors quote invalid parts of
// a spec, and specs may be of any size.
const maxMessage = 2048

// truncateMessages shortens messages of conditions of mg that are too long.
func truncateMessages(mg resource.Managed) {
	for _, t := range []xpv2.ConditionType{xpv2.TypeReady, xpv2.TypeSynced, xpv2.TypeUpToDate} {
		if c := mg.GetCondition(t); len(c.Message) > maxMessage {
			c.Message = truncate(c.Message, maxMessage)
			mg.SetConditions(c)
		}
	}
}

// truncate shortens s to n bytes, and marks that it did.
func truncate(s string, n int) string {
	const more = " ..."
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-len(more)], "") + more
}

// Patch sends a patch of the status of obj.
func (s status) Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
	from := obj.GetResourceVersion()
	if mg, ok := obj.(resource.Managed); ok {
		truncateMessages(mg)
	}
	err := s.SubResourceWriter.Patch(ctx, obj, patch, opts...)
	if err == nil && StateFrom(ctx).IsFor(obj) {
		s.kube.writes.Wrote(obj.GetUID(), from, obj.GetResourceVersion())
	}
	return err
}

// WithClient returns mgr with the client c: the runtime's reconciler takes its client
// from its manager.
func WithClient(mgr ctrl.Manager, c client.Client) ctrl.Manager {
	return managerWithClient{Manager: mgr, kube: c}
}

type managerWithClient struct {
	ctrl.Manager

	kube client.Client
}

// GetClient returns the client.
func (m managerWithClient) GetClient() client.Client { return m.kube }
