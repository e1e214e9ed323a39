// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	apisv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// AdoptionPolicy says which existing records an object without an external name
// may take over.
// +kubebuilder:validation:Enum=Identical;NameAndType;Never
type AdoptionPolicy string

const (
	// AdoptIdentical takes over a live record with the same type, name and content.
	AdoptIdentical AdoptionPolicy = "Identical"
	// AdoptNameAndType takes over the only live record of the same name and type,
	// whatever its content.
	AdoptNameAndType AdoptionPolicy = "NameAndType"
	// AdoptNever refuses to take over any record.
	AdoptNever AdoptionPolicy = "Never"
)

// RecordOwner is another controller that marks records as its own.
// +kubebuilder:validation:Enum=ExternalDNS;ACME;Tunnel
type RecordOwner string

const (
	// OwnerExternalDNS is external-dns, by its registry of TXT records.
	OwnerExternalDNS RecordOwner = "ExternalDNS"
	// OwnerACME is an ACME client such as cert-manager, by the name _acme-challenge.
	OwnerACME RecordOwner = "ACME"
	// OwnerTunnel is Cloudflare Tunnel, by a CNAME to a tunnel.
	OwnerTunnel RecordOwner = "Tunnel"
)

// RecordSettings are per-record settings of the Cloudflare API.
type RecordSettings struct {
	// Whether Cloudflare resolves a CNAME and answers with its addresses.
	// Only for CNAME records, on paid plans.
	// +optional
	FlattenCNAME *bool `json:"flattenCname,omitempty"`
	// Whether a proxied A, AAAA or CNAME is answered with IPv4 addresses only.
	// +optional
	IPv4Only *bool `json:"ipv4Only,omitempty"`
	// Whether a proxied A, AAAA or CNAME is answered with IPv6 addresses only.
	// +optional
	IPv6Only *bool `json:"ipv6Only,omitempty"`
}

// RecordParameters are the desired state of a DNS record.
//
// Each rule runs at every write of an object, and the API server pays for each look
// at a field here by the number of fields there are. So a rule about one field
// stands at that field, and the others look first at what is most often decisive.
// +kubebuilder:validation:XValidation:rule="!has(self.data) || !has(self.content)",message="set content or data, not both"
// +kubebuilder:validation:XValidation:rule="!(has(self.tunnelId) || has(self.tunnelIdRef) || has(self.tunnelIdSelector)) || !(has(self.content) || has(self.data))",message="a tunnel takes the place of content and data: leave them out"
// +kubebuilder:validation:XValidation:rule="!(has(self.tunnelId) || has(self.tunnelIdRef) || has(self.tunnelIdSelector)) || self.?type.orValue('CNAME') == 'CNAME'",message="a record of a tunnel is a CNAME: set type to CNAME"
// +kubebuilder:validation:XValidation:rule="!(has(self.tunnelId) || has(self.tunnelIdRef) || has(self.tunnelIdSelector)) || self.?proxied.orValue(true)",message="a tunnel answers only through Cloudflare's proxy: set proxied to true or leave it out"
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.zoneIdRef) || !has(oldSelf.zoneId) || !has(self.zoneIdRef) || !has(self.zoneId) || self.zoneIdRef.name == oldSelf.zoneIdRef.name",message="zoneIdRef is resolved to zoneId: to refer to another Zone object of the same zone, remove zoneId in the same edit"
// +kubebuilder:validation:XValidation:rule="has(self.zoneId) || has(self.zoneIdRef) || has(self.zoneIdSelector) || has(self.zoneName)",message="name the zone with one of zoneId, zoneIdRef, zoneIdSelector or zoneName"
// +kubebuilder:validation:XValidation:rule="!has(self.zoneName) || !(has(self.zoneIdRef) || has(self.zoneIdSelector))",message="zoneName cannot be combined with zoneIdRef or zoneIdSelector"
// +kubebuilder:validation:XValidation:rule="!self.?proxied.orValue(false) || self.?type.orValue('A') in ['A', 'AAAA', 'CNAME']",message="only A, AAAA and CNAME records can be proxied: set proxied to false or leave it out"
// +kubebuilder:validation:XValidation:rule="self.?type.orValue('A') != 'MX' || has(self.priority) || has(self.data) || !has(self.content) || self.content.matches('^[0-9]+[ \\\\t]')",message="an MX record needs a priority: set priority, or write it in content (\"10 mail.example.com.\")"
// +kubebuilder:validation:XValidation:rule="!has(self.priority) || !has(self.type) || self.type in ['MX', 'URI', 'SRV', 'HTTPS', 'SVCB']",message="only MX, URI, SRV, HTTPS and SVCB records have a priority: leave it out"
// +kubebuilder:validation:XValidation:rule="!has(self.settings) || !has(self.settings.flattenCname) || !self.settings.flattenCname || !has(self.type) || self.type == 'CNAME'",message="settings.flattenCname is for CNAME records only"
type RecordParameters struct {
	// The ID of the zone (32 hexadecimal characters).
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="zoneId is immutable: to keep the live record, set spec.deletionPolicy to Orphan first; then delete this object and create another"
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{32}$`
	// +crossplane:generate:reference:type=github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1.Zone
	ZoneID *string `json:"zoneId,omitempty"`

	// A reference to the Zone to read zoneId from.
	// +optional
	ZoneIDRef *xpv2.NamespacedReference `json:"zoneIdRef,omitempty"`

	// Selects the Zone to read zoneId from.
	// +optional
	ZoneIDSelector *xpv2.NamespacedSelector `json:"zoneIdSelector,omitempty"`

	// The name of the zone ("example.com"), looked up with the
	// credential at hand. It needs a token that can read zones. Beside it, zoneId
	// must be the ID of the same zone.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="zoneName is immutable: to keep the live record, set spec.deletionPolicy to Orphan first; then delete this object and create another"
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=255
	ZoneName *string `json:"zoneName,omitempty"`

	// The name of the record: "@" for the zone itself, relative to the zone ("www"),
	// or fully qualified ("www.example.com"). Unicode, mixed case and a trailing
	// dot are accepted. A fully qualified name is required where the token cannot
	// read the zone.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=255
	Name *string `json:"name,omitempty"`

	// The type of the record.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="type is immutable: to keep the live record, set spec.deletionPolicy to Orphan first; then delete this object and create another"
	// +kubebuilder:validation:Enum=A;AAAA;CAA;CERT;CNAME;DNSKEY;DS;HTTPS;LOC;MX;NAPTR;NS;OPENPGPKEY;PTR;SMIMEA;SRV;SSHFP;SVCB;TLSA;TXT;URI
	Type *string `json:"type,omitempty"`

	// The record's data in presentation format, for every type:
	// "192.0.2.1" for A, "10 5 5060 sip.example.com." for SRV. A TXT record takes
	// plain text or quoted character-strings.
	// +optional
	// +kubebuilder:validation:MaxLength=20480
	Content *string `json:"content,omitempty"`

	// The record's data in structured form, instead of content.
	// +optional
	Data *RecordData `json:"data,omitempty"`

	// The ID of the tunnel that the record leads to, instead of content: the record is a
	// proxied CNAME to TUNNEL.cfargotunnel.com.
	// +optional
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`
	// +crossplane:generate:reference:type=github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1.Tunnel
	TunnelID *string `json:"tunnelId,omitempty"`

	// A reference to the Tunnel to read tunnelId from, at each reconcile: the record follows
	// a Tunnel that gets another ID.
	// +optional
	TunnelIDRef *xpv2.NamespacedReference `json:"tunnelIdRef,omitempty"`

	// Selects the Tunnel to read tunnelId from.
	// +optional
	TunnelIDSelector *xpv2.NamespacedSelector `json:"tunnelIdSelector,omitempty"`

	// The priority of an MX, SRV, URI, HTTPS or SVCB record whose content does not
	// start with it.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=65535
	Priority *int64 `json:"priority,omitempty"`

	// The time to live in seconds: 1 is automatic, else 60 to 86400 (from 30 on Enterprise).
	// Ignored under proxied, where it is always automatic.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == 1 || (self >= 30 && self <= 86400)",message="ttl must be 1 (automatic) or 60 to 86400 seconds (30 to 59 on Enterprise only)"
	TTL *int64 `json:"ttl,omitempty"`

	// Whether Cloudflare's proxy answers for this record.
	// +optional
	Proxied *bool `json:"proxied,omitempty"`

	// A comment on the record. Left out, it is not managed.
	// +optional
	// +kubebuilder:validation:MaxLength=500
	// +kubebuilder:validation:XValidation:rule="!self.contains('\\n') && !self.contains('\\r')",message="comment must be a single line"
	Comment *string `json:"comment,omitempty"`

	// The tags of the record ("name:value"), a set. Left out, they are not managed;
	// an empty list removes them all.
	// +optional
	// +nullable
	// +listType=set
	// +kubebuilder:validation:MaxItems=20
	// +kubebuilder:validation:items:MaxLength=133
	Tags *[]string `json:"tags,omitempty"`

	// The settings of the record. Left out, they are not managed.
	// +optional
	Settings *RecordSettings `json:"settings,omitempty"`
}

// RecordObservation is a DNS record as Cloudflare holds it.
type RecordObservation struct {
	// The ID of the record.
	// +optional
	ID string `json:"id,omitempty"`
	// The ID of the record's zone.
	// +optional
	ZoneID string `json:"zoneId,omitempty"`
	// The name of the record's zone, where the credential can read it.
	// +optional
	ZoneName string `json:"zoneName,omitempty"`
	// The name of the record, fully qualified, as Cloudflare writes it.
	// +optional
	Name string `json:"name,omitempty"`
	// The fully qualified name of the record: lower case, punycode, no trailing dot. It is
	// here as soon as the name is known, before the record exists.
	// +optional
	FQDN string `json:"fqdn,omitempty"`
	// The type of the record.
	// +optional
	Type string `json:"type,omitempty"`
	// The content as Cloudflare renders it.
	// +optional
	Content string `json:"content,omitempty"`
	// The structured content.
	// +optional
	Data *ObservedRecordData `json:"data,omitempty"`
	// The priority of the record.
	// +optional
	Priority *int64 `json:"priority,omitempty"`
	// The time to live in seconds; 1 is automatic.
	// +optional
	TTL *int64 `json:"ttl,omitempty"`
	// Whether Cloudflare's proxy answers for this record.
	// +optional
	Proxied *bool `json:"proxied,omitempty"`
	// Whether the record could be proxied.
	// +optional
	Proxiable *bool `json:"proxiable,omitempty"`
	// The comment on the record.
	// +optional
	Comment *string `json:"comment,omitempty"`
	// The tags of the record.
	// +optional
	// +listType=atomic
	Tags []string `json:"tags,omitempty"`
	// The settings of the record.
	// +optional
	Settings *RecordSettings `json:"settings,omitempty"`
	// When the record was created.
	// +optional
	CreatedOn *metav1.Time `json:"createdOn,omitempty"`
	// When the record was last modified.
	// +optional
	ModifiedOn *metav1.Time `json:"modifiedOn,omitempty"`
	// When a write to Cloudflare for this object last succeeded.
	// +optional
	LastSyncedAt *metav1.Time `json:"lastSyncedAt,omitempty"`
}

// A RecordSpec is the desired state of a Record.
// +kubebuilder:validation:XValidation:rule="(has(self.forProvider.name) && has(self.forProvider.type)) || !('*' in self.managementPolicies || 'Create' in self.managementPolicies || 'Update' in self.managementPolicies)",message="forProvider.name and forProvider.type are required unless managementPolicies only observe"
// +kubebuilder:validation:XValidation:rule="has(self.forProvider.content) || has(self.forProvider.data) || has(self.forProvider.tunnelId) || has(self.forProvider.tunnelIdRef) || has(self.forProvider.tunnelIdSelector) || !('*' in self.managementPolicies || 'Create' in self.managementPolicies || 'Update' in self.managementPolicies)",message="forProvider.content, data or tunnelIdRef is required unless managementPolicies only observe"
// +kubebuilder:validation:XValidation:rule="!has(self.providerConfigRef) || self.providerConfigRef.kind in ['ProviderConfig', 'ClusterProviderConfig']",message="providerConfigRef.kind must be ProviderConfig or ClusterProviderConfig"
type RecordSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	// What happens to the DNS record when this object is
	// deleted: Delete removes it, Orphan leaves it. Orphan wins over a
	// managementPolicies that includes Delete.
	// +optional
	// +kubebuilder:default=Delete
	DeletionPolicy xpv2.DeletionPolicy `json:"deletionPolicy,omitempty"`

	// Which existing record this object may take over when it
	// has no external name yet: an Identical one (type, name and content), the
	// only one of the same NameAndType, or Never.
	// +optional
	// +kubebuilder:default=Identical
	AdoptionPolicy AdoptionPolicy `json:"adoptionPolicy,omitempty"`

	// The controllers whose records this object may take over, as
	// adoptionPolicy allows: ExternalDNS (what its TXT records mark, and these), ACME
	// (TXT records below _acme-challenge), Tunnel (a CNAME to a tunnel). Left out, it
	// takes over no record that another controller marks as its own.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=3
	AdoptFrom []RecordOwner `json:"adoptFrom,omitempty"`

	// The desired state of the DNS record.
	// +required
	ForProvider RecordParameters `json:"forProvider"`
}

// A RecordStatus is the observed state of a Record.
type RecordStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	// The record as Cloudflare holds it.
	// +optional
	AtProvider RecordObservation `json:"atProvider,omitempty"`

	// Own where this object has created the record that atProvider shows, or has taken it over,
	// Adopting where it is about to. Observed where it has only looked at it: should it manage it, it takes it over first, as
	// spec.adoptionPolicy allows.
	// +optional
	Ownership apisv1alpha1.Ownership `json:"ownership,omitempty"`

	// The zone that the record is in.
	// +optional
	Zone *apisv1alpha1.ZonePlace `json:"zone,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,cloudflare},shortName=cfdr
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="UPTODATE",type="string",JSONPath=".status.conditions[?(@.type=='UpToDate')].status"
// +kubebuilder:printcolumn:name="TYPE",type="string",JSONPath="..['status.atProvider.type','spec.forProvider.type']"
// +kubebuilder:printcolumn:name="FQDN",type="string",JSONPath="..['status.atProvider.fqdn','spec.forProvider.name']"
// +kubebuilder:printcolumn:name="CONTENT",type="string",JSONPath=".status.atProvider.content"
// +kubebuilder:printcolumn:name="PROXIED",type="boolean",JSONPath=".status.atProvider.proxied"
// +kubebuilder:printcolumn:name="ZONE",type="string",JSONPath="..['status.atProvider.zoneName','spec.forProvider.zoneName']"
// +kubebuilder:printcolumn:name="TTL",type="integer",JSONPath=".status.atProvider.ttl",priority=1
// +kubebuilder:printcolumn:name="ZONE-ID",type="string",JSONPath="..['status.atProvider.zoneId','spec.forProvider.zoneId']",priority=1
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name",priority=1
// +kubebuilder:printcolumn:name="LAST-WRITE",type="date",JSONPath=".status.atProvider.lastSyncedAt",priority=1
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"

// A Record is a DNS record in a Cloudflare zone.
type Record struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// The desired state of this Record.
	// +required
	Spec RecordSpec `json:"spec"`
	// The observed state of this Record.
	// +optional
	Status RecordStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// A RecordList is a list of Records.
type RecordList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Record `json:"items"`
}
