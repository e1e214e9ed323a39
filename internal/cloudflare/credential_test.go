// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

const (
	secretToken = "cfut_s3cretTokenThatNobodyMaySee00000000"
	secretKey   = "c2547eb745079dac9320b638f5e225cf483cc"
)

func TestParseCredential(t *testing.T) {
	tests := []struct {
		reason string
		raw    string
		want   Credential
		// says is a part of the error, empty if there is none.
		says string
	}{
		{reason: "a bare token", raw: secretToken, want: NewToken(secretToken)},
		{reason: "an editor left a line break", raw: secretToken + "\n", want: NewToken(secretToken)},
		{reason: "white space on both sides, of any kind", raw: " \t\r\n" + secretToken + " \r\n", want: NewToken(secretToken)},
		{reason: "tokens have had other lengths before", raw: "x", want: NewToken("x")},
		{reason: "a token may have any visible ASCII character", raw: "a-b_c.d~e!f", want: NewToken("a-b_c.d~e!f")},
		{reason: "a token in JSON", raw: `{"apiToken":"` + secretToken + `"}`, want: NewToken(secretToken)},
		{reason: "JSON with white space around it", raw: "\n  {\"apiToken\": \"" + secretToken + "\"}\n", want: NewToken(secretToken)},
		{reason: "members nobody knows are no reason to refuse", raw: `{"apiToken":"` + secretToken + `","note":"prod"}`, want: NewToken(secretToken)},
		{reason: "an email address beside a token is not used", raw: `{"apiToken":"` + secretToken + `","email":"a@example.com"}`, want: NewToken(secretToken)},
		{reason: "a global API key with its user", raw: `{"apiKey":"` + secretKey + `","email":"a@example.com"}`, want: NewKey(secretKey, "a@example.com")},

		{reason: "nothing", raw: "", says: "empty"},
		{reason: "only white space", raw: " \n\t", says: "empty"},
		{reason: "two words", raw: secretToken + " " + secretToken, says: "white space"},
		{reason: "a whole header", raw: "Authorization: Bearer " + secretToken, says: "white space"},
		{reason: "a line break inside would split the header", raw: secretToken + "\r\nX-Evil: 1", says: "white space"},
		{reason: "a character that headers cannot carry", raw: secretToken + "\x00", says: "characters"},
		{reason: "a letter beyond ASCII", raw: secretToken + "é", says: "characters"},
		{reason: "bytes that are no text", raw: secretToken + "\xff\xfe", says: "characters"},
		{reason: "broken JSON", raw: `{"apiToken":"` + secretToken + `"`, says: "not a JSON object"},
		{reason: "a number for a token", raw: `{"apiToken":12345678901234567890}`, says: "not a JSON object"},
		{reason: "text after the JSON", raw: `{"apiToken":"` + secretToken + `"} x`, says: "not a JSON object"},
		{reason: "an empty object", raw: `{}`, says: "neither"},
		{reason: "the API's own spelling is another", raw: `{"api_token":"` + secretToken + `"}`, says: "neither"},
		{reason: "an empty token", raw: `{"apiToken":""}`, says: "neither"},
		{reason: "an email address alone", raw: `{"email":"a@example.com"}`, says: "neither"},
		{reason: "a key without its user", raw: `{"apiKey":"` + secretKey + `"}`, says: "no email"},
		{reason: "both kinds", raw: `{"apiToken":"` + secretToken + `","apiKey":"` + secretKey + `","email":"a@example.com"}`, says: "both"},
		{reason: "white space in a JSON token", raw: `{"apiToken":"` + secretToken + `\n"}`, says: "white space"},
		{reason: "a byte order mark is no part of a token", raw: "\ufeff" + secretToken, says: "characters"},
		{reason: "what is in front of the Secret would refuse such a header", raw: strings.Repeat("a", 1025), says: "longer than any API token, 1025 bytes"},
		{reason: "the whole of what a Secret can hold", raw: strings.Repeat(secretToken, 25_000), says: "longer"},
		{reason: "as long as it may be", raw: strings.Repeat("a", 1024), want: NewToken(strings.Repeat("a", 1024))},
		{reason: "a token in JSON that is too long", raw: `{"apiToken":"` + strings.Repeat(secretToken, 30) + `"}`, says: "longer than any credential"},
		{reason: "a name is no email address", raw: `{"apiKey":"` + secretKey + `","email":"admin"}`, says: "no email address"},
		{reason: "a line break in the email address would split the header", raw: `{"apiKey":"` + secretKey + `","email":"a@example.com\r\nX: y"}`, says: "white space"},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			got, err := ParseCredential([]byte(tc.raw))
			if got != tc.want {
				t.Errorf("%s: got another credential than expected", tc.reason)
			}
			if tc.says == "" {
				if err != nil {
					t.Fatalf("%s: %v", tc.reason, err)
				}
				return
			}
			if !errors.Is(err, ErrCredential) || !strings.Contains(err.Error(), tc.says) {
				t.Fatalf("%s: error %v, want one that says %q", tc.reason, err, tc.says)
			}
			for _, secret := range []string{secretToken, secretKey, "1234567890"} {
				if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), secret) {
					t.Errorf("%s: the error shows the secret", tc.reason)
				}
			}
		})
	}
}

func TestCredentialNeverShowsItsSecret(t *testing.T) {
	for _, cred := range []Credential{NewToken(secretToken), NewKey(secretKey, "a@example.com")} {
		var logs bytes.Buffer
		held := struct {
			Name string
			Cred Credential
			Ptr  *Credential
		}{"held", cred, &cred}
		for _, h := range []slog.Handler{slog.NewTextHandler(&logs, nil), slog.NewJSONHandler(&logs, nil)} {
			slog.New(h).Info("x", "cred", cred, "ptr", &cred, "held", held, slog.Group("g", "cred", cred))
		}
		asJSON, err := json.Marshal(held)
		if err != nil {
			t.Fatal(err)
		}
		shown := map[string]string{
			"fmt": fmt.Sprintf("%v %+v %#v %s %q", cred, cred, cred, cred, cred),
			// Exported fields are printed by their methods, at any depth.
			"fmt of a holder": fmt.Sprintf("%v %+v %#v", held, held, held),
			"error":           fmt.Errorf("cannot use %v", cred).Error(),
			"slog":            logs.String(),
			"JSON":            string(asJSON),
		}
		for how, s := range shown {
			if strings.Contains(s, secretToken) || strings.Contains(s, secretKey) {
				t.Errorf("%s shows the secret", how)
			}
			if !strings.Contains(s, cred.String()) {
				t.Errorf("%s does not tell what it is: %s", how, s)
			}
		}
	}
}

// hash stands for a hash with a key.
func hash(secret string) string { return fmt.Sprintf("%064x", len(secret)) }

// TestNoHashWithoutAKeyIsShown expects that, if there is a key, no printed form has a part of a hash that can be
// computed without the key.
func TestNoHashWithoutAKeyIsShown(t *testing.T) {
	for _, cred := range []Credential{NewToken(secretToken), NewKey(secretKey, "a@example.com")} {
		c := New(cred, Options{Fingerprint: hash})
		public := cred.Fingerprint(nil)
		for how, shown := range map[string]string{
			"credential":  fmt.Sprintf("%v %+v %#v", cred, cred, cred),
			"client":      fmt.Sprintf("%v %+v %#v", c, c, c),
			"fingerprint": c.Fingerprint(), "label": CredentialLabel(c.Fingerprint()),
		} {
			if strings.Contains(shown, public[:8]) {
				t.Errorf("the %s shows what everybody who has the secret can compute: %s", how, shown)
			}
		}
		if !strings.Contains(c.String(), CredentialLabel(c.Fingerprint())) {
			t.Errorf("%s does not tell which credential it has", c)
		}
		for label, want := range map[string]bool{CredentialLabel(c.Fingerprint()): true, public[:16]: true, public[:12]: false, "": false, "another": false} {
			if got := c.ShownAs(label); got != want {
				t.Errorf("%q stands for the credential: %t, want %t", label, got, want)
			}
		}
	}
}

func TestFingerprintTellsCredentialsApart(t *testing.T) {
	seen := map[string]Credential{}
	for _, c := range []Credential{
		NewToken("a"), NewToken("b"),
		NewKey("a", "b"),
		NewKey("b", "a"),
		NewKey("ab", ""),
		NewToken("ab"),
		{},
	} {
		f := c.Fingerprint(nil)
		if other, ok := seen[f]; ok {
			t.Errorf("two credentials have the fingerprint %s (token %t and %t)", f, c.IsToken(), other.IsToken())
		}
		seen[f] = c
		if f != c.Fingerprint(nil) || len(f) != 64 {
			t.Errorf("the fingerprint %q is not a whole hash that stays the same", f)
		}
	}
}
