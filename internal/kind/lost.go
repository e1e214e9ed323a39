// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import "maps"

// Lost returns the fields of known that an update loses if it is built from read: it sends them otherwise than an
// update that is built from known. An update in the mode MergePatch sends only differences, and loses nothing.
func (d Description) Lost(want, known, read Document) []Difference {
	if d.Mode == MergePatch {
		return nil
	}
	before, body := d.UpdateBody(want, known), d.UpdateBody(want, read)
	if d.Mode == DeclaredOnly {
		maps.DeleteFunc(before, func(name string, _ any) bool { _, sent := body[name]; return !sent })
	}
	for path, f := range d.Fields {
		if v, ok := At(before, path); ok && f.Wrapped {
			Put(before, path, f.plain(v))
		}
	}
	return d.Differences(before, body)
}
