// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"path/filepath"
	"testing"

	pkgv1beta1 "github.com/crossplane/crossplane/apis/v2/pkg/v1beta1"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
)

// TestRestrictedPodSecurity creates the pod of the example of a runtime config in a namespace that
// admits only pods of the restricted standard.
func TestRestrictedPodSecurity(t *testing.T) {
	w := newWorld(t)
	const strict = "strict"
	w.create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: strict, Labels: map[string]string{"pod-security.kubernetes.io/enforce": "restricted"}}})
	var d pkgv1beta1.DeploymentRuntimeConfig
	o := manifests(t, filepath.Join("..", "..", "examples", "runtime", "deploymentruntimeconfig.yaml"))[0]
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &d); err != nil {
		t.Fatal(err)
	}
	spec := d.Spec.DeploymentTemplate.Spec.Template.Spec
	spec.Containers[0].Image = "provider-cloudflare"
	w.create(&corev1.Pod{ObjectMeta: in(strict, "provider"), Spec: *spec.DeepCopy()})

	spec.Containers[0].SecurityContext.AllowPrivilegeEscalation = ptr.To(true)
	err := w.kube.Create(t.Context(), &corev1.Pod{ObjectMeta: in(strict, "loose"), Spec: spec})
	if !kerrors.IsForbidden(err) {
		t.Errorf("a pod that may escalate privileges is let in (%v): the standard is not enforced", err)
	}
}
