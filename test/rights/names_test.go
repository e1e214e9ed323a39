// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/page"
)

// delegated is a namespace with the policy of host names.
const delegated = "team-b"

// A named is a kind whose host names a policy restricts. Its example is in the folder with its
// name. field is the path of the host name, and some kinds can change it.
type named struct {
	kind    string
	field   []string
	mutable bool
}

// namedKinds returns the kinds of examples/policies/names.yaml.
func namedKinds() []named {
	return []named{
		{"LoadBalancer", []string{"name"}, true},
		{"WorkerDomain", []string{"hostname"}, false},
		{"SpectrumApplication", []string{"dns", "name"}, true},
		{"R2CustomDomain", []string{"domain"}, false},
		{"TunnelIngress", []string{"hostname"}, false},
	}
}

// namedRecord returns the kind of the policy in docs/how-to/tenants.md.
func namedRecord() named { return named{"Record", []string{"name"}, true} }

// object returns the kind's example in a namespace, with another host name, "" for none.
func (n named) object(t *testing.T, namespace, hostname string, policies ...string) *unstructured.Unstructured {
	t.Helper()
	folder := strings.ToLower(n.kind)
	file := folder
	if n.kind == namedRecord().kind {
		file = "a" // Records have an example for each type.
	}
	o := manifests(t, filepath.Join("..", "..", "examples", folder, file+".yaml"))[0]
	if o.GetKind() != n.kind {
		t.Fatalf("the example is a %s, want a %s", o.GetKind(), n.kind)
	}
	o.SetNamespace(namespace)
	n.rename(t, o, hostname)
	if len(policies) > 0 {
		if err := unstructured.SetNestedStringSlice(o.Object, policies, "spec", "managementPolicies"); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// rename sets the host name of an object, "" for none.
func (n named) rename(t *testing.T, o *unstructured.Unstructured, hostname string) {
	t.Helper()
	at := append([]string{"spec", "forProvider"}, n.field...)
	if hostname == "" {
		unstructured.RemoveNestedField(o.Object, at[:3]...) // with its parents
		return
	}
	if err := unstructured.SetNestedField(o.Object, hostname, at...); err != nil {
		t.Fatal(err)
	}
}

func refusesName(err error) bool {
	return err != nil && strings.Contains(err.Error(), "-below-team-names'") && strings.Contains(err.Error(), "names end in NAMESPACE.example.com")
}

// TestPolicyOfHostNames checks what the policy of examples/policies promises, for each kind with
// host names.
func TestPolicyOfHostNames(t *testing.T) {
	w := newWorld(t)
	if err := harness.InstallCRDs(w.cfg, harness.Kinds()); err != nil {
		t.Fatal(err)
	}
	w.create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: delegated, Labels: map[string]string{"dns": "delegated"}}})
	w.apply(filepath.Join("..", "..", "examples", "policies", "names.yaml"))
	w.eventually(func() error {
		err := w.kube.Create(t.Context(), namedKinds()[0].object(t, delegated, "www.example.com"), client.DryRunAll)
		if !refusesName(err) {
			return fmt.Errorf("a foreign name gives %w, want that the policy refuses it", err)
		}
		return nil
	})
	for _, n := range namedKinds() {
		t.Run(n.kind, func(t *testing.T) {
			w := w.partOf(t)
			w.namesOf(n)
			w.renames(n)
		})
	}
	w.apply(policyOfRecords(t))
	for _, n := range append(namedKinds(), namedRecord()) {
		t.Run(n.kind+"/older than the label", func(t *testing.T) { w.partOf(t).older(n) })
	}
}

// policyOfRecords returns a file with the policy in docs/how-to/tenants.md.
func policyOfRecords(t *testing.T) string {
	t.Helper()
	path := filepath.Join(root, "docs", "how-to", "tenants.md")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := page.Parse(path, string(raw))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range p.Blocks {
		if b.Lang() == "yaml" && strings.Contains(b.Text(), "kind: ValidatingAdmissionPolicy\n") {
			file := filepath.Join(t.TempDir(), "policy.yaml")
			if err := os.WriteFile(file, []byte(b.Text()), 0o600); err != nil {
				t.Fatal(err)
			}
			return file
		}
	}
	t.Fatalf("%s has no policy", path)
	return ""
}

// older checks an object with a foreign name that is older than the label of its namespace: the
// policy admits its deletion, and refuses changes of its spec.
func (w *world) older(n named) {
	w.t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "late-" + strings.ToLower(n.kind)}}
	w.create(ns)
	o := n.object(w.t, ns.Name, "www.example.com")
	o.SetFinalizers([]string{"example.org/waits"})
	w.create(o)
	edit(w, ns, func(ns *corev1.Namespace) { ns.Labels = map[string]string{"dns": "delegated"} })
	w.eventually(func() error {
		next := o.DeepCopy()
		if err := unstructured.SetNestedField(next.Object, "Orphan", "spec", "deletionPolicy"); err != nil {
			return harness.Stop(err)
		}
		if err := w.kube.Update(w.t.Context(), next, client.DryRunAll); !refusesName(err) {
			return fmt.Errorf("another spec of a foreign name gives %w, want that the policy refuses it", err)
		}
		return nil
	})
	next := o.DeepCopy()
	next.SetFinalizers(nil)
	if err := w.kube.Update(w.t.Context(), next, client.DryRunAll); err != nil {
		w.t.Errorf("the finalizer of an object with a foreign name cannot go: %v", err)
	}
}

// namesOf checks with which names a kind can be created.
func (w *world) namesOf(n named) {
	w.t.Helper()
	const observe = "Observe"
	for _, row := range []struct {
		reason, namespace, hostname string
		policies                    []string
		fine                        bool
	}{
		{"a name below the team's", delegated, "www.team-b.example.com", nil, true},
		{"all names below the team's", delegated, "*.team-b.example.com", nil, true},
		{"the zone", delegated, "example.com", nil, false},
		{"a name of the zone", delegated, "www.example.com", nil, false},
		{"the team's own name, which is a name of the zone", delegated, "team-b.example.com", nil, false},
		{"a name of another team", delegated, "www.team-a.example.com", []string{observe}, false},
		{"a name that only ends as the team's", delegated, "www.not-team-b.example.com", nil, false},
		{"no name, only observed", delegated, "", []string{observe}, true},
		{"no name, and the right to delete", delegated, "", []string{observe, "Delete"}, false},
		{"a namespace without the label", tenant, "www.example.com", nil, true},
	} {
		err := w.kube.Create(w.t.Context(), n.object(w.t, row.namespace, row.hostname, row.policies...), client.DryRunAll)
		if row.fine && err != nil || !row.fine && !refusesName(err) {
			w.t.Errorf("%s: creating it gives %v, want it admitted: %t", row.reason, err, row.fine)
		}
	}
}

// renames checks that an object cannot get a foreign name later.
func (w *world) renames(n named) {
	w.t.Helper()
	o := n.object(w.t, delegated, "www.team-b.example.com")
	if !n.mutable {
		o = n.object(w.t, delegated, "", "Observe")
	}
	w.create(o)
	for _, row := range []struct {
		reason, hostname string
		fine             bool
	}{
		{"another name of the team", "shop.team-b.example.com", true},
		{"a name of the zone", "www.example.com", false},
	} {
		next := o.DeepCopy()
		n.rename(w.t, next, row.hostname)
		err := w.kube.Update(w.t.Context(), next, client.DryRunAll)
		if row.fine && err != nil || !row.fine && !refusesName(err) {
			w.t.Errorf("%s: an update to it gives %v, want it admitted: %t", row.reason, err, row.fine)
		}
	}
}
