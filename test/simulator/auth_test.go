// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

func TestCredentialForms(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	key := w.sim.AddGlobalKey("jane@example.com")
	unknown := strings.Repeat("x", 40)
	h := func(pairs ...string) http.Header {
		header := http.Header{}
		for i := 0; i < len(pairs); i += 2 {
			header.Set(pairs[i], pairs[i+1])
		}
		return header
	}
	cases := map[string]struct {
		reason             string
		header             http.Header
		status, code, next int // next is the first code of the error chain.
	}{
		"Nothing":     {"no credential", h(), 400, simulator.CodeMissingHeaders, 0},
		"NoBearer":    {"not a bearer token", h("Authorization", w.token), 400, simulator.CodeBadHeaders, simulator.CodeBadAuthHeader},
		"Basic":       {"not a bearer token", h("Authorization", "Basic "+w.token), 400, simulator.CodeBadHeaders, simulator.CodeBadAuthHeader},
		"BadToken":    {"characters that no token has", h("Authorization", "Bearer not a token, but of some length, which it is"), 400, simulator.CodeBadHeaders, simulator.CodeBadAuthHeader},
		"ShortToken":  {"no token was ever so short", h("Authorization", "Bearer abc"), 400, simulator.CodeBadHeaders, simulator.CodeBadAuthHeader},
		"Unknown":     {"a token that nobody knows", h("Authorization", "Bearer "+unknown), 403, simulator.CodeUnauthorized, 0},
		"UnknownNew":  {"in the form of today's", h("Authorization", "Bearer cfut_"+unknown+"12345678"), 403, simulator.CodeUnauthorized, 0},
		"Token":       {"a good token", h("Authorization", "Bearer "+w.token), 200, 0, 0},
		"Key":         {"a global key", h("X-Auth-Email", "jane@example.com", "X-Auth-Key", key), 200, 0, 0},
		"BadEmail":    {"no email address", h("X-Auth-Email", "jane", "X-Auth-Key", key), 400, simulator.CodeBadHeaders, simulator.CodeBadEmailHeader},
		"BadKey":      {"no key", h("X-Auth-Email", "jane@example.com", "X-Auth-Key", "x"), 400, simulator.CodeBadHeaders, simulator.CodeBadKeyHeader},
		"UnknownKey":  {"the key of somebody else", h("X-Auth-Email", "joe@example.com", "X-Auth-Key", key), 403, simulator.CodeUnknownKey, 0},
		"KeyNoEmail":  {"half of a credential", h("X-Auth-Key", key), 400, simulator.CodeBadHeaders, simulator.CodeBadEmailHeader},
		"TokenAsAKey": {"a token is no key", h("X-Auth-Email", "jane@example.com", "X-Auth-Key", w.token), 403, simulator.CodeUnknownKey, 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := w.request(http.MethodGet, w.records(), tc.header, nil)
			if got.status != tc.status || got.code() != tc.code {
				t.Errorf("%s: %d/%d, want %d/%d", tc.reason, got.status, got.code(), tc.status, tc.code)
			}
			if tc.next != 0 && (len(got.Errors[0].Chain) == 0 || got.Errors[0].Chain[0].Code != tc.next) {
				t.Errorf("%s: chain %v, want %d", tc.reason, got.Errors, tc.next)
			}
		})
	}
}

func TestTokenValues(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	user, account := w.sim.AddToken(simulator.TokenOptions{}), w.sim.AddToken(simulator.TokenOptions{Account: w.account.ID})
	if !regexp.MustCompile(`^cfut_[0-9A-Za-z]{40}[0-9a-f]{8}$`).MatchString(user) {
		t.Errorf("a user's token is %q", user)
	}
	if !regexp.MustCompile(`^cfat_[0-9A-Za-z]{40}[0-9a-f]{8}$`).MatchString(account) {
		t.Errorf("an account's token is %q", account)
	}
	if given := w.sim.AddToken(simulator.TokenOptions{Value: "mine"}); given != "mine" || w.as("mine", http.MethodGet, "/user/tokens/verify", nil).status != http.StatusOK {
		t.Error("a given value is not used")
	}
}

func TestVerify(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	other := w.sim.AddAccount("Other")
	mine, other2 := "/accounts/"+w.account.ID+"/tokens/verify", "/accounts/"+other.ID+"/tokens/verify"
	user := w.sim.AddToken(simulator.TokenOptions{})
	account := w.sim.AddToken(simulator.TokenOptions{Account: w.account.ID})
	nobodys := "cfut_" + strings.Repeat("x", 40) + "12345678"
	cases := map[string]struct {
		reason, token, path string
		status, code        int
		tokenStatus         string
	}{
		"User":            {"a user's token", user, "/user/tokens/verify", 200, 0, "active"},
		"Account":         {"an account's token", account, mine, 200, 0, "active"},
		"AccountAtUser":   {"is unknown there", account, "/user/tokens/verify", 401, simulator.CodeInvalidToken, ""},
		"UserAtAccount":   {"is unknown there", user, mine, 401, simulator.CodeInvalidToken, ""},
		"AnotherAccount":  {"is unknown there", account, other2, 401, simulator.CodeInvalidToken, ""},
		"BadAccount":      {"no ID", account, "/accounts/x/tokens/verify", 404, simulator.CodeBadIdentifier, ""},
		"Disabled":        {"verify tells", w.sim.AddToken(simulator.TokenOptions{Status: simulator.TokenDisabled}), "/user/tokens/verify", 200, 0, "disabled"},
		"Expired":         {"verify tells", w.sim.AddToken(simulator.TokenOptions{ExpiresOn: start()}), "/user/tokens/verify", 200, 0, "expired"},
		"Unknown":         {"nobody's token", nobodys, "/user/tokens/verify", 401, simulator.CodeInvalidToken, ""},
		"UnknownAccount":  {"nor is it an account's", nobodys, mine, 401, simulator.CodeInvalidToken, ""},
		"Malformed":       {"its form is looked at first", "abc", "/user/tokens/verify", 400, simulator.CodeBadHeaders, ""},
		"DisabledNowhere": {"nothing else works", w.sim.AddToken(simulator.TokenOptions{Status: simulator.TokenDisabled, Grants: everything()}), w.path(), 403, simulator.CodeUnauthorized, ""},
		"ExpiredNowhere":  {"nothing else works", w.sim.AddToken(simulator.TokenOptions{ExpiresOn: start(), Grants: everything()}), w.path(), 403, simulator.CodeUnauthorized, ""},
		"NotYet":          {"before its time", w.sim.AddToken(simulator.TokenOptions{NotBefore: start().Add(time.Hour), Grants: everything()}), w.path(), 403, simulator.CodeUnauthorized, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := w.as(tc.token, http.MethodGet, tc.path, nil)
			if got.status != tc.status || got.code() != tc.code {
				t.Fatalf("%s: %d/%d, want %d/%d", tc.reason, got.status, got.code(), tc.status, tc.code)
			}
			if tc.tokenStatus != "" && w.object(got)["status"] != tc.tokenStatus {
				t.Errorf("%s: %s", tc.reason, got.raw)
			}
		})
	}
}

func TestTokenLife(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	token := w.sim.AddToken(simulator.TokenOptions{Grants: everything(), NotBefore: start().Add(time.Hour), ExpiresOn: start().Add(2 * time.Hour)})
	status := func() int { return w.as(token, http.MethodGet, w.path(), nil).status }
	if got := status(); got != 403 {
		t.Errorf("before its time: %d", got)
	}
	w.sim.Advance(time.Hour)
	if got := status(); got != 200 {
		t.Errorf("in its time: %d", got)
	}
	if err := w.sim.SetTokenStatus(token, simulator.TokenDisabled); err != nil || status() != 403 {
		t.Errorf("disabled: %d (%v)", status(), err)
	}
	if err := w.sim.SetTokenStatus(token, simulator.TokenActive); err != nil || status() != 200 {
		t.Errorf("enabled again: %d (%v)", status(), err)
	}
	w.sim.Advance(time.Hour)
	if got := status(); got != 403 {
		t.Errorf("after its time: %d", got)
	}
	w.sim.RevokeToken(token)
	if got := w.as(token, http.MethodGet, "/user/tokens/verify", nil); got.code() != simulator.CodeInvalidToken {
		t.Errorf("revoked: %d", got.code())
	}
	if err := w.sim.SetTokenStatus(token, simulator.TokenActive); err == nil {
		t.Error("the status of a revoked token could be set")
	}
}

// TestUnknownTokens calls every route with an unknown token. Only the routes that
// verify tokens distinguish it from a token without permission.
func TestUnknownTokens(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	revoked := w.sim.AddToken(simulator.TokenOptions{Grants: everything()})
	w.sim.RevokeToken(revoked)
	for _, tc := range []struct {
		path         string
		status, code int
		says         string
	}{
		{"/user/tokens/verify", 401, simulator.CodeInvalidToken, "Invalid API Token"},
		{"/accounts/" + w.account.ID + "/tokens/verify", 401, simulator.CodeInvalidToken, "Invalid API Token"},
		{"/user", 403, simulator.CodeUnauthorized, "Invalid access token"},
		{"/zones", 403, simulator.CodeUnauthorized, "Invalid access token"},
		{w.path(), 403, simulator.CodeUnauthorized, "Invalid access token"},
		{w.records(), 403, simulator.CodeUnauthorized, "Invalid access token"},
		{"/nowhere", 403, simulator.CodeUnauthorized, "Invalid access token"},
	} {
		for what, token := range map[string]string{"revoked": revoked, "never known": strings.Repeat("x", 40)} {
			got := w.as(token, http.MethodGet, tc.path, nil)
			if got.status != tc.status || got.code() != tc.code || !strings.Contains(got.raw, tc.says) {
				t.Errorf("%s with a token that was %s: %s, want %d/%d %q", tc.path, what, got.raw, tc.status, tc.code, tc.says)
			}
		}
	}
}

func TestClientAddressFilter(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	cases := map[string]struct {
		reason string
		from   []netip.Prefix
		status int
	}{
		"Everywhere": {"no filter", nil, 200},
		"Here":       {"a filter that this address passes", []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("0.0.0.0/0")}, 200},
		"Elsewhere":  {"a filter that it does not", []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")}, 403},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			token := w.sim.AddToken(simulator.TokenOptions{Grants: everything(), From: tc.from})
			for _, path := range []string{w.path(), w.records(), "/user/tokens/verify"} {
				got := w.as(token, http.MethodGet, path, nil)
				if got.status != tc.status || (tc.status == 403 && (got.code() != simulator.CodeUnauthorized || !strings.Contains(got.raw, "Cannot use the access token from location: "))) {
					t.Errorf("%s: GET %s: %d/%d %s, want %d", tc.reason, path, got.status, got.code(), got.raw, tc.status)
				}
			}
		})
	}
}

func TestPermissions(t *testing.T) {
	w := newWorld(t, simulator.PlanPro)
	foreign := w.sim.AddAccount("Foreign")
	other, err := w.sim.AddZone(foreign.ID, "other.example", simulator.ZoneOptions{})
	if err != nil {
		t.Fatal(err)
	}
	record := w.id(a("x", "192.0.2.1"))
	one := func(p simulator.Permission) []simulator.Grant {
		return []simulator.Grant{{Zone: w.zone.ID, Permission: p}}
	}
	create := object{"name": "new.example", "account": object{"id": w.account.ID}}
	cases := map[string]struct {
		reason       string
		grants       []simulator.Grant
		method, path string
		body         any
		status, code int
	}{
		"ReadReads":          {"dns read", one(simulator.DNSRead), http.MethodGet, w.records(), nil, 200, 0},
		"ReadDoesNotWrite":   {"missing scope", one(simulator.DNSRead), http.MethodPost, w.records(), a("y", "192.0.2.1"), 403, simulator.CodeAuthentication},
		"ReadDoesNotPatch":   {"missing scope", one(simulator.DNSRead), http.MethodPatch, w.records(record), object{"ttl": 60}, 403, simulator.CodeAuthentication},
		"ReadDoesNotDelete":  {"missing scope", one(simulator.DNSRead), http.MethodDelete, w.records(record), nil, 403, simulator.CodeAuthentication},
		"WriteReads":         {"to write includes to read", one(simulator.DNSWrite), http.MethodGet, w.records(record), nil, 200, 0},
		"DNSIsNoZone":        {"dns write without zone read", one(simulator.DNSWrite), http.MethodGet, w.path(), nil, 403, simulator.CodeAuthentication},
		"DNSListsNoZones":    {"nor a list of zones", one(simulator.DNSWrite), http.MethodGet, "/zones", nil, 403, simulator.CodeUnauthorized},
		"ZoneIsNoDNS":        {"zone write without dns", one(simulator.ZoneWrite), http.MethodGet, w.records(), nil, 403, simulator.CodeAuthentication},
		"ZoneReadIsNoEdit":   {"missing scope", one(simulator.ZoneRead), http.MethodPatch, w.path(), object{"paused": true}, 403, simulator.CodeAuthentication},
		"SettingsRead":       {"settings", one(simulator.ZoneSettingsRead), http.MethodGet, w.path("settings", "ssl"), nil, 200, 0},
		"SettingsNoWrite":    {"missing scope", one(simulator.ZoneSettingsRead), http.MethodPatch, w.path("settings", "ssl"), object{"value": "full"}, 403, simulator.CodeAuthentication},
		"SubscriptionNeeds":  {"billing", one(simulator.ZoneRead), http.MethodGet, w.path("subscription"), nil, 403, simulator.CodeAuthentication},
		"AnotherZone":        {"a zone the token has nothing to do with", one(simulator.DNSWrite), http.MethodGet, "/zones/" + other.ID + "/dns_records", nil, 403, simulator.CodeUnauthorized},
		"UnknownZone":        {"an unknown zone looks the same", one(simulator.DNSWrite), http.MethodGet, "/zones/" + strings.Repeat("0", 32) + "/dns_records", nil, 403, simulator.CodeUnauthorized},
		"UnknownRecord":      {"scope comes before the record", one(simulator.ZoneRead), http.MethodGet, w.records(strings.Repeat("0", 32)), nil, 403, simulator.CodeAuthentication},
		"MalformedBody":      {"scope comes before the body", one(simulator.DNSRead), http.MethodPost, w.records(), "x", 403, simulator.CodeAuthentication},
		"AccountGrant":       {"all zones of an account", []simulator.Grant{{Zone: "*", Account: w.account.ID, Permission: simulator.DNSRead}}, http.MethodGet, w.records(), nil, 200, 0},
		"AnotherAccount":     {"not of another", []simulator.Grant{{Zone: "*", Account: foreign.ID, Permission: simulator.DNSRead}}, http.MethodGet, w.records(), nil, 403, simulator.CodeUnauthorized},
		"CreateZone":         {"write on the account", []simulator.Grant{{Account: w.account.ID, Permission: simulator.ZoneWrite}}, http.MethodPost, "/zones", create, 200, 0},
		"CreateZoneOneGrant": {"write on one zone is not enough", one(simulator.ZoneWrite), http.MethodPost, "/zones", create, 403, simulator.CodeAuthentication},
		"CreateZoneForeign":  {"nor write on another account", []simulator.Grant{{Account: foreign.ID, Permission: simulator.ZoneWrite}}, http.MethodPost, "/zones", create, 403, simulator.CodeAuthentication},
		"NoUser":             {"tokens are not users", everything(), http.MethodGet, "/user", nil, 403, simulator.CodeAuthentication},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := w.as(w.sim.AddToken(simulator.TokenOptions{Grants: tc.grants}), tc.method, tc.path, tc.body)
			if got.status != tc.status || got.code() != tc.code {
				t.Errorf("%s: %d/%d, want %d/%d: %s", tc.reason, got.status, got.code(), tc.status, tc.code, got.raw)
			}
		})
	}
}

func TestGlobalKeyMayDoEverything(t *testing.T) {
	w := newWorld(t, simulator.PlanFree)
	header := http.Header{"X-Auth-Email": {"jane@example.com"}, "X-Auth-Key": {w.sim.AddGlobalKey("jane@example.com")}}
	for _, path := range []string{"/user", "/zones", w.path(), w.records(), w.path("settings"), w.path("subscription")} {
		if got := w.request(http.MethodGet, path, header, nil); got.status != http.StatusOK {
			t.Errorf("GET %s: %d", path, got.status)
		}
	}
	if got := w.request(http.MethodGet, "/user/tokens/verify", header, nil); got.code() != simulator.CodeInvalidToken {
		t.Errorf("verifying a key: %d", got.code())
	}
}
