// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import "fmt"

// A MovedError says that the resource of an object is not where the object says now.
type MovedError struct{ Noun, From, To string }

func (e *MovedError) Error() string {
	return fmt.Sprintf("the %s of this object is in %s, and the spec or its provider config names %s now: it cannot move. Set that back; or, to keep the live resource, set spec.deletionPolicy to Orphan first, then delete this object and create another",
		e.Noun, e.From, e.To)
}
