// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"context"
	"fmt"

	authv1 "k8s.io/api/authorization/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

// canWatchCRDs reports whether this process may watch CustomResourceDefinitions, which
// safe start needs. A package without that capability does not get the right to.
func canWatchCRDs(ctx context.Context, mgr ctrl.Manager) (bool, error) {
	for _, verb := range []string{"get", "list", "watch"} {
		r := &authv1.SelfSubjectAccessReview{Spec: authv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authv1.ResourceAttributes{
				Group: apiextensionsv1.GroupName, Resource: "customresourcedefinitions", Verb: verb,
			},
		}}
		if err := mgr.GetClient().Create(ctx, r); err != nil {
			return false, fmt.Errorf("cannot ask whether CustomResourceDefinitions may be watched: %w", err)
		}
		if !r.Status.Allowed {
			return false, nil
		}
	}
	return true, nil
}
