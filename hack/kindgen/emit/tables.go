// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// readmeColumns is the maximum width of the README.
const readmeColumns = 120

// ByGroup writes the README's list of the described kinds, with an item for each group.
func ByGroup(kinds []*model.Kind) string {
	var groups []string
	links := map[string][]string{}
	for _, k := range kinds {
		if links[k.Group] == nil {
			groups = append(groups, k.Group)
		}
		links[k.Group] = append(links[k.Group], fmt.Sprintf("[%s](docs/kinds/%s.md)", k.Name, strings.ToLower(k.Name)))
	}
	var b strings.Builder
	for _, g := range groups {
		line := fmt.Sprintf("- `%s`: ", g)
		for i, l := range links[g] {
			if i < len(links[g])-1 {
				l += ", "
			}
			if len(line)+len(strings.TrimSpace(l)) > readmeColumns {
				b.WriteString(strings.TrimRight(line, " ") + "\n")
				line = "  "
			}
			line += l
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// Index writes a table that compares the described kinds, with a row for each.
func Index(kinds []*model.Kind) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| kind | what it is or does | group | short | Terraform | permissions, one of these | plan | class | drift | deletion |\n"+
		"|---|---|---|---|---|---|---|---|---|---|\n")
	for _, k := range kinds {
		terraform := "none"
		if k.Terraform != "" {
			terraform = "`" + k.Terraform + "`"
		}
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | `%s` | `%s` | %s | %s | %s | %s | every %s | %s |\n", k.Name, strings.ToLower(k.Name), gist(k), k.Group, k.Short,
			terraform, strings.Join(k.Permissions, ", "), k.Plan, class(k), sweep(k), deletes(k))
	}
	return b.String()
}

// gist returns the first sentence about a kind, without the kind's name.
func gist(k *model.Kind) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(model.Clean(k.Doc), "A "+k.Name+" "), "An "+k.Name+" "), ". ")
	return strings.TrimSuffix(first, ".")
}

// class returns in words how resources of a kind come to exist.
func class(k *model.Kind) string {
	switch k.Shape {
	case kind.Singleton:
		return "one for each parent"
	case kind.Fragment:
		if k.Bulk != "" {
			return "one of a list that many share"
		}
		return "part of a document that many share"
	}
	if k.Issue != nil {
		return "many, renewed by the provider"
	}
	return "many"
}

// deletes returns in words what the deletion of an object does at Cloudflare.
func deletes(k *model.Kind) string {
	switch {
	case k.Shape == kind.Singleton && k.OnDelete.Verb == "":
		return "nothing: it keeps its last state"
	case k.Shape == kind.Singleton && k.OnDelete.By != "":
		return "nothing, restores or resets it, as `" + k.OnDelete.By + "` says"
	case k.Shape == kind.Singleton && len(k.Unset) == 0:
		return "resets it"
	case k.Shape == kind.Fragment:
		return "removes its part"
	}
	return "deletes it"
}
