// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi

import (
	"fmt"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// emailCorrections returns the corrections for Email Routing.
func emailCorrections() []correction {
	return []correction{
		{
			name: "email routing takes tokens",
			reason: "The document has the global key as the only security, and beside it the permissions that a token " +
				"needs. Tokens of users are taken (oomol-lab/open-connector pull request 165).",
			apply: correctEmailSecurity,
		},
		{
			name:   "unverified destination",
			reason: "The text of the member says that null means not verified yet, and its type takes no null.",
			apply: func(doc tree) error {
				verified, err := schemaNamed(doc, "email_verified")
				if err != nil {
					return err
				}
				return change(verified, "nullable", true)
			},
		},
	}
}

func correctEmailSecurity(doc tree) error {
	for _, path := range apidoc.Paths() {
		if !strings.Contains(path, "/email/routing") {
			continue
		}
		item, err := object(doc, "paths", path)
		if err != nil {
			return err
		}
		for method, op := range item {
			op, _ := op.(tree)
			security, _ := op["security"].([]any)
			if len(security) > 1 {
				return fmt.Errorf("%s %s takes more than the key", method, path)
			}
			if len(security) == 1 {
				op["security"] = append(security, tree{"api_token": []any{}})
			}
		}
	}
	return nil
}
