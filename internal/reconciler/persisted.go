// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"
	"reflect"

	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// isPersisted reports whether the API server has obj exactly as it is. That is so if
// the cache shows an equal object at the same resource version, and is not behind a
// write of this process, which may have changed it.
func isPersisted(ctx context.Context, kube client.Reader, w *Writes, obj client.Object) bool {
	cached, ok := reflect.New(reflect.TypeOf(obj).Elem()).Interface().(client.Object)
	// It is only read, so the cache's own copy is enough.
	if !ok || kube.Get(ctx, client.ObjectKeyFromObject(obj), cached, client.UnsafeDisableDeepCopy) != nil {
		return false
	}
	if cached.GetResourceVersion() != obj.GetResourceVersion() || w.Behind(obj.GetUID(), cached.GetResourceVersion()) {
		return false
	}
	cached.GetObjectKind().SetGroupVersionKind(obj.GetObjectKind().GroupVersionKind())
	return equality.Semantic.DeepEqual(cached, obj)
}
