// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// GetManagementPolicies of this Record: those of its spec, without deletion
// where its deletion policy is Orphan.
func (mg *Record) GetManagementPolicies() xpv2.ManagementPolicies {
	return v1alpha1.EffectivePolicies(mg.Spec.ManagementPolicies, mg.Spec.DeletionPolicy)
}

// GetLastHandledReconcileAt of this Record.
func (mg *Record) GetLastHandledReconcileAt() string {
	return mg.Status.GetLastHandledReconcileAt()
}

// SetLastHandledReconcileAt of this Record.
func (mg *Record) SetLastHandledReconcileAt(token string) {
	mg.Status.SetLastHandledReconcileAt(token)
}

// GetWriteConnectionSecretToReference gives none, whatever the spec says: a Record has
// no connection details. The runtime would write an empty Secret, and read it through
// a cache of every Secret in the cluster.
func (mg *Record) GetWriteConnectionSecretToReference() *xpv2.LocalSecretReference { return nil }

// GetOwnership of this Record: Own or Observed, empty where nothing says so yet.
func (mg *Record) GetOwnership() string { return string(mg.Status.Ownership) }

// SetOwnership of this Record.
func (mg *Record) SetOwnership(o string) { mg.Status.Ownership = v1alpha1.Ownership(o) }
