// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A RequiredMemberError says that an object in a spec lacks a required member.
type RequiredMemberError struct {
	// Object is the path of the object, Member the missing member, and By the member whose Value requires it.
	Object, Member, By, Value string
}

func (e *RequiredMemberError) Error() string {
	return fmt.Sprintf("spec.forProvider.%s.%s is required where %s is %s", e.Object, e.Member, e.By, e.Value)
}

// Unmet returns a *RequiredMemberError for an object of a spec that lacks a member of Needs, and nil if there is none.
func (d Description) Unmet(want Document) error {
	for _, path := range slices.Sorted(maps.Keys(d.Fields)) {
		f := d.Fields[path]
		by := strings.TrimPrefix(f.By, path+".")
		var unmet error
		each(want, path, func(at Document) {
			value := Text(at, by)
			member := f.Needs[value]
			if _, has := at[member]; member != "" && !has {
				unmet = &RequiredMemberError{Object: path, Member: member, By: by, Value: value}
			}
		})
		if unmet != nil {
			return unmet
		}
	}
	return nil
}
