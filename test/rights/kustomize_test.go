// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// standalone returns the folder of the installation without Crossplane.
func standalone(parts ...string) string {
	return filepath.Join(append([]string{"..", "..", "cluster", "standalone"}, parts...)...)
}

// rendered returns the objects that kubectl renders from a kustomization.
func rendered(t *testing.T, dir string) []*unstructured.Unstructured {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kubectl"), "kustomize", dir).Output()
	if err != nil {
		t.Fatalf("cannot render %s (run the tests with make test): %v", dir, err)
	}
	file := filepath.Join(t.TempDir(), "rendered.yaml")
	if err := os.WriteFile(file, out, 0o600); err != nil {
		t.Fatal(err)
	}
	return manifests(t, file)
}

// of returns the objects of a kind.
func of(all []*unstructured.Unstructured, kind string) []*unstructured.Unstructured {
	return slices.DeleteFunc(slices.Clone(all), func(o *unstructured.Unstructured) bool { return o.GetKind() != kind })
}

// one returns the only object of a kind, as its type.
func one[T any](t *testing.T, all []*unstructured.Unstructured, kind string) T {
	t.Helper()
	var out T
	found := of(all, kind)
	if len(found) != 1 {
		t.Fatalf("there are %d of the kind %s, want one", len(found), kind)
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(found[0].Object, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// rulesOf returns the rules of roles.
func rulesOf(t *testing.T, roles []*unstructured.Unstructured) []rbacv1.PolicyRule {
	t.Helper()
	var out []rbacv1.PolicyRule
	for _, o := range roles {
		var role rbacv1.ClusterRole // A Role has its rules in the same field.
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &role); err != nil {
			t.Fatal(err)
		}
		out = append(out, role.Rules...)
	}
	return out
}

// install applies rendered objects, except the workload, which this API server cannot run.
func (w *world) install(all []*unstructured.Unstructured) {
	w.t.Helper()
	for _, o := range all {
		if k := o.GetKind(); k == "Deployment" || k == "PodDisruptionBudget" {
			w.valid(o)
			continue
		}
		w.create(o)
	}
}

// valid checks an object against its whole schema with the API server.
func (w *world) valid(o *unstructured.Unstructured) {
	w.t.Helper()
	err := w.kube.Create(w.t.Context(), o.DeepCopy(), client.DryRunAll, client.FieldValidation("Strict"))
	if err != nil {
		w.t.Errorf("%s %s: %v", o.GetKind(), o.GetName(), err)
	}
}
