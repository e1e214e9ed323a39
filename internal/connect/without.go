// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"errors"

	kerrors "k8s.io/apimachinery/pkg/api/errors"
)

// IsWithout reports whether err, of a managed resource or a provider config that gets no Session,
// says that there is no credential for it: the config or its Secret does not exist, holds no
// credential, or serves no new objects. It returns false if a request to Kubernetes failed.
func IsWithout(err error) bool {
	var (
		none    *NoCredentialError
		deleted *ConfigDeletedError
	)
	return errors.As(err, &none) || errors.As(err, &deleted)
}

// A NoCredentialError says that a provider config, or its Secret, holds no credential.
type NoCredentialError struct{ Cause error }

func (e *NoCredentialError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *NoCredentialError) Unwrap() error { return e.Cause }

// missing returns err as a *NoCredentialError if it says that a provider config does not exist.
func missing(err error) error {
	if kerrors.IsNotFound(err) {
		return &NoCredentialError{Cause: err}
	}
	return err
}

// without returns err as a *NoCredentialError if it says that a Secret holds no credential.
func without(err error) error {
	if isWithdrawal(err) {
		return &NoCredentialError{Cause: err}
	}
	return err
}
