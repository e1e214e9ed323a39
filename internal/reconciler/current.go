// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"
	"errors"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var errStale = errors.New("the cache is behind the API server")

// EnsureCurrent asks the API server, past the cache, whether mg is its latest version.
// If not, it returns a conflict, on which the runtime tries again without an event. A
// stale cache shows objects whose creation was recorded a moment ago as if it never had
// been.
func EnsureCurrent(ctx context.Context, api client.Reader, mg resource.Managed) error {
	now := &metav1.PartialObjectMetadata{}
	now.SetGroupVersionKind(mg.GetObjectKind().GroupVersionKind())
	if err := api.Get(ctx, client.ObjectKeyFromObject(mg), now); err != nil {
		return fmt.Errorf("cannot read the object past the cache: %w", err)
	}
	if now.GetResourceVersion() != mg.GetResourceVersion() {
		return kerrors.NewConflict(schema.GroupResource{Group: now.GroupVersionKind().Group, Resource: now.Kind}, mg.GetName(), errStale)
	}
	return nil
}
