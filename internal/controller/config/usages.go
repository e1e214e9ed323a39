// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"context"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/setup"
)

// counting is mgr for the runtime's reconciler, which counts the users of a config.
func counting(mgr ctrl.Manager) ctrl.Manager {
	quiet := setup.Quiet(mgr)
	return setup.WithClient(mgr, owning{Client: quiet.GetClient(), api: mgr.GetAPIReader()})
}

// owning is a client that deletes no usage. The runtime's reconciler deletes those
// that have lost their owner, as restored backups have, and goes no further where it
// cannot; Crossplane grants a provider no right to delete. Such a usage is given back
// the owner it was made for. If that is there, it counts again. If not, since objects
// that are restored have new UIDs, Kubernetes' garbage collector deletes it.
type owning struct {
	client.Client

	// api reads past the cache, which keeps of usages only what is counted.
	api client.Reader
}

// Delete deletes obj, or gives a usage its owner.
func (o owning) Delete(ctx context.Context, obj client.Object, opts ...client.DeleteOption) error {
	if _, ok := obj.(*v1alpha1.ProviderConfigUsage); !ok {
		return o.Client.Delete(ctx, obj, opts...)
	}
	u := &v1alpha1.ProviderConfigUsage{}
	if err := o.api.Get(ctx, client.ObjectKeyFromObject(obj), u); err != nil {
		return client.IgnoreNotFound(err)
	}
	if metav1.GetControllerOf(u) != nil {
		return nil
	}
	was := u.DeepCopy()
	// A usage has the name of its owner's UID.
	owner := meta.AsController(&xpv2.TypedReference{
		APIVersion: u.ResourceReference.APIVersion, Kind: u.ResourceReference.Kind, Name: u.ResourceReference.Name, UID: types.UID(u.Name),
	})
	u.SetOwnerReferences(append(u.GetOwnerReferences(), owner))
	if err := o.Patch(ctx, u, client.MergeFromWithOptions(was, client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("cannot give usage %s its owner: %w", client.ObjectKeyFromObject(u), err)
	}
	return nil
}
