// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode"
)

// answers returns bodies of the API, and bodies that resemble them.
func answers() []string {
	record := `{"id":"` + recordID + `","name":"www.example.com","type":"A","content":"192.0.2.1","ttl":1,"proxied":false,"tags":[],"meta":{}}`
	return []string{
		success(`{"id":"` + zoneID + `","name":"example.com","status":"active","name_servers":["a.ns"],"plan":{"legacy_id":"free"}}`),
		`{"result":[` + record + `],"success":true,"errors":[],"messages":[],"result_info":{"page":1,"per_page":100,"count":1,"total_count":1,"total_pages":1}}`,
		success(`{"deletes":[],"patches":[],"posts":[` + record + `]}`),
		success(`{"deletes":null,"posts":{}}`), success("null"), success(`[null]`), success(`[{}]`),
		refusal(81044, "Record does not exist."), refusal(10000, "the token is "+secretToken),
		`{"success":false,"errors":[{"code":1004,"message":"DNS Validation Error","error_chain":[{"code":9005,"message":"bad"}]}]}`,
		`{"success":true,"errors":[],"result":[` + record + `],"result_info":{"page":"1","total_count":"1","total_pages":1.0,"cursors":""}}`,
		`{"success":true,"errors":[],"result":[` + record + `],"result_info":{"total_count":"many","cursor":{"after":1}}}`,
		`{"success":false,"errors":[{"code":"10013","message":"bad name"},{"code":"E1","message":{"a":1}},"odd",null]}`,
		`{"success":false,"errors":null}`, `{"success":"yes"}`, `{"errors":[{"code":"x"}]}`, `[]`, "null", "", "<html></html>", `{"result":`, "\xff\xfe",
	}
}

// FuzzAnswer answers every call with an arbitrary body. Only an answer that says that the call
// was carried out counts as that. The error of every other answer is fit for a condition.
func FuzzAnswer(f *testing.F) {
	for _, body := range answers() {
		for _, status := range []int{200, 204, 302, 400, 403, 404, 429, 502} {
			f.Add(status, "application/json", "5", []byte(body))
		}
	}
	f.Fuzz(func(t *testing.T, status int, contentType, after string, body []byte) {
		if status < 200 || status > 599 {
			return // No server can answer with such a status.
		}
		c := New(NewToken(secretToken), Options{Now: newClock().Now, Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			return &http.Response{
				StatusCode: status, Header: http.Header{"Content-Type": {contentType}, "Retry-After": {after}, "Ratelimit": {after}},
				Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
			}, nil
		})})
		zone, err := c.GetZone(t.Context(), zoneID)
		judge(t, status, body, err)
		if err == nil && (zone.ID != zoneID || zone.Name == "") {
			t.Errorf("%+v passes for a zone", zone)
		}
		found, err := c.FindZones(t.Context(), "example.com", "", false)
		judge(t, status, body, err)
		for _, z := range found {
			if !ValidID(z.ID) {
				t.Errorf("%q passes for a zone's ID", z.ID)
			}
		}
		var page []json.RawMessage
		_, err = c.ListRecords(t.Context(), zoneID, 1, 100, &page)
		judge(t, status, body, err)
		if err == nil && page == nil {
			t.Error("nothing passes for a list")
		}
		judge(t, status, body, c.BatchRecords(t.Context(), zoneID, Batch{Deletes: []string{recordID}}, &struct{ Posts, Patches []json.RawMessage }{}))
		judge(t, status, body, c.DeleteRecord(t.Context(), zoneID, recordID))
		// Only the error of a failed verification is judged.
		if err := c.Verify(t.Context(), ""); err != nil {
			judge(t, status, body, err)
		}
	})
}

func judge(t *testing.T, status int, body []byte, err error) {
	t.Helper()
	var said struct{ Success *bool }
	jsonErr := json.Unmarshal(body, &said)
	if err == nil {
		if status >= 300 || jsonErr != nil || said.Success == nil || !*said.Success {
			t.Errorf("%d %q passes for a success", status, body)
		}
		return
	}
	text := err.Error()
	if len(text) > maxDetails*(maxText+50)+200 || strings.ContainsFunc(text, unicode.IsControl) || strings.Contains(text, secretToken) {
		t.Errorf("the error is not fit for a condition: %d bytes: %.400q", len(text), text)
	}
	if IsRecordGone(err) && status != http.StatusNotFound {
		t.Errorf("%d proves absence: %v", status, err)
	}
	if IsRejected(err) && IsAmbiguous(err) {
		t.Errorf("refused for certain, and yet nobody knows: %v", err)
	}
	if wait := RetryAfter(err); wait < 0 || wait > maxPause {
		t.Errorf("it asks to wait for %s", wait)
	}
	if Explain(err) == nil {
		t.Error("an explanation makes the error go away")
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"", "1", "-1", "300", "99999999999999999999", "soon", "Mon, 02 Mar 2026 12:00:00 GMT", "Mon, 02 Mar 0000 12:00:00 GMT", "1.5", "0x10"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d := retryAfter(http.Header{"Retry-After": {s}}, newClock().Now()); d < 0 || d > maxPause {
			t.Errorf("%q asks to wait for %s", s, d)
		}
	})
}

// FuzzParseCredential parses an arbitrary value of a Secret's key.
func FuzzParseCredential(f *testing.F) {
	for _, s := range []string{
		"token", " token\n", "", "a b", "\x00", "tok\nen", `{"apiToken":"token"}`, `{"apiKey":"key","email":"a@example.com"}`,
		`{"apiKey":"key"}`, `{"apiToken":"a","apiKey":"b"}`, `{"apiToken":1}`, `{"apiToken":"a\r\nX: y"}`, `{`, `{}`, `[]`, "\u00e9", "Bearer token",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ParseCredential(raw)
		if err != nil {
			if s := strings.TrimSpace(string(raw)); len(s) > 40 && strings.Contains(err.Error(), s) {
				t.Errorf("the error shows the value: %v", err)
			}
			return
		}
		for _, part := range []string{c.token.reveal(), c.key.reveal(), c.email.reveal()} {
			if !isHeaderSafe(part) {
				t.Errorf("%q would become a header", part)
			}
		}
		if (c.token.reveal() == "") == (c.key.reveal() == "") || (c.key.reveal() == "") != (c.email.reveal() == "") {
			t.Errorf("%q is neither a token nor a key with an email address", raw)
		}
		if c.IsToken() && !strings.HasPrefix(c.token.reveal(), "{") {
			if again, err := ParseCredential([]byte(c.token.reveal())); err != nil || again != c {
				t.Errorf("the token of %q is not read as itself: %v", raw, err)
			}
		}
		for _, secret := range []string{c.token.reveal(), c.key.reveal()} {
			if len(secret) > 16 && strings.Contains(c.String(), secret) {
				t.Errorf("it shows its secret: %s", c)
			}
		}
	})
}
