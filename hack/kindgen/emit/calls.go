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

// A call is an operation of Cloudflare's API, and when the provider uses it.
type call struct {
	operation, when string
}

// Calls writes a table of the API calls that the provider makes for each described kind.
func Calls(kinds []*model.Kind) string {
	var b strings.Builder
	b.WriteString("| kind | method | path | when | permission of the token, one of these |\n|---|---|---|---|---|\n")
	for _, k := range kinds {
		for _, c := range callsOf(k) {
			method, path, _ := strings.Cut(c.operation, " ")
			fmt.Fprintf(&b, "| [%s](%s.md) | %s | `%s` | %s | %s |\n",
				k.Name, strings.ToLower(k.Name), method, path, c.when, strings.Join(k.Permissions, ", "))
		}
	}
	return b.String()
}

// callsOf returns the operations of a description, each once. An operation with two
// purposes has both in one row.
func callsOf(k *model.Kind) []call {
	all := []call{
		{operation: k.List, when: "look for drift, adopt"},
		{operation: k.Read, when: "look at one"},
		{operation: k.Create, when: "create"},
		{operation: k.Update, when: "update"},
		{operation: k.Delete, when: "delete"},
		{operation: k.OnDelete.Verb, when: "delete"},
		{operation: k.Bulk, when: "follow an asynchronous operation"},
		{operation: k.Holders, when: "say who still uses it"},
		{operation: k.Roll, when: "make a secret again"},
	}
	if k.Make != nil {
		all = append(all, call{operation: k.Make.Operation, when: "make the document with its first element"})
	}
	for _, path := range slices.Sorted(maps.Keys(k.Apart)) {
		all = append(all, call{operation: k.Apart[path].Operation, when: "look at one"})
	}
	for _, operation := range k.BeforeDelete {
		all = append(all, call{operation: operation, when: "free it before it is deleted"})
	}
	for _, d := range k.Details {
		all = append(all, call{operation: d.From, when: "write the connection secret"})
	}
	if k.Refresh != nil {
		all = append(all, call{operation: k.Refresh.Do, when: "renew it before it ends"})
	}
	if k.Choice != nil && k.Choice.Parents != "" {
		all = append(all, call{operation: k.Choice.Parents, when: "learn of what type its parent is"})
	}
	for _, path := range slices.Sorted(maps.Keys(k.Fields)) {
		for _, operation := range []string{k.Fields[path].On, k.Fields[path].Off, k.Fields[path].Alone} {
			all = append(all, call{operation: operation, when: "update"})
		}
		if l := k.Fields[path].Lookup; l != nil {
			all = append(all, call{operation: l.Operation, when: fmt.Sprintf("find a %s by its name", l.Noun)})
		}
	}
	return merged(all)
}

// merged returns each operation once, in the order of its first use.
func merged(all []call) []call {
	at := map[string]int{}
	var out []call
	for _, c := range all {
		if c.operation == "" {
			continue
		}
		i, seen := at[c.operation]
		if !seen {
			at[c.operation] = len(out)
			out = append(out, c)
			continue
		}
		if !strings.Contains(out[i].when, c.when) {
			out[i].when += ", " + c.when
		}
	}
	return out
}
