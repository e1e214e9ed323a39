// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"reflect"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

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
		got, err := newUsages().strip(tc.in)
		if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
		}
	}
}

func TestStripUsages(t *testing.T) {
	usage := func(name, config string) *cfv1alpha1.ProviderConfigUsage {
		u := &cfv1alpha1.ProviderConfigUsage{
			TypeMeta: metav1.TypeMeta{Kind: "ProviderConfigUsage"},
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "ns", Name: name, UID: "u", ResourceVersion: "7",
				Labels:          map[string]string{"crossplane.io/provider-config": config},
				Annotations:     map[string]string{"a": "v"},
				ManagedFields:   []metav1.ManagedFieldsEntry{{Manager: "m"}},
				OwnerReferences: []metav1.OwnerReference{{APIVersion: "v", Kind: "Record", Name: "r", UID: "owner", Controller: ptr.To(true)}},
			},
		}
		u.SetProviderConfigReference(xpv2.ProviderConfigReference{Kind: "ProviderConfig", Name: config})
		u.SetResourceReference(xpv2.TypedReference{Kind: "Record", Name: "r"})
		return u
	}
	c := newUsages()
	kept := map[string]*cfv1alpha1.ProviderConfigUsage{}
	for name, config := range map[string]string{"a": "one", "b": "one", "c": "two"} {
		got, err := c.strip(usage(name, config))
		u, ok := got.(*cfv1alpha1.ProviderConfigUsage)
		if err != nil || !ok {
			t.Fatalf("%s became %T, %v", name, got, err)
		}
		kept[name] = u
		want := usage(name, config)
		want.TypeMeta, want.Annotations, want.ManagedFields, want.ResourceReference = metav1.TypeMeta{}, nil, nil, xpv2.TypedReference{}
		if diff := cmp.Diff(want, u); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	same := func(a, b string) bool {
		return reflect.ValueOf(kept[a].Labels).Pointer() == reflect.ValueOf(kept[b].Labels).Pointer()
	}
	if !same("a", "b") || same("a", "c") {
		t.Error("usages of one config must share their labels, and of two not")
	}
	odd := usage("d", "one")
	odd.Labels["more"] = "v"
	if _, err := c.strip(odd); err != nil || len(odd.Labels) != 2 || len(kept["a"].Labels) != 1 {
		t.Errorf("labels of its own became %v, those of the others %v (%v)", odd.Labels, kept["a"].Labels, err)
	}
}

func TestSchemeHasWhatTheCacheHolds(t *testing.T) {
	s, err := newScheme()
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
