// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"fmt"
	"slices"
	"strings"
)

// CheckPlain says which text of an element is given in the way that its variant does not take:
// as it is where it is a secret, or from a Secret where Cloudflare shows it to everybody. refs
// are the references of the spec, and names those that Names gives.
func (d Description) CheckPlain(want Document, refs []KeyField, names map[string]string) error {
	for general, f := range d.Fields {
		path, member, within := strings.Cut(general, "[].")
		if len(f.PlainToo) == 0 || !within {
			continue
		}
		by := strings.TrimPrefix(d.field(path+"[]").By, path+"[].")
		list, _ := At(want, path)
		for i, e := range values(list) {
			at := fmt.Sprintf("%s[%d].%s", path, i, member)
			ref := slices.IndexFunc(refs, func(r KeyField) bool { return r.Path == at })
			_, set := At(e, member)
			name := "spec.forProvider." + Difference{Path: d.Keyed(at, want)}.Name(names)
			plain := slices.Contains(f.PlainToo, Text(e, by))
			switch {
			case set && !plain:
				return fmt.Errorf("%s is a secret where %s is %s: set %s in its place", name, by, Text(e, by), lastOf(name+secretRef))
			case ref >= 0 && plain:
				return fmt.Errorf("%s is set where %s is %s, which Cloudflare shows to everybody who may read it: set %s in its place", name+secretRef, by, Text(e, by), lastOf(name))
			}
		}
	}
	return nil
}

// secretRef ends the name of the field that takes a value from a Secret.
const secretRef = "SecretRef"

// lastOf is the last part of a name.
func lastOf(name string) string { return name[strings.LastIndex(name, ".")+1:] }
