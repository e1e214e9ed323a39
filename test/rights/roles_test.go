// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
	"github.com/provider-cloudflare/provider-cloudflare/test/page"
)

const (
	root = "../.."
	// groupSuffix is the end of the API groups of all kinds. configGroup is the group of the
	// provider configs.
	groupSuffix = ".cloudflare.m.crossplane.io"
	configGroup = "cloudflare.m.crossplane.io"
	// accessGroup has the kinds that grant rights in an account.
	accessGroup = "iam" + groupSuffix
)

// appliedFile matches a manifest of the repository that a command of a page applies.
var appliedFile = regexp.MustCompile(`-f ((?:cluster|examples)/\S+)`)

// appliedRoles returns the ClusterRoles of all kustomizations, and of all manifests that pages show
// or apply.
func appliedRoles(t *testing.T) []rbacv1.ClusterRole {
	t.Helper()
	var all []*unstructured.Unstructured
	for _, path := range filesBelow(t, "cluster", "examples", "docs", "README.md") {
		switch name := filepath.Base(path); {
		case strings.EqualFold(strings.TrimSuffix(name, ".yaml"), "kustomization"):
			all = append(all, rendered(t, filepath.Dir(path))...)
		case filepath.Ext(name) == ".md":
			all = append(all, ofPage(t, path)...)
		}
	}
	byName := map[string]rbacv1.ClusterRole{}
	for _, o := range of(all, "ClusterRole") {
		var role rbacv1.ClusterRole
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &role); err != nil {
			t.Fatal(err)
		}
		byName[role.Name] = role
	}
	var out []rbacv1.ClusterRole
	for _, role := range byName {
		out = append(out, role)
	}
	slices.SortFunc(out, func(a, b rbacv1.ClusterRole) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// filesBelow returns the files of some folders of the repository.
func filesBelow(t *testing.T, names ...string) []string {
	t.Helper()
	var out []string
	for _, name := range names {
		err := filepath.WalkDir(filepath.Join(root, name), func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				out = append(out, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// ofPage returns the objects of a page's manifests, and of those that its commands apply.
func ofPage(t *testing.T, path string) []*unstructured.Unstructured {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := page.Parse(path, string(raw))
	if err != nil {
		t.Fatal(err)
	}
	var out []*unstructured.Unstructured
	for _, b := range p.Blocks {
		if b.Lang() == "yaml" && strings.Contains(b.Text(), "kind: ClusterRole\n") {
			file := filepath.Join(t.TempDir(), "block.yaml")
			if err := os.WriteFile(file, []byte(b.Text()), 0o600); err != nil {
				t.Fatal(err)
			}
			out = append(out, manifests(t, file)...)
		}
		for _, line := range b.Lines {
			out = append(out, appliedBy(t, line)...)
		}
	}
	return out
}

// appliedBy returns the objects of the manifests that a command applies.
func appliedBy(t *testing.T, command string) []*unstructured.Unstructured {
	t.Helper()
	if !strings.Contains(command, "kubectl apply ") {
		return nil
	}
	var out []*unstructured.Unstructured
	for _, m := range appliedFile.FindAllStringSubmatch(command, -1) {
		files := []string{filepath.Join(root, m[1])}
		if filepath.Ext(m[1]) != ".yaml" {
			var err error
			if files, err = filepath.Glob(filepath.Join(files[0], "*.yaml")); err != nil || len(files) == 0 {
				t.Fatalf("%q applies nothing: %v", command, err)
			}
		}
		for _, file := range files {
			out = append(out, manifests(t, file)...)
		}
	}
	return out
}

// aggregated reports whether a label of a role aggregates it into other roles.
func aggregated(role rbacv1.ClusterRole) bool {
	for label := range role.Labels {
		if strings.Contains(label, "/aggregate-to-") {
			return true
		}
	}
	return false
}

// TestAppliedRoles checks each rule of each role. No label aggregates a right on the kinds of
// accessGroup into another role. Only the provider's roles have rights on statuses, because the
// provider finds an object's resource by the status.
func TestAppliedRoles(t *testing.T) {
	access, statuses := 0, 0
	for _, role := range appliedRoles(t) {
		added := aggregated(role)
		own := role.Name == "provider-cloudflare" || role.Name == "provider-cloudflare-kinds"
		for _, rule := range role.Rules {
			if isAbout(rule, accessGroup) {
				access++
				if added {
					t.Errorf("%s: the labels %v add %v on %v to other roles", role.Name, role.Labels, rule.Verbs, rule.Resources)
				}
			}
			if hasStatuses(rule) {
				statuses++
				if added || !own {
					t.Errorf("%s, with the labels %v, may %v %v", role.Name, role.Labels, rule.Verbs, rule.Resources)
				}
			}
		}
	}
	if access == 0 || statuses == 0 {
		t.Errorf("%d rules are about %s, and %d about statuses: does the test read the roles?", access, accessGroup, statuses)
	}
}

// isAbout reports whether a rule applies to a group, or to all groups.
func isAbout(rule rbacv1.PolicyRule, group string) bool {
	return slices.Contains(rule.APIGroups, group) || slices.Contains(rule.APIGroups, rbacv1.APIGroupAll)
}

// hasStatuses reports whether a rule applies to statuses of the provider's kinds.
func hasStatuses(rule rbacv1.PolicyRule) bool {
	ours := func(group string) bool { return strings.HasSuffix(group, configGroup) || group == rbacv1.APIGroupAll }
	status := func(name string) bool {
		return strings.HasSuffix(name, "/status") || strings.Contains(name, rbacv1.ResourceAll)
	}
	return slices.ContainsFunc(rule.APIGroups, ours) && slices.ContainsFunc(rule.Resources, status)
}

// TestAccessIsOneGroup checks that each kind with which users or tokens get rights at Cloudflare
// is in accessGroup. No role aggregates that group.
func TestAccessIsOneGroup(t *testing.T) {
	found := 0
	for _, d := range kinds.All() {
		gives := d.Credential || slices.ContainsFunc(d.Permissions, func(p string) bool {
			return strings.Contains(p, "API Tokens") || strings.Contains(p, "SCIM")
		})
		if !gives {
			continue
		}
		found++
		if d.Group+groupSuffix != accessGroup {
			t.Errorf("%s gives rights at Cloudflare and is in the group %s", d.Name, d.Group)
		}
	}
	if found < 3 {
		t.Errorf("%d kinds give rights at Cloudflare, want at least tokens of accounts and of users, and members", found)
	}
}
