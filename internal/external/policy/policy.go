// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package policy reads management policies.
package policy

import (
	"fmt"
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

// An AbsentError says that the external resource of an object does not exist, and that the object
// may not create it.
type AbsentError struct{ What string }

func (e *AbsentError) Error() string {
	return fmt.Sprintf("the %[1]s does not exist: there is none that this object has or may take over, "+
		"and spec.managementPolicies does not let it create one: make one at Cloudflare, or add Create to spec.managementPolicies", e.What)
}

// Absent returns an *AbsentError for an object whose external resource is proven not to exist,
// unless the object may create it or its only policy is Observe. The runtime handles these two
// cases: it calls Create, or reports that there is no resource. In all other cases it would update
// nothing, or report success.
func Absent(mg resource.Managed, what string) error {
	observes := slices.Equal(mg.GetManagementPolicies(), xpv2.ManagementPolicies{xpv2.ManagementActionObserve})
	if observes || May(mg, xpv2.ManagementActionCreate) {
		return nil
	}
	return &AbsentError{What: what}
}
