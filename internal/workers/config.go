// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import (
	"context"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
)

// ConfigOf returns a function that returns the provider config of an object, as kube's
// cache shows it: its name with its kind, or "" for an object that does not exist.
func ConfigOf(kube client.Reader, empty func() resource.Managed) func(types.NamespacedName) string {
	return func(key types.NamespacedName) string {
		mg, ok := empty().(resource.ModernManaged)
		// It is only read, so the cache's own copy is enough.
		if !ok || kube.Get(context.Background(), key, mg, client.UnsafeDisableDeepCopy) != nil {
			return ""
		}
		return connect.RefOf(mg).String()
	}
}
