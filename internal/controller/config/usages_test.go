// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"context"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// TestOwning shows what becomes of what the runtime wants to delete.
func TestOwning(t *testing.T) {
	usage := func(owners ...metav1.OwnerReference) *v1alpha1.ProviderConfigUsage {
		u := &v1alpha1.ProviderConfigUsage{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "the-uid", OwnerReferences: owners}}
		u.SetResourceReference(xpv2.TypedReference{APIVersion: "dns.cloudflare.m.crossplane.io/v1alpha1", Kind: "Record", Name: "www"})
		return u
	}
	record := metav1.OwnerReference{
		APIVersion: "dns.cloudflare.m.crossplane.io/v1alpha1", Kind: "Record", Name: "www", UID: "the-uid",
		Controller: ptr.To(true), BlockOwnerDeletion: ptr.To(true),
	}
	other := metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "c", UID: "another"}
	tests := []struct {
		reason string
		// live is what the API server has, the argument what the runtime saw.
		live, argument client.Object
		want           []metav1.OwnerReference
		gone           bool
	}{
		{"a usage that lost its owner is given it", usage(), usage(), []metav1.OwnerReference{record}, false},
		{"other owners stay", usage(other), usage(), []metav1.OwnerReference{other, record}, false},
		{"one that has an owner by now is left alone", usage(record), usage(), []metav1.OwnerReference{record}, false},
		{"one that is gone needs nothing", nil, usage(), nil, true},
		{"anything else is deleted", &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "c"}}, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "c"}}, nil, true},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			scheme := runtime.NewScheme()
			if err := clientgoscheme.AddToScheme(scheme); err != nil {
				t.Fatal(err)
			}
			if err := apis.AddToScheme(scheme); err != nil {
				t.Fatal(err)
			}
			b := fake.NewClientBuilder().WithScheme(scheme)
			if tc.live != nil {
				b = b.WithObjects(tc.live)
			}
			kube := b.WithInterceptorFuncs(interceptor.Funcs{
				Delete: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.DeleteOption) error {
					if _, ok := o.(*v1alpha1.ProviderConfigUsage); ok {
						return kerrors.NewForbidden(v1alpha1.SchemeGroupVersion.WithResource("providerconfigusages").GroupResource(), o.GetName(), nil)
					}
					return c.Delete(ctx, o, opts...)
				},
			}).Build()
			if err := (owning{Client: kube, api: kube}).Delete(t.Context(), tc.argument); err != nil {
				t.Errorf("%s: %v", tc.reason, err)
			}
			err := kube.Get(t.Context(), client.ObjectKeyFromObject(tc.argument), tc.argument)
			if kerrors.IsNotFound(err) != tc.gone {
				t.Fatalf("%s: afterwards it reads %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, tc.argument.GetOwnerReferences()); !tc.gone && diff != "" {
				t.Errorf("%s: owners (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
