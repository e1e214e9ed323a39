// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"

	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// elementCalls reads fragments that are listed one by one. Each is known by its key, because its ID may change.
type elementCalls struct{ calls }

// List returns a page of the fragments.
func (e elementCalls) List(ctx context.Context, cursor string) (parent.Page[Live], error) {
	q := e.document.ask()
	page, gone, err := e.all.ListElements(ctx, cursor)
	if err == nil && cursor == "" {
		err = q.listed(gone)
	}
	if err != nil {
		return parent.Page[Live]{}, err
	}
	out := parent.Page[Live]{Next: page.Next, LeftOut: page.LeftOut, Total: page.Total}
	for _, doc := range page.Resources {
		if key := e.d.FragmentKey(doc); key != "" {
			out.Rows = append(out.Rows, newFragment(key, doc))
		}
	}
	return out, nil
}
