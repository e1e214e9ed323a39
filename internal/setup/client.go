// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/reconcilestate"
)

// kube is the client that a kind's reconciler works with. It keeps account of
// what is written to the object that is being reconciled, and sends a status only
// where it says something new. Everything else passes.
type kube struct {
	client.Client

	writes *writes
}

// Update sends obj.
func (k kube) Update(ctx context.Context, obj client.Object, opts ...client.UpdateOption) error {
	return k.step(ctx, obj, func() error { return k.Client.Update(ctx, obj, opts...) })
}

// Patch sends a patch of obj.
func (k kube) Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.PatchOption) error {
	return k.step(ctx, obj, func() error { return k.Client.Patch(ctx, obj, patch, opts...) })
}

// step keeps account of a write to the object that is being reconciled. The
// reconcile goes on with what it wrote, so that need not wake the object again.
func (k kube) step(ctx context.Context, obj client.Object, send func() error) error {
	if !reconcilestate.From(ctx).IsFor(obj) {
		return send()
	}
	to := ""
	end := k.writes.begin(obj.GetUID(), obj.GetResourceVersion())
	defer func() { end(to) }() // Even if send panics: an event may wait for it.
	err := send()
	if err == nil {
		to = obj.GetResourceVersion()
	}
	return err
}

// Status gives the writer of statuses.
func (k kube) Status() client.SubResourceWriter {
	return status{SubResourceWriter: k.Client.Status(), kube: k}
}

type status struct {
	client.SubResourceWriter

	kube kube
}

// Update sends the status of obj. For an object whose creation is complete it
// first says so, where the runtime says that it is being created: the runtime
// would look again at once to find that out. A status that is what the API server
// has is not sent: it would cost as much there as a new one.
func (s status) Update(ctx context.Context, obj client.Object, opts ...client.SubResourceUpdateOption) error {
	state := reconcilestate.From(ctx)
	mg, ok := obj.(resource.Managed)
	if !ok || !state.IsFor(obj) {
		return s.SubResourceWriter.Update(ctx, obj, opts...)
	}
	bound(mg)
	finish := state.Complete
	if mg.GetCondition(xpv2.TypeSynced).Status != corev1.ConditionTrue {
		finish = nil // The runtime met an error after the creation.
	}
	switch {
	case finish != nil:
		finish()
	case shows(ctx, s.kube.Client, s.kube.writes, mg):
		return nil
	}
	from := mg.GetResourceVersion()
	if err := s.SubResourceWriter.Update(ctx, obj, opts...); err != nil {
		return err
	}
	s.kube.writes.wrote(mg.GetUID(), from, mg.GetResourceVersion())
	if finish != nil {
		state.Finished = mg
	}
	return nil
}

// maxMessage bounds what a condition says. Errors quote what is wrong with a spec,
// and specs may be of any size.
const maxMessage = 2048

// bound cuts what the conditions of mg say too much.
func bound(mg resource.Managed) {
	for _, t := range []xpv2.ConditionType{xpv2.TypeReady, xpv2.TypeSynced, xpv2.TypeUpToDate} {
		if c := mg.GetCondition(t); len(c.Message) > maxMessage {
			c.Message = shorten(c.Message, maxMessage)
			mg.SetConditions(c)
		}
	}
}

// shorten cuts s to n bytes, and shows that it did.
func shorten(s string, n int) string {
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
		bound(mg)
	}
	err := s.SubResourceWriter.Patch(ctx, obj, patch, opts...)
	if err == nil && reconcilestate.From(ctx).IsFor(obj) {
		s.kube.writes.wrote(obj.GetUID(), from, obj.GetResourceVersion())
	}
	return err
}

// withClient gives the runtime's reconciler that client.
type withClient struct {
	ctrl.Manager

	kube client.Client
}

// GetClient gives the client.
func (m withClient) GetClient() client.Client { return m.kube }
