// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/emit"
	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
)

// write writes all files.
func write(out *output, models []*model.Kind) error {
	byGroup := map[string][]*model.Kind{}
	var groups []string
	for _, k := range models {
		if byGroup[k.Group] == nil {
			groups = append(groups, k.Group)
		}
		byGroup[k.Group] = append(byGroup[k.Group], k)
	}
	var whole []string
	for _, g := range groups {
		handmade := out.exists(filepath.Join("apis", g, "v1alpha1", "doc.go"))
		if !handmade {
			whole = append(whole, g)
		}
		if err := writeGroup(out, g, byGroup[g], handmade); err != nil {
			return err
		}
	}
	if err := out.file("apis/zz_groups.go")(emit.Groups(whole)); err != nil {
		return err
	}
	if err := out.file("internal/controller/described/zz_roster.go")(emit.Roster(models)); err != nil {
		return err
	}
	return writeTexts(out, models)
}

// writeTexts writes the files that are not Go: pages, tables, the package's metadata,
// rights.
func writeTexts(out *output, models []*model.Kind) error {
	for _, k := range models {
		name := filepath.Join("docs", "kinds", strings.ToLower(k.Name)+".md")
		page := out.read(name)
		if page == "" {
			page = emit.NewPage(k)
		}
		example := out.read(filepath.Join("examples", filepath.FromSlash(emit.Example(k))))
		if example == "" {
			return fmt.Errorf("%s has no example: write examples/%s", k.Name, emit.Example(k))
		}
		if err := out.file(name)(emit.Between(page, emit.Page(k, example))); err != nil {
			return err
		}
	}
	for name, table := range map[string]string{
		"README.md": emit.ByGroup(models), "docs/kinds/README.md": emit.Index(models), "docs/kinds/api-calls.md": emit.Calls(models),
	} {
		if err := out.file(name)(emit.Between(out.read(name), table)); err != nil {
			return err
		}
	}
	if err := out.file("package/crossplane.yaml")(emit.FriendlyGroups(out.read("package/crossplane.yaml"), models)); err != nil {
		return err
	}
	if err := out.file("cluster/rbac/kinds.yaml")(emit.Rights(models)); err != nil {
		return err
	}
	if err := out.file("cluster/standalone/watched/kinds.yaml")(emit.WatchedRights(models)); err != nil {
		return err
	}
	return out.file("cluster/rbac/kinds-people.yaml")(emit.People(models))
}

// writeGroup writes the package of a group.
func writeGroup(out *output, group string, models []*model.Kind, handmade bool) error {
	dir := filepath.Join("apis", group, "v1alpha1")
	if !handmade {
		if err := out.file(filepath.Join(dir, "zz_groupversion.go"))(emit.Group(group)); err != nil {
			return err
		}
	}
	if err := out.file(filepath.Join(dir, "zz_kinds.go"))(emit.Kinds(models)); err != nil {
		return err
	}
	taken := emit.Names(models)
	for _, k := range models {
		name := filepath.Join(dir, "zz_"+strings.ToLower(k.Name)+"_types.go")
		if err := out.file(name)(emit.Types(k, taken)); err != nil {
			return err
		}
	}
	return nil
}
