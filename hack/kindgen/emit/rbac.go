// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
)

// Rights writes what the provider needs for the described kinds, beside what
// cluster/rbac/provider.yaml has.
func Rights(kinds []*model.Kind) ([]byte, error) {
	return rights(kinds, "provider.yaml, which has the\n# service account and all else", "ClusterRole", "crossplane-system"), nil
}

// WatchedRights writes the same for one namespace, beside what cluster/standalone/watched/role.yaml has.
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
		rules(&b, group, plurals, "", "get, list, watch, update, patch")
		rules(&b, group, plurals, "/status", "update, patch")
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

// People writes the rights of people for the described kinds, which Kubernetes adds to its
// own roles.
func People(kinds []*model.Kind) ([]byte, error) {
	var b strings.Builder
	b.WriteString("# " + Mark + " It does for the kinds that have a\n# description what people.yaml does for the others.\n")
	for i, role := range []struct{ name, to, verbs string }{
		{"view", "view", "get, list, watch"},
		{"edit", "edit admin", "create, update, patch, delete, deletecollection"},
	} {
		if i > 0 {
			b.WriteString("---\n")
		}
		fmt.Fprintf(&b, "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: provider-cloudflare-kinds-%s\n  labels:\n", role.name)
		for _, to := range strings.Fields(role.to) {
			fmt.Fprintf(&b, "    rbac.authorization.k8s.io/aggregate-to-%s: \"true\"\n", to)
		}
		b.WriteString("rules:\n")
		eachGroup(kinds, func(group string, plurals []string) { rules(&b, group, plurals, "", role.verbs) })
	}
	return []byte(b.String()), nil
}

func rules(b *strings.Builder, group string, plurals []string, subresource, verbs string) {
	fmt.Fprintf(b, "- apiGroups: [%s.cloudflare.m.crossplane.io]\n  resources: [%s]\n  verbs: [%s]\n",
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
