// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"testing"

	"k8s.io/apimachinery/pkg/types"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

func TestRefOf(t *testing.T) {
	without := record("a", "", "")
	without.SetProviderConfigReference(nil)
	tests := []struct {
		reason string
		mg     *dnsv1alpha1.Record
		want   ConfigRef
		says   string
	}{
		{
			"a ProviderConfig is one of the object's own namespace",
			record("a", "ProviderConfig", "own"),
			ConfigRef{"ProviderConfig", types.NamespacedName{Namespace: "a", Name: "own"}},
			"ProviderConfig a/own",
		},
		{
			"a ClusterProviderConfig is the same from every namespace",
			record("a", "ClusterProviderConfig", "own"),
			ConfigRef{"ClusterProviderConfig", types.NamespacedName{Name: "own"}},
			"ClusterProviderConfig own",
		},
		{
			"an object that names none uses the default",
			without,
			ConfigRef{"ClusterProviderConfig", types.NamespacedName{Name: "default"}},
			"ClusterProviderConfig default",
		},
		{
			"another kind never leads out of the object's namespace",
			record("a", "Secret", "own"),
			ConfigRef{"Secret", types.NamespacedName{Namespace: "a", Name: "own"}},
			"Secret a/own",
		},
	}
	for _, tc := range tests {
		if got := RefOf(tc.mg); got != tc.want || got.String() != tc.says {
			t.Errorf("%s: got %+v (%s), want %+v (%s)", tc.reason, got, got, tc.want, tc.says)
		}
	}
}
