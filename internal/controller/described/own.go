// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"fmt"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// A ProviderCredentialError reports that a token is the one with which the provider works.
type ProviderCredentialError struct{ Noun, ID string }

func (e *ProviderCredentialError) Error() string {
	return fmt.Sprintf("the %s %s is the one that the provider config uses: give the provider config another one first, or set spec.deletionPolicy to Orphan", e.Noun, e.ID)
}

// ValidateDelete returns a *ProviderCredentialError if l is the provider's own credential.
func (a *adapter) ValidateDelete(ctx context.Context, l Live) error { return a.notOwn(ctx, l) }

func (a *adapter) notOwn(ctx context.Context, l Live) error {
	if !a.Description.Credential {
		return nil
	}
	own, err := a.ownToken(ctx)
	if err != nil {
		return fmt.Errorf("cannot find out whether the %s is the one that the provider config uses: %w", a.Description.Noun, err)
	}
	if own == l.id {
		return &ProviderCredentialError{Noun: a.Description.Noun, ID: l.id}
	}
	return nil
}

// ownToken returns the ID of the provider's credential, for a kind whose resources can be that credential. It reads
// the Secret again, so that a new token in it counts, too.
func (a *adapter) ownToken(ctx context.Context) (string, error) {
	c, err := a.session.Reread(ctx)
	if err != nil {
		return "", err
	}
	if a.Description.Scope == kind.User {
		return c.UserTokenID(ctx)
	}
	return c.AccountTokenID(ctx, a.params["account_id"])
}

// options returns the values of the kind's options.
func (a *adapter) options() map[string]string {
	o, ok := a.mg.(interface{ GetOptions() map[string]string })
	if !ok {
		return nil
	}
	return o.GetOptions()
}

// unusable returns an error for an option of the spec that cannot be carried out: a duration that is too long to
// parse, which the pattern in the CRD does not exclude, or a reset to an unknown default.
func (a *adapter) unusable() error {
	set := a.options()
	for _, o := range a.Description.Options {
		v, ok := set[o.Name]
		if !ok || len(o.Enum) > 0 {
			continue
		}
		if _, err := time.ParseDuration(v); err != nil {
			return fmt.Errorf("spec.%s is not usable: %w", o.Name, err)
		}
	}
	if by := a.Description.OnDelete.By; by != "" && set[by] == kind.Reset {
		of := a.params[a.Description.VariantBy]
		if len(a.Variants.Defaults(of)) == 0 {
			return fmt.Errorf("spec.%s is not usable: Cloudflare's document has no default of %s: set %s or %s", by, of, kind.Restore, kind.Leave)
		}
	}
	return nil
}
