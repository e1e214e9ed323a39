// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package leak

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

const (
	token = "cfut_0Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh8Ii9Jj0Kk1Ll2Mm"
	odd   = "pass/word+with=odd&characters?"
	email = "jane.doe@example.com"
	short = "hunter2"
)

func TestSearch(t *testing.T) {
	asJSON, err := json.Marshal(map[string][]byte{"token": []byte(token)})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		reason, text, how string
	}{
		{"nothing", "the credential API token 4a5b6c7d8e9f0a1b lacks a permission", ""},
		{"less than twelve characters of it", "it begins with " + token[:11] + ".", ""},
		{"as it is", "with " + token + " in it", "raw"},
		{"its first twelve characters", token[:12], "raw"},
		{"twelve from the middle", "..." + token[17:29] + "...", "raw"},
		{"its last twelve", token[len(token)-12:], "raw"},
		{"in a struct as Go prints it", fmt.Sprintf("%+v", struct{ T string }{token}), "raw"},
		{"in base64", base64.StdEncoding.EncodeToString([]byte(token)), "base64"},
		{"in base64, behind one character", base64.StdEncoding.EncodeToString([]byte("x" + token)), "base64"},
		{"in base64, behind two", base64.StdEncoding.EncodeToString([]byte("xy" + token)), "base64"},
		{"in the base64 of a whole header", base64.URLEncoding.EncodeToString([]byte("Bearer " + token + "\n")), "base64"},
		{"in an object as the API server shows it", string(asJSON), "base64"},
		{"in hexadecimal", hex.EncodeToString([]byte(token)), "hexadecimal"},
		{"in a dump", fmt.Sprintf("%X", token), "hexadecimal"},
		{"in a query", "/x?t=" + url.QueryEscape(odd), "URL-escaped"},
		{"in a path", "/x/" + url.PathEscape(odd), "URL-escaped"},
		{"what has no need to be escaped", "/x/" + url.PathEscape(token), "raw"},
		{"an email address", "user " + email, "raw"},
		{"a part of an email address is a domain", "zone example.com of jane", ""},
		{"a short secret", "the password is " + short, "raw"},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			var (
				r Record
				s Secrets
			)
			s.Add(token, odd, short, "x")
			s.AddWhole(email)
			r.Keep("log", "before")
			r.Keep("log", tc.text)
			found := r.Search(&s)
			switch {
			case tc.how == "" && len(found) > 0:
				t.Errorf("%s: found %v", tc.reason, found)
			case tc.how != "" && (len(found) != 1 || found[0].How != tc.how || found[0].Place != "log"):
				t.Errorf("%s: found %v, want one that is %s", tc.reason, found, tc.how)
			}
			for _, f := range found {
				for _, secret := range []string{token, odd, email, short} {
					if strings.Contains(f.String(), secret[:min(len(secret), window)]) {
						t.Errorf("%s: the finding shows the secret: %s", tc.reason, f)
					}
				}
			}
		})
	}
}

func TestNoSecretsAreFoundNowhere(t *testing.T) {
	var r Record
	r.Keep("log", token)
	if found := r.Search(&Secrets{}); len(found) > 0 {
		t.Errorf("found %v", found)
	}
	if got := r.Size()["log"]; got != len(token) {
		t.Errorf("%d characters came out, want %d", got, len(token))
	}
}

func TestFindingsAreInOrder(t *testing.T) {
	var (
		r Record
		s Secrets
	)
	s.Add(token)
	for _, place := range []string{"metrics", "event", "log"} {
		r.Keep(place, token)
	}
	var places []string
	for _, f := range r.Search(&s) {
		places = append(places, f.Place)
	}
	if got := strings.Join(places, " "); got != "event log metrics" {
		t.Errorf("found at %s", got)
	}
}

// TestPublic checks that a public value of a Secret is no finding, and that the rest of the
// Secret is.
func TestPublic(t *testing.T) {
	const id = "023e105f4ecef8ad9ca31a8372d0c353"
	tests := []struct {
		reason, text string
		found        int
	}{
		{"the value alone", "account " + id, 0},
		{"a secret beside it", `{"account":"` + id + `","secret":"` + token + `"}`, 1},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			var (
				r Record
				s Secrets
			)
			s.Add(id, `{"account":"`+id+`","secret":"`+token+`"}`)
			r.Public(id)
			r.Keep("log", tc.text)
			if got := r.Search(&s); len(got) != tc.found {
				t.Errorf("found %v, want %d", got, tc.found)
			}
		})
	}
}
