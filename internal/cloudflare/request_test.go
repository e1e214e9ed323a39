// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

const secretInBody = "correct-horse-battery"

func TestDo(t *testing.T) {
	var got *http.Request
	var sent string
	status, answer := http.StatusOK, ""
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		got, sent = r, string(raw)
		w.WriteHeader(status)
		io.WriteString(w, answer)
	}))
	defer srv.Close()
	var calls []Call
	c := New(NewToken("a-token-of-some-length"), Options{BaseURL: srv.URL + "/v4", UserAgent: "tests", Observe: func(c Call) { calls = append(calls, c) }})
	request := Request{
		Method: http.MethodPost, Path: "/accounts/1/things/a%2Fb", Route: "/accounts/{account_id}/things/{thing}",
		Query: url.Values{"q": {"1"}}, Header: http.Header{"Cf-R2-Jurisdiction": {"eu"}}, Body: map[string]any{"secret": secretInBody},
		Permission: "Things: Edit", Secrets: []string{secretInBody},
	}

	t.Run("what is sent", func(t *testing.T) {
		status, answer = http.StatusOK, `{"success":true,"result":"a text","result_info":{"cursors":{"after":"x"}}}`
		a, err := c.Do(t.Context(), request)
		if err != nil || string(a.Result) != `"a text"` || a.Info.Cursors.After != "x" {
			t.Fatalf("Do(...) = %s, %+v, %v", a.Result, a.Info, err)
		}
		if got.URL.EscapedPath() != "/v4/accounts/1/things/a%2Fb" || got.URL.RawQuery != "q=1" || sent != `{"secret":"`+secretInBody+`"}` {
			t.Errorf("sent %s %s", got.URL, sent)
		}
		for name, want := range map[string]string{
			"Authorization": "Bearer a-token-of-some-length", "User-Agent": "tests", "Content-Type": "application/json", "Cf-R2-Jurisdiction": "eu",
		} {
			if h := got.Header.Get(name); h != want {
				t.Errorf("header %s is %q, want %q", name, h, want)
			}
		}
		if len(calls) != 1 || calls[0].Route != request.Route || calls[0].Status != http.StatusOK {
			t.Errorf("observed %+v", calls)
		}
	})
	t.Run("null and nothing are results", func(t *testing.T) {
		for _, answer = range []string{`{"success":true,"result":null}`, `{"success":true}`} {
			if a, err := c.Do(t.Context(), request); err != nil || len(a.Result) > 4 {
				t.Errorf("Do(...) for %s = %s, %v", answer, a.Result, err)
			}
		}
	})
	t.Run("no content is a result where the status says so", func(t *testing.T) {
		for _, tc := range []struct {
			status int
			ok     bool
		}{{http.StatusNoContent, true}, {http.StatusOK, false}, {http.StatusForbidden, false}} {
			status, answer = tc.status, ""
			if a, err := c.Do(t.Context(), request); (err == nil) != tc.ok || len(a.Result) > 0 {
				t.Errorf("Do(...) for HTTP %d without a body = %s, %v", tc.status, a.Result, err)
			}
		}
	})
	t.Run("a refusal names the permission and no secret", func(t *testing.T) {
		status, answer = http.StatusForbidden, `{"success":false,"errors":[{"code":10000,"message":"no `+secretInBody+`"}]}`
		_, err := c.Do(t.Context(), request)
		said := Explain(err).Error()
		if !IsForbidden(err) || !strings.Contains(said, "this needs Things: Edit") || strings.Contains(said, secretInBody) {
			t.Errorf("Do(...): %s", said)
		}
	})
	t.Run("a secret that is cut off is none", func(t *testing.T) {
		status, answer = http.StatusBadRequest, `{"success":false,"errors":[{"code":1,"message":"`+strings.Repeat("x", maxText-10)+secretInBody+`"}]}`
		_, err := c.Do(t.Context(), request)
		if said := err.Error(); strings.Contains(said, secretInBody[:6]) || !strings.Contains(said, "xxx") {
			t.Errorf("Do(...): %s", said)
		}
	})
	t.Run("what is not the API's proves nothing", func(t *testing.T) {
		status, answer = http.StatusBadGateway, "<html>"
		if _, err := c.Do(t.Context(), request); !IsAmbiguous(err) {
			t.Errorf("Do(...) = %v, want an ambiguous error", err)
		}
	})
	t.Run("a body that is no JSON is not sent", func(t *testing.T) {
		got = nil
		if _, err := c.Do(t.Context(), Request{Method: http.MethodPost, Body: json.RawMessage("{")}); err == nil || got != nil {
			t.Errorf("Do(...) = %v, sent %v", err, got)
		}
	})
}

// TestLinesOfASecretAreRedacted expects that each line of a secret is redacted: the API may repeat a
// private key with other line ends, or a part of it.
func TestLinesOfASecretAreRedacted(t *testing.T) {
	const key = "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49\nAgEGCCqGSM49AwEHBG0w\n-----END PRIVATE KEY-----\n"
	op := operation{secrets: []string{key, "short"}}
	for _, said := range []string{
		"invalid key: " + key,
		"invalid key: " + strings.TrimSpace(key),
		"invalid key: " + strings.ReplaceAll(key, "\n", `\n`),
		"line 2: MIGHAgEAMBMGByqGSM49",
		"line 3: AgEGCCqGSM49AwEHBG0w is short",
	} {
		got := op.redact(said)
		if strings.Contains(got, "MIGHAgEA") || strings.Contains(got, "AgEGCCqG") || !strings.Contains(got, "[redacted]") {
			t.Errorf("the key is in %q", got)
		}
	}
	lines := operation{secrets: []string{"user=admin\nhunter2\nis\n"}}
	if got, want := lines.redact(`line 2: hunter2 is weak, "hunter2\nis"`), `line 2: [redacted] is weak, "[redacted]\nis"`; got != want {
		t.Errorf("a short line of a longer secret: %q, want %q", got, want)
	}
	if got := op.redact("a shorter text about BEGIN PRIVATE KEY"); strings.Contains(got, "[redacted]") {
		t.Errorf("what is no secret is taken out: %q", got)
	}
}

// TestShortSecretsAreRedacted expects that a secret of less than eight characters is redacted if it stands alone. Text
// that has its characters by chance stays.
func TestShortSecretsAreRedacted(t *testing.T) {
	for _, tc := range []struct{ reason, secret, said, want string }{
		{"a word", "hunter2", "the password hunter2 is too weak", "the password [redacted] is too weak"},
		{"a word at the end of a sentence", "123456", "invalid: 123456.", "invalid: [redacted]."},
		{"more than once", "abc", "abc: abc", "[redacted]: [redacted]"},
		{"after an assignment", "s3cr", "password=s3cr&user=a", "password=[redacted]&user=a"},
		{"within a word", "abc", "abcdef and dabc and ab-abc", "abcdef and dabc and ab-abc"},
		{"with line ends", "s3cr\n", "invalid value s3cr", "invalid value [redacted]"},
		{"quoted", "on", `the value "on" of 'on' is \"on\"`, `the value "[redacted]" of '[redacted]' is \"[redacted]\"`},
		{"a word of many texts", "on", "the setting is not available on this plan", "the setting is not available on this plan"},
		{"the whole text", "no", "no", "[redacted]"},
		{"the end of a text", "pin7", "is pin7", "is [redacted]"},
		{"a short line of a long one", "{\n}\nlong-enough-for-one", "unexpected { or }", "unexpected { or }"},
		{"a line end before it, as Go and JSON quote it", "hunter2", `"password:\nhunter2\n"`, `"password:\n[redacted]\n"`},
		{"a tab within a quote within a quote", "hunter2", `"\"password:\\thunter2\\t\""`, `"\"password:\\t[redacted]\\t\""`},
		{"quotes as JSON may write them", "hunter2", `the value \u0022hunter2\u0022 is weak`, `the value \u0022[redacted]\u0022 is weak`},
		{"a byte as Go quotes it", "hunter2", `"\xffhunter2\xff\U0001f511hunter2"`, `"\xff[redacted]\xff\U0001f511[redacted]"`},
		{"as a URL has it", "hunter2", "password%3Dhunter2%26u", "password%3D[redacted]%26u"},
		{"as a URL in small letters has it", "hunter2", "password%3dhunter2%0a", "password%3d[redacted]%0a"},
		{"within a word after an escape", "abc", `\nabcd \u0022dabc %3Dab-abc C:\dir\xabc`, `\nabcd \u0022dabc %3Dab-abc C:\dir\xabc`},
		{"in quotes that are escaped", "on", `\u0022on\u0022, \x27on\x27 or %22on%22, not %20on%20 and \non\n`, `\u0022[redacted]\u0022, \x27[redacted]\x27 or %22[redacted]%22, not %20on%20 and \non\n`},
		{"nothing", "", "the value is empty", "the value is empty"},
		{"letters of any script", "äöü", "der Wert äöü ist nicht äöüß", "der Wert [redacted] ist nicht äöüß"},
	} {
		if got := (operation{secrets: []string{tc.secret}}).redact(tc.said); got != tc.want {
			t.Errorf("%s: the request's secret: %q, want %q", tc.reason, got, tc.want)
		}
		if got := NewToken(strings.TrimSpace(tc.secret)).redact(tc.said); got != tc.want {
			t.Errorf("%s: the credential: %q, want %q", tc.reason, got, tc.want)
		}
	}
}
