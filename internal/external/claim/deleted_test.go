// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package claim

import (
	"slices"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
)

// TestOwnedUnderDeletion checks that an up-to-date object of a version that did not note the ownership keeps
// what it owns when it is deleted. The API server increments the generation with the deletion.
func TestOwnedUnderDeletion(t *testing.T) {
	r := &dnsv1alpha1.Record{}
	r.SetGeneration(3)
	r.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionAll})
	r.Status.AtProvider.ID = "abc"
	c := drift.UpToDate(r, "Record")
	c.Status, c.ObservedGeneration = corev1.ConditionTrue, 3
	r.SetConditions(c)
	k := KindOf(func() *dnsv1alpha1.Record { return &dnsv1alpha1.Record{} }, func() resource.ManagedList { return &dnsv1alpha1.RecordList{} },
		func(r *dnsv1alpha1.Record) string { return r.Status.AtProvider.ID })
	if !slices.Contains(k.OwnIDs(r), "abc") {
		t.Fatalf("before its deletion it owns %v", k.OwnIDs(r))
	}
	r.SetDeletionTimestamp(&metav1.Time{Time: time.Now()})
	r.SetGeneration(4)
	if !slices.Contains(k.OwnIDs(r), "abc") {
		t.Errorf("once it is deleted it owns %v: what it has is left", k.OwnIDs(r))
	}
}
