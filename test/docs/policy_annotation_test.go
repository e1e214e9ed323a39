// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// TestPolicyOfNamesAgainstAnnotations creates objects with a name of their team, which the
// policy of the page on teams admits, and with an annotation that names the record www. It
// checks that the record stays unchanged while the provider creates, changes and deletes what
// the objects declare.
func TestPolicyOfNamesAgainstAnnotations(t *testing.T) {
	for namespace, mark := range map[string]string{"annotated-id": byExternalName, "annotated-key": byPending} {
		t.Run(mark, func(t *testing.T) {
			d := newDelegated(t, namespace)
			r := d.record(d.own(), d.mark(mark))
			d.Create(r)
			d.dealtWith(r)
			d.untouched("a creation")
			d.editAndRemove(r)
		})
	}
}

// TestPolicyOfNamesAgainstObservers creates objects that only observe the record www, and then
// changes their name to one of their team and their management policies to all. It checks that
// the record stays unchanged.
func TestPolicyOfNamesAgainstObservers(t *testing.T) {
	for namespace, mark := range map[string]string{"observed-id": byExternalName, "observed-key": byPending} {
		t.Run(mark, func(t *testing.T) {
			d := newDelegated(t, namespace)
			r := d.record("", d.mark(mark), xpv2.ManagementActionObserve)
			d.Create(r)
			d.dealtWith(r)
			harness.Edit(d.Objects, r, func(r *dnsv1alpha1.Record) {
				r.Spec.ForProvider.Name, r.Spec.ManagementPolicies = ptr.To(d.own()), xpv2.ManagementPolicies{xpv2.ManagementActionAll}
			})
			d.dealtWith(r)
			d.untouched("a name for an observer")
			d.editAndRemove(r)
		})
	}
}

// editAndRemove changes and deletes an object, and checks the record www after each.
func (d *delegated) editAndRemove(r *dnsv1alpha1.Record) {
	d.T.Helper()
	harness.Edit(d.Objects, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = ptr.To("192.0.2.10") })
	d.dealtWith(r)
	d.untouched("a change")
	d.remove(r)
	d.untouched("a deletion")
}

// dealtWith waits until the provider has applied or refused the current spec of an object.
func (d *delegated) dealtWith(r *dnsv1alpha1.Record) {
	d.T.Helper()
	harness.Until(d.Objects, r, func(r *dnsv1alpha1.Record) error {
		c := r.GetCondition(xpv2.TypeSynced)
		if c.Status == corev1.ConditionUnknown || c.ObservedGeneration != r.Generation {
			return fmt.Errorf("the provider has not dealt with %s: %s", r.Name, harness.Conditions(r))
		}
		return nil
	})
}
