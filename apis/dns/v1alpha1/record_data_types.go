// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import "k8s.io/apimachinery/pkg/util/intstr"

// RecordData is the structured form of a record's content. Which fields apply
// depends on the record's type; a field that does not belong to the type is
// refused. Names are those of the Cloudflare API in camel case.
//
// The bounds are those of Cloudflare's API and, for what it leaves open, of the wire format: a
// text is as long as what fits into the 65,535 bytes of a record's data, in the form in which
// it is written. What a registry of IANA may add to is a number without an enum.
type RecordData struct {
	// The flags: a number from 0 to 255 for CAA (RFC 8659) and from 0 to 65535 for DNSKEY (RFC
	// 4034), or letters and digits such as "S", "A", "U" or "P" for NAPTR (RFC 3403).
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? (self >= 0 && self <= 65535) : size(self) <= 255",message="flags must be a number from 0 to 65535, or a string of at most 255 characters"
	Flags *intstr.IntOrString `json:"flags,omitempty"`
	// The name of the property of CAA (RFC 8659), such as "issue", "issuewild" or "iodef".
	// +optional
	// +kubebuilder:validation:MaxLength=255
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9]+$`
	Tag *string `json:"tag,omitempty"`
	// The value of the property of CAA (RFC 8659), or the parameters of HTTPS and SVCB (RFC
	// 9460).
	// +optional
	// +kubebuilder:validation:MaxLength=65535
	Value *string `json:"value,omitempty"`

	// The type of the certificate of CERT (RFC 4398), from 0 to 65535, or of the fingerprint
	// of SSHFP (RFC 4255), from 0 to 255.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=65535
	Type *int64 `json:"type,omitempty"`
	// The key tag of CERT (RFC 4398) and DS (RFC 4034).
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=65535
	KeyTag *int64 `json:"keyTag,omitempty"`
	// The number of the algorithm of CERT (RFC 4398), DNSKEY and DS (RFC 4034), and SSHFP (RFC
	// 4255).
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=255
	Algorithm *int64 `json:"algorithm,omitempty"`
	// The certificate of CERT in base64 (RFC 4398), or the certificate association data of
	// SMIMEA (RFC 8162) and TLSA (RFC 6698) in hexadecimal.
	// +optional
	// +kubebuilder:validation:MaxLength=131072
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9+/=\s]+$`
	Certificate *string `json:"certificate,omitempty"`

	// The protocol of DNSKEY (RFC 4034), which is always 3.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=255
	Protocol *int64 `json:"protocol,omitempty"`
	// The public key of DNSKEY (RFC 4034) in base64.
	// +optional
	// +kubebuilder:validation:MaxLength=131072
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9+/=\s]+$`
	PublicKey *string `json:"publicKey,omitempty"`

	// The number of the digest algorithm of DS (RFC 4034).
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=255
	DigestType *int64 `json:"digestType,omitempty"`
	// The digest of DS (RFC 4034) in hexadecimal.
	// +optional
	// +kubebuilder:validation:MaxLength=131072
	// +kubebuilder:validation:Pattern=`^[0-9A-Fa-f\s]+$`
	Digest *string `json:"digest,omitempty"`

	// The priority of HTTPS and SVCB (RFC 9460), SRV (RFC 2782) and URI (RFC 7553): lower ones
	// are preferred.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=65535
	Priority *int64 `json:"priority,omitempty"`
	// The host name of HTTPS and SVCB (RFC 9460) and SRV (RFC 2782), or the URI of URI (RFC
	// 7553).
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=65535
	Target *string `json:"target,omitempty"`
	// The weight of SRV (RFC 2782) and URI (RFC 7553) among those of the same priority.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=65535
	Weight *int64 `json:"weight,omitempty"`
	// The port of SRV (RFC 2782).
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=65535
	Port *int64 `json:"port,omitempty"`

	// The degrees of latitude of LOC (RFC 1876).
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=90
	LatDegrees *int64 `json:"latDegrees,omitempty"`
	// The minutes of latitude of LOC (RFC 1876).
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=59
	LatMinutes *int64 `json:"latMinutes,omitempty"`
	// The seconds of latitude of LOC (RFC 1876), from 0 to 59.999. Write a fraction as a
	// string, "8.5".
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? (self >= 0 && self <= 59) : (double(self) >= 0.0 && double(self) <= 59.999)",message="latSeconds must be a number from 0 to 59.999, a fraction as a string (\"8.5\")"
	LatSeconds *intstr.IntOrString `json:"latSeconds,omitempty"`
	// The direction of latitude of LOC (RFC 1876). Write "N" in quotes: YAML reads N as false.
	// +optional
	// +kubebuilder:validation:Enum=N;S
	LatDirection *string `json:"latDirection,omitempty"`
	// The degrees of longitude of LOC (RFC 1876).
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=180
	LongDegrees *int64 `json:"longDegrees,omitempty"`
	// The minutes of longitude of LOC (RFC 1876).
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=59
	LongMinutes *int64 `json:"longMinutes,omitempty"`
	// The seconds of longitude of LOC (RFC 1876), from 0 to 59.999. Write a fraction as a
	// string, "8.5".
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? (self >= 0 && self <= 59) : (double(self) >= 0.0 && double(self) <= 59.999)",message="longSeconds must be a number from 0 to 59.999, a fraction as a string (\"8.5\")"
	LongSeconds *intstr.IntOrString `json:"longSeconds,omitempty"`
	// The direction of longitude of LOC (RFC 1876).
	// +optional
	// +kubebuilder:validation:Enum=E;W
	LongDirection *string `json:"longDirection,omitempty"`
	// The altitude of LOC (RFC 1876) in metres. Write a fraction as a string.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? (self >= -100000 && self <= 42849672) : (double(self) >= -100000.0 && double(self) <= 42849672.95)",message="altitude must be a number from -100000 to 42849672.95, a fraction as a string (\"8.5\")"
	Altitude *intstr.IntOrString `json:"altitude,omitempty"`
	// The diameter of the place of LOC (RFC 1876) in metres. Write a fraction as a string.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? (self >= 0 && self <= 90000000) : (double(self) >= 0.0 && double(self) <= 90000000.0)",message="size must be a number from 0 to 90000000, a fraction as a string (\"8.5\")"
	Size *intstr.IntOrString `json:"size,omitempty"`
	// The horizontal precision of LOC (RFC 1876) in metres. Write a fraction as a string.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? (self >= 0 && self <= 90000000) : (double(self) >= 0.0 && double(self) <= 90000000.0)",message="precisionHorz must be a number from 0 to 90000000, a fraction as a string (\"8.5\")"
	PrecisionHorz *intstr.IntOrString `json:"precisionHorz,omitempty"`
	// The vertical precision of LOC (RFC 1876) in metres. Write a fraction as a string.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? (self >= 0 && self <= 90000000) : (double(self) >= 0.0 && double(self) <= 90000000.0)",message="precisionVert must be a number from 0 to 90000000, a fraction as a string (\"8.5\")"
	PrecisionVert *intstr.IntOrString `json:"precisionVert,omitempty"`

	// The order of NAPTR (RFC 3403): lower ones come first.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=65535
	Order *int64 `json:"order,omitempty"`
	// The preference of NAPTR (RFC 3403) among those of the same order.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=65535
	Preference *int64 `json:"preference,omitempty"`
	// The service of NAPTR (RFC 3403).
	// +optional
	// +kubebuilder:validation:MaxLength=255
	Service *string `json:"service,omitempty"`
	// The substitution expression of NAPTR (RFC 3403).
	// +optional
	// +kubebuilder:validation:MaxLength=255
	Regex *string `json:"regex,omitempty"`
	// The domain name that NAPTR (RFC 3403) leads to, or ".".
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Replacement *string `json:"replacement,omitempty"`

	// The certificate usage of SMIMEA (RFC 8162) and TLSA (RFC 6698).
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=255
	Usage *int64 `json:"usage,omitempty"`
	// The selector of SMIMEA (RFC 8162) and TLSA (RFC 6698): which part of the certificate is
	// compared.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=255
	Selector *int64 `json:"selector,omitempty"`
	// The matching type of SMIMEA (RFC 8162) and TLSA (RFC 6698): how the certificate is
	// compared.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=255
	MatchingType *int64 `json:"matchingType,omitempty"`

	// The fingerprint of SSHFP (RFC 4255) in hexadecimal.
	// +optional
	// +kubebuilder:validation:MaxLength=131072
	// +kubebuilder:validation:Pattern=`^[0-9A-Fa-f\s]+$`
	Fingerprint *string `json:"fingerprint,omitempty"`
}
