// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import (
	"context"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// ConfigOf gives the provider config of each object, as kube's cache shows it: its
// name with its kind, and "" for an object that is not there.
func ConfigOf(kube client.Reader, empty func() resource.Managed) func(types.NamespacedName) string {
	return func(key types.NamespacedName) string {
		mg, ok := empty().(resource.ModernManaged)
		// It is only read, so the cache's own copy will do.
		if !ok || kube.Get(context.Background(), key, mg, client.UnsafeDisableDeepCopy) != nil {
			return ""
		}
		ref := mg.GetProviderConfigReference()
		switch {
		case ref == nil: // As the API server's default has it.
			return cfv1alpha1.ClusterProviderConfigKind + " default"
		case ref.Kind == cfv1alpha1.ProviderConfigKind:
			return ref.Kind + " " + key.Namespace + "/" + ref.Name
		}
		return ref.Kind + " " + ref.Name
	}
}
