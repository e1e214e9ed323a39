// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// verdicts returns the names of the predicates that hold for err.
func verdicts(err error) []string {
	var out []string
	for _, p := range []struct {
		name string
		is   func(error) bool
	}{
		{"gone", IsRecordGone},
		{"zone unknown", IsZoneUnknown},
		{"exists", IsRecordExists},
		{"name taken", IsNameTaken},
		{"quota", IsQuota},
		{"zone exists", IsZoneExists},
		{"throttled", IsThrottled},
		{"invalid credential", IsInvalidCredential},
		{"forbidden", IsForbidden},
		{"may be invalid", MayBeInvalidCredential},
		{"ambiguous", IsAmbiguous},
		{"batch too large", IsBatchTooLarge},
		{"rejected", IsRejected},
		{"unexplained", IsUnexplained},
	} {
		if p.is(err) {
			out = append(out, p.name)
		}
	}
	return out
}

const htmlPage = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502</h1></center></body></html>"

func TestVerdictsOnAnswers(t *testing.T) {
	chain := `{"result":null,"success":false,"errors":[{"code":1004,"message":"DNS Validation Error","error_chain":[{"code":%d,"message":"%s"}]}],"messages":[]}`
	tests := []struct {
		reason string
		status int
		body   string
		want   []string
		// says is a part of the error's text.
		says string
	}{
		// The table of codes.
		{"identical record", 400, refusal(81058, "An identical record already exists."), []string{"exists", "rejected"}, "An identical record already exists (code 81058)"},
		{"older code of the same", 400, refusal(81057, "Record already exists."), []string{"exists", "rejected"}, "81057"},
		{"a host beside a CNAME", 400, refusal(81053, "An A, AAAA, or CNAME record with that host already exists."), []string{"name taken", "rejected"}, "81053"},
		{"a CNAME beside a host", 400, refusal(81054, "A CNAME record with that host already exists."), []string{"name taken", "rejected"}, "81054"},
		{"no such record", 404, refusal(81044, "Record does not exist."), []string{"gone", "rejected"}, "GET /zones/{zone}/dns_records/{record}: Record does not exist (code 81044) [HTTP 404]"},
		{"quota", 400, refusal(81045, "Record quota exceeded."), []string{"quota", "rejected"}, "81045"},
		{"bad content", 400, refusal(9005, "Content for A record is invalid."), []string{"rejected"}, "9005"},
		{"not proxiable", 400, refusal(9004, "This record type cannot be proxied."), []string{"rejected"}, "9004"},
		{"bad ttl", 400, refusal(9021, "Invalid TTL."), []string{"rejected"}, "9021"},
		{"tags", 400, refusal(9300, "Tag quota exceeded."), []string{"rejected"}, "9300"},
		{"token of a bad form", 400, `{"success":false,"errors":[{"code":6003,"message":"Invalid request headers","error_chain":[{"code":6111,"message":"Invalid format for Authorization header"}]}],"messages":[],"result":null}`, []string{"invalid credential"}, "Invalid request headers (code 6003): Invalid format for Authorization header (code 6111)"},
		{"key of a bad form", 400, `{"success":false,"errors":[{"code":6003,"message":"Invalid request headers","error_chain":[{"code":6103,"message":"Invalid format for X-Auth-Key header"}]}],"messages":[],"result":null}`, []string{"invalid credential"}, "6103"},
		{"unknown token", 401, refusal(1000, "Invalid API Token"), []string{"invalid credential"}, "1000"},
		{"unknown key", 403, refusal(9103, "Unknown X-Auth-Key or X-Auth-Email"), []string{"invalid credential"}, "9103"},
		{"unknown token, other status", 403, refusal(1000, "Invalid API Token"), []string{"invalid credential"}, "1000"},
		{"missing scope", 403, refusal(10000, "Authentication error"), []string{"forbidden"}, "10000"},
		{"missing scope, other status", 401, refusal(10000, "Authentication error"), []string{"forbidden"}, "10000"},
		{"someone else's resource", 403, refusal(9109, "Unauthorized to access requested resource"), []string{"forbidden", "may be invalid"}, "9109"},
		{"unknown token where tokens are not verified", 403, refusal(9109, "Invalid access token"), []string{"forbidden", "may be invalid"}, "Invalid access token"},
		{"bad ID or route", 404, `{"success":false,"errors":[{"code":7003,"message":"Could not route to /zones/x, perhaps your object identifier is invalid?"},{"code":7000,"message":"No route for that URI"}],"messages":[],"result":null}`, []string{"zone unknown"}, "7000"},
		{"bad ID or route, older status", 400, `{"success":false,"errors":[{"code":7003,"message":"Could not route"},{"code":7000,"message":"No route for that URI"}],"messages":[],"result":null}`, []string{"zone unknown"}, "7003"},
		{"zone exists", 400, refusal(1061, "An A record with that host already exists"), []string{"zone exists", "rejected"}, "1061"},
		{"a private address behind the proxy", 400, refusal(9003, "Content is not permitted for a proxied record."), []string{"rejected"}, "9003"},
		{"bad name", 400, refusal(9000, "DNS name is invalid."), []string{"rejected"}, "9000"},
		{"bad target", 400, refusal(9007, "Content for CNAME record is invalid."), []string{"rejected"}, "9007"},
		{"bad mail server", 400, refusal(9009, "Content for MX record is invalid."), []string{"rejected"}, "9009"},
		{"bad data", 400, refusal(9100, "Data is invalid."), []string{"rejected"}, "9100"},
		{"a field of data is missing", 400, refusal(9101, "port is a required data field."), []string{"rejected"}, "9101"},
		{"bad settings", 400, refusal(9313, "Invalid settings."), []string{"rejected"}, "9313"},
		{"a bad tag", 400, refusal(9322, "Invalid tag."), []string{"rejected"}, "9322"},
		{"a zone of this name was deleted lately", 400, refusal(1105, "Wait 3 hours."), []string{"rejected"}, "1105"},
		{"refused as a conflict", 409, refusal(81058, "An identical record already exists."), []string{"exists", "rejected"}, "81058"},
		{"more operations than the plan allows", 400, refusal(simulator.CodeBatchTooLarge, "Batch has 201 operations."), []string{"batch too large"}, "201"},
		{"longer than a proxy takes", 413, htmlPage, []string{"batch too large"}, "413"},
		{"throttle", 429, refusal(971, "Please wait and consider throttling your request speed"), []string{"throttled"}, "971"},
		{"throttle of a product", 429, refusal(10100, "rate limited"), []string{"throttled"}, "10100"},
		{"throttle of lists", 429, refusal(10040, "rate limited"), []string{"throttled"}, "10040"},

		// Refusals that say nothing about what the call contains.
		{"a proxy's page about a bad request", 400, htmlPage, []string{"unexplained"}, "400"},
		{"the server took too long to read", 408, refusal(1001, "Timeout"), nil, "1001"},
		{"a throttle under another status", 400, refusal(971, "slow down"), nil, "971"},

		// Answers that never prove that a record is gone.
		{"404 that says something else", 404, refusal(7000, "No route for that URI"), nil, "7000"},
		{"the code of a missing record under another status", 400, refusal(81044, "Record does not exist."), []string{"rejected"}, "81044"},
		{"a page of a proxy that says 404", 404, htmlPage, nil, "404 Not Found without saying why"},

		// Older answers put the cause into a chain.
		{"wrapped identical record", 400, fmt.Sprintf(chain, 81058, "identical"), []string{"exists", "rejected"}, "DNS Validation Error (code 1004): identical (code 81058)"},
		{"wrapped missing record", 404, fmt.Sprintf(chain, 81044, "gone"), []string{"gone", "rejected"}, "81044"},
		{"wrapped quota", 400, fmt.Sprintf(chain, 81045, "quota"), []string{"quota", "rejected"}, "81045"},
		{"wrapped CNAME", 400, fmt.Sprintf(chain, 81053, "host"), []string{"name taken", "rejected"}, "81053"},
		{"wrapped twice", 400, `{"success":false,"errors":[{"code":1,"message":"a","error_chain":[{"code":2,"message":"b","error_chain":[{"code":81058,"message":"c"}]}]}]}`, []string{"exists", "rejected"}, "a (code 1): b (code 2): c (code 81058)"},

		// Server errors, after which the outcome is not known.
		{"a proxy's page", 502, htmlPage, []string{"ambiguous"}, "502 Bad Gateway without saying why"},
		{"500 in JSON", 500, refusal(1001, "Internal error"), []string{"ambiguous"}, "1001"},
		{"503 without a body", 503, "", []string{"ambiguous"}, "503"},
		{"a timeout at Cloudflare's own edge", 524, htmlPage, []string{"ambiguous"}, "524"},

		// Answers with a status of success that are no success.
		{"200 that says it failed", 200, refusal(9999, "no"), []string{"rejected"}, "no (code 9999) [HTTP 200]"},
		{"200 that failed without saying why", 200, `{"success":false,"errors":[],"result":null}`, []string{"ambiguous"}, "200 OK without saying why"},
		{"200 without a word on success", 200, `{"result":{"id":"x"}}`, []string{"ambiguous"}, "200"},
		{"200 with a page", 200, htmlPage, []string{"ambiguous"}, "200"},
		{"200 with half a body", 200, `{"result":{"id":"x"`, []string{"ambiguous"}, "200"},
		{"200 without a body", 200, "", []string{"ambiguous"}, "200"},
		{"200 with a list for a record", 200, success(`["x"]`), []string{"ambiguous"}, "cannot read the Cloudflare API's answer [HTTP 200]"},
		{"200 with nothing for a record", 200, success("null"), []string{"ambiguous"}, "its result is null"},
		{"200 without a result", 200, `{"success":true,"errors":[]}`, []string{"ambiguous"}, "cannot read"},

		{"200 with errors that are no errors", 200, `{"success":false,"errors":[81044],"result":null}`, []string{"ambiguous"}, "not the API's JSON"},
		{"404 with the right code in the wrong place", 404, `{"success":false,"errors":{"code":81044}}`, nil, "404"},
		{"403 of a firewall", 403, htmlPage, []string{"forbidden", "unexplained"}, "403"},
		{"401 without a body", 401, "", []string{"invalid credential"}, "401"},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			s := serve(t, answer(tc.status, tc.body))
			var out struct{ ID string }
			err := s.client(t, Options{}).GetRecord(t.Context(), zoneID, recordID, &out)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%s: got %v, want an *Error", tc.reason, err)
			}
			if e.Status != tc.status {
				t.Errorf("%s: Status is %d, want %d", tc.reason, e.Status, tc.status)
			}
			if diff := cmp.Diff(tc.want, verdicts(err)); diff != "" {
				t.Errorf("%s: verdicts (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.want, verdicts(fmt.Errorf("cannot do it: %w", err))); diff != "" {
				t.Errorf("%s: verdicts once wrapped (-want +got):\n%s", tc.reason, diff)
			}
			if !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: error %q does not say %q", tc.reason, err, tc.says)
			}
			if strings.Contains(err.Error(), zoneID) || strings.Contains(err.Error(), "<html>") {
				t.Errorf("%s: error %q is not fit for a condition", tc.reason, err)
			}
			if n := s.calls.Load(); n != 1 {
				t.Errorf("%s: %d calls, want 1: the SDK must not retry", tc.reason, n)
			}
		})
	}
}

func TestVerdictsOnOtherErrors(t *testing.T) {
	tests := []struct {
		reason string
		err    error
		want   []string
	}{
		{"no error", nil, nil},
		{"an error of someone else", io.ErrUnexpectedEOF, nil},
		{"time ran out before an answer", fmt.Errorf("x: %w", context.DeadlineExceeded), []string{"ambiguous"}},
		{"cancelled before an answer", fmt.Errorf("x: %w", context.Canceled), []string{"ambiguous"}},
		{"never sent", &Error{Status: 429, Details: []Detail{{Code: codeThrottled}}}, []string{"throttled"}},
		{"made by hand", &Error{}, nil},
		{"a bad ID", &IDError{What: "zone", ID: "x"}, nil},
	}
	for _, tc := range tests {
		if diff := cmp.Diff(tc.want, verdicts(tc.err)); diff != "" {
			t.Errorf("%s: verdicts (-want +got):\n%s", tc.reason, diff)
		}
	}
}

func TestLostAnswersAreAmbiguous(t *testing.T) {
	hijack := func(f func(w io.Writer)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			conn, buf, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			f(buf)
			_ = buf.Flush()
			_ = conn.Close()
		}
	}
	tests := []struct {
		reason string
		handle http.HandlerFunc
	}{
		{"the connection is reset before an answer", hijack(func(io.Writer) {})},
		{"the connection is reset within the body", hijack(func(w io.Writer) {
			_, _ = io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"result\":{")
		})},
		{"the answer is not HTTP", hijack(func(w io.Writer) { _, _ = io.WriteString(w, "SSH-2.0-x\r\n\r\n") })},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			s := serve(t, tc.handle)
			err := s.client(t, Options{}).CreateRecord(t.Context(), zoneID, map[string]any{"name": "a"}, nil)
			if !IsAmbiguous(err) {
				t.Errorf("%s: %v is not ambiguous", tc.reason, err)
			}
			if n := s.calls.Load(); n != 1 {
				t.Errorf("%s: %d calls, want 1: a repeated POST makes duplicates", tc.reason, n)
			}
			if strings.Contains(err.Error(), s.URL) || strings.Contains(err.Error(), secretToken) {
				t.Errorf("%s: error %q shows the URL or the secret", tc.reason, err)
			}
		})
	}
}

func TestCancelledCallSaysWhy(t *testing.T) {
	why := errors.New("the process stops")
	entered, cancelled := make(chan struct{}), make(chan struct{})
	s := serve(t, func(http.ResponseWriter, *http.Request) {
		close(entered)
		<-cancelled // A write is not cut off, so its connection has to break.
		panic(http.ErrAbortHandler)
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-entered
		cancel(why)
		close(cancelled)
	}()
	err := s.client(t, Options{}).DeleteRecord(ctx, zoneID, recordID)
	if !errors.Is(err, why) || !IsAmbiguous(err) {
		t.Errorf("got %v, want an ambiguous error because %v", err, why)
	}
}

func TestErrorIsReadableInsideJSON(t *testing.T) {
	e := &Error{Method: "GET", Route: "/zones", Status: 403, Details: []Detail{{10000, "Authentication error."}}}
	raw, err := json.Marshal(map[string]string{"error": e.Error()})
	want := `{"error":"GET /zones: Authentication error (code 10000) [HTTP 403]"}`
	if err != nil || string(raw) != want {
		t.Errorf("got %s, %v, want %s", raw, err, want)
	}
}

func TestExplain(t *testing.T) {
	tests := []struct {
		reason string
		err    *Error
		says   string
	}{
		{"unknown token", &Error{Status: 401, Details: []Detail{{codeInvalidToken, "Invalid API Token"}}}, "put a valid API token into the Secret"},
		{"to change a record", &Error{Method: "PATCH", Route: routeRecord, Status: 403, Details: []Detail{{codeAuthentication, "Authentication error"}}}, "this needs DNS: Edit on the zone; check"},
		{"to change many", &Error{Method: "POST", Route: routeBatch, Status: 403, Details: []Detail{{codeAuthentication, "Authentication error"}}}, "this needs DNS: Edit on the zone; check"},
		{"to list records", &Error{Method: "GET", Route: routeRecords, Status: 403, Details: []Detail{{codeAuthentication, "Authentication error"}}}, "this needs DNS: Read "},
		{"to read a zone", &Error{Method: "GET", Route: routeZone, Status: 403, Details: []Detail{{codeAuthentication, "Authentication error"}}}, "this needs Zone: Read on the zone"},
		{"to look for zones", &Error{Method: "GET", Route: routeZones, Status: 403, Details: []Detail{{codeUnauthorizedResource, "Unauthorized"}}}, "this needs Zone: Read on the zone"},
		{"to create a zone", &Error{Method: "POST", Route: routeZones, Status: 403, Details: []Detail{{codeAuthentication, "Authentication error"}}}, "this needs Zone: Edit on all zones of the account"},
		{"to delete a zone", &Error{Method: "DELETE", Route: routeZone, Status: 403, Details: []Detail{{codeAuthentication, "Authentication error"}}}, "this needs Zone: Edit on the zone"},
		{"an address the token may not be used from looks alike", &Error{Method: "GET", Route: routeZone, Status: 403, Details: []Detail{{codeUnauthorizedResource, "Cannot use the access token from location: 192.0.2.1"}}}, "and the addresses it may be used from"},
		{"an unknown token looks alike", &Error{Method: "GET", Route: routeRecords, Status: 403, Details: []Detail{{codeUnauthorizedResource, "Invalid access token"}}}, "the credential is not valid (see the Ready condition of its provider config), or it lacks a permission for this, or its resource does not exist: this needs DNS: Read "},
		{"a call whose permission is not known", &Error{Method: "GET", Route: routeUser, Status: 403, Details: []Detail{{codeAuthentication, "Authentication error"}}}, "does not exist: check the token's permissions"},
		{"unknown key", &Error{Status: 403, Details: []Detail{{codeUnknownKey, "Unknown X-Auth-Key or X-Auth-Email"}}}, "does not know this credential"},
		{"replaced", &Error{Method: "GET", Route: routeZone, cause: ErrReplaced}, "not sent: this credential was replaced by another in its Secret: it is tried again with that one"},
		{"quota", &Error{Status: 400, Details: []Detail{{codeQuota, "quota"}}}, "delete some, or change the plan"},
		{"CNAME", &Error{Status: 400, Details: []Detail{{codeHostHasRecords, "host"}}}, "choose another name"},
		{"zone", &Error{Status: 404, Details: []Detail{{codeNoRouteOrID, "route"}}}, "check the zone's ID"},
	}
	for _, tc := range tests {
		got := Explain(fmt.Errorf("cannot do it: %w", tc.err))
		if !errors.Is(got, tc.err) || !strings.Contains(got.Error(), tc.says) || !strings.HasPrefix(got.Error(), "cannot do it: ") {
			t.Errorf("%s: Explain gives %q, want what was there and %q", tc.reason, got, tc.says)
		}
	}
	plain := errors.New("plain")
	if got := Explain(plain); got != plain { //nolint:errorlint // The very same error.
		t.Errorf("Explain of an error without advice gives %v", got)
	}
	if got := Explain(nil); got != nil {
		t.Errorf("Explain(nil) is %v", got)
	}
	own := explained{&Error{Status: 403, Details: []Detail{{codeAuthentication, "Authentication error"}}}}
	if got := Explain(own); got != error(own) { //nolint:errorlint // The very same error.
		t.Errorf("Explain of an error that says itself what to do gives %v", got)
	}
}

// explained is an error that says itself what its reader can do.
type explained struct{ error }

func (explained) Explained() {}

func (e explained) Unwrap() error { return e.error }

func TestRetryAfterOfErrors(t *testing.T) {
	if got := RetryAfter(fmt.Errorf("x: %w", &Error{RetryAfter: time.Minute})); got != time.Minute {
		t.Errorf("RetryAfter is %v, want a minute", got)
	}
	if got := RetryAfter(io.EOF); got != 0 {
		t.Errorf("RetryAfter of an error that asks for nothing is %v", got)
	}
}
