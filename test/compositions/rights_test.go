// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"path/filepath"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// TestTeamsHaveTheirKindsAlone checks that a user with only the role of the README can create the
// teams' kinds, but not the resources that they compose.
func TestTeamsHaveTheirKindsAlone(t *testing.T) {
	t.Parallel()
	team := member(t, "team", teamsRole(t))
	for _, name := range all() {
		if err := team.Create(t.Context(), read(t, name, name+".yaml"), client.DryRunAll); err != nil {
			t.Errorf("a team may not have a %s: %v", name, err)
		}
	}
	record := mustRender(t, hostname, compositionCases()["Hostname"].given(t)).composed["a-in-example.com"]
	behind := []*unstructured.Unstructured{
		record, read(t, hostname, "environmentconfig.yaml"), read(t, hostname, "composition.yaml"),
		read(t, filepath.Join("..", "providerconfig"), "clusterproviderconfig.yaml"),
	}
	for _, o := range behind {
		if err := team.Create(t.Context(), o.DeepCopy(), client.DryRunAll); !kerrors.IsForbidden(err) {
			t.Errorf("a team creates a %s and is not forbidden to: %v", o.GetKind(), err)
		}
		// Otherwise the refusal would not show that the role is the reason.
		if err := shared.kube.Create(t.Context(), o.DeepCopy(), client.DryRunAll); err != nil {
			t.Errorf("nor may the administrator: %v", err)
		}
	}
}

// teamsRole returns the ClusterRole in the README for teams.
func teamsRole(t *testing.T) *rbacv1.ClusterRole {
	t.Helper()
	text := found(t, filepath.Join("examples", "composition", "README.md"), "(?s)```yaml\n(apiVersion: rbac[^`]*)```")
	role := &rbacv1.ClusterRole{}
	if err := yaml.UnmarshalStrict([]byte(text), role); err != nil {
		t.Fatal(err)
	}
	return role
}

// member returns the client of a user who has only that role, in the namespace default.
func member(t *testing.T, name string, role *rbacv1.ClusterRole) client.Client {
	t.Helper()
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: name}},
	}
	for _, o := range []client.Object{role, binding} {
		if err := shared.kube.Create(t.Context(), o, client.FieldValidation(metav1.FieldValidationStrict)); err != nil {
			t.Fatal(err)
		}
	}
	config := rest.CopyConfig(shared.config)
	config.Impersonate = rest.ImpersonationConfig{UserName: name, Groups: []string{"system:authenticated"}}
	c, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
