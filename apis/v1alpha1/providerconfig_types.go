// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// CredentialsSourceSecret is the one source of credentials there is.
const CredentialsSourceSecret = "Secret"

// LocalSecretKeySelector selects a key of a Secret in the namespace of the
// object that holds the selector.
type LocalSecretKeySelector struct {
	// The name of the Secret.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// The key within the Secret. It holds an API token as it is, or JSON:
	// {"apiToken": "..."} or {"apiKey": "...", "email": "..."}.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Key string `json:"key"`
}

// SecretKeySelector selects a key of a Secret in any namespace.
type SecretKeySelector struct {
	LocalSecretKeySelector `json:",inline"`

	// The namespace of the Secret.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Namespace string `json:"namespace"`
}

// Credentials a ProviderConfig reads from a Secret of its own namespace.
// It cannot name another namespace, or tenants could read each other's tokens.
type Credentials struct {
	// Where the credentials come from: a Secret.
	// +kubebuilder:validation:Enum=Secret
	// +kubebuilder:default=Secret
	// +optional
	Source string `json:"source,omitempty"`

	// The Secret, in the ProviderConfig's namespace, and the key in
	// it that hold the credentials.
	// +required
	SecretRef LocalSecretKeySelector `json:"secretRef"`
}

// ClusterCredentials a ClusterProviderConfig reads from a Secret.
type ClusterCredentials struct {
	// Where the credentials come from: a Secret.
	// +kubebuilder:validation:Enum=Secret
	// +kubebuilder:default=Secret
	// +optional
	Source string `json:"source,omitempty"`

	// The Secret and the key in it that hold the credentials.
	// +required
	SecretRef SecretKeySelector `json:"secretRef"`
}

// RateLimit is the share of the credential's API budget this config may use.
type RateLimit struct {
	// The most API requests this credential may make in
	// five minutes. Cloudflare allows 1,200 per user or account token; leave room
	// for whatever else uses the same credential.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000
	RequestsPerFiveMinutes int32 `json:"requestsPerFiveMinutes"`
}

// SecretsForObservers says what an object that only observes a resource gets of its secrets.
// +kubebuilder:validation:Enum=Withhold;Publish
type SecretsForObservers string

const (
	// WithholdSecrets gives them to the object that manages the resource, and to no other.
	WithholdSecrets SecretsForObservers = "Withhold"
	// PublishSecrets gives them to each object that observes the resource, too.
	PublishSecrets SecretsForObservers = "Publish"
)

// CommonSpec is what both kinds of config have beside their credentials.
type CommonSpec struct {
	// The ID of the Cloudflare account (32 hexadecimal characters) that is used for
	// resources that need one and name none.
	// +optional
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{32}$`
	AccountID *string `json:"accountId,omitempty"`

	// A limit on the API requests that are made with this credential.
	// +optional
	RateLimit *RateLimit `json:"rateLimit,omitempty"`

	// Whether the connection secrets of objects that only observe a resource have its secrets, such as the token of a
	// tunnel. With Withhold they have what is no secret, and with Publish all. Whoever may create an object that uses
	// this config can read with Publish what the credential can read of such secrets.
	// +kubebuilder:default=Withhold
	// +optional
	SecretsForObservers SecretsForObservers `json:"secretsForObservers,omitempty"`

	// The kinds whose objects may use this config: kinds such as Record, or API groups such as
	// dns.cloudflare.m.crossplane.io or dns for short. All by default, but for the kinds of the group iam, which have to
	// be named here where this config has any limit: what is done with a token that they make is limited by nothing.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=128
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=128
	// +kubebuilder:validation:items:Pattern=`^([A-Z][A-Za-z0-9]*|[a-z][a-z0-9]*(\.cloudflare\.m\.crossplane\.io)?)$`
	AllowedKinds []string `json:"allowedKinds,omitempty"`

	// The zones that objects which use this config may be about, by ID or exact name. All by default. Where they are
	// set, what belongs to an account and to no zone of it needs allowedAccounts, and what belongs to neither is refused.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	// +kubebuilder:validation:items:Pattern=`^[^*/:\s]+$`
	AllowedZones []string `json:"allowedZones,omitempty"`

	// The accounts that objects which use this config may be about, by ID or exact name, and the accounts that their zones
	// are in. All by default. Where they are set, what belongs to no account and no zone is refused.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=128
	AllowedAccounts []string `json:"allowedAccounts,omitempty"`
}

// A ProviderConfigSpec is the desired state of a ProviderConfig.
type ProviderConfigSpec struct {
	// The credentials for the Cloudflare API.
	// +required
	Credentials Credentials `json:"credentials"`

	CommonSpec `json:",inline"`
}

// A ClusterProviderConfigSpec is the desired state of a ClusterProviderConfig.
type ClusterProviderConfigSpec struct {
	// The credentials for the Cloudflare API.
	// +required
	Credentials ClusterCredentials `json:"credentials"`

	// The namespaces whose objects may use this config, by their labels. All by default.
	// +optional
	AllowedNamespaces *metav1.LabelSelector `json:"allowedNamespaces,omitempty"`

	CommonSpec `json:",inline"`
}

// A ProviderConfigStatus is the observed state of a ProviderConfig. Its Ready
// condition tells whether Cloudflare accepted the credentials, or why not; its
// SweepsOnTime condition whether the credential's budget lets its zones be listed
// as often as they should be.
type ProviderConfigStatus struct {
	xpv2.ProviderConfigStatus `json:",inline"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,provider,cloudflare},shortName=cfpc
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SECRET-NAME",type="string",JSONPath=".spec.credentials.secretRef.name",priority=1
// +kubebuilder:printcolumn:name="USERS",type="integer",JSONPath=".status.users"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"

// A ProviderConfig is a Cloudflare credential for the managed resources of its
// own namespace.
type ProviderConfig struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// The desired state of this ProviderConfig.
	// +required
	Spec ProviderConfigSpec `json:"spec"`
	// The observed state of this object. Its Ready condition says whether Cloudflare
	// accepts the credentials, or why not. Its SweepsOnTime condition says whether the
	// budget of the credential lets its zones be listed as often as they should be.
	// +optional
	Status ProviderConfigStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// A ProviderConfigList is a list of ProviderConfigs.
type ProviderConfigList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ProviderConfig `json:"items"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:resource:scope=Cluster,categories={crossplane,provider,cloudflare},shortName=cfcpc
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SECRET-NAMESPACE",type="string",JSONPath=".spec.credentials.secretRef.namespace",priority=1
// +kubebuilder:printcolumn:name="SECRET-NAME",type="string",JSONPath=".spec.credentials.secretRef.name",priority=1
// +kubebuilder:printcolumn:name="USERS",type="integer",JSONPath=".status.users"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"

// A ClusterProviderConfig is a Cloudflare credential for managed resources of
// every namespace.
type ClusterProviderConfig struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// The desired state of this ClusterProviderConfig.
	// +required
	Spec ClusterProviderConfigSpec `json:"spec"`
	// The observed state of this object. Its Ready condition says whether Cloudflare
	// accepts the credentials, or why not. Its SweepsOnTime condition says whether the
	// budget of the credential lets its zones be listed as often as they should be.
	// +optional
	Status ProviderConfigStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// A ClusterProviderConfigList is a list of ClusterProviderConfigs.
type ClusterProviderConfigList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ClusterProviderConfig `json:"items"`
}

// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,provider,cloudflare}
// +kubebuilder:printcolumn:name="CONFIG-KIND",type="string",JSONPath=".providerConfigRef.kind"
// +kubebuilder:printcolumn:name="CONFIG-NAME",type="string",JSONPath=".providerConfigRef.name"
// +kubebuilder:printcolumn:name="RESOURCE-KIND",type="string",JSONPath=".resourceRef.kind"
// +kubebuilder:printcolumn:name="RESOURCE-NAME",type="string",JSONPath=".resourceRef.name"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"

// A ProviderConfigUsage says that a managed resource uses a ProviderConfig or a
// ClusterProviderConfig. This version of the provider creates none and reads none: it
// counts the managed resources themselves. The kind is served for Crossplane's
// tools, and for earlier versions of the provider, whose usages are deleted with the
// managed resources that own them.
type ProviderConfigUsage struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	xpv2.TypedProviderConfigUsage `json:",inline"`
}

// +kubebuilder:object:root=true

// A ProviderConfigUsageList is a list of ProviderConfigUsages.
type ProviderConfigUsageList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ProviderConfigUsage `json:"items"`
}
