// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"errors"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// going returns a Record that is being deleted and has a record in that zone.
func going(zoneID string) *v1alpha1.Record {
	r := &v1alpha1.Record{ObjectMeta: metav1.ObjectMeta{
		Namespace: "ns", Name: "going", DeletionTimestamp: ptr.To(metav1.Now()), Finalizers: []string{managed.FinalizerName},
	}}
	r.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
	r.Status.AtProvider.ZoneID = zoneID
	meta.SetExternalName(r, "372e67954025e0ba6aaa6d586b9e0b59")
	return r
}

func TestDeparting(t *testing.T) {
	tests := []struct {
		reason string
		change func(*v1alpha1.Record)
		want   int
	}{
		{"it has yet to delete its record", func(*v1alpha1.Record) {}, 1},
		{"it is not being deleted", func(r *v1alpha1.Record) { r.DeletionTimestamp = nil }, 0},
		{"its record is in another zone", func(r *v1alpha1.Record) { r.Status.AtProvider.ZoneID = "other" }, 0},
		{"it leaves its record", func(r *v1alpha1.Record) { r.Spec.DeletionPolicy = xpv2.DeletionOrphan }, 0},
		{"it never had one", func(r *v1alpha1.Record) { meta.SetExternalName(r, "") }, 0},
		{"it is gone but for the cache", func(r *v1alpha1.Record) { r.Finalizers = nil }, 0},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			r := going(testZone)
			tc.change(r)
			kube := interceptor.NewClient(cluster(t, nil), interceptor.Funcs{
				List: func(_ context.Context, _ client.WithWatch, l client.ObjectList, _ ...client.ListOption) error {
					if l, ok := l.(*v1alpha1.RecordList); ok {
						l.Items = []v1alpha1.Record{*r}
					}
					return nil
				},
			})
			got, err := Departing(t.Context(), kube, testZone)
			if err != nil || len(got) != tc.want {
				t.Errorf("%s: got %v, %v, want %d", tc.reason, got, err, tc.want)
			}
			if tc.want > 0 && got[0].String() != "ns/going" {
				t.Errorf("%s: it is called %s", tc.reason, got[0])
			}
		})
	}
}

func TestDepartingThatCannotBeListed(t *testing.T) {
	down := errors.New("the API server is down")
	for _, tc := range []struct {
		reason    string
		err, want error
	}{
		{"nobody knows, so the zone waits", down, down},
		{"a kind that is not activated has no objects", &apimeta.NoKindMatchError{}, nil},
	} {
		kube := interceptor.NewClient(cluster(t, nil), interceptor.Funcs{
			List: func(context.Context, client.WithWatch, client.ObjectList, ...client.ListOption) error { return tc.err },
		})
		if got, err := Departing(t.Context(), kube, testZone); !errors.Is(err, tc.want) || len(got) > 0 {
			t.Errorf("%s: got %v, %v", tc.reason, got, err)
		}
	}
}
