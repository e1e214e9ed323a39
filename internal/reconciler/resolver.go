// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A ReferenceResolver resolves references and persists the results under the object's resource
// version. The runtime's own resolver takes over a newer version from the API server, while
// its reconcile continues with the policies of the older one.
type ReferenceResolver struct {
	kube    client.Client
	resolve Resolve
}

// A Resolve sets the fields of mg that its references fill in. It reads the referenced objects
// with r.
type Resolve func(ctx context.Context, r client.Reader, mg resource.Managed) error

// NewReferenceResolver returns a ReferenceResolver that resolves objects with resolve.
func NewReferenceResolver(kube client.Client, resolve Resolve) ReferenceResolver {
	return ReferenceResolver{kube: kube, resolve: resolve}
}

// ResolveReferences resolves and persists the references of mg. A conflict means that mg is
// not the latest version.
func (r ReferenceResolver) ResolveReferences(ctx context.Context, mg resource.Managed) error {
	before, ok := mg.DeepCopyObject().(resource.Managed)
	if !ok {
		return fmt.Errorf("cannot copy %T", mg)
	}
	if err := r.resolve(ctx, r.kube, mg); err != nil {
		return fmt.Errorf("cannot resolve references: %w", err)
	}
	if equality.Semantic.DeepEqual(before, mg) {
		return nil
	}
	if err := r.kube.Patch(ctx, mg, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("cannot persist the resolved references: %w", err)
	}
	return nil
}
