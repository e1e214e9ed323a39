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

// ofCredential ends the place of what belongs to a user: the credential that it was last seen
// with. No path of such a resource says whose it is.
const ofCredential = " credential=" //nolint:gosec // What follows is a fingerprint.

// place is what is recorded of the parent of that key.
func (a *adapter) place(key string) string {
	if a.Description.Scope != kind.User {
		return key
	}
	return key + ofCredential + cloudflare.CredentialLabel(a.session.Client.Fingerprint())
}

// sameCredential reports whether a place was recorded with the credential of the session, by whichever version.
func (a *adapter) sameCredential(place string) bool {
	_, label, ok := strings.Cut(place, ofCredential)
	return ok && a.session.Client.ShownAs(label)
}

// listed is the key of the parent of a place, the same for all credentials.
func listed(place string) string {
	key, _, _ := strings.Cut(place, ofCredential)
	return key
}

// found reports whether the credential sees the resource of the object. Then it is one of the
// user that the resource belongs to, whatever the credential was before.
func (a *adapter) found(ctx context.Context) (bool, error) {
	id := meta.GetExternalName(a.mg)
	if id == "" {
		return false, nil
	}
	_, err := a.all.Get(ctx, id)
	var gone *kindapi.GoneError
	if errors.As(err, &gone) {
		return false, nil
	}
	return err == nil, err
}

// actsForUser is an error where resources belong to the credential's user and there is none.
func (a *adapter) actsForUser(ctx context.Context) error {
	if a.Description.Scope != kind.User {
		return nil
	}
	if _, err := a.session.Client.UserTokenID(ctx); err != nil {
		return fmt.Errorf("cannot act for a user: %w", err)
	}
	return nil
}
