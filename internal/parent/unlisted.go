// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// unlisted returns the row of that ID after the list that would show it failed with err. It returns the row as a read
// or write of it showed it, if that is not older than one and a half intervals and not before since. Otherwise it
// returns the row as a GET shows it. A failure of lists alone must not keep callers from what is known by its ID. A
// GET that does not find the row proves nothing by itself: unlisted returns err then, unless this process has deleted
// the row.
func (c *Collection[R]) unlisted(ctx context.Context, id string, since time.Time, err error) (R, error) {
	var none R
	if c.terms.NoGet || ctx.Err() != nil || !IsOfLists(err) {
		return none, err
	}
	a := c.view.get(id)
	switch {
	case a.there && !a.at.IsZero() && c.o.Now().Sub(a.at) <= c.fresh() && !a.at.Before(since):
		return a.row, nil
	case a.gone && c.view.deleted(id):
		return none, fmt.Errorf("%s %w", id, ErrNotFound)
	}
	r, getErr := c.Look(ctx, id)
	switch {
	case errors.Is(getErr, ErrNotFound) && c.view.deleted(id):
		return none, getErr
	case errors.Is(getErr, ErrNotFound):
		return none, err
	}
	return r, getErr
}

// IsOfLists reports whether an error of a list says nothing about other calls. If the credential is refused or has to
// wait, no other call is of use.
func IsOfLists(err error) bool {
	return !cloudflare.IsThrottled(err) && !cloudflare.IsInvalidCredential(err) && !cloudflare.IsForbidden(err)
}
