// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"path/filepath"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

// grantedByHand reports whether testdata/crossplane.yaml lists a kind by hand, in the way that
// Crossplane writes it: Records and the provider configs. The rights for other kinds are derived
// from the package.
func grantedByHand(crd *apiextensionsv1.CustomResourceDefinition) bool {
	return crd.Spec.Group == "cloudflare.m.crossplane.io" || crd.Name == "records.dns.cloudflare.m.crossplane.io"
}

// packageGrant returns what Crossplane's RBAC manager grants for the other kinds of the package:
// every verb except delete on each kind and on its status, and its finalizers.
func packageGrant(t *testing.T) []rbacv1.PolicyRule {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(harness.Kinds(), "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the package has no kinds: %v", err)
	}
	var out []rbacv1.PolicyRule
	for _, f := range files {
		for _, o := range manifests(t, f) {
			var crd apiextensionsv1.CustomResourceDefinition
			if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &crd); err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			if !grantedByHand(&crd) {
				out = append(out, kindGrant(crd.Spec.Group, crd.Spec.Names.Plural)...)
			}
		}
	}
	return out
}

func kindGrant(group, plural string) []rbacv1.PolicyRule {
	return []rbacv1.PolicyRule{
		{APIGroups: []string{group}, Resources: []string{plural, plural + "/status"}, Verbs: []string{"get", "list", "watch", "update", "patch", "create"}},
		{APIGroups: []string{group}, Resources: []string{"*/finalizers"}, Verbs: []string{"update"}},
	}
}

// grantPackage grants the rights of packageGrant to the service account.
func (w *world) grantPackage() {
	w.t.Helper()
	about := metav1.ObjectMeta{Name: "crossplane:provider:provider-cloudflare:kinds"}
	w.create(&rbacv1.ClusterRole{ObjectMeta: about, Rules: packageGrant(w.t)})
	w.create(&rbacv1.ClusterRoleBinding{
		ObjectMeta: about,
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: about.Name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: account}},
	})
}

// generatedKinds returns the path of the part of the minimum that is generated from the
// descriptions.
func generatedKinds() string { return filepath.Join("..", "..", "cluster", "rbac", "kinds.yaml") }

// byEngine maps the rights on all described kinds to those on one kind. The kinds share an engine,
// so each needs a right that one needs. Listing and watching stay separate, because a controller
// does both even if no object of its kind exists.
func byEngine(described map[right]bool, r right) right {
	group, name, _ := strings.Cut(r.resource, "/")
	base, sub, _ := strings.Cut(name, "/")
	if group == "" || !described[right{"list", kind(group, base, "")}] || r.verb == "list" || r.verb == "watch" {
		return r
	}
	return right{r.verb, kind("described kinds", "*", sub)}
}
