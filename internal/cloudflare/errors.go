// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Codes of the Cloudflare API on which someone decides.
const (
	codeThrottled            = 971
	codeInvalidToken         = 1000
	codeZoneExists           = 1061
	codeBadHeaders           = 6003
	codeNoRoute              = 7000
	codeNoRouteOrID          = 7003
	codeUnknownKey           = 9103
	codeUnauthorizedResource = 9109
	codeAuthentication       = 10000
	codeNotFound             = 81044
	codeQuota                = 81045
	codeHostHasRecords       = 81053
	codeHostHasCNAME         = 81054
	codeRecordExists         = 81057
	codeIdenticalExists      = 81058
	// codeBatchTooLarge is what the simulator of this repository answers: no public
	// source gives the API's own. Where it is another, IsRejected holds.
	codeBatchTooLarge = 81062
)

// A Detail is one error of an API answer.
type Detail struct {
	Code    int
	Message string
}

// An Error is a call the API did not carry out, or may not have.
type Error struct {
	// Method and Route of the call ("GET", "/zones/{id}"); IDs are left out.
	Method string
	Route  string
	// Status is the HTTP status, 0 when there was no answer.
	Status int
	// Details as the API gave them, causes (error_chain) after what they caused.
	Details []Detail
	// RetryAfter is how long the API asked to wait, 0 when it did not.
	RetryAfter time.Duration
	// permission is what a token needs for the call, "" where its route shows that.
	permission string
	// sent is true when the request may have reached the API.
	sent bool
	// guarded is true where a Guard did not allow the call.
	guarded bool
	// cause is why there was no answer, or why it could not be read.
	cause error
}

// Error names the call's purpose by method and route, and what the API said.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: ", e.Method, e.Route)
	switch {
	case e.cause != nil && e.Status != 0:
		fmt.Fprintf(&b, "cannot read the Cloudflare API's answer [HTTP %d]: %s", e.Status, shorten(e.cause.Error()))
	case e.cause != nil && !e.sent:
		fmt.Fprintf(&b, "not sent: %v", e.cause)
	case e.cause != nil:
		fmt.Fprintf(&b, "no answer from the Cloudflare API: %s", shorten(e.cause.Error()))
	case len(e.Details) == 0:
		fmt.Fprintf(&b, "the Cloudflare API answered %d %s without saying why", e.Status, http.StatusText(e.Status))
	default:
		parts := make([]string, 0, len(e.Details))
		for _, d := range e.Details {
			parts = append(parts, fmt.Sprintf("%s (code %d)", strings.TrimRight(d.Message, "."), d.Code))
		}
		fmt.Fprintf(&b, "%s [HTTP %d]", strings.Join(parts, ": "), e.Status)
	}
	return b.String()
}

// Unwrap gives the error of the transport or the decoder.
func (e *Error) Unwrap() error { return e.cause }

// Has reports whether one of the details has one of codes.
func (e *Error) Has(codes ...int) bool {
	return slices.ContainsFunc(e.Details, func(d Detail) bool { return slices.Contains(codes, d.Code) })
}

func is(err error, f func(*Error) bool) bool {
	var e *Error
	return errors.As(err, &e) && f(e)
}

// IsRecordGone reports whether err proves that a DNS record does not exist:
// 404 with code 81044. A bad route, a missing scope or a throttle never does.
func IsRecordGone(err error) bool {
	return is(err, func(e *Error) bool { return e.Status == http.StatusNotFound && e.Has(codeNotFound) })
}

// IsZoneUnknown reports whether the API knows no zone of the ID asked for:
// 404 (older: 400) with code 7003, which it also says of a malformed ID.
func IsZoneUnknown(err error) bool {
	return is(err, func(e *Error) bool {
		return (e.Status == http.StatusNotFound || e.Status == http.StatusBadRequest) && e.Has(codeNoRouteOrID)
	})
}

// IsRecordExists reports whether a record was refused because an identical one
// exists (81058, formerly 81057).
func IsRecordExists(err error) bool {
	return is(err, func(e *Error) bool { return e.Has(codeIdenticalExists, codeRecordExists) })
}

// IsNameTaken reports whether a record was refused because of another record of
// the same name: a CNAME beside anything else.
func IsNameTaken(err error) bool {
	return is(err, func(e *Error) bool { return e.Has(codeHostHasRecords, codeHostHasCNAME) })
}

// IsQuota reports whether the zone's record quota is reached.
func IsQuota(err error) bool {
	return is(err, func(e *Error) bool { return e.Has(codeQuota) })
}

// IsZoneExists reports whether a zone was refused because it exists.
func IsZoneExists(err error) bool {
	return is(err, func(e *Error) bool { return e.Has(codeZoneExists) })
}

// IsEmpty reports whether a call was answered with success and without a body. That may be how the
// API answers it, or what is left of an answer.
func IsEmpty(err error) bool {
	var none *notJSONError
	return is(err, func(e *Error) bool {
		return e.Status >= http.StatusOK && e.Status < http.StatusMultipleChoices && errors.As(e.cause, &none) && none.length == 0
	})
}

// IsThrottled reports whether the API (or this client, on its behalf) refused
// the call for its rate.
func IsThrottled(err error) bool {
	return is(err, func(e *Error) bool { return e.Status == http.StatusTooManyRequests })
}

// ErrReplaced and ErrWithdrawn are wrapped by the errors of calls that are not made
// because of the state of the credential (CredentialState).
var (
	ErrReplaced  = errors.New("this credential was replaced by another in its Secret")
	ErrWithdrawn = errors.New("this credential was taken out of its Secret")
)

// IsInvalidCredential reports whether the API does not know the credential at
// all, or refused its form, or whether it is not in its Secret any more.
func IsInvalidCredential(err error) bool {
	return errors.Is(err, ErrReplaced) || errors.Is(err, ErrWithdrawn) || is(err, func(e *Error) bool {
		return e.Has(codeInvalidToken, codeBadHeaders, codeUnknownKey) ||
			(e.Status == http.StatusUnauthorized && !e.Has(codeUnauthorizedResource, codeAuthentication))
	})
}

// IsForbidden reports whether the API refused the call as one for which the
// credential lacks a permission. It says so of resources that do not exist and, with
// some codes, of credentials that it does not know, too: it proves neither.
func IsForbidden(err error) bool {
	return is(err, func(e *Error) bool {
		return e.Has(codeUnauthorizedResource, codeAuthentication) ||
			(e.Status == http.StatusForbidden && !e.Has(codeInvalidToken, codeUnknownKey))
	})
}

// MayBeInvalidCredential reports whether the API refused a call with what it answers
// an unknown or revoked token as well as one that lacks a permission or may not be
// used from here: 9109. Which of these it is, only verifying the credential shows.
func MayBeInvalidCredential(err error) bool {
	return is(err, func(e *Error) bool { return e.Has(codeUnauthorizedResource) })
}

// IsAmbiguous reports whether the call may or may not have been carried out: it
// was sent, and the answer was lost, unreadable, or the server's failure. Whoever
// wrote must look before writing again.
func IsAmbiguous(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	}
	unreadable := e.Status < http.StatusMultipleChoices && len(e.Details) == 0
	return e.sent && (e.Status == 0 || e.Status >= http.StatusInternalServerError || unreadable)
}

// IsBatchTooLarge reports whether a batch was refused because it has more
// operations, or is longer, than the API takes in one call for this zone.
func IsBatchTooLarge(err error) bool {
	return is(err, func(e *Error) bool { return e.Status == http.StatusRequestEntityTooLarge || e.Has(codeBatchTooLarge) })
}

// IsRejected reports whether the API refused what the call contains: nothing was
// done, and the same call will be refused again. Of a batch, one operation at
// least is at fault. It is false where the API refused the caller, the zone, the
// rate or the size, and where nobody knows what it did.
func IsRejected(err error) bool {
	return is(err, func(e *Error) bool {
		switch e.Status {
		case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusTooManyRequests:
			return false
		}
		said := len(e.Details) > 0 && (e.Status/100 == 4 || e.Status/100 == 2) // 200 with "success": false, too.
		return said && !IsBatchTooLarge(e) && !e.Has(codeThrottled, codeInvalidToken, codeBadHeaders, codeUnknownKey,
			codeNoRoute, codeNoRouteOrID, codeUnauthorizedResource, codeAuthentication)
	})
}

// IsPermanent reports whether the API refused what the call contains, by an answer of class 4xx, in a way that does not
// pass by itself. The absence of what the call is about may pass, and so may a conflict with another call.
func IsPermanent(err error) bool {
	return IsRejected(err) && is(err, func(e *Error) bool {
		return e.Status/100 == 4 && e.Status != http.StatusNotFound && e.Status != http.StatusConflict
	})
}

// RetryAfter is how long the API asked to wait before the next call, 0 when it
// did not ask.
func RetryAfter(err error) time.Duration {
	var e *Error
	if errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}

// IsUnexplained reports whether the call was refused without a reason, as a
// firewall in front of the API does. Nothing was done. It may be for what the call
// contains or for who makes it: nobody can tell but by trying something else.
func IsUnexplained(err error) bool {
	return is(err, func(e *Error) bool {
		switch e.Status {
		case http.StatusBadRequest, http.StatusForbidden, http.StatusNotAcceptable, http.StatusConflict,
			http.StatusUnprocessableEntity, http.StatusUnavailableForLegalReasons:
			return len(e.Details) == 0
		}
		return false
	})
}

// Explain adds to err what its reader can do about it, where that is known and err does not
// say so itself, which its method Explained tells.
func Explain(err error) error {
	var explained interface{ Explained() }
	if errors.As(err, &explained) {
		return err
	}
	if a := advice(err); a != "" {
		return fmt.Errorf("%w: %s", err, a)
	}
	return err
}

// advice is what the reader of err can do about it, "" where that is not known.
func advice(err error) string {
	switch {
	case errors.Is(err, ErrReplaced):
		return "it is tried again with that one"
	case errors.Is(err, ErrWithdrawn):
		return "put it, or another, into the Secret of the provider config"
	case errors.Is(err, ErrTokenInactive):
		return "enable or renew it at Cloudflare, or put another into the Secret of the provider config"
	case errors.Is(err, ErrTokenRefused), errors.Is(err, ErrNotUsersToken):
		return "" // It says so itself.
	case errors.Is(err, ErrTokenUnproven):
		return "if it belongs to an account, set spec.accountId of the provider config to the ID of that account; " +
			"otherwise put a valid API token into the Secret of the provider config"
	case IsInvalidCredential(err):
		return "Cloudflare does not know this credential: put a valid API token into the Secret of the provider config"
	case MayBeInvalidCredential(err):
		return "the credential is not valid (see the Ready condition of its provider config), or it lacks a permission for this, " +
			"or its resource does not exist: " + permissionAdvice(err)
	case IsForbidden(err):
		return "the credential lacks a permission for this, or its resource does not exist: " + permissionAdvice(err)
	case IsQuota(err):
		return "the zone holds as many records as its plan allows: delete some, or change the plan"
	case IsNameTaken(err):
		return "a CNAME cannot share its name with other records: delete those, or choose another name"
	case IsZoneUnknown(err):
		return "there is no such zone for this credential: check the zone's ID"
	}
	return ""
}

// permissionAdvice names the permission that a refused call needs. The API does not,
// and gives the same answer to a token that may not be used from here.
func permissionAdvice(err error) string {
	out := "check the token's permissions and the zones it is limited to"
	var e *Error
	if !errors.As(err, &e) {
		return out
	}
	if p := cmp.Or(e.permission, permission(e.Method, e.Route)); p != "" {
		out = "this needs " + p + "; " + out
	}
	if MayBeInvalidCredential(err) {
		out += ", and the addresses it may be used from"
	}
	return out
}

// permission is what a token needs for a call, in the dashboard's words; "" where
// that is not known.
func permission(method, route string) string {
	reads := method == http.MethodGet
	switch {
	case strings.HasPrefix(route, routeRecords) && reads:
		return "DNS: Read (DNS: Edit to change records) on the zone"
	case strings.HasPrefix(route, routeRecords):
		return "DNS: Edit on the zone"
	case strings.HasPrefix(route, routeZones) && reads:
		return "Zone: Read on the zone"
	case route == routeZones:
		return "Zone: Edit on all zones of the account"
	case route == routeZone:
		return "Zone: Edit on the zone"
	}
	return ""
}
