// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const (
	// teamsPage has a policy for names. Its refusals contain policyMessage.
	teamsPage     = "docs/how-to/tenants.md"
	policyMessage = "names end in NAMESPACE." + zoneName
	// pendingRecord is an annotation with which a provider can find a record that it may have
	// created.
	pendingRecord = dnsv1alpha1.Group + "/pending-record"
)

// A delegated is a namespace with the policy of the page on teams. A provider works in it, and
// Cloudflare has the record www, which belongs to none of its objects.
type delegated struct {
	harness.Objects

	namespace string
	policy    string // the policy's name: the page's and the namespace's
	cloud     *cloud
	zone      string
	www       simulator.Record
}

// newDelegated creates a namespace with a credential for the whole zone. Each test uses another
// name, because the deletion of a namespace ends after the test.
func newDelegated(t *testing.T, namespace string) *delegated {
	t.Helper()
	d := &delegated{Objects: harness.Objects{T: t, Kube: shared.kube, Patience: 3 * time.Minute}, namespace: namespace, cloud: newCloud(t)}
	t.Cleanup(func() {
		if err := errors.Join(d.cloud.stop(), shared.clear()); err != nil {
			t.Errorf("cannot clear up: %v", err)
		}
	})
	s := setup{records: []map[string]any{{"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 300}}}
	if _, err := s.make(t.Context(), d.cloud); err != nil {
		t.Fatal(err)
	}
	zone := d.cloud.sim.Zones()[0]
	d.zone, d.www = zone.ID, d.cloud.sim.Records(zone.ID)[0]
	d.Create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace, Labels: map[string]string{"dns": "delegated"}}})
	for _, o := range []client.Object{secretObject(s.token), configObject(zone.AccountID)} {
		o.SetNamespace(namespace)
		d.Create(o)
	}
	d.applyPolicy()
	return d
}

// applyPolicy applies the policy of the page under another name until the test ends. It waits
// until the policy is in force, because the policy of another test may still be.
func (d *delegated) applyPolicy() {
	d.T.Helper()
	for _, b := range readPage(d.T, teamsPage).Blocks {
		if !strings.Contains(b.Text(), "kind: ValidatingAdmissionPolicy\n") {
			continue
		}
		objects, err := objectsOf(b.Text())
		if err != nil {
			d.T.Fatal(err)
		}
		for _, o := range objects {
			d.policy = o.GetName() + "-" + d.namespace
			o.SetName(d.policy)
			if o.GetKind() == "ValidatingAdmissionPolicyBinding" {
				o.Object["spec"].(map[string]any)["policyName"] = d.policy
			}
			d.Create(o)
			d.T.Cleanup(func() {
				if err := shared.kube.Delete(context.Background(), o); err != nil {
					d.T.Errorf("cannot delete the %s: %v", o.GetKind(), err)
				}
			})
		}
	}
	www := d.record("www", nil)
	d.Eventually(func() error {
		if err := d.Kube.Create(d.T.Context(), www.DeepCopy(), client.DryRunAll); !d.refuses(err) {
			return fmt.Errorf("creating the record www gives %w, want that the policy of %s refuses it", err, teamsPage)
		}
		return nil
	})
}

// refuses reports whether the error is a refusal by the policy.
func (d *delegated) refuses(err error) bool {
	return err != nil && strings.Contains(err.Error(), "'"+d.policy+"'") && strings.Contains(err.Error(), policyMessage)
}

// record returns a Record with that name, "" for none, and with annotations.
func (d *delegated) record(name string, annotations map[string]string, policies ...xpv2.ManagementAction) *dnsv1alpha1.Record {
	r := &dnsv1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Namespace: d.namespace, GenerateName: "r-", Annotations: annotations}}
	r.Spec.ManagementPolicies = policies
	r.Spec.ProviderConfigReference = toDefault
	r.Spec.ForProvider = dnsv1alpha1.RecordParameters{ZoneID: ptr.To(d.zone), Type: ptr.To("A"), Content: ptr.To("192.0.2.9"), TTL: ptr.To[int64](300)}
	if name != "" {
		r.Spec.ForProvider.Name = ptr.To(name)
	}
	return r
}

// The annotations that can identify the record www.
const (
	byExternalName = "external name"
	byPending      = "pending record"
)

// mark returns the annotation of that kind.
func (d *delegated) mark(kind string) map[string]string {
	if kind == byExternalName {
		return map[string]string{meta.AnnotationKeyExternalName: d.www.ID}
	}
	return map[string]string{pendingRecord: fmt.Sprintf(`{"Name":%q,"Type":"A","Rdata":%q}`, d.www.Name, d.www.Content)}
}

// own returns a name that the policy admits in the namespace.
func (d *delegated) own() string { return "www." + d.namespace + "." + zoneName }

// untouched checks that the record www is unchanged.
func (d *delegated) untouched(after string) {
	d.T.Helper()
	live, ok := d.cloud.sim.Record(d.zone, d.www.ID)
	if !ok || !cmp.Equal(live, d.www) {
		d.T.Errorf("after %s the record www is %s %s (there: %t), want it as it was: %s %s", after, live.Name, live.Content, ok, d.www.Name, d.www.Content)
	}
}

// TestPolicyOfNames checks what the page on teams promises of the policy. An object without a
// name can identify any record by an annotation, so it may only observe.
func TestPolicyOfNames(t *testing.T) {
	d := newDelegated(t, "team-of-names")
	for _, row := range []struct {
		reason   string
		name     string
		policies []xpv2.ManagementAction
		fine     bool
	}{
		{"a name below the team's", d.own(), nil, true},
		{"a name below the team's, only observed", d.own(), []xpv2.ManagementAction{xpv2.ManagementActionObserve}, true},
		{"a name of the zone", "www." + zoneName, nil, false},
		{"a relative name, which the policy cannot complete", "www." + d.namespace, nil, false},
		{"a name of another team", "www.team-a." + zoneName, []xpv2.ManagementAction{xpv2.ManagementActionObserve}, false},
		{"no name, only observed", "", []xpv2.ManagementAction{xpv2.ManagementActionObserve}, true},
		{"no name, and the right to delete", "", []xpv2.ManagementAction{xpv2.ManagementActionObserve, xpv2.ManagementActionDelete}, false},
		{"no name, and the right to delete unseen", "", []xpv2.ManagementAction{xpv2.ManagementActionDelete}, false},
		{"no name, and the right to fill in the spec", "", []xpv2.ManagementAction{xpv2.ManagementActionObserve, xpv2.ManagementActionLateInitialize}, false},
	} {
		for _, mark := range []string{byExternalName, byPending} {
			err := d.Kube.Create(t.Context(), d.record(row.name, d.mark(mark), row.policies...), client.DryRunAll)
			if row.fine && err != nil || !row.fine && !d.refuses(err) {
				t.Errorf("%s, with the annotation for the %s: creating it gives %v, want it admitted: %t", row.reason, mark, err, row.fine)
			}
		}
	}
	for _, mark := range []string{byExternalName, byPending} {
		observer := d.record("", d.mark(mark), xpv2.ManagementActionObserve)
		d.Create(observer)
		d.keeps(observer, "the right to delete", func(r *dnsv1alpha1.Record) {
			r.Spec.ManagementPolicies = append(r.Spec.ManagementPolicies, xpv2.ManagementActionDelete)
		})
		d.keeps(observer, "a foreign name", func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Name = ptr.To("www." + zoneName) })
		d.remove(observer)
		d.untouched("the deletion of an object that only observed")
	}
}

// keeps checks that the policy refuses a change of an object.
func (d *delegated) keeps(r *dnsv1alpha1.Record, what string, change func(*dnsv1alpha1.Record)) {
	d.T.Helper()
	before := r.DeepCopy()
	change(r)
	if err := d.Kube.Patch(d.T.Context(), r, client.MergeFrom(before), client.DryRunAll); !d.refuses(err) {
		d.T.Errorf("to give an object that only observes %s results in %v, want that the policy refuses it", what, err)
	}
	*r = *before
}

// remove deletes an object and waits until it is gone.
func (d *delegated) remove(r *dnsv1alpha1.Record) {
	d.T.Helper()
	d.Delete(r)
	d.Gone(r, func() string { return harness.Conditions(r) })
}
