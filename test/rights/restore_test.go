// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"errors"
	"fmt"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// restored puts a usage of each config into the cluster as a restored backup has it:
// without its owner, which has another UID now. The provider has no right to delete
// it and gives it back the owner it had, so that the garbage collector does, which
// here is the test.
func (w *world) restored(configs ...client.Object) {
	w.t.Helper()
	for i, pc := range configs {
		kind, err := w.kube.GroupVersionKindFor(pc)
		if err != nil {
			w.t.Fatal(err)
		}
		u := &cfv1alpha1.ProviderConfigUsage{ObjectMeta: in(tenant, fmt.Sprintf("00000000-0000-4000-8000-%012d", i))}
		u.Labels = map[string]string{xpv2.LabelKeyProviderName: pc.GetName(), xpv2.LabelKeyProviderKind: kind.Kind}
		u.SetProviderConfigReference(xpv2.ProviderConfigReference{Kind: kind.Kind, Name: pc.GetName()})
		u.SetResourceReference(xpv2.TypedReference{APIVersion: dnsv1alpha1.SchemeGroupVersion.String(), Kind: dnsv1alpha1.RecordKind, Name: "restored"})
		w.create(u)
		w.eventually(func() error {
			if err := w.kube.Get(w.t.Context(), client.ObjectKeyFromObject(u), u); err != nil {
				return client.IgnoreNotFound(err) // Deleting it is as good.
			}
			if o := metav1.GetControllerOf(u); o == nil || o.UID != types.UID(u.Name) {
				return errors.New("the usage has no owner, and is still there")
			}
			return nil
		})
		if err := w.kube.Delete(w.t.Context(), u); err != nil && !kerrors.IsNotFound(err) {
			w.t.Fatal(err)
		}
	}
}
