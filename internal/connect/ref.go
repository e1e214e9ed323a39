// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// defaultConfig is the name of the ClusterProviderConfig that serves objects which
// name no provider config.
const defaultConfig = "default"

// A ConfigRef names one provider config of the cluster. Two objects use the same
// provider config exactly if their ConfigRefs are equal.
type ConfigRef struct {
	Kind string
	// NamespacedName has a namespace for a ProviderConfig only.
	types.NamespacedName
}

// String is the kind and the name, for messages.
func (r ConfigRef) String() string {
	if r.Namespace == "" {
		return r.Kind + " " + r.Name
	}
	return r.Kind + " " + r.NamespacedName.String()
}

// RefOf gives the provider config that a managed resource uses: a ProviderConfig of
// its own namespace, a ClusterProviderConfig, or, where it names none, the
// ClusterProviderConfig that the API server's default names.
func RefOf(mg resource.ModernManaged) ConfigRef {
	ref := mg.GetProviderConfigReference()
	if ref == nil {
		return ConfigRef{Kind: v1alpha1.ClusterProviderConfigKind, NamespacedName: types.NamespacedName{Name: defaultConfig}}
	}
	out := ConfigRef{Kind: ref.Kind, NamespacedName: types.NamespacedName{Name: ref.Name}}
	if ref.Kind != v1alpha1.ClusterProviderConfigKind {
		out.Namespace = mg.GetNamespace()
	}
	return out
}
