// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import "k8s.io/apimachinery/pkg/util/intstr"

// RecordData is the structured form of a record's content. Which fields apply
// depends on the record's type; a field that does not belong to the type is
// refused. Names are those of the Cloudflare API in camel case.
type RecordData struct {
	// Flags: CAA (0-255), DNSKEY (0-65535), NAPTR ("S", "A", "U", "P" or "").
	// +optional
	Flags *intstr.IntOrString `json:"flags,omitempty"`
	// Tag: CAA ("issue", "issuewild", "iodef", ...).
	// +optional
	Tag *string `json:"tag,omitempty"`
	// Value: CAA (the property's value), HTTPS and SVCB (the SvcParams).
	// +optional
	Value *string `json:"value,omitempty"`

	// Type: CERT and SSHFP (a number).
	// +optional
	Type *int64 `json:"type,omitempty"`
	// KeyTag: CERT, DS.
	// +optional
	KeyTag *int64 `json:"keyTag,omitempty"`
	// Algorithm: CERT, DNSKEY, DS, SSHFP.
	// +optional
	Algorithm *int64 `json:"algorithm,omitempty"`
	// Certificate: CERT (base64), SMIMEA and TLSA (hexadecimal).
	// +optional
	Certificate *string `json:"certificate,omitempty"`

	// Protocol: DNSKEY (always 3).
	// +optional
	Protocol *int64 `json:"protocol,omitempty"`
	// PublicKey: DNSKEY (base64).
	// +optional
	PublicKey *string `json:"publicKey,omitempty"`

	// DigestType: DS.
	// +optional
	DigestType *int64 `json:"digestType,omitempty"`
	// Digest: DS (hexadecimal).
	// +optional
	Digest *string `json:"digest,omitempty"`

	// Priority: HTTPS, SRV, SVCB, URI.
	// +optional
	Priority *int64 `json:"priority,omitempty"`
	// Target: HTTPS, SRV, SVCB, URI.
	// +optional
	Target *string `json:"target,omitempty"`
	// Weight: SRV, URI.
	// +optional
	Weight *int64 `json:"weight,omitempty"`
	// Port: SRV.
	// +optional
	Port *int64 `json:"port,omitempty"`

	// LatDegrees: LOC (0-90).
	// +optional
	LatDegrees *int64 `json:"latDegrees,omitempty"`
	// LatMinutes: LOC (0-59).
	// +optional
	LatMinutes *int64 `json:"latMinutes,omitempty"`
	// LatSeconds: LOC (0-59.999; a fraction is written as a string, "8.5").
	// +optional
	LatSeconds *intstr.IntOrString `json:"latSeconds,omitempty"`
	// LatDirection: LOC (N or S).
	// +optional
	LatDirection *string `json:"latDirection,omitempty"`
	// LongDegrees: LOC (0-180).
	// +optional
	LongDegrees *int64 `json:"longDegrees,omitempty"`
	// LongMinutes: LOC (0-59).
	// +optional
	LongMinutes *int64 `json:"longMinutes,omitempty"`
	// LongSeconds: LOC (0-59.999; a fraction is written as a string).
	// +optional
	LongSeconds *intstr.IntOrString `json:"longSeconds,omitempty"`
	// LongDirection: LOC (E or W).
	// +optional
	LongDirection *string `json:"longDirection,omitempty"`
	// Altitude: LOC (metres; a fraction is written as a string).
	// +optional
	Altitude *intstr.IntOrString `json:"altitude,omitempty"`
	// Size: LOC (metres; a fraction is written as a string).
	// +optional
	Size *intstr.IntOrString `json:"size,omitempty"`
	// PrecisionHorz: LOC (metres; a fraction is written as a string).
	// +optional
	PrecisionHorz *intstr.IntOrString `json:"precisionHorz,omitempty"`
	// PrecisionVert: LOC (metres; a fraction is written as a string).
	// +optional
	PrecisionVert *intstr.IntOrString `json:"precisionVert,omitempty"`

	// Order: NAPTR.
	// +optional
	Order *int64 `json:"order,omitempty"`
	// Preference: NAPTR.
	// +optional
	Preference *int64 `json:"preference,omitempty"`
	// Service: NAPTR.
	// +optional
	Service *string `json:"service,omitempty"`
	// Regex: NAPTR.
	// +optional
	Regex *string `json:"regex,omitempty"`
	// Replacement: NAPTR.
	// +optional
	Replacement *string `json:"replacement,omitempty"`

	// Usage: SMIMEA, TLSA.
	// +optional
	Usage *int64 `json:"usage,omitempty"`
	// Selector: SMIMEA, TLSA.
	// +optional
	Selector *int64 `json:"selector,omitempty"`
	// MatchingType: SMIMEA, TLSA.
	// +optional
	MatchingType *int64 `json:"matchingType,omitempty"`

	// Fingerprint: SSHFP (hexadecimal).
	// +optional
	Fingerprint *string `json:"fingerprint,omitempty"`
}
