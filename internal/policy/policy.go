// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package policy reads management policies.
package policy

import (
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// May reports whether the management policies of mg include a.
func May(mg resource.Managed, a xpv2.ManagementAction) bool {
	p := mg.GetManagementPolicies()
	return slices.Contains(p, a) || slices.Contains(p, xpv2.ManagementActionAll)
}

// Manages reports whether mg may change anything outside the cluster, rather
// than only observe.
func Manages(mg resource.Managed) bool {
	return May(mg, xpv2.ManagementActionCreate) || May(mg, xpv2.ManagementActionUpdate) || May(mg, xpv2.ManagementActionDelete)
}
