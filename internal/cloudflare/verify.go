// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/cloudflare/cloudflare-go/v7/accounts"
	"github.com/cloudflare/cloudflare-go/v7/option"
	"github.com/cloudflare/cloudflare-go/v7/zones"
)

const (
	routeUser         = "/user"
	routeVerifyUser   = "/user/tokens/verify"
	routeVerifyAccnt  = "/accounts/{account}/tokens/verify"
	tokenStatusActive = "active"
)

// ErrTokenInactive says that the API knows the token, but that it is disabled or
// expired.
var ErrTokenInactive = errors.New("the API token is not active")

// Verify asks the API whether it accepts the credential. A token of a user and a
// token of an account are verified at different endpoints; the second needs
// accountID. Without it, an account's token is tried on a list of zones: being
// refused for a missing permission proves that the token is good.
func (c *Client) Verify(ctx context.Context, accountID string) error {
	if !c.cred.IsToken() {
		_, err := c.call(ctx, operation{http.MethodGet, routeUser, ""}, nil, func(o ...option.RequestOption) error {
			_, err := c.user.Get(ctx, o...)
			return err
		})
		return err
	}
	err := c.verifyUserToken(ctx)
	switch {
	case err == nil, errors.Is(err, ErrTokenInactive), !IsInvalidCredential(err) && !IsForbidden(err):
		return err
	case accountID != "":
		return c.verifyAccountToken(ctx, accountID)
	}
	return c.tryToken(ctx, err)
}

type tokenStatus struct {
	Status string `json:"status"`
}

func (t tokenStatus) check() error {
	if t.Status != tokenStatusActive {
		return fmt.Errorf("%w: its status is %q", ErrTokenInactive, t.Status)
	}
	return nil
}

func (c *Client) verifyUserToken(ctx context.Context) error {
	var t tokenStatus
	_, err := c.call(ctx, operation{http.MethodGet, routeVerifyUser, ""}, &t, func(o ...option.RequestOption) error {
		_, err := c.user.Tokens.Verify(ctx, o...)
		return err
	})
	if err != nil {
		return err
	}
	return t.check()
}

func (c *Client) verifyAccountToken(ctx context.Context, accountID string) error {
	if !ValidID(accountID) {
		return &IDError{What: "account", ID: accountID}
	}
	var t tokenStatus
	_, err := c.call(ctx, operation{http.MethodGet, routeVerifyAccnt, ""}, &t, func(o ...option.RequestOption) error {
		p := accounts.TokenVerifyParams{}
		p.AccountID.Value, p.AccountID.Present = accountID, true
		_, err := c.account.Verify(ctx, p, o...)
		return err
	})
	if err != nil {
		return err
	}
	return t.check()
}

// tryToken lists zones to find out whether an account's token is known, and
// gives verifyErr when it is not.
func (c *Client) tryToken(ctx context.Context, verifyErr error) error {
	_, err := c.call(ctx, operation{http.MethodGet, routeZones, ""}, nil, func(o ...option.RequestOption) error {
		_, err := c.zones.List(ctx, zones.ZoneListParams{}, append(o, option.WithQuery("per_page", "5"))...)
		return err
	})
	switch {
	case err == nil || IsForbidden(err):
		return nil
	case IsInvalidCredential(err):
		return verifyErr
	}
	return err
}
