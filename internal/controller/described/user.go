// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
)

// ofCredential precedes, in the place of a resource that belongs to a user, the credential that it was last seen
// with. No path of such a resource says which user it belongs to.
const ofCredential = " credential=" //nolint:gosec // What follows is a fingerprint.

// place returns what the status records of the parent of that key.
func (a *adapter) place(key string) string {
	if a.Description.Scope != kind.User {
		return key
	}
	return key + ofCredential + cloudflare.CredentialLabel(a.session.Client.Fingerprint())
}

// sameCredential reports whether a place was recorded with the credential of the session, by any version of the
// provider.
func (a *adapter) sameCredential(place string) bool {
	_, label, ok := strings.Cut(place, ofCredential)
	return ok && a.session.Client.ShownAs(label)
}

// listed returns the key of the parent in a place, the same for all credentials.
func listed(place string) string {
	key, _, _ := strings.Cut(place, ofCredential)
	return key
}

// found reports whether the credential sees the resource of the object. If so, it is a credential of the user that
// the resource belongs to, independent of the credential before.
func (a *adapter) found(ctx context.Context) (bool, error) {
	id := meta.GetExternalName(a.mg)
	if id == "" {
		return false, nil
	}
	_, err := a.all.Get(ctx, id)
	var gone *kindapi.NotFoundError
	if errors.As(err, &gone) {
		return false, nil
	}
	return err == nil, err
}

// actsForUser returns an error if resources belong to the credential's user and there is none.
func (a *adapter) actsForUser(ctx context.Context) error {
	if a.Description.Scope != kind.User {
		return nil
	}
	if _, err := a.session.Client.UserTokenID(ctx); err != nil {
		return fmt.Errorf("cannot act for a user: %w", err)
	}
	return nil
}
