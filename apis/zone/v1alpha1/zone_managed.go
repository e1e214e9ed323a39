// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// GetManagementPolicies of this Zone: those of its spec, without deletion unless its
// deletion policy is Delete. No policy is Orphan, as the default of the CRD is.
func (mg *Zone) GetManagementPolicies() xpv2.ManagementPolicies {
	dp := mg.Spec.DeletionPolicy
	if dp != xpv2.DeletionDelete {
		dp = xpv2.DeletionOrphan
	}
	return v1alpha1.EffectivePolicies(mg.Spec.ManagementPolicies, dp)
}

// GetLastHandledReconcileAt of this Zone.
func (mg *Zone) GetLastHandledReconcileAt() string {
	return mg.Status.GetLastHandledReconcileAt()
}

// SetLastHandledReconcileAt of this Zone.
func (mg *Zone) SetLastHandledReconcileAt(token string) {
	mg.Status.SetLastHandledReconcileAt(token)
}

// GetWriteConnectionSecretToReference gives none, whatever the spec says: a Zone has
// no connection details. The runtime would write an empty Secret, and read it through
// a cache of every Secret in the cluster.
func (mg *Zone) GetWriteConnectionSecretToReference() *xpv2.LocalSecretReference { return nil }

// GetOwnership of this Zone: Own or Observed, empty where nothing says so yet.
func (mg *Zone) GetOwnership() string { return string(mg.Status.Ownership) }

// SetOwnership of this Zone.
func (mg *Zone) SetOwnership(o string) { mg.Status.Ownership = v1alpha1.Ownership(o) }
