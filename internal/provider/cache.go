// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// stripMetadata removes metadata that no controller reads from objects of the cache.
// Only the metadata of Secrets is cached, and kubectl's last-applied annotation would
// hold a Secret's content. Managed resources keep that annotation: their reconciler
// updates whole objects, and would remove it.
func stripMetadata(obj any) (any, error) {
	o, ok := obj.(metav1.Object)
	if !ok {
		return obj, nil
	}
	o.SetManagedFields(nil)
	if _, partial := obj.(*metav1.PartialObjectMetadata); partial {
		o.SetAnnotations(nil)
	}
	return obj, nil
}
