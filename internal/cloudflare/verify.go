// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

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

// ErrTokenInactive says that the API knows the token, but that the token is disabled,
// expired, or not valid yet.
var ErrTokenInactive = errors.New("the API token is not active")

// ErrTokenRefused says that the API refuses to verify the token. Verifying takes no
// permission, so the token may not be used from the address that the call came from.
var ErrTokenRefused = errors.New("verifying takes no permission: let the token be used from this cluster's address " +
	"(its client IP address filter), or put another into the Secret of the provider config")

// ErrTokenUnproven says that the API refused an API token wherever it was tried. The
// refusals do not show whether the token is invalid or lacks a permission.
var ErrTokenUnproven = errors.New("the API token cannot be verified: it is not a user's API token, and a list of zones is refused as well")

// ErrNotUsersToken says that the credential does not act for a user, which the resources of a user
// need: the API answers 403 with code 9109, "Valid user-level authentication not found", there.
var ErrNotUsersToken = errors.New("the API token belongs to an account and to no user, or is not valid: put an API token of the user, " +
	"with the permission API Tokens: Edit, into the Secret of the provider config")

// Verify asks the API whether it accepts the credential. A token of a user and a token of an
// account are verified at different endpoints. The second one needs accountID. Without it, Verify
// lists zones with an account's token.
//
// Only a success proves that a token is valid. A refusal proves nothing: the API answers an
// unknown, revoked or expired token with the codes of a missing permission. That is
// 403/9109 on every route except those that verify tokens
// (https://github.com/home-assistant/addons/issues/3243), and on some 10000
// (https://github.com/divinevideo/divine-mobile/issues/4257).
func (c *Client) Verify(ctx context.Context, accountID string) error {
	if !c.cred.IsToken() {
		_, err := c.exchange(ctx, operation{method: http.MethodGet, route: routeUser}, nil, func(ctx context.Context, o ...option.RequestOption) error {
			_, err := c.user.Get(ctx, o...)
			return err
		})
		return err
	}
	err := c.verifyUserToken(ctx)
	switch {
	case !refusesCredential(err), is(err, func(e *Error) bool { return e.Has(codeBadHeaders) }):
		return err // The form is wrong for an account's token, too.
	case accountID == "":
		return c.tryToken(ctx, err)
	}
	err = c.verifyAccountToken(ctx, accountID)
	if refusesCredential(err) {
		return fmt.Errorf("this is no user's API token, nor one of the account %s (accountId): %w", accountID, err)
	}
	return err
}

// refusesCredential reports whether the API refused the credential and said so. It returns
// false for a token that the API knows but that is not in use, and for one that may not be
// used from this address.
func refusesCredential(err error) bool {
	if errors.Is(err, ErrTokenInactive) || errors.Is(err, ErrTokenRefused) || IsUnexplained(err) {
		return false
	}
	return IsInvalidCredential(err) || IsForbidden(err)
}

type tokenStatus struct {
	ID        string     `json:"id"`
	Status    string     `json:"status"`
	NotBefore *time.Time `json:"not_before"`
	ExpiresOn *time.Time `json:"expires_on"`
}

// check returns nil if the token is in use at that time. The status alone does not show it:
// it is active before the token's time, and has been seen to be active after it.
func (t tokenStatus) check(now time.Time) error {
	switch {
	case t.Status != tokenStatusActive:
		return fmt.Errorf("%w: its status is %q", ErrTokenInactive, t.Status)
	case t.NotBefore != nil && now.Before(*t.NotBefore):
		return fmt.Errorf("%w: it is not valid before %s", ErrTokenInactive, t.NotBefore.UTC().Format(time.RFC3339))
	case t.ExpiresOn != nil && !now.Before(*t.ExpiresOn):
		return fmt.Errorf("%w: it expired at %s", ErrTokenInactive, t.ExpiresOn.UTC().Format(time.RFC3339))
	}
	return nil
}

func (c *Client) verifyUserToken(ctx context.Context) error {
	var t tokenStatus
	_, err := c.exchange(ctx, operation{method: http.MethodGet, route: routeVerifyUser}, &t, func(ctx context.Context, o ...option.RequestOption) error {
		_, err := c.user.Tokens.Verify(ctx, o...)
		return err
	})
	return c.verified(t, err)
}

// verified returns the outcome of a call that verifies a token. Verifying takes no
// permission, and the API answers an unknown token with another code. So code 9109 means
// that the token may not be used from this address.
func (c *Client) verified(t tokenStatus, err error) error {
	switch {
	case is(err, func(e *Error) bool { return e.Has(codeUnauthorizedResource) }):
		return fmt.Errorf("%w: %w", err, ErrTokenRefused)
	case err != nil:
		return err
	}
	if t.ID != "" {
		c.tokenID.Store(&t.ID)
	}
	return t.check(c.o.Now())
}

// Own returns how the API identifies the calls of this client: the ID of its API token and the
// user agent. The ID is "" if it is not known yet, or if the credential is not an API token.
func (c *Client) Own() (tokenID, userAgent string) {
	if id := c.tokenID.Load(); id != nil {
		tokenID = *id
	}
	return tokenID, c.o.UserAgent
}

func (c *Client) verifyAccountToken(ctx context.Context, accountID string) error {
	if !ValidID(accountID) {
		return &IDError{What: "account", ID: accountID}
	}
	var t tokenStatus
	_, err := c.exchange(ctx, operation{method: http.MethodGet, route: routeVerifyAccnt, account: accountID}, &t, func(ctx context.Context, o ...option.RequestOption) error {
		p := accounts.TokenVerifyParams{}
		p.AccountID.Value, p.AccountID.Present = accountID, true
		_, err := c.account.Verify(ctx, p, o...)
		return err
	})
	return c.verified(t, err)
}

// AccountTokenID returns the ID of the client's credential if it is an API token of the
// account, and "" otherwise.
func (c *Client) AccountTokenID(ctx context.Context, accountID string) (string, error) {
	if !c.cred.IsToken() {
		return "", nil
	}
	if !ValidID(accountID) {
		return "", &IDError{What: "account", ID: accountID}
	}
	var t tokenStatus
	_, err := c.exchange(ctx, operation{method: http.MethodGet, route: routeVerifyAccnt, account: accountID}, &t, func(ctx context.Context, o ...option.RequestOption) error {
		p := accounts.TokenVerifyParams{}
		p.AccountID.Value, p.AccountID.Present = accountID, true
		_, err := c.account.Verify(ctx, p, o...)
		return err
	})
	if refusesCredential(err) {
		return "", nil
	}
	return t.ID, err
}

// UserTokenID returns the ID of the client's credential if it is an API token of a user, and
// "" if it is the user's API key. It returns ErrNotUsersToken if it is neither.
func (c *Client) UserTokenID(ctx context.Context) (string, error) {
	if !c.cred.IsToken() {
		return "", nil
	}
	if id := c.userTokenID.Load(); id != nil {
		return *id, nil
	}
	err := c.verifyUserToken(ctx)
	if refusesCredential(err) {
		return "", fmt.Errorf("%w (%w)", ErrNotUsersToken, err)
	}
	if err != nil {
		return "", err
	}
	id, _ := c.Own()
	c.userTokenID.Store(&id)
	return id, nil
}

// tryToken lists zones: an account's token that may list them is valid. verifyErr is why
// the token is not a user's.
func (c *Client) tryToken(ctx context.Context, verifyErr error) error {
	_, err := c.exchange(ctx, operation{method: http.MethodGet, route: routeZones}, nil, func(ctx context.Context, o ...option.RequestOption) error {
		_, err := c.zones.List(ctx, zones.ZoneListParams{}, append(o, option.WithQuery("per_page", "5"))...)
		return err
	})
	if refusesCredential(err) {
		return fmt.Errorf("%w: %w; %w", ErrTokenUnproven, verifyErr, err)
	}
	return err
}
