// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// CheckPlain returns an error for a string of an element, of a list or a map, that is declared in
// a way that its variant does not take: in plain although it is a secret, or from a Secret
// although Cloudflare shows it to all who may read it. refs are the references of the spec, and
// names are the result of Names.
func (d Description) CheckPlain(want Document, refs []KeyField, names map[string]string) error {
	for general, f := range d.Fields {
		element, by, member := d.decidedBy(general)
		if len(f.PlainToo) == 0 || element == "" {
			continue
		}
		all := elementsAt(want, element)
		for _, at := range slices.Sorted(maps.Keys(all)) {
			e, path := all[at], at+"."+member
			ref := slices.ContainsFunc(refs, func(r KeyField) bool { return r.Path == path })
			_, set := At(e, member)
			name := "spec.forProvider." + Difference{Path: d.Keyed(path, want)}.Name(names)
			plain := slices.Contains(f.PlainToo, Text(e, by))
			switch {
			case set && !plain:
				return fmt.Errorf("%s is a secret where %s is %s: set %s in its place", name, by, Text(e, by), lastOf(name+secretRef))
			case ref && plain:
				return fmt.Errorf("%s is set where %s is %s, which Cloudflare shows to everybody who may read it: set %s in its place", name+secretRef, by, Text(e, by), lastOf(name))
			}
		}
	}
	return nil
}

// decidedBy splits the path of a member of an element. The element is "" for any other path. by is
// the member that decides the variant of the element.
func (d Description) decidedBy(general string) (element, by, member string) {
	i := max(0, strings.LastIndexByte(general, '.'))
	element, member = general[:i], strings.TrimPrefix(general[i:], ".")
	return element, strings.TrimPrefix(d.field(element).By, element+"."), member
}

// withoutPlainToo removes from an answer what it shows in the place of secrets that could also be plain values.
func (d Description) withoutPlainToo(doc Document) {
	for general, f := range d.Fields {
		element, by, member := d.decidedBy(general)
		if len(f.PlainToo) == 0 || element == "" {
			continue
		}
		for _, e := range elementsAt(doc, element) {
			if !slices.Contains(f.PlainToo, Text(e, by)) {
				Without(e, member)
			}
		}
	}
}

// elementsAt returns the elements of the list or map at a path that ends with "[]" or "{}", by their own paths.
func elementsAt(doc Document, general string) map[string]any {
	out := map[string]any{}
	path := strings.TrimSuffix(strings.TrimSuffix(general, "[]"), "{}")
	v, _ := At(doc, path)
	if list, ok := v.([]any); ok {
		for i, e := range list {
			out[fmt.Sprintf("%s[%d]", path, i)] = e
		}
	}
	if all, ok := object(v); ok && path != general {
		for name, e := range all {
			out[path+"{"+name+"}"] = e
		}
	}
	return out
}

// secretRef is the end of the name of a field that takes a value from a Secret.
const secretRef = "SecretRef"

// lastOf returns the last part of a name.
func lastOf(name string) string { return name[strings.LastIndex(name, ".")+1:] }
