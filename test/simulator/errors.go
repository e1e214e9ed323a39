// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"fmt"
	"net/http"
)

// Codes of the API. "Own number" marks a refusal of Cloudflare whose code is in no
// public source. Tests may rely on such a refusal, but not on the number.
const (
	CodeThrottled          = 971
	CodeInvalidToken       = 1000
	CodeDNSValidation      = 1004 // Legacy wrapper, see FaultErrorChain.
	CodeReadOnly           = 1043 // Own number.
	CodeZoneExists         = 1061
	CodeZoneHold           = 1081 // Own number: clients match the text.
	CodeZoneNotRoot        = 1116
	CodeZoneCooldown       = 1105
	CodeZoneProperty       = 1016 // Own number: not exactly one property in a zone PATCH.
	CodeZoneInvalid        = 1097 // Own number: name or type of a zone.
	CodeZonePlan           = 1015 // Own number: the plan does not have it.
	CodeActivationTooSoon  = 1224 // Own number.
	CodeSettingUndefined   = 1006 // Own number.
	CodeSettingInvalid     = 1007 // Own number.
	CodeSettingReadOnly    = 1008 // Own number.
	CodeBadParameter       = 1001 // Own number: query parameter.
	CodeBadHeaders         = 6003
	CodeMalformedJSON      = 6007
	CodeBadEmailHeader     = 6102
	CodeBadKeyHeader       = 6103
	CodeBadAuthHeader      = 6111
	CodeNoRoute            = 7000
	CodeBadIdentifier      = 7003
	CodeName               = 9000
	CodeRecordType         = 9002 // Own number.
	CodeProxiedValue       = 9003
	CodeNotProxiable       = 9004
	CodeContent            = 9005
	CodeTarget             = 9007
	CodeMXContent          = 9009
	CodeTXTTooLong         = 9015
	CodeTTL                = 9021
	CodeDataInvalid        = 9100
	CodeDataMissing        = 9101
	CodeUnknownKey         = 9103
	CodeMissingHeaders     = 9106
	CodeUnauthorized       = 9109
	CodeTagQuota           = 9300
	CodeComment            = 9301 // Own number.
	CodeSettings           = 9313
	CodeTag                = 9322
	CodeAuthentication     = 10000
	CodeRecordNotFound     = 81044
	CodeQuota              = 81045
	CodeHostHasAddress     = 81053
	CodeHostHasCNAME       = 81054
	CodeRecordExists       = 81057 // 81058 in older answers of the API.
	CodeIdenticalExists    = 81058
	CodeDelegation         = 81061 // Own number: DS without NS.
	CodeBatchTooLarge      = 81062 // Own number.
	CodeTXTCombinedTooLong = 83011
	CodeResourceInvalid    = 1400 // Own number: a body that the document does not allow.
	CodeResourceNotFound   = 1404 // Own number: an unknown ID of a resource whose code is not known.
	CodeResourceConflict   = 1409 // Own number: in use, or existing already.
	CodeNotEntitled        = 1403 // Own number: the plan does not have it.
)

// A Cause is one entry of the errors of a response.
type Cause struct {
	Code    int     `json:"code"`
	Message string  `json:"message"`
	Chain   []Cause `json:"error_chain,omitempty"`
}

// An Error is a refusal of the API.
type Error struct {
	Status int
	Causes []Cause
}

func (e *Error) Error() string {
	return fmt.Sprintf("HTTP %d: %s (code %d)", e.Status, e.Causes[0].Message, e.Code())
}

// Code returns the code of the first cause.
func (e *Error) Code() int { return e.Causes[0].Code }

func refuse(status, code int, format string, args ...any) *Error {
	return &Error{Status: status, Causes: []Cause{{Code: code, Message: fmt.Sprintf(format, args...)}}}
}

// invalid returns a refusal of the content of a request.
func invalid(code int, format string, args ...any) *Error {
	return refuse(http.StatusBadRequest, code, format, args...)
}

func errNoRoute(path string) *Error {
	return &Error{Status: http.StatusNotFound, Causes: []Cause{
		{Code: CodeBadIdentifier, Message: "Could not route to " + path + ", perhaps your object identifier is invalid?"},
		{Code: CodeNoRoute, Message: "No route for that URI"},
	}}
}

func errNoRecord() *Error {
	return refuse(http.StatusNotFound, CodeRecordNotFound, "Record does not exist.")
}

func errAuthentication() *Error {
	return refuse(http.StatusForbidden, CodeAuthentication, "Authentication error")
}

func errUnauthorized() *Error {
	return refuse(http.StatusForbidden, CodeUnauthorized, "Unauthorized to access requested resource")
}
