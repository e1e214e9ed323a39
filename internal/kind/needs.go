// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A NeedError says that an object of a spec lacks a member that it has to have.
type NeedError struct {
	// Object is the path of the object, Member what it lacks, and By the member whose Value asks for it.
	Object, Member, By, Value string
}

func (e *NeedError) Error() string {
	return fmt.Sprintf("spec.forProvider.%s.%s is required where %s is %s", e.Object, e.Member, e.By, e.Value)
}

// Unmet is a *NeedError for the first object of a spec that lacks what Needs says, and nil where
// none does.
func (d Description) Unmet(want Document) error {
	for _, path := range slices.Sorted(maps.Keys(d.Fields)) {
		f := d.Fields[path]
		by := strings.TrimPrefix(f.By, path+".")
		var unmet error
		each(want, path, func(at Document) {
			value := Text(at, by)
			member := f.Needs[value]
			if _, has := at[member]; member != "" && !has {
				unmet = &NeedError{Object: path, Member: member, By: by, Value: value}
			}
		})
		if unmet != nil {
			return unmet
		}
	}
	return nil
}
