// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// answering returns a client that gets the same answer to each call.
func answering(status int, body string) *Client {
	return New(NewToken(secretToken), Options{Now: newClock().Now, Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}, nil
	})})
}

// TestOddPaging expects that the outcome of a call does not depend on how its result is paged. A list is
// believed only if its paging can be read.
func TestOddPaging(t *testing.T) {
	for _, tc := range []struct {
		reason, info string
		want         ResultInfo
		lists        bool
	}{
		{"a number that is a text", `{"total_count":"3"}`, ResultInfo{TotalCount: 3}, true},
		{"a whole number with a fraction", `{"total_count":3.0,"per_page":"50.0"}`, ResultInfo{TotalCount: 3, PerPage: 50}, true},
		{"no cursors, as a text", `{"cursors":""}`, ResultInfo{}, true},
		{"no cursors, as a list", `{"cursors":[],"cursor":[]}`, ResultInfo{}, true},
		{"no numbers", `{"total_pages":null,"cursor":null,"page":""}`, ResultInfo{}, true},
		{"nothing, as a list", `[]`, ResultInfo{}, true},
		{"nothing, as a text", `""`, ResultInfo{}, true},
		{"a page that is none", `{"page":1.5,"total_pages":2}`, ResultInfo{TotalPages: 2}, true},
		{"a cursor", `{"cursors":{"after":"x"}}`, ResultInfo{Cursors: struct{ After string }{"x"}}, true},
		{"a cursor of the other form", `{"cursor":"x","cursors":{"after":""}}`, ResultInfo{Cursor: "x"}, true},
		{"a count that is no number", `{"total_count":"many"}`, ResultInfo{}, false},
		{"pages that are no whole number", `{"total_pages":2.5}`, ResultInfo{}, false},
		{"a number beyond all numbers", `{"total_count":1e300}`, ResultInfo{}, false},
		{"a cursor that is a number", `{"cursor":7}`, ResultInfo{}, false},
		{"cursors that are a text", `{"cursors":"next"}`, ResultInfo{}, false},
		{"a text", `"next"`, ResultInfo{}, false},
	} {
		c := answering(http.StatusOK, `{"success":true,"errors":[],"messages":[],"result":[{"id":"x"}],"result_info":`+tc.info+`}`)
		a, err := c.Do(t.Context(), Request{Method: http.MethodPost, Path: "/accounts/a/x", Route: "/x"})
		if err != nil || string(a.Result) != `[{"id":"x"}]` {
			t.Errorf("%s: a creation that was carried out gives %s, %v; the outcome is unknown: %t", tc.reason, a.Result, err, IsAmbiguous(err))
		}
		a, err = c.Do(t.Context(), Request{Method: http.MethodGet, Path: "/accounts/a/x", Route: "/x"})
		if (err == nil) != tc.lists || tc.lists && a.Info != tc.want {
			t.Errorf("%s: a list gives %+v, %v", tc.reason, a.Info, err)
		}
	}
}

// TestOddRefusals expects that a refusal with a string as its code counts as one of the API.
func TestOddRefusals(t *testing.T) {
	for _, tc := range []struct {
		reason, errors string
		code           int
		says           string
	}{
		{"a code that is a text", `[{"code":"10013","message":"bad name"}]`, 10013, "bad name (code 10013)"},
		{"a code with a fraction", `[{"code":10013.0,"message":"bad name"}]`, 10013, "bad name (code 10013)"},
		{"a code that is a word", `[{"code":"bad_request","message":"bad name"}]`, 0, "bad_request bad name"},
		{"a message that is an object", `[{"code":1,"message":{"name":"bad"}}]`, 1, `{"name":"bad"}`},
		{"a cause of that form", `[{"code":1,"message":"bad","error_chain":[{"code":"2","message":"worse"}]}]`, 2, "worse (code 2)"},
	} {
		c := answering(http.StatusBadRequest, `{"success":false,"errors":`+tc.errors+`,"messages":[],"result":null}`)
		_, err := c.Do(t.Context(), Request{Method: http.MethodPost, Path: "/accounts/a/x", Route: "/x"})
		if err == nil || !strings.Contains(err.Error(), tc.says) || !IsRejected(err) || IsAmbiguous(err) {
			t.Errorf("%s: %v", tc.reason, err)
		}
		if tc.code != 0 && !is(err, func(e *Error) bool { return e.Has(tc.code) }) {
			t.Errorf("%s: no code %d in %v", tc.reason, tc.code, err)
		}
	}
}
