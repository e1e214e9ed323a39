// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

// Cursors are those that the pages of one list named so far. The zero value has none. A list whose cursors
// come again has no end.
type Cursors struct{ seen map[string]struct{} }

// Again notes the cursor of the next page, and reports whether a page before named it, too.
func (c *Cursors) Again(next string) bool {
	if _, again := c.seen[next]; again {
		return true
	}
	if c.seen == nil {
		c.seen = map[string]struct{}{}
	}
	c.seen[next] = struct{}{}
	return false
}
