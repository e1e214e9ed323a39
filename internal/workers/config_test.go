// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import (
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

func TestConfigOf(t *testing.T) {
	record := func(name string, ref *xpv2.ProviderConfigReference) *v1alpha1.Record {
		r := &v1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
		r.Spec.ProviderConfigReference = ref
		return r
	}
	tests := []struct {
		reason string
		record *v1alpha1.Record
		gone   bool
		want   string
	}{
		{"a config of its namespace", record("own", &xpv2.ProviderConfigReference{Kind: "ProviderConfig", Name: "x"}), false, "ProviderConfig ns/x"},
		{"a config of all namespaces", record("all", &xpv2.ProviderConfigReference{Kind: "ClusterProviderConfig", Name: "x"}), false, "ClusterProviderConfig x"},
		{"the default", record("none", nil), false, "ClusterProviderConfig default"},
		{"an object that is gone", record("gone", nil), true, ""},
	}
	s := runtime.NewScheme()
	if err := apis.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	b := fake.NewClientBuilder().WithScheme(s)
	for _, tc := range tests {
		if !tc.gone {
			b = b.WithObjects(tc.record)
		}
	}
	config := ConfigOf(b.Build(), func() resource.Managed { return &v1alpha1.Record{} })
	for _, tc := range tests {
		if got := config(client.ObjectKeyFromObject(tc.record)); got != tc.want {
			t.Errorf("%s: it uses %q, want %q", tc.reason, got, tc.want)
		}
	}
}
