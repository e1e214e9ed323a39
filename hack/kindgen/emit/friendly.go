// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"errors"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
)

const friendlyGroup = "    friendly-group-name.meta.crossplane.io/"

// FriendlyGroups returns the package's metadata with a friendly name for each group. It keeps
// existing names, and adds a plain one for a group that has none.
func FriendlyGroups(metadata string, kinds []*model.Kind) ([]byte, error) {
	lines := strings.Split(metadata, "\n")
	for _, k := range kinds {
		line := friendlyGroup + k.Group + ".cloudflare.m.crossplane.io: "
		if slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, line) }) {
			continue
		}
		at := lastWithPrefix(lines, friendlyGroup)
		if at < 0 {
			return nil, errors.New("the package's metadata has no friendly name of a group")
		}
		lines = slices.Insert(lines, at+1, line+plainName(k.Group))
	}
	return []byte(strings.Join(lines, "\n")), nil
}

// lastWithPrefix returns the index of the last line that begins with a prefix, or -1 if none
// does.
func lastWithPrefix(lines []string, prefix string) int {
	for i, l := range slices.Backward(lines) {
		if strings.HasPrefix(l, prefix) {
			return i
		}
	}
	return -1
}

// plainName returns a group's name with a capital, or all in capitals for an abbreviation.
func plainName(group string) string {
	if len(group) <= 3 {
		return strings.ToUpper(group)
	}
	return strings.ToUpper(group[:1]) + group[1:]
}
