// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// defaultConfig is the name of the ClusterProviderConfig for objects that name no provider config.
const defaultConfig = "default"

// A ConfigRef names one provider config of the cluster. Two objects use the same
// provider config exactly if their ConfigRefs are equal.
type ConfigRef struct {
	Kind string
	// NamespacedName has a namespace for a ProviderConfig only.
	types.NamespacedName
}

// String returns the kind and the name, for messages.
func (r ConfigRef) String() string {
	if r.Namespace == "" {
		return r.Kind + " " + r.Name
	}
	return r.Kind + " " + r.NamespacedName.String()
}

// RefOf returns the provider config that a managed resource uses: a ProviderConfig of its own
// namespace, or a ClusterProviderConfig. If it names none, that is the ClusterProviderConfig that
// the API server's default names.
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
