// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"slices"
	"strings"
)

// actsFor returns the ID of the user that a credential acts for. It returns "" for the common
// user of the dashboard and of tokens without an email address.
func (c *credential) actsFor() string {
	if c.owner == "" && strings.Contains(c.email, "@") {
		return userID(c.email)
	}
	return c.owner
}

// enterUser checks that the credential may use a route about its user. A token of an account
// has no user. It is refused with the code of a missing permission and a message of its own, as
// users of Terraform see: https://github.com/cloudflare/terraform-provider-cloudflare with an
// account's token on cloudflare_api_token. A user's token without the permission is refused as
// in https://community.cloudflare.com/t/442549.
func (c *call) enterUser(wants []Permission) *Error {
	switch {
	case c.cred.account != "":
		return refuse(http.StatusForbidden, CodeUnauthorized, "Valid user-level authentication not found")
	case !slices.ContainsFunc(wants, c.cred.has):
		return errUnauthorized()
	}
	return nil
}
