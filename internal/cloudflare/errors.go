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

// Codes of the Cloudflare API on which decisions depend.
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
	// codeBatchTooLarge is what the simulator of this repository answers: no public source
	// names the API's own code. If the API's is another, IsRejected holds.
	codeBatchTooLarge = 81062
)

// A Detail is one error of an API answer.
type Detail struct {
	Code    int
	Message string
}

// An Error says that the API did not carry out a call, or may not have.
type Error struct {
	// Method and Route are those of the call ("GET", "/zones/{id}"), without IDs.
	Method string
	Route  string
	// Status is the HTTP status, 0 if there was no answer.
	Status int
	// Details are the errors of the answer. A cause (error_chain) follows the error that it caused.
	Details []Detail
	// RetryAfter is how long the API asked to wait, 0 if it did not.
	RetryAfter time.Duration
	// permission is what a token needs for the call, "" if its route shows that.
	permission string
	// sent is true if the request may have reached the API.
	sent bool
	// guarded is true if a Guard did not allow the call.
	guarded bool
	// cause is why the call was not sent, or why it has no readable answer.
	cause error
}

// Error returns the method and route of the call, and what the API said.
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

// Unwrap returns why the call was not sent, or why it has no readable answer.
func (e *Error) Unwrap() error { return e.cause }

// Has reports whether one of the details has one of the codes.
func (e *Error) Has(codes ...int) bool {
	return slices.ContainsFunc(e.Details, func(d Detail) bool { return slices.Contains(codes, d.Code) })
}

func is(err error, f func(*Error) bool) bool {
	var e *Error
	return errors.As(err, &e) && f(e)
}

// IsRecordGone reports whether err proves that a DNS record does not exist: 404 with code
// 81044. A bad route, a missing permission or a throttle never proves that.
func IsRecordGone(err error) bool {
	return is(err, func(e *Error) bool { return e.Status == http.StatusNotFound && e.Has(codeNotFound) })
}

// IsZoneUnknown reports whether the API knows no zone with the requested ID: 404 (older:
// 400) with code 7003. The API answers a malformed ID with that code, too.
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
// API answers the call, or what is left of an answer that was cut off.
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

// IsInvalidCredential reports whether the API does not know the credential or refused its
// form, or whether the credential is no longer in its Secret.
func IsInvalidCredential(err error) bool {
	return errors.Is(err, ErrReplaced) || errors.Is(err, ErrWithdrawn) || is(err, func(e *Error) bool {
		return e.Has(codeInvalidToken, codeBadHeaders, codeUnknownKey) ||
			(e.Status == http.StatusUnauthorized && !e.Has(codeUnauthorizedResource, codeAuthentication))
	})
}

// IsForbidden reports whether the API refused the call because the credential lacks a
// permission. The API answers the same for resources that do not exist and, with some
// codes, for credentials that it does not know. So it proves none of these.
func IsForbidden(err error) bool {
	return is(err, func(e *Error) bool {
		return e.Has(codeUnauthorizedResource, codeAuthentication) ||
			(e.Status == http.StatusForbidden && !e.Has(codeInvalidToken, codeUnknownKey))
	})
}

// MayBeInvalidCredential reports whether the API refused a call with code 9109. The API
// answers so to an unknown or revoked token, to one that lacks a permission, and to one
// that may not be used from this address. Only verifying the credential shows which of
// these it is.
func MayBeInvalidCredential(err error) bool {
	return is(err, func(e *Error) bool { return e.Has(codeUnauthorizedResource) })
}

// IsAmbiguous reports whether the call may or may not have been carried out: it was sent,
// and the answer was lost, unreadable, or a server error. After such a write, the caller
// must observe before it writes again.
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

// IsRejected reports whether the API refused what the call contains: nothing was done, and
// the same call will be refused again. In a batch, at least one operation is at fault. It
// returns false if the API refused the caller, the zone, the rate or the size, and if the
// outcome of the call is not known.
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

// IsPermanent reports whether the API refused what the call contains, with a status 4xx and in a way that does not pass
// by itself. It returns false for 404 and 409: a missing resource may appear, and a conflict with another call may end.
func IsPermanent(err error) bool {
	return IsRejected(err) && is(err, func(e *Error) bool {
		return e.Status/100 == 4 && e.Status != http.StatusNotFound && e.Status != http.StatusConflict
	})
}

// RetryAfter returns how long the API asked to wait before the next call, 0 if it did not ask.
func RetryAfter(err error) time.Duration {
	var e *Error
	if errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}

// IsUnexplained reports whether the call was refused without a reason, as by a firewall in
// front of the API. Nothing was done. The refusal may be for the content of the call or for
// its sender. Only another call can show which it is.
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

// Explain adds to err what its reader can do about it, if that is known. It returns an
// error that has a method Explained as it is: such an error says so itself.
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

// advice returns what the reader of err can do about it, "" if that is not known.
func advice(err error) string {
	switch {
	case errors.Is(err, ErrReplaced):
		return "it is tried again with that one"
	case errors.Is(err, ErrWithdrawn):
		return "put it, or another, into the Secret of the provider config"
	case errors.Is(err, ErrTokenInactive):
		return "enable or renew it at Cloudflare, or put another into the Secret of the provider config"
	case errors.Is(err, ErrTokenRefused), errors.Is(err, ErrNotUsersToken):
		return "" // The error says so itself.
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

// permissionAdvice names the permission that a refused call needs. The API does not name
// it, and answers the same to a token that may not be used from this address.
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

// permission returns what a token needs for a call, in the words of the dashboard, "" if
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
