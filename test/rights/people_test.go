// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	authv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Roles of people.
const (
	viewer       = "view"
	editor       = "edit"
	admin        = "admin"
	clusterAdmin = "cluster-configs"
)

// TestPeople asks the API server what people with the roles of cluster/rbac/people.yaml
// may do, in the namespace where a role is bound to them unless it says another.
func TestPeople(t *testing.T) {
	w := newWorld(t)
	w.bindPeople()
	const (
		records  = "dns.cloudflare.m.crossplane.io/records"
		zones    = "zone.cloudflare.m.crossplane.io/zones"
		configs  = "cloudflare.m.crossplane.io/providerconfigs"
		everyone = "cloudflare.m.crossplane.io/clusterproviderconfigs"
		usages   = "cloudflare.m.crossplane.io/providerconfigusages"
	)
	tests := []struct {
		reason   string
		verb, on string
		// may are those who may; nobody else.
		may       []string
		elsewhere bool
	}{
		{"records are there to be seen", "watch", records, []string{viewer, editor, admin}, false},
		{"zones are there to be seen", "list", zones, []string{viewer, editor, admin}, false},
		{"one sees which config is not Ready", "get", configs, []string{viewer, editor, admin}, false},
		{"one sees who uses a config", "list", usages, []string{viewer, editor, admin}, false},
		{"editors make records", "create", records, []string{editor, admin}, false},
		{"editors delete records", "delete", records, []string{editor, admin}, false},
		{"editors change zones", "patch", zones, []string{editor, admin}, false},
		{"which credential a namespace has is its administrator's to say", "create", configs, []string{admin}, false},
		{"which credential a namespace has is its administrator's to say", "update", configs, []string{admin}, false},
		{"a status is the provider's word: a forged ID would be looked for at Cloudflare", "update", records + "/status", nil, false},
		{"a status is the provider's word", "patch", zones + "/status", nil, false},
		{"an earlier version of the provider keeps configs by usages", "delete", usages, nil, false},
		{"and one that is forged keeps a config for ever", "create", usages, nil, false},
		{"a config of all namespaces can name any Secret", "create", everyone, []string{clusterAdmin}, false},
		{"and be changed to send its users elsewhere", "update", everyone, []string{clusterAdmin}, false},
		{"where credentials of all are kept is not for all", "get", everyone, []string{clusterAdmin}, false},
		{"the roles give no Secrets", "get", "/secrets", nil, false},
		{"a role ends at its namespace", "get", records, nil, true},
		{"a role ends at its namespace", "create", records, nil, true},
		{"a role ends at its namespace", "get", configs, nil, true},
	}
	for _, tc := range tests {
		for _, who := range []string{viewer, editor, admin, clusterAdmin} {
			ns := tenant
			if tc.elsewhere {
				ns = namespace
			}
			if got, want := w.may(who, tc.verb, tc.on, ns), slices.Contains(tc.may, who); got != want {
				t.Errorf("%s: %s may %s %s: %t, want %t", tc.reason, who, tc.verb, tc.on, got, want)
			}
		}
	}
}

// may asks whether a person may do something.
func (w *world) may(who, verb, on, ns string) bool {
	w.t.Helper()
	group, name, _ := strings.Cut(on, "/")
	name, sub, _ := strings.Cut(name, "/")
	if name == "clusterproviderconfigs" {
		ns = ""
	}
	r := &authv1.SubjectAccessReview{Spec: authv1.SubjectAccessReviewSpec{User: who, ResourceAttributes: &authv1.ResourceAttributes{
		Namespace: ns, Verb: verb, Group: group, Resource: name, Subresource: sub,
	}}}
	w.create(r)
	return r.Status.Allowed
}

// bindPeople gives each person the roles that Kubernetes' role of that name is made of:
// its controller manager, which would do so by the labels, is not here.
func (w *world) bindPeople() {
	w.t.Helper()
	bound := map[string][]string{}
	for _, o := range manifests(w.t, filepath.Join("..", "..", "cluster", "rbac", "people.yaml")) {
		w.create(o)
		if len(o.GetLabels()) == 0 {
			w.create(&rbacv1.ClusterRoleBinding{
				ObjectMeta: metav1.ObjectMeta{Name: o.GetName()},
				RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: o.GetName()},
				Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: clusterAdmin}},
			})
		}
		for label, value := range o.GetLabels() {
			if to, ok := strings.CutPrefix(label, "rbac.authorization.k8s.io/aggregate-to-"); ok && value == "true" {
				bound[to] = append(bound[to], o.GetName())
			}
		}
	}
	if got := slices.Sorted(maps.Keys(bound)); !slices.Equal(got, []string{admin, editor, viewer}) {
		w.t.Fatalf("the roles become part of %q", got)
	}
	// Kubernetes' own edit includes view, and admin edit.
	bound[editor] = append(bound[editor], bound[viewer]...)
	bound[admin] = append(bound[admin], bound[editor]...)
	for who, roles := range bound {
		slices.Sort(roles)
		for _, role := range slices.Compact(roles) {
			w.create(&rbacv1.RoleBinding{
				ObjectMeta: in(tenant, who+"-"+role),
				RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
				Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: who}},
			})
		}
	}
}
