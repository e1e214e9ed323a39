// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

// Cursors are the cursors that the pages of one list have named. The zero value has none. A list that
// repeats a cursor has no end.
type Cursors struct{ seen map[string]struct{} }

// Again notes the cursor of the next page and reports whether an earlier page named it, too.
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
