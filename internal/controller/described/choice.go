// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// parentMiss is how long a list of parents is believed if it lacks the parent.
const parentMiss = 5 * time.Second

// fits returns a *kind.OneOfMismatchError if the spec does not fit the parent of the resource.
func (a *adapter) fits(ctx context.Context) error {
	c := a.Description.Choice
	if c == nil || c.Parents == "" || !a.manages() || meta.WasDeleted(a.mg) {
		return nil
	}
	id := a.params[c.Parameter]
	known := func(p any) bool { return kind.Text(p, "id") == id }
	rows, err := a.list(ctx, c.Parents, c.Noun, lookupLife)
	if err == nil && !slices.ContainsFunc(rows, known) { // The parent may be new.
		rows, err = a.list(ctx, c.Parents, c.Noun, parentMiss)
	}
	if err != nil {
		return fmt.Errorf("cannot find out what fits the %s: %w", c.Noun, err)
	}
	return c.Fits(a.want, rows, id, a.names)
}
