// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"errors"

	kerrors "k8s.io/apimachinery/pkg/api/errors"
)

// IsWithout reports whether err, of a managed resource or a provider config that gets no Session,
// says that there is no credential for it: the config or its Secret is not there, has none, or
// serves nobody any more. That Kubernetes could not be asked is no such error.
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

// Unwrap gives the cause.
func (e *NoCredentialError) Unwrap() error { return e.Cause }

// missing is err as a *NoCredentialError where it says that a provider config does not exist.
func missing(err error) error {
	if kerrors.IsNotFound(err) {
		return &NoCredentialError{Cause: err}
	}
	return err
}

// without is err as a *NoCredentialError where that is what it says.
func without(err error) error {
	if isWithdrawal(err) {
		return &NoCredentialError{Cause: err}
	}
	return err
}
