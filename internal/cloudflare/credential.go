// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

// A Credential authenticates calls: an API token, or a global API key with the
// email address of its user. Its printed forms never show the secret.
type Credential struct {
	token string
	key   string
	email string
}

// NewToken is a Credential that uses the API token t.
func NewToken(t string) Credential { return Credential{token: t} }

// ErrCredential is wrapped by every error of ParseCredential. Such errors never
// contain the value that was parsed.
var ErrCredential = errors.New("credential is not usable")

// ParseCredential reads the value of a Secret's key: an API token as it is, or
// JSON {"apiToken": ".."} or {"apiKey": "..", "email": ".."}. White space around
// it is ignored. The length of a token is not checked: Cloudflare has changed it
// before.
func ParseCredential(raw []byte) (Credential, error) {
	s := strings.TrimSpace(string(raw))
	switch {
	case s == "":
		return Credential{}, fmt.Errorf("%w: the value is empty: put an API token there", ErrCredential)
	case strings.HasPrefix(s, "{"):
		return parseJSONCredential([]byte(s))
	case !isHeaderSafe(s):
		return Credential{}, fmt.Errorf("%w: the value has white space or characters no API token has: "+
			"put the bare token there, or JSON with apiToken, or with apiKey and email", ErrCredential)
	}
	return Credential{token: s}, nil
}

func parseJSONCredential(raw []byte) (Credential, error) {
	var v struct {
		APIToken string `json:"apiToken"`
		APIKey   string `json:"apiKey"`
		Email    string `json:"email"`
	}
	// The decoder's error may quote the input, so it is dropped on purpose.
	if json.Unmarshal(raw, &v) != nil {
		return Credential{}, fmt.Errorf("%w: the value starts with { but is not a JSON object of strings", ErrCredential)
	}
	for _, part := range []string{v.APIToken, v.APIKey, v.Email} {
		if part != "" && !isHeaderSafe(part) {
			return Credential{}, fmt.Errorf("%w: a value in the JSON has white space or characters no credential has", ErrCredential)
		}
	}
	switch {
	case v.APIToken != "" && v.APIKey == "":
		return Credential{token: v.APIToken}, nil
	case v.APIToken == "" && v.APIKey != "" && v.Email != "":
		return Credential{key: v.APIKey, email: v.Email}, nil
	case v.APIToken != "":
		return Credential{}, fmt.Errorf("%w: the JSON has both apiToken and apiKey: keep one", ErrCredential)
	case v.APIKey != "":
		return Credential{}, fmt.Errorf("%w: the JSON has apiKey but no email: add the email address of its user", ErrCredential)
	}
	return Credential{}, fmt.Errorf("%w: the JSON has neither apiToken nor apiKey", ErrCredential)
}

// isHeaderSafe reports whether s can be the value of an HTTP header and is free
// of white space, as every Cloudflare credential is.
func isHeaderSafe(s string) bool {
	for _, r := range s {
		if r <= ' ' || r > '~' {
			return false
		}
	}
	return true
}

// Fingerprint tells credentials apart without revealing them: 16 hexadecimal
// characters of a SHA-256.
func (c Credential) Fingerprint() string {
	sum := sha256.Sum256([]byte(c.token + "\x00" + c.key + "\x00" + c.email))
	return hex.EncodeToString(sum[:8])
}

// IsToken reports whether c is an API token rather than a global API key.
func (c Credential) IsToken() bool { return c.token != "" }

// String names the kind of credential and its fingerprint.
func (c Credential) String() string {
	kind := "API key"
	if c.IsToken() {
		kind = "API token"
	}
	return kind + " " + c.Fingerprint()
}

// GoString is String, so that %#v does not show the secret either.
func (c Credential) GoString() string { return c.String() }

// LogValue is String, for structured logs.
func (c Credential) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalJSON is String, so that no encoder shows the secret.
func (c Credential) MarshalJSON() ([]byte, error) { return json.Marshal(c.String()) }

// redact removes the secret from s, should an API message ever echo it.
func (c Credential) redact(s string) string {
	for _, secret := range []string{c.token, c.key} {
		if secret != "" {
			s = strings.ReplaceAll(s, secret, "[redacted]")
		}
	}
	return s
}
