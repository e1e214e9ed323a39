// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestRights compares the kinds that the compositions create with the rights of Crossplane.
func TestRights(t *testing.T) {
	t.Parallel()
	for name, g := range withPods(t) {
		var role rbacv1.ClusterRole
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(read(t, name, "clusterrole.yaml").Object, &role); err != nil {
			t.Fatal(err)
		}
		if role.Labels["rbac.crossplane.io/aggregate-to-crossplane"] != "true" {
			t.Errorf("%s: the role is not aggregated to Crossplane's", name)
		}
		granted := map[string]int{}
		for _, rule := range role.Rules {
			for _, resource := range rule.Resources {
				granted[rule.APIGroups[0]+"/"+resource] = len(rule.Verbs)
			}
		}
		for id, o := range settle(t, name, &g, mustRender(t, name, g)).composed {
			gvk := o.GroupVersionKind()
			if strings.HasSuffix(gvk.Group, ".crossplane.io") {
				continue // Crossplane's RBAC manager grants the rights on providers' kinds.
			}
			plural, _ := meta.UnsafeGuessKindToResource(gvk)
			key := gvk.Group + "/" + plural.Resource
			if granted[key] != 7 {
				t.Errorf("%s: %d verbs granted on %s, want get, list, watch, create, update, patch and delete", id, granted[key], key)
			}
			delete(granted, key)
		}
		for key := range granted {
			t.Errorf("%s: %s is granted and not composed", name, key)
		}
	}
}

// withPods returns the examples that have pods.
func withPods(t *testing.T) map[string]given {
	t.Helper()
	return map[string]given{myapp: compositionCases()["MyApp"].given(t), exposed: {xr: read(t, exposed, exposed+".yaml")}}
}

// TestPodsAreRestricted creates the pods of the examples in a namespace that admits only pods of
// the restricted Pod Security Standard.
func TestPodsAreRestricted(t *testing.T) {
	t.Parallel()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "restricted", Labels: map[string]string{"pod-security.kubernetes.io/enforce": "restricted"}}}
	if err := shared.kube.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	pods := []*unstructured.Unstructured{read(t, bucket, "job.yaml")}
	for name, g := range withPods(t) {
		for _, o := range mustRender(t, name, g).composed {
			if o.GetKind() == "Deployment" {
				pods = append(pods, o)
			}
		}
	}
	if len(pods) != 3 {
		t.Errorf("%d examples have pods, want 3", len(pods))
	}
	for _, o := range pods {
		template, _, err := unstructured.NestedMap(o.Object, "spec", "template", "spec")
		if err != nil {
			t.Fatal(err)
		}
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: ns.Name, Name: o.GetName()}}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(template, &pod.Spec); err != nil {
			t.Fatal(err)
		}
		if err := shared.kube.Create(t.Context(), pod.DeepCopy(), client.DryRunAll); err != nil {
			t.Error(err)
		}
		pod.Spec.Containers[0].SecurityContext.AllowPrivilegeEscalation = ptr.To(true)
		if err := shared.kube.Create(t.Context(), pod, client.DryRunAll); !kerrors.IsForbidden(err) {
			t.Errorf("a pod that may escalate privileges is let in (%v): the standard is not enforced", err)
		}
	}
}
