// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
)

const routeAccounts = "/accounts"

// FindAccounts returns the accounts of that name that the credential can see. Several accounts may
// have one name.
func (c *Client) FindAccounts(ctx context.Context, name string) ([]Named, error) {
	r := Request{
		Method: http.MethodGet, Path: routeAccounts, Route: routeAccounts, Query: url.Values{"name": {name}, "per_page": {"50"}},
		Permission: "Account Settings: Read",
	}
	answer, err := c.Do(ctx, r)
	if err != nil {
		return nil, err
	}
	var found []Named
	if err := json.Unmarshal(answer.Result, &found); err != nil {
		return nil, r.Unreadable(err)
	}
	if answer.Info.TotalCount > len(found) {
		return nil, r.Unreadable(fmt.Errorf("it lists %d accounts and counts %d", len(found), answer.Info.TotalCount))
	}
	return slices.DeleteFunc(found, func(a Named) bool { return a.Name != name || !ValidID(a.ID) }), nil
}
