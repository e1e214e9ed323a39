// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import "k8s.io/apimachinery/pkg/util/intstr"

// ObservedRecordData is the structured form of a record's content as Cloudflare holds it. It has
// the fields of RecordData without their bounds: a status that the API server refuses because of
// what Cloudflare holds would hide the record.
type ObservedRecordData struct {
	// The flags: a number from 0 to 255 for CAA (RFC 8659) and from 0 to 65535 for DNSKEY (RFC
	// 4034), or letters and digits such as "S", "A", "U" or "P" for NAPTR (RFC 3403).
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) != int || (self >= -2147483648 && self <= 2147483647)",message="flags must be a number of at most 32 bits, or a string"
	Flags *intstr.IntOrString `json:"flags,omitempty"`
	// The name of the property of CAA (RFC 8659), such as "issue", "issuewild" or "iodef".
	// +optional
	Tag *string `json:"tag,omitempty"`
	// The value of the property of CAA (RFC 8659), or the parameters of HTTPS and SVCB (RFC
	// 9460).
	// +optional
	Value *string `json:"value,omitempty"`

	// The type of the certificate of CERT (RFC 4398), from 0 to 65535, or of the fingerprint
	// of SSHFP (RFC 4255), from 0 to 255.
	// +optional
	Type *int64 `json:"type,omitempty"`
	// The key tag of CERT (RFC 4398) and DS (RFC 4034).
	// +optional
	KeyTag *int64 `json:"keyTag,omitempty"`
	// The number of the algorithm of CERT (RFC 4398), DNSKEY and DS (RFC 4034), and SSHFP (RFC
	// 4255).
	// +optional
	Algorithm *int64 `json:"algorithm,omitempty"`
	// The certificate of CERT in base64 (RFC 4398), or the certificate association data of
	// SMIMEA (RFC 8162) and TLSA (RFC 6698) in hexadecimal.
	// +optional
	Certificate *string `json:"certificate,omitempty"`

	// The protocol of DNSKEY (RFC 4034), which is always 3.
	// +optional
	Protocol *int64 `json:"protocol,omitempty"`
	// The public key of DNSKEY (RFC 4034) in base64.
	// +optional
	PublicKey *string `json:"publicKey,omitempty"`

	// The number of the digest algorithm of DS (RFC 4034).
	// +optional
	DigestType *int64 `json:"digestType,omitempty"`
	// The digest of DS (RFC 4034) in hexadecimal.
	// +optional
	Digest *string `json:"digest,omitempty"`

	// The priority of HTTPS and SVCB (RFC 9460), SRV (RFC 2782) and URI (RFC 7553): lower ones
	// are preferred.
	// +optional
	Priority *int64 `json:"priority,omitempty"`
	// The host name of HTTPS and SVCB (RFC 9460) and SRV (RFC 2782), or the URI of URI (RFC
	// 7553).
	// +optional
	Target *string `json:"target,omitempty"`
	// The weight of SRV (RFC 2782) and URI (RFC 7553) among those of the same priority.
	// +optional
	Weight *int64 `json:"weight,omitempty"`
	// The port of SRV (RFC 2782).
	// +optional
	Port *int64 `json:"port,omitempty"`

	// The degrees of latitude of LOC (RFC 1876).
	// +optional
	LatDegrees *int64 `json:"latDegrees,omitempty"`
	// The minutes of latitude of LOC (RFC 1876).
	// +optional
	LatMinutes *int64 `json:"latMinutes,omitempty"`
	// The seconds of latitude of LOC (RFC 1876), from 0 to 59.999. Write a fraction as a
	// string, "8.5".
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) != int || (self >= -2147483648 && self <= 2147483647)",message="latSeconds must be a number of at most 32 bits, or a string"
	LatSeconds *intstr.IntOrString `json:"latSeconds,omitempty"`
	// The direction of latitude of LOC (RFC 1876).
	// +optional
	LatDirection *string `json:"latDirection,omitempty"`
	// The degrees of longitude of LOC (RFC 1876).
	// +optional
	LongDegrees *int64 `json:"longDegrees,omitempty"`
	// The minutes of longitude of LOC (RFC 1876).
	// +optional
	LongMinutes *int64 `json:"longMinutes,omitempty"`
	// The seconds of longitude of LOC (RFC 1876), from 0 to 59.999. Write a fraction as a
	// string, "8.5".
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) != int || (self >= -2147483648 && self <= 2147483647)",message="longSeconds must be a number of at most 32 bits, or a string"
	LongSeconds *intstr.IntOrString `json:"longSeconds,omitempty"`
	// The direction of longitude of LOC (RFC 1876).
	// +optional
	LongDirection *string `json:"longDirection,omitempty"`
	// The altitude of LOC (RFC 1876) in metres. Write a fraction as a string.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) != int || (self >= -2147483648 && self <= 2147483647)",message="altitude must be a number of at most 32 bits, or a string"
	Altitude *intstr.IntOrString `json:"altitude,omitempty"`
	// The diameter of the place of LOC (RFC 1876) in metres. Write a fraction as a string.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) != int || (self >= -2147483648 && self <= 2147483647)",message="size must be a number of at most 32 bits, or a string"
	Size *intstr.IntOrString `json:"size,omitempty"`
	// The horizontal precision of LOC (RFC 1876) in metres. Write a fraction as a string.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) != int || (self >= -2147483648 && self <= 2147483647)",message="precisionHorz must be a number of at most 32 bits, or a string"
	PrecisionHorz *intstr.IntOrString `json:"precisionHorz,omitempty"`
	// The vertical precision of LOC (RFC 1876) in metres. Write a fraction as a string.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) != int || (self >= -2147483648 && self <= 2147483647)",message="precisionVert must be a number of at most 32 bits, or a string"
	PrecisionVert *intstr.IntOrString `json:"precisionVert,omitempty"`

	// The order of NAPTR (RFC 3403): lower ones come first.
	// +optional
	Order *int64 `json:"order,omitempty"`
	// The preference of NAPTR (RFC 3403) among those of the same order.
	// +optional
	Preference *int64 `json:"preference,omitempty"`
	// The service of NAPTR (RFC 3403).
	// +optional
	Service *string `json:"service,omitempty"`
	// The substitution expression of NAPTR (RFC 3403).
	// +optional
	Regex *string `json:"regex,omitempty"`
	// The domain name that NAPTR (RFC 3403) leads to, or ".".
	// +optional
	Replacement *string `json:"replacement,omitempty"`

	// The certificate usage of SMIMEA (RFC 8162) and TLSA (RFC 6698).
	// +optional
	Usage *int64 `json:"usage,omitempty"`
	// The selector of SMIMEA (RFC 8162) and TLSA (RFC 6698): which part of the certificate is
	// compared.
	// +optional
	Selector *int64 `json:"selector,omitempty"`
	// The matching type of SMIMEA (RFC 8162) and TLSA (RFC 6698): how the certificate is
	// compared.
	// +optional
	MatchingType *int64 `json:"matchingType,omitempty"`

	// The fingerprint of SSHFP (RFC 4255) in hexadecimal.
	// +optional
	Fingerprint *string `json:"fingerprint,omitempty"`
}
