// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVerify(t *testing.T) {
	type reply struct {
		status int
		body   string
	}
	var (
		active   = reply{200, success(`{"id":"` + recordID + `","status":"active"}`)}
		disabled = reply{200, success(`{"id":"` + recordID + `","status":"disabled"}`)}
		expired  = reply{200, success(`{"id":"` + recordID + `","status":"expired"}`)}
		early    = reply{200, success(`{"id":"` + recordID + `","status":"active","not_before":"2999-07-01T05:20:00Z"}`)}
		late     = reply{200, success(`{"id":"` + recordID + `","status":"active","expires_on":"2024-03-09T23:59:59Z"}`)}
		inTime   = reply{200, success(`{"id":"` + recordID + `","status":"active","not_before":"2024-03-09T23:59:59Z","expires_on":"2999-07-01T05:20:00Z"}`)}
		filtered = reply{403, refusal(9109, "Cannot use the access token from location: 192.0.2.1")}
		noKey    = reply{403, refusal(9103, "Unknown X-Auth-Key or X-Auth-Email")}
		unknown  = reply{401, refusal(1000, "Invalid API Token")}
		unfit    = reply{400, refusal(6003, "Invalid request headers")}
		noScope  = reply{403, refusal(10000, "Authentication error")}
		noList   = reply{403, refusal(9109, "Unauthorized to access requested resource")}
		invalid  = reply{403, refusal(9109, "Invalid access token")}
		broken   = reply{502, htmlPage}
		walled   = reply{403, htmlPage}
		throttle = reply{429, refusal(971, "slow down")}
		zones    = reply{200, success(`[]`)}
		user     = reply{200, success(`{"id":"` + recordID + `"}`)}
	)
	const (
		userVerify    = "/user/tokens/verify"
		accountVerify = "/accounts/" + accountID + "/tokens/verify"
		zoneList      = "/zones?per_page=5"
		me            = "/user"
	)
	token, key := NewToken(secretToken), NewKey(secretKey, "a@example.com")
	tests := []struct {
		reason  string
		cred    Credential
		account string
		replies map[string]reply
		calls   []string
		// check reports whether the outcome is right.
		check func(error) bool
	}{
		{"a user's token", token, "", map[string]reply{userVerify: active}, []string{userVerify}, isNil},
		{"a user's token needs no account", token, accountID, map[string]reply{userVerify: active}, []string{userVerify}, isNil},
		{"a disabled token", token, "", map[string]reply{userVerify: disabled}, []string{userVerify}, inactive("disabled")},
		{"an expired token", token, accountID, map[string]reply{userVerify: expired}, []string{userVerify}, inactive("expired")},
		{"a token in its time", token, "", map[string]reply{userVerify: inTime}, []string{userVerify}, isNil},
		{"a token before its time has the status active", token, "", map[string]reply{userVerify: early}, []string{userVerify}, inactive("not valid before 2999-07-01T05:20:00Z")},
		{"a token after its time was seen to have the status active", token, "", map[string]reply{userVerify: late}, []string{userVerify}, inactive("expired at 2024-03-09T23:59:59Z")},
		{"an account's token before its time", token, accountID, map[string]reply{userVerify: unknown, accountVerify: early}, []string{userVerify, accountVerify}, inactive("not valid before")},
		{"a token that may not be used from here does not pass for one without permissions", token, "", map[string]reply{userVerify: filtered}, []string{userVerify}, func(err error) bool {
			return errors.Is(err, ErrTokenRefused) && strings.Contains(err.Error(), "location: 192.0.2.1")
		}},
		{"the same with an account", token, accountID, map[string]reply{userVerify: filtered}, []string{userVerify}, func(err error) bool { return errors.Is(err, ErrTokenRefused) }},
		{"an account's token", token, accountID, map[string]reply{userVerify: unknown, accountVerify: active}, []string{userVerify, accountVerify}, isNil},
		{"an account's token, refused as forbidden", token, accountID, map[string]reply{userVerify: noScope, accountVerify: active}, []string{userVerify, accountVerify}, isNil},
		{"a disabled token of an account", token, accountID, map[string]reply{userVerify: unknown, accountVerify: disabled}, []string{userVerify, accountVerify}, inactive("disabled")},
		{"no account's token either", token, accountID, map[string]reply{userVerify: unknown, accountVerify: unknown}, []string{userVerify, accountVerify}, func(err error) bool {
			return IsInvalidCredential(err) && strings.Contains(err.Error(), "account "+accountID)
		}},
		{"no account's token either, refused as forbidden", token, accountID, map[string]reply{userVerify: unknown, accountVerify: noScope}, []string{userVerify, accountVerify}, func(err error) bool {
			return IsForbidden(err) && strings.Contains(err.Error(), "account "+accountID)
		}},
		{"an account's token that may not be used from here", token, accountID, map[string]reply{userVerify: unknown, accountVerify: filtered}, []string{userVerify, accountVerify}, func(err error) bool {
			return errors.Is(err, ErrTokenRefused) && !strings.Contains(err.Error(), "accountId")
		}},
		{"an account's token without its account can list zones", token, "", map[string]reply{userVerify: unknown, zoneList: zones}, []string{userVerify, zoneList}, isNil},
		{"an account's token that may not list zones looks like nobody's", token, "", map[string]reply{userVerify: unknown, zoneList: noList}, []string{userVerify, zoneList}, unproven},
		{"so does one that lacks the permission", token, "", map[string]reply{userVerify: unknown, zoneList: noScope}, []string{userVerify, zoneList}, unproven},
		{"nobody's token", token, "", map[string]reply{userVerify: unknown, zoneList: invalid}, []string{userVerify, zoneList}, unproven},
		{"nobody's token, answered as where tokens are verified", token, "", map[string]reply{userVerify: unknown, zoneList: unknown}, []string{userVerify, zoneList}, unproven},
		{"a permission that is missing everywhere proves nothing", token, "", map[string]reply{userVerify: noScope, zoneList: noScope}, []string{userVerify, zoneList}, unproven},
		{"a token of a bad form", token, "", map[string]reply{userVerify: unfit}, []string{userVerify}, IsInvalidCredential},
		{"nobody knows, and the list fails", token, "", map[string]reply{userVerify: unknown, zoneList: broken}, []string{userVerify, zoneList}, IsAmbiguous},
		{"the API is down: the token is not to blame", token, accountID, map[string]reply{userVerify: broken}, []string{userVerify}, func(err error) bool { return IsAmbiguous(err) && !IsInvalidCredential(err) }},
		{"a firewall in between says nothing of the token", token, accountID, map[string]reply{userVerify: walled}, []string{userVerify}, IsUnexplained},
		{"nor where it lets the first call through", token, "", map[string]reply{userVerify: unknown, zoneList: walled}, []string{userVerify, zoneList}, IsUnexplained},
		{"the API throttles: the token is not to blame", token, "", map[string]reply{userVerify: throttle}, []string{userVerify}, func(err error) bool { return IsThrottled(err) && !IsInvalidCredential(err) }},
		{"an account that is none", token, "../user", map[string]reply{userVerify: unknown}, []string{userVerify}, func(err error) bool {
			var e *IDError
			return errors.As(err, &e) && e.What == "account"
		}},
		{"an API key", key, "", map[string]reply{me: user}, []string{me}, isNil},
		{"an API key nobody knows", key, accountID, map[string]reply{me: unfit}, []string{me}, IsInvalidCredential},
		{"an API key that is no user's", key, "", map[string]reply{me: noKey}, []string{me}, func(err error) bool { return IsInvalidCredential(err) && !IsForbidden(err) }},
		{"an API key that may not", key, "", map[string]reply{me: noScope}, []string{me}, IsForbidden},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			var calls []string
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				calls = append(calls, r.URL.RequestURI())
				a, ok := tc.replies[r.URL.RequestURI()]
				if !ok {
					a = reply{404, refusal(7000, "No route for that URI")}
				}
				answer(a.status, a.body)(w, r)
			})
			err := New(tc.cred, Options{BaseURL: s.URL}).Verify(t.Context(), tc.account)
			if !tc.check(err) {
				t.Errorf("%s: Verify gives %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.calls, calls); diff != "" {
				t.Errorf("%s: calls (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func isNil(err error) bool { return err == nil }

// unproven reports whether err shows both answers and says what to do.
func unproven(err error) bool {
	if !errors.Is(err, ErrTokenUnproven) {
		return false
	}
	said := Explain(err).Error()
	for _, want := range []string{routeVerifyUser, routeZones, "set spec.accountId", "put a valid API token into the Secret"} {
		if !strings.Contains(said, want) {
			return false
		}
	}
	return true
}

func inactive(status string) func(error) bool {
	return func(err error) bool {
		return errors.Is(err, ErrTokenInactive) && strings.Contains(err.Error(), status)
	}
}

// TestUserTokenID shows which credentials have a user, and that the answer is kept.
func TestUserTokenID(t *testing.T) {
	active := success(`{"id":"` + recordID + `","status":"active"}`)
	for _, row := range []struct {
		reason string
		cred   Credential
		status int
		body   string
		want   string
		calls  int
		check  func(error) bool
	}{
		{"a user's token is asked about once", NewToken(secretToken), 200, active, recordID, 1, isNil},
		{"an API key is the user's", NewKey(secretKey, "a@example.com"), 500, htmlPage, "", 0, isNil},
		{"an account's token is not known there", NewToken(secretToken), 401, refusal(1000, "Invalid API Token"), "", 2, func(err error) bool {
			return errors.Is(err, ErrNotUsersToken) && strings.Contains(Explain(err).Error(), "put an API token of the user") && !strings.Contains(Explain(err).Error(), "put a valid")
		}},
		{"a failure shows nothing about the token", NewToken(secretToken), 502, htmlPage, "", 2, func(err error) bool { return err != nil && !errors.Is(err, ErrNotUsersToken) }},
	} {
		calls := 0
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			calls++
			answer(row.status, row.body)(w, r)
		})
		c := New(row.cred, Options{BaseURL: s.URL})
		for range 2 {
			if id, err := c.UserTokenID(t.Context()); id != row.want || !row.check(err) {
				t.Errorf("%s: got %q, %v", row.reason, id, err)
			}
		}
		if calls != row.calls {
			t.Errorf("%s: there were %d calls, want %d", row.reason, calls, row.calls)
		}
	}
}
