// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package v1alpha1 is what a Composition tells the function: which of its tasks to
// do, and what the platform decides about it.
// +kubebuilder:object:generate=true
// +groupName=dns.fn.cloudflare.m.crossplane.io
// +versionName=v1alpha1
package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// GroupVersion is the apiVersion of every input.
const GroupVersion = "dns.fn.cloudflare.m.crossplane.io/v1alpha1"

// Kinds of input.
const (
	KindWebsite  = "Website"
	KindEndpoint = "Endpoint"
)

// A ProviderConfigReference names the credential the Records use.
type ProviderConfigReference struct {
	// Kind is ProviderConfig, of the composite resource's own namespace, or
	// ClusterProviderConfig.
	// +kubebuilder:validation:Enum=ProviderConfig;ClusterProviderConfig
	Kind string `json:"kind"`
	// Name of it.
	// +kubebuilder:validation:MinLength=1
	Name string `json:"name"`
}

// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:resource:categories=crossplane

// A Website makes the Records of a domain with a website and a mail provider.
type Website struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// ProviderConfigRef is the credential of all the Records.
	ProviderConfigRef ProviderConfigReference `json:"providerConfigRef"`
}

// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:resource:categories=crossplane

// An Endpoint makes the Record of a name and its target. What names are allowed, and
// which zone and credential they belong to, is in an EnvironmentConfig for each
// namespace.
type Endpoint struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// EnvironmentPrefix and the composite resource's namespace are together the
	// name of the EnvironmentConfig.
	// +kubebuilder:validation:MinLength=1
	EnvironmentPrefix string `json:"environmentPrefix"`
}
