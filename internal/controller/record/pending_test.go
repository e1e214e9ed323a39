// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// TestTriesAgain tells when an open attempt need not be waited for: the API then
// refuses what would be a second record.
func TestTriesAgain(t *testing.T) {
	tests := []struct {
		reason string
		change func(*v1alpha1.Record, *external)
		want   bool
	}{
		{"the same creation again", func(*v1alpha1.Record, *external) {}, true},
		{"the object is another one now", func(_ *v1alpha1.Record, e *external) { e.want.Name = "b.example.com" }, false},
		{"what it declares is not known", func(_ *v1alpha1.Record, e *external) { e.want = nil }, false},
		{"a deleted object would go, and leave the record", func(r *v1alpha1.Record, _ *external) { r.DeletionTimestamp = ptr.To(metav1.Now()) }, false},
		{"it would take over another record", func(r *v1alpha1.Record, _ *external) { r.Spec.AdoptionPolicy = v1alpha1.AdoptNameAndType }, false},
		{"it may not create any more", func(r *v1alpha1.Record, _ *external) {
			r.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionObserve}
		}, false},
	}
	for _, tc := range tests {
		content := "192.0.2.1"
		want, err := dnsrecord.Parse("example.com", dnsrecord.Input{Name: "a", Type: "A", Content: &content})
		if err != nil {
			t.Fatal(err)
		}
		key := want.Key()
		mg, e := &v1alpha1.Record{}, &external{want: &want}
		mg.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
		tc.change(mg, e)
		if got := e.triesAgain(mg, key); got != tc.want {
			t.Errorf("%s: triesAgain(...) = %t, want %t", tc.reason, got, tc.want)
		}
	}
}
