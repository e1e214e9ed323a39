// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package iam

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// UserToken describes API tokens that belong to the user of the provider's credential.
func UserToken() kind.Description {
	d := apiToken("/user/tokens")
	d.Name, d.Short, d.Scope = "UserToken", "cfut", kind.User
	d.Doc = "A UserToken is an API token of the user that the provider config's credential acts for. That has to be an API token of the user, or the user's API key: an API token of an account cannot manage such tokens. For tokens that belong to an account, use an AccountToken. The value, and with spec.preset the S3 keys of R2 that follow from it, are in the connection secret; endpoint is there only where the provider config has an accountId. Its deletion revokes it at once. The token that the provider itself uses is not deleted."
	d.Terraform, d.Permissions = "cloudflare_api_token", []string{"API Tokens Write"}
	d.Excused["ImmutableRefused"] = "all that it has can be changed"
	return d
}
