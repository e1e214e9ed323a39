// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A SecretKeyReference names a key of a Secret in the namespace of the object that has
// the reference.
type SecretKeyReference struct {
	// The name of the Secret.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
	// The key of the Secret whose value is taken.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Key string `json:"key"`
}

// A ConfigMapKeyReference names a key of a ConfigMap in the namespace of the object that has
// the reference.
type ConfigMapKeyReference struct {
	// The name of the ConfigMap.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
	// The key of the ConfigMap whose value is taken, of data or binaryData.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Key string `json:"key"`
}

// AdoptionPolicy says whether what exists already may be taken over.
// +kubebuilder:validation:Enum=Identical;Never
type AdoptionPolicy string

const (
	// AdoptIdentical takes over what has the same name.
	AdoptIdentical AdoptionPolicy = "Identical"
	// AdoptNever refuses to take anything over.
	AdoptNever AdoptionPolicy = "Never"
)

// Ownership says whether the external resource that a status shows is the object's. No user
// writes it. It is empty on objects that an earlier version saw last.
// +kubebuilder:validation:Enum=Own;Adopting;Observed
type Ownership string

const (
	// OwnershipOwn is of a resource that the object has created or taken over.
	OwnershipOwn Ownership = "Own"
	// OwnershipAdopting is of a resource that the object is about to take over: it is the object's once the external name is
	// its ID.
	OwnershipAdopting Ownership = "Adopting"
	// OwnershipObserved is of a resource that the object has only looked at.
	OwnershipObserved Ownership = "Observed"
)

// SecretPolicy says what happens when a connection secret is lost whose value Cloudflare
// shows only once.
// +kubebuilder:validation:Enum=Keep;RollIfMissing
type SecretPolicy string

const (
	// KeepSecret leaves the value as it is, and says that it is lost.
	KeepSecret SecretPolicy = "Keep"
	// RollSecretIfMissing makes a new value, which ends the old one.
	RollSecretIfMissing SecretPolicy = "RollIfMissing"
)

// SyncStatus is what the provider remembers of its own writes. It holds no value that is
// secret: of those, only hashes, against which no value can be tried without the provider's key.
type SyncStatus struct {
	// Where Cloudflare keeps the resource: the path of the list that it is in, or
	// its own. Its ID tells it from others there.
	// +optional
	Parent string `json:"parent,omitempty"`
	// The zone that the resource is in.
	// +optional
	Zone *ZonePlace `json:"zone,omitempty"`
	// When a write to Cloudflare for this object last succeeded.
	// +optional
	LastSyncedAt *metav1.Time `json:"lastSyncedAt,omitempty"`
	// The fields that Cloudflare answered otherwise than they were sent.
	// +optional
	// +listType=map
	// +listMapKey=path
	Echo []FieldEcho `json:"echo,omitempty"`
	// The values that were sent last and that no answer has, such as those of
	// Secrets.
	// +optional
	// +listType=map
	// +listMapKey=path
	Secrets []FieldHash `json:"secrets,omitempty"`
	// The values of the connection secret that a call of their own got, each with what it
	// belongs to: the resource, and the values of Secrets that were sent last.
	// The path is the key.
	// +optional
	// +listType=map
	// +listMapKey=path
	Details []FieldHash `json:"details,omitempty"`
	// Resources that another one has replaced, and that are still to be revoked.
	// +optional
	// +listType=map
	// +listMapKey=id
	Superseded []SupersededResource `json:"superseded,omitempty"`
	// What the resource was when the object took it over, as JSON: what the deletion of the
	// object can restore.
	// +optional
	Before string `json:"before,omitempty"`
	// That the first write to a resource which exists without its object was begun, and that
	// nobody knows yet whether it was made: what was to be written, as a hash.
	// +optional
	Writing string `json:"writing,omitempty"`
	// The salt of the hashes.
	// +optional
	Salt string `json:"salt,omitempty"`
}

// A ZonePlace is where a zone is. An account has one zone of a name at a time, so that a zone that was made again is known by it.
type ZonePlace struct {
	// The ID of the zone.
	// +required
	ID string `json:"id"`
	// Its name.
	// +required
	Name string `json:"name"`
	// The ID of the account that it is in.
	// +required
	AccountID string `json:"accountId"`
}

// A SupersededResource is a resource that another one has replaced, and that is still to be revoked.
type SupersededResource struct {
	// The ID of the resource.
	// +required
	ID string `json:"id"`
	// The ID of the one that replaces it. It is the object's from when it exists.
	// +optional
	ReplacedBy string `json:"replacedBy,omitempty"`
	// Since when the connection secret has the one that replaced it.
	// +optional
	ReplacedAt *metav1.Time `json:"replacedAt,omitempty"`
}

// A FieldEcho is what Cloudflare made of a value that the provider sent.
type FieldEcho struct {
	// The path of the field, as Cloudflare names it.
	// +required
	Path string `json:"path"`
	// The hash of what was sent.
	// +optional
	Desired string `json:"desired,omitempty"`
	// The hash of what came back.
	// +optional
	Answer string `json:"answer,omitempty"`
}

// A FieldHash is the hash of a field's value.
type FieldHash struct {
	// The path of the field, as Cloudflare names it.
	// +required
	Path string `json:"path"`
	// The hash of the value.
	// +optional
	Hash string `json:"hash,omitempty"`
}

// Empty is an object without members: its presence is what it says.
type Empty struct{}
