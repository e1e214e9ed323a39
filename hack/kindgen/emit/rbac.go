// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
)

// Rights writes the provider's rights for the described kinds, in addition to
// cluster/rbac/provider.yaml.
func Rights(kinds []*model.Kind) ([]byte, error) {
	return rights(kinds, "provider.yaml, which has the\n# service account and all else", "ClusterRole", "crossplane-system"), nil
}

// WatchedRights writes the same for one namespace, in addition to cluster/standalone/watched/role.yaml.
func WatchedRights(kinds []*model.Kind) ([]byte, error) {
	return rights(kinds, "role.yaml, which has all\n# else", "Role", "provider-cloudflare"), nil
}

// rights writes a role of that kind for the provider's service account, which is in namespace.
func rights(kinds []*model.Kind, beside, role, namespace string) []byte {
	var b strings.Builder
	b.WriteString("# " + Mark + " It belongs to " + beside + `: what the provider needs for the kinds that have a
# description. The Secrets are connection details.
apiVersion: rbac.authorization.k8s.io/v1
kind: ` + role + `
metadata:
  name: provider-cloudflare-kinds
rules:
`)
	eachGroup(kinds, func(group string, plurals []string) {
		b.WriteString(grant(group, plurals, "", "get, list, watch, update, patch"))
		b.WriteString(grant(group, plurals, "/status", "update, patch"))
	})
	b.WriteString(`- apiGroups: [""]
  resources: [secrets]
  verbs: [create, update]
`)
	if slices.ContainsFunc(kinds, func(k *model.Kind) bool { return k.Upload != nil }) {
		b.WriteString(`# The files of uploads: read one by one, and watched for changes by their metadata.
- apiGroups: [""]
  resources: [configmaps]
  verbs: [get, list, watch]
`)
	}
	b.WriteString(`---
apiVersion: rbac.authorization.k8s.io/v1
kind: ` + role + `Binding
metadata:
  name: provider-cloudflare-kinds
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ` + role + `
  name: provider-cloudflare-kinds
subjects:
- kind: ServiceAccount
  name: provider-cloudflare
  namespace: ` + namespace + `
`)
	return []byte(b.String())
}

// The rights of a user's role for a kind. No role may write the status, which only the provider writes.
const (
	look = "get, list, watch"
	edit = look + ", create, update, patch, delete, deletecollection"
)

// People writes the roles of users for all kinds but the configs. One role reads them, and one for each
// group edits it; Kubernetes adds these to its own roles. The groups of accessGroups have a role each to
// read and to edit, which are part of no other role.
func People(kinds []*model.Kind) ([]byte, error) {
	groups, apart := peoplesKinds(kinds), accessGroups(kinds)
	var shared, own []string
	var seen strings.Builder
	for _, g := range slices.Sorted(maps.Keys(groups)) {
		about := func(verbs string) string { return grant(g, groups[g], "", verbs) }
		if apart[g] {
			own = append(own, peoplesRole(g+"-view", about(look)), peoplesRole(g+"-edit", about(edit)))
			continue
		}
		seen.WriteString(about(look))
		shared = append(shared, peoplesRole(g+"-edit", about(edit), "edit", "admin"))
	}
	if len(own) > 0 {
		own[0] = `# The roles below are part of no other role. Whoever edits these kinds decides who can do what in
# an account: as part of edit, with the ClusterProviderConfig default, they would make an editor of
# any namespace its administrator. To read them grants nothing, but shows its members and what each
# token can do. Bind these roles to administrators of the account.
` + own[0]
	}
	head := "# " + Mark + ` It has the roles of people for all kinds but the
# configs, which are in people.yaml. Kubernetes adds the first role to its own role view, and each
# role of a group to edit and admin. To let a team edit one group only, bind the role of that group.
# To take a group out of edit and admin, remove the labels of its role.
`
	all := append([]string{head + peoplesRole("kinds-view", seen.String(), "view")}, append(shared, own...)...)
	return []byte(strings.Join(all, "---\n")), nil
}

// peoplesKinds returns the resource names of each group's kinds, by group. It includes the kinds without
// a description.
func peoplesKinds(kinds []*model.Kind) map[string][]string {
	out := map[string][]string{"dns": {"records"}, "zone": {"zones"}}
	for _, k := range kinds {
		out[k.Group] = append(out[k.Group], Plural(k.Name))
	}
	for _, plurals := range out {
		slices.Sort(plurals)
	}
	return out
}

// accessGroups returns the groups with a kind of API tokens. Their kinds decide who can do what at
// Cloudflare.
func accessGroups(kinds []*model.Kind) map[string]bool {
	out := map[string]bool{}
	for _, k := range kinds {
		if k.Credential {
			out[k.Group] = true
		}
	}
	return out
}

// peoplesRole returns a role that Kubernetes adds to its own roles with the names to.
func peoplesRole(name, rules string, to ...string) string {
	var b strings.Builder
	b.WriteString("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: provider-cloudflare-" + name + "\n")
	if len(to) > 0 {
		b.WriteString("  labels:\n")
	}
	for _, role := range to {
		b.WriteString("    rbac.authorization.k8s.io/aggregate-to-" + role + ": \"true\"\n")
	}
	b.WriteString("rules:\n" + rules)
	return b.String()
}

// grant returns a rule that allows verbs on the resources of a group, or on one subresource of each.
func grant(group string, plurals []string, subresource, verbs string) string {
	return fmt.Sprintf("- apiGroups: [%s.cloudflare.m.crossplane.io]\n  resources: [%s]\n  verbs: [%s]\n",
		group, strings.Join(plurals, subresource+", ")+subresource, verbs)
}

// eachGroup calls f for each group with the resource names of its kinds.
func eachGroup(kinds []*model.Kind, f func(group string, plurals []string)) {
	var group string
	var plurals []string
	for _, k := range kinds {
		if group != "" && k.Group != group {
			f(group, plurals)
			plurals = nil
		}
		group = k.Group
		plurals = append(plurals, Plural(k.Name))
	}
	if group != "" {
		f(group, plurals)
	}
}
