// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	apisv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// ZoneParameters are the desired state of a Cloudflare zone.
// +kubebuilder:validation:XValidation:rule="!has(self.name) || !has(oldSelf.name) || self.name == oldSelf.name",message="name is immutable: to keep the zone, leave spec.deletionPolicy at Orphan; then delete this object and create another"
// +kubebuilder:validation:XValidation:rule="!has(self.accountId) || !has(oldSelf.accountId) || self.accountId == oldSelf.accountId",message="accountId is immutable: to keep the zone, leave spec.deletionPolicy at Orphan; then delete this object and create another"
type ZoneParameters struct {
	// The name of the zone ("example.com"). Unicode, mixed case and a trailing dot are
	// accepted.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=255
	Name *string `json:"name,omitempty"`

	// The ID of the account (32 hexadecimal characters) that the zone belongs to.
	// Left out, it is the provider config's accountId. It is needed to create a
	// zone, not to adopt one.
	// +optional
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{32}$`
	AccountID *string `json:"accountId,omitempty"`

	// The type of the zone: full (Cloudflare hosts its DNS), partial (a partner or
	// CNAME set-up), secondary, or internal. Left out, a new zone is full and an
	// adopted one keeps its type.
	// +optional
	// +kubebuilder:validation:Enum=full;partial;secondary;internal
	Type *string `json:"type,omitempty"`

	// Whether the zone is paused: Cloudflare then serves its DNS only, without proxy
	// and security.
	// Left out, it is not managed.
	// +optional
	Paused *bool `json:"paused,omitempty"`

	// Custom name servers within the zone (Business and
	// Enterprise plans). Left out, they are not managed; an empty list removes them.
	// +optional
	// +nullable
	// +listType=set
	// +kubebuilder:validation:MaxItems=10
	// +kubebuilder:validation:items:MaxLength=253
	VanityNameServers *[]string `json:"vanityNameServers,omitempty"`
}

// ZoneObservation is a zone as Cloudflare holds it.
type ZoneObservation struct {
	// The ID of the zone.
	// +optional
	ID string `json:"id,omitempty"`
	// The name of the zone.
	// +optional
	Name string `json:"name,omitempty"`
	// The ID of the zone's account.
	// +optional
	AccountID string `json:"accountId,omitempty"`
	// The type of the zone.
	// +optional
	Type string `json:"type,omitempty"`
	// The status of the zone: initializing, pending, active or moved.
	// +optional
	Status string `json:"status,omitempty"`
	// Whether the zone is paused.
	// +optional
	Paused *bool `json:"paused,omitempty"`
	// The name servers that Cloudflare assigned: set these at the registrar.
	// +optional
	// +listType=atomic
	NameServers []string `json:"nameServers,omitempty"`
	// The name servers that the zone had before Cloudflare.
	// +optional
	// +listType=atomic
	OriginalNameServers []string `json:"originalNameServers,omitempty"`
	// The registrar that the zone had before Cloudflare.
	// +optional
	OriginalRegistrar string `json:"originalRegistrar,omitempty"`
	// The custom name servers of the zone.
	// +optional
	// +listType=atomic
	VanityNameServers []string `json:"vanityNameServers,omitempty"`
	// The key to publish in a partial zone's own DNS.
	// +optional
	VerificationKey string `json:"verificationKey,omitempty"`
	// The plan of the zone, by its name ("Free Website").
	// +optional
	Plan string `json:"plan,omitempty"`
	// When the zone was created.
	// +optional
	CreatedOn *metav1.Time `json:"createdOn,omitempty"`
	// When the zone was last modified.
	// +optional
	ModifiedOn *metav1.Time `json:"modifiedOn,omitempty"`
	// When the zone became active.
	// +optional
	ActivatedOn *metav1.Time `json:"activatedOn,omitempty"`
	// When a write to Cloudflare for this object last succeeded.
	// +optional
	LastSyncedAt *metav1.Time `json:"lastSyncedAt,omitempty"`
}

// AdoptionPolicy says whether an existing zone of the same name may be taken over.
// +kubebuilder:validation:Enum=Identical;Never
type AdoptionPolicy string

const (
	// AdoptIdentical takes over an existing zone of the same name (and account,
	// where one is named).
	AdoptIdentical AdoptionPolicy = "Identical"
	// AdoptNever refuses to take over an existing zone.
	AdoptNever AdoptionPolicy = "Never"
)

// A ZoneSpec is the desired state of a Zone.
// +kubebuilder:validation:XValidation:rule="!('*' in self.managementPolicies || 'Create' in self.managementPolicies || 'Update' in self.managementPolicies) || has(self.forProvider.name)",message="forProvider.name is required unless managementPolicies only observe"
// +kubebuilder:validation:XValidation:rule="!has(self.providerConfigRef) || self.providerConfigRef.kind in ['ProviderConfig', 'ClusterProviderConfig']",message="providerConfigRef.kind must be ProviderConfig or ClusterProviderConfig"
type ZoneSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	// What happens to the zone when this object is deleted:
	// Orphan leaves it; Delete deletes it with all its records, and a zone that is
	// added again gets other name servers. Orphan wins over a managementPolicies
	// that includes Delete.
	// +optional
	// +kubebuilder:default=Orphan
	DeletionPolicy xpv2.DeletionPolicy `json:"deletionPolicy,omitempty"`

	// Whether this object may take over a zone that exists already, when it has no
	// external name yet: one of the same name (Identical), or Never.
	// +optional
	// +kubebuilder:default=Identical
	AdoptionPolicy AdoptionPolicy `json:"adoptionPolicy,omitempty"`

	// The desired state of the zone.
	// +required
	ForProvider ZoneParameters `json:"forProvider"`
}

// A ZoneStatus is the observed state of a Zone.
type ZoneStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	// The zone as Cloudflare holds it.
	// +optional
	AtProvider ZoneObservation `json:"atProvider,omitempty"`

	// Own where this object has created the zone that atProvider shows, or has taken it over,
	// Adopting where it is about to. Observed where it has only looked at it: should it manage it, it takes it over first, as
	// spec.adoptionPolicy allows.
	// +optional
	Ownership apisv1alpha1.Ownership `json:"ownership,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,cloudflare},shortName=cfz
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="UPTODATE",type="string",JSONPath=".status.conditions[?(@.type=='UpToDate')].status"
// +kubebuilder:printcolumn:name="ZONE",type="string",JSONPath="..['status.atProvider.name','spec.forProvider.name']"
// +kubebuilder:printcolumn:name="STATUS",type="string",JSONPath=".status.atProvider.status"
// +kubebuilder:printcolumn:name="PAUSED",type="boolean",JSONPath=".status.atProvider.paused",priority=1
// +kubebuilder:printcolumn:name="TYPE",type="string",JSONPath=".status.atProvider.type",priority=1
// +kubebuilder:printcolumn:name="PLAN",type="string",JSONPath=".status.atProvider.plan",priority=1
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name",priority=1
// +kubebuilder:printcolumn:name="LAST-WRITE",type="date",JSONPath=".status.atProvider.lastSyncedAt",priority=1
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"

// A Zone is a zone (a domain) in a Cloudflare account.
type Zone struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// The desired state of this Zone.
	// +required
	Spec ZoneSpec `json:"spec"`
	// The observed state of this Zone.
	// +optional
	Status ZoneStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// A ZoneList is a list of Zones.
type ZoneList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Zone `json:"items"`
}
