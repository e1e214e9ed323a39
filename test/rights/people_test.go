// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	authv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// The users with Kubernetes' roles of the same names, and a user without a role.
const (
	viewer   = "view"
	editor   = "edit"
	admin    = "admin"
	stranger = "stranger"
)

// rolePrefix is the prefix of the provider's roles. Each role for users has a user of its name, who
// has that role only.
const rolePrefix = "provider-cloudflare-"

// The users with one role.
const (
	clusterAdmin = rolePrefix + "cluster-configs"
	dnsEditor    = rolePrefix + "dns-edit"
	iamViewer    = rolePrefix + "iam-view"
	iamEditor    = rolePrefix + "iam-edit"
)

// metricsReader is the role of programs that read metrics. It grants no right on objects.
const metricsReader = rolePrefix + "metrics-reader"

// TestPeople asks the API server what users may do with the roles that pages and kustomizations
// apply: all rights on each kind, and then the most important ones.
func TestPeople(t *testing.T) {
	w := newWorld(t)
	bound := w.bindPeople()
	want := wantedRights(t)
	if g, w := slices.Sorted(maps.Keys(bound)), slices.Sorted(maps.Keys(want)); !slices.Equal(g, w) {
		t.Errorf("there are the people %q, want %q", g, w)
	}
	for who := range bound {
		if wrong := differences(w.allRights(who, tenant), want[who]); len(wrong) > 0 {
			t.Errorf("%s, in the namespace of the roles: %q", who, wrong)
		}
		elsewhere := map[right]bool{}
		if who == clusterAdmin {
			elsewhere = want[who]
		}
		if wrong := differences(w.allRights(who, namespace), elsewhere); len(wrong) > 0 {
			t.Errorf("%s, in another namespace: %q", who, wrong)
		}
	}
	w.decides(slices.Sorted(maps.Keys(bound)))
}

// decides checks single rights, each with a reason.
func (w *world) decides(people []string) {
	w.t.Helper()
	const (
		records  = "dns.cloudflare.m.crossplane.io/records"
		zones    = "zone.cloudflare.m.crossplane.io/zones"
		tokens   = accessGroup + "/accounttokens"
		members  = accessGroup + "/accountmembers"
		configs  = configGroup + "/providerconfigs"
		everyone = configGroup + "/clusterproviderconfigs"
		usages   = configGroup + "/providerconfigusages"

		configViewer = rolePrefix + "view"
		configAdmin  = rolePrefix + "admin"
		kindsViewer  = rolePrefix + "kinds-view"
		zoneEditor   = rolePrefix + "zone-edit"
	)
	for _, tc := range []struct {
		reason   string
		verb, on string
		// may are all users with the right.
		may []string
	}{
		{"records are there to be seen", "watch", records, []string{viewer, editor, admin, kindsViewer, dnsEditor}},
		{"zones are there to be seen", "list", zones, []string{viewer, editor, admin, kindsViewer, zoneEditor}},
		{"one sees which config is not Ready", "get", configs, []string{viewer, editor, admin, configViewer}},
		{"one sees who uses a config", "list", usages, []string{viewer, editor, admin, configViewer}},
		{"editors make records", "create", records, []string{editor, admin, dnsEditor}},
		{"editors delete records", "delete", records, []string{editor, admin, dnsEditor}},
		{"editors change zones", "patch", zones, []string{editor, admin, zoneEditor}},
		{"a token can have all rights in the account", "create", tokens, []string{iamEditor}},
		{"a member can have all rights in the account", "update", members, []string{iamEditor}},
		{"who has which rights in the account is not for all", "list", tokens, []string{iamViewer, iamEditor}},
		{"which credential a namespace has is its administrator's to say", "create", configs, []string{admin, configAdmin}},
		{"which credential a namespace has is its administrator's to say", "update", configs, []string{admin, configAdmin}},
		{"a status is the provider's word: a forged ID would be looked for at Cloudflare", "update", records + "/status", nil},
		{"a status is the provider's word", "patch", zones + "/status", nil},
		{"an earlier version of the provider keeps configs by usages", "delete", usages, nil},
		{"and one that is forged keeps a config for ever", "create", usages, nil},
		{"a config of all namespaces can name any Secret", "create", everyone, []string{clusterAdmin}},
		{"and be changed to send its users elsewhere", "update", everyone, []string{clusterAdmin}},
		{"where credentials of all are kept is not for all", "get", everyone, []string{clusterAdmin}},
		{"the roles give no Secrets", "get", "/secrets", nil},
	} {
		for _, who := range people {
			if got, want := w.may(who, tc.verb, tc.on, tenant), slices.Contains(tc.may, who); got != want {
				w.t.Errorf("%s: %s may %s %s: %t, want %t", tc.reason, who, tc.verb, tc.on, got, want)
			}
		}
	}
}

// wantedRights returns all rights on the provider's kinds that each user has to have.
func wantedRights(t *testing.T) map[string]map[right]bool {
	t.Helper()
	var (
		read    = []string{"get", "list", "watch"}
		write   = []string{"create", "update", "patch", "delete", "deletecollection"}
		both    = slices.Concat(read, write)
		configs = []rbacv1.PolicyRule{about(configGroup, read, "providerconfigs", "providerconfigusages")}
		choose  = []rbacv1.PolicyRule{about(configGroup, write, "providerconfigs")}
		out     = map[string][]rbacv1.PolicyRule{
			stranger: nil, clusterAdmin: {about(configGroup, both, "clusterproviderconfigs")}, rolePrefix + "view": configs, rolePrefix + "admin": choose,
		}
		seen, edited []rbacv1.PolicyRule
	)
	for group, plurals := range kindsByGroup(t) {
		short := strings.TrimSuffix(group, groupSuffix)
		out[rolePrefix+short+"-edit"] = []rbacv1.PolicyRule{about(group, both, plurals...)}
		if group == accessGroup {
			out[iamViewer] = []rbacv1.PolicyRule{about(group, read, plurals...)}
			continue
		}
		seen = append(seen, about(group, read, plurals...))
		edited = append(edited, about(group, both, plurals...))
	}
	out[rolePrefix+"kinds-view"] = seen
	out[viewer] = slices.Concat(configs, seen)
	out[editor] = slices.Concat(configs, edited)
	out[admin] = slices.Concat(configs, edited, choose)
	rightsOf := map[string]map[right]bool{}
	for who, rules := range out {
		rightsOf[who] = rights(rules...)
	}
	return rightsOf
}

func about(group string, verbs []string, plurals ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: plurals, Verbs: verbs}
}

// kindsByGroup returns the resources of the package by their API groups, without the provider
// configs.
func kindsByGroup(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, file := range filesBelow(t, "package/crds") {
		for _, o := range manifests(t, file) {
			if o.GetKind() != "CustomResourceDefinition" {
				continue
			}
			var crd apiextensionsv1.CustomResourceDefinition
			if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &crd); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if crd.Spec.Group != configGroup {
				out[crd.Spec.Group] = append(out[crd.Spec.Group], crd.Spec.Names.Plural)
			}
		}
	}
	if len(out[accessGroup]) == 0 || len(out) < 2 {
		t.Fatalf("the package has the kinds %v, want those of %s among others", out, accessGroup)
	}
	return out
}

// differences returns the rights that only one of two sets has.
func differences(got, want map[right]bool) []string {
	var out []string
	for r := range got {
		if !want[r] {
			out = append(out, "may "+r.String())
		}
	}
	for r := range want {
		if !got[r] {
			out = append(out, "may not "+r.String())
		}
	}
	slices.Sort(out)
	return out
}

// allRights returns all rights of a user on the provider's kinds in a namespace, according to the
// API server. A right on the kinds of all groups is one of them.
func (w *world) allRights(who, ns string) map[right]bool {
	w.t.Helper()
	cfg := rest.CopyConfig(w.cfg)
	cfg.Impersonate.UserName = who
	c, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	review := &authv1.SelfSubjectRulesReview{Spec: authv1.SelfSubjectRulesReviewSpec{Namespace: ns}}
	review, err = c.AuthorizationV1().SelfSubjectRulesReviews().Create(w.t.Context(), review, metav1.CreateOptions{})
	if err != nil || review.Status.Incomplete {
		w.t.Fatalf("cannot ask for the rights of %s: %v, %+v", who, err, review)
	}
	var rules []rbacv1.PolicyRule
	for _, r := range review.Status.ResourceRules {
		rules = append(rules, rbacv1.PolicyRule{APIGroups: r.APIGroups, Resources: r.Resources, Verbs: r.Verbs})
	}
	all := rights(rules...)
	maps.DeleteFunc(all, func(r right, _ bool) bool {
		group, _, _ := strings.Cut(r.resource, "/")
		return !strings.HasSuffix(group, configGroup) && group != rbacv1.APIGroupAll
	})
	return all
}

// may reports whether a user has a right.
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

// bindPeople applies all roles, and binds users to theirs in the namespace of tenants. It returns
// the roles of each user. It binds the parts of Kubernetes' own roles, which are selected by
// labels, because Kubernetes' controller manager, which would aggregate them, does not run here.
func (w *world) bindPeople() map[string][]string {
	w.t.Helper()
	bound := map[string][]string{stranger: nil}
	var applied []string
	for _, role := range appliedRoles(w.t) {
		w.create(&role)
		applied = append(applied, role.Name)
		if strings.HasPrefix(role.Name, rolePrefix) && role.Name != rolePrefix+"kinds" && role.Name != metricsReader {
			bound[role.Name] = []string{role.Name}
		}
	}
	for _, who := range []string{viewer, editor, admin} {
		bound[who] = slices.DeleteFunc(w.partsOf(who), func(part string) bool { return !slices.Contains(applied, part) })
		if len(bound[who]) == 0 {
			w.t.Fatalf("Kubernetes adds nothing to its role %s", who)
		}
	}
	for who, roles := range bound {
		for _, role := range roles {
			w.bind(who, role)
		}
	}
	return bound
}

// bind binds a user to a role, in the namespace of tenants, or in the cluster for clusterAdmin.
func (w *world) bind(who, role string) {
	w.t.Helper()
	ref := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role}
	subjects := []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: who}}
	if who == clusterAdmin {
		w.create(&rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: role}, RoleRef: ref, Subjects: subjects})
		return
	}
	w.create(&rbacv1.RoleBinding{ObjectMeta: in(tenant, who+"-"+role), RoleRef: ref, Subjects: subjects})
}

// partsOf returns the roles that Kubernetes aggregates into one of its own roles, and the parts of
// these.
func (w *world) partsOf(name string) []string {
	w.t.Helper()
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: name}}
	w.eventually(func() error { return w.Get(role) }) // The API server creates it after its start.
	if role.AggregationRule == nil {
		return nil
	}
	all := &rbacv1.ClusterRoleList{}
	if err := w.kube.List(w.t.Context(), all); err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for _, s := range role.AggregationRule.ClusterRoleSelectors {
		selector, err := metav1.LabelSelectorAsSelector(&s)
		if err != nil {
			w.t.Fatal(fmt.Errorf("the role %s selects others by %v: %w", name, s, err))
		}
		for _, part := range all.Items {
			if selector.Matches(labels.Set(part.Labels)) {
				out = append(append(out, part.Name), w.partsOf(part.Name)...)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
