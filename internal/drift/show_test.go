// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package drift

import (
	"context"
	"errors"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// stored returns a cluster with one Record that is up to date, and the Record.
func stored(t *testing.T, funcs interceptor.Funcs) (client.WithWatch, *v1alpha1.Record) {
	t.Helper()
	s := runtime.NewScheme()
	if err := apis.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	mg := &v1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "r", Generation: 3}}
	mg.Status.AtProvider.Content = "1.1.1.1"
	mg.SetConditions(UpToDate(mg, "Record"), xpv2.Available())
	kube := fake.NewClientBuilder().WithScheme(s).WithObjects(mg).WithStatusSubresource(mg).WithInterceptorFuncs(funcs).Build()
	if err := kube.Get(t.Context(), client.ObjectKeyFromObject(mg), mg); err != nil {
		t.Fatal(err)
	}
	return kube, mg
}

func TestShow(t *testing.T) {
	kube, mg := stored(t, interceptor.Funcs{})
	// The observation, and what reconciling has filled in since.
	mg.Spec.ForProvider.TTL = new(int64)
	mg.Status.AtProvider.Content = "1.0.0.1"
	found := Judge(mg, "Record", Differences{{Field: "content", Live: "1.0.0.1", Desired: "1.1.1.1"}}, true)
	mg.SetConditions(found.Condition)
	was := mg.DeepCopy()

	if err := Show(t.Context(), kube, mg); err != nil {
		t.Fatal(err)
	}
	shown := &v1alpha1.Record{}
	if err := kube.Get(t.Context(), client.ObjectKeyFromObject(mg), shown); err != nil {
		t.Fatal(err)
	}
	if c := shown.GetCondition(xpv2.TypeUpToDate); !c.Equal(found.Condition) {
		t.Errorf("shown is %+v, want %+v", c, found.Condition)
	}
	if shown.GetCondition(xpv2.TypeReady).Status != corev1.ConditionTrue || shown.Status.AtProvider.Content != "1.1.1.1" || shown.Spec.ForProvider.TTL != nil {
		t.Errorf("more than the condition was sent: %+v", shown)
	}
	// The reconcile continues with what it had, and its next write is no conflict.
	if mg.GetResourceVersion() != shown.GetResourceVersion() {
		t.Errorf("the object's version is %s, the cluster's %s", mg.GetResourceVersion(), shown.GetResourceVersion())
	}
	mg.SetResourceVersion(was.GetResourceVersion())
	if diff := cmp.Diff(was, mg); diff != "" {
		t.Errorf("showing changed the object (-before +after):\n%s", diff)
	}
}

func TestShowThatFails(t *testing.T) {
	down := errors.New("down")
	kube, mg := stored(t, interceptor.Funcs{
		SubResourcePatch: func(context.Context, client.Client, string, client.Object, client.Patch, ...client.SubResourcePatchOption) error {
			return down
		},
	})
	was := mg.DeepCopy()
	if err := Show(t.Context(), kube, mg); !errors.Is(err, down) {
		t.Errorf("got %v, want %v wrapped: an unseen drift must not be undone", err, down)
	}
	if diff := cmp.Diff(was, mg); diff != "" {
		t.Errorf("failing changed the object (-before +after):\n%s", diff)
	}
}
