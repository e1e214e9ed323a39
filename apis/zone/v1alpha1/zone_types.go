// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ZoneParameters are the desired state of a Cloudflare zone.
// +kubebuilder:validation:XValidation:rule="!has(self.name) || !has(oldSelf.name) || self.name == oldSelf.name",message="name is immutable: delete this object and create another"
// +kubebuilder:validation:XValidation:rule="!has(self.accountId) || !has(oldSelf.accountId) || self.accountId == oldSelf.accountId",message="accountId is immutable: delete this object and create another"
type ZoneParameters struct {
	// Name of the zone ("example.com"). Unicode, mixed case and a trailing dot are
	// accepted.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=255
	Name *string `json:"name,omitempty"`

	// AccountID is the account (32 hexadecimal characters) the zone belongs to.
	// Left out, it is the provider config's accountId. It is needed to create a
	// zone, not to adopt one.
	// +optional
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{32}$`
	AccountID *string `json:"accountId,omitempty"`

	// Type of the zone: full (Cloudflare hosts its DNS), partial (a partner or
	// CNAME set-up), secondary, or internal. Left out, a new zone is full and an
	// adopted one keeps its type.
	// +optional
	// +kubebuilder:validation:Enum=full;partial;secondary;internal
	Type *string `json:"type,omitempty"`

	// Paused zones are served by Cloudflare's DNS only: no proxy, no security.
	// Left out, it is not managed.
	// +optional
	Paused *bool `json:"paused,omitempty"`

	// VanityNameServers are custom name servers within the zone (Business and
	// Enterprise plans). Left out, they are not managed; an empty list removes them.
	// +optional
	// +nullable
	// +listType=set
	// +kubebuilder:validation:MaxItems=10
	// +kubebuilder:validation:items:MaxLength=253
	VanityNameServers *[]string `json:"vanityNameServers,omitempty"`

	// AllowDeletion must be true before deleting this object may delete the zone
	// with all its records. A zone that was deleted and added again gets other name
	// servers.
	// +optional
	AllowDeletion *bool `json:"allowDeletion,omitempty"`
}

// ZoneObservation is a zone as Cloudflare holds it.
type ZoneObservation struct {
	// ID of the zone.
	// +optional
	ID string `json:"id,omitempty"`
	// Name of the zone.
	// +optional
	Name string `json:"name,omitempty"`
	// AccountID is the account of the zone.
	// +optional
	AccountID string `json:"accountId,omitempty"`
	// Type of the zone.
	// +optional
	Type string `json:"type,omitempty"`
	// Status of the zone: initializing, pending, active or moved.
	// +optional
	Status string `json:"status,omitempty"`
	// Paused tells whether the zone is paused.
	// +optional
	Paused *bool `json:"paused,omitempty"`
	// NameServers that Cloudflare assigned: set these at the registrar.
	// +optional
	// +listType=atomic
	NameServers []string `json:"nameServers,omitempty"`
	// OriginalNameServers the zone had before Cloudflare.
	// +optional
	// +listType=atomic
	OriginalNameServers []string `json:"originalNameServers,omitempty"`
	// OriginalRegistrar the zone had before Cloudflare.
	// +optional
	OriginalRegistrar string `json:"originalRegistrar,omitempty"`
	// VanityNameServers of the zone.
	// +optional
	// +listType=atomic
	VanityNameServers []string `json:"vanityNameServers,omitempty"`
	// VerificationKey to publish in a partial zone's own DNS.
	// +optional
	VerificationKey string `json:"verificationKey,omitempty"`
	// Plan of the zone, by its name ("Free Website").
	// +optional
	Plan string `json:"plan,omitempty"`
	// CreatedOn is when the zone was created.
	// +optional
	CreatedOn *metav1.Time `json:"createdOn,omitempty"`
	// ModifiedOn is when the zone was last modified.
	// +optional
	ModifiedOn *metav1.Time `json:"modifiedOn,omitempty"`
	// ActivatedOn is when the zone became active.
	// +optional
	ActivatedOn *metav1.Time `json:"activatedOn,omitempty"`
	// LastSyncedAt is when a write to Cloudflare for this object last succeeded.
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
type ZoneSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	// DeletionPolicy says what happens to the zone when this object is deleted:
	// Delete removes it, if forProvider.allowDeletion is true; Orphan leaves it.
	// Orphan wins over a managementPolicies that includes Delete.
	// +optional
	// +kubebuilder:default=Delete
	DeletionPolicy xpv2.DeletionPolicy `json:"deletionPolicy,omitempty"`

	// AdoptionPolicy says whether an existing zone of this name may be taken over.
	// +optional
	// +kubebuilder:default=Identical
	AdoptionPolicy AdoptionPolicy `json:"adoptionPolicy,omitempty"`

	// ForProvider is the desired zone.
	ForProvider ZoneParameters `json:"forProvider"`
}

// A ZoneStatus is the observed state of a Zone.
type ZoneStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	// AtProvider is the zone as Cloudflare holds it.
	// +optional
	AtProvider ZoneObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,cloudflare},shortName=cfz
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="ZONE",type="string",JSONPath=".status.atProvider.name"
// +kubebuilder:printcolumn:name="STATUS",type="string",JSONPath=".status.atProvider.status"
// +kubebuilder:printcolumn:name="PAUSED",type="boolean",JSONPath=".status.atProvider.paused",priority=1
// +kubebuilder:printcolumn:name="TYPE",type="string",JSONPath=".status.atProvider.type",priority=1
// +kubebuilder:printcolumn:name="PLAN",type="string",JSONPath=".status.atProvider.plan",priority=1
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name",priority=1
// +kubebuilder:printcolumn:name="LAST-SYNC",type="date",JSONPath=".status.atProvider.lastSyncedAt",priority=1
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"

// A Zone is a zone (a domain) in a Cloudflare account.
type Zone struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ZoneSpec   `json:"spec"`
	Status ZoneStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// A ZoneList is a list of Zones.
type ZoneList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Zone `json:"items"`
}
