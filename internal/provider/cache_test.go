// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

func TestStripMetadata(t *testing.T) {
	om := func(annotations map[string]string, managed ...metav1.ManagedFieldsEntry) metav1.ObjectMeta {
		return metav1.ObjectMeta{
			Namespace: "ns", Name: "n", UID: "u", ResourceVersion: "7", Labels: map[string]string{"l": "v"}, Finalizers: []string{"f"},
			Annotations: annotations, ManagedFields: managed,
		}
	}
	applied := map[string]string{"kubectl.kubernetes.io/last-applied-configuration": `{"stringData":{"token":"s3cret"}}`}
	named := map[string]string{"crossplane.io/external-name": "x"}
	fields := metav1.ManagedFieldsEntry{Manager: "kubectl"}
	tests := []struct {
		reason   string
		in, want any
	}{
		{
			"a Record keeps its annotations: the external name is one",
			&v1alpha1.Record{ObjectMeta: om(named, fields)}, &v1alpha1.Record{ObjectMeta: om(named)},
		},
		{
			"a config too", &cfv1alpha1.ProviderConfig{ObjectMeta: om(named, fields)}, &cfv1alpha1.ProviderConfig{ObjectMeta: om(named)},
		},
		{
			"a Secret's metadata loses what may hold its content",
			&metav1.PartialObjectMetadata{ObjectMeta: om(applied, fields)}, &metav1.PartialObjectMetadata{ObjectMeta: om(nil)},
		},
		{"a tombstone passes", cache.DeletedFinalStateUnknown{Key: "ns/n"}, cache.DeletedFinalStateUnknown{Key: "ns/n"}},
		{"nothing passes", nil, nil},
	}
	for _, tc := range tests {
		got, err := stripMetadata(tc.in)
		if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
		}
	}
}

func TestSchemeHasWhatTheCacheHolds(t *testing.T) {
	s, err := apiTypes()
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"Record", "Zone", "ProviderConfig", "ClusterProviderConfig", "ProviderConfigUsage", "Secret", "Lease", "CustomResourceDefinition", "SelfSubjectAccessReview"} {
		found := false
		for gvk := range s.AllKnownTypes() {
			found = found || gvk.Kind == kind
		}
		if !found {
			t.Errorf("the scheme does not know %s", kind)
		}
	}
}
