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
	"net/http"
	"strings"
	"unique"
)

// A Credential authenticates calls. It is an API token, or a global API key with the email
// address of its user. Its printed forms never show the secret. Nor do those of any value
// that holds a Credential, at any depth and in exported or unexported fields. Equal
// credentials are ==.
type Credential struct {
	token hidden
	key   hidden
	email hidden
}

// NewToken returns a Credential that uses the API token t.
func NewToken(t string) Credential { return Credential{token: hide(t)} }

// NewKey returns a Credential that uses the global API key of the user with that email address.
func NewKey(key, email string) Credential { return Credential{key: hide(key), email: hide(email)} }

// A hidden string is printed as an address. Methods would not do: when fmt prints a struct
// that holds a Credential, it calls no methods of unexported fields.
type hidden struct{ handle unique.Handle[string] }

func hide(s string) hidden {
	if s == "" {
		return hidden{}
	}
	return hidden{unique.Make(s)}
}

// reveal returns the string. Only code that makes a request may keep it.
func (h hidden) reveal() string {
	if h == (hidden{}) {
		return ""
	}
	return h.handle.Value()
}

// maxCredential is longer than any credential: today's tokens have 53 characters. The API,
// or a proxy on the way, would refuse a longer header with a message of its own.
const maxCredential = 1024

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
	case len(s) > maxCredential:
		return Credential{}, fmt.Errorf("%w: the value is longer than any API token, %d bytes: put the bare token there", ErrCredential, len(s))
	}
	return NewToken(s), nil
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
		if len(part) > maxCredential {
			return Credential{}, fmt.Errorf("%w: a value in the JSON is longer than any credential, %d bytes", ErrCredential, len(part))
		}
	}
	switch {
	case v.APIToken != "" && v.APIKey == "":
		return NewToken(v.APIToken), nil
	case v.APIToken == "" && v.APIKey != "" && v.Email != "":
		if !strings.Contains(v.Email, "@") {
			return Credential{}, fmt.Errorf("%w: the email in the JSON is no email address: it is that of the key's user", ErrCredential)
		}
		return NewKey(v.APIKey, v.Email), nil
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

// Fingerprint returns the hash of the secret, which tells the credential from all others in the process. If hash
// is nil, a hash without a key is used, for programs that show no fingerprint. CredentialLabel returns the part
// that is shown.
func (c Credential) Fingerprint(hash func(secret string) string) string {
	secret := c.token.reveal() + "\x00" + c.key.reveal() + "\x00" + c.email.reveal()
	if hash == nil {
		sum := sha256.Sum256([]byte(secret))
		return hex.EncodeToString(sum[:])
	}
	return hash(secret)
}

// earlierLabel returns how versions before the keyed fingerprint showed the credential: 16 hexadecimal
// characters of its SHA-256.
func (c Credential) earlierLabel() string { return c.Fingerprint(nil)[:16] }

// IsToken reports whether c is an API token rather than a global API key.
func (c Credential) IsToken() bool { return c.token != hidden{} }

// String returns the kind of the credential.
func (c Credential) String() string {
	if c.IsToken() {
		return "API token"
	}
	return "API key"
}

// GoString returns String, so that %#v does not show the secret either.
func (c Credential) GoString() string { return c.String() }

// LogValue returns String, for structured logs.
func (c Credential) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalJSON returns String as JSON, so that no encoder shows the secret.
func (c Credential) MarshalJSON() ([]byte, error) { return json.Marshal(c.String()) }

// authorize sets the headers that authenticate a request.
func (c Credential) authorize(h http.Header) {
	if c.IsToken() {
		h.Set("Authorization", "Bearer "+c.token.reveal())
		return
	}
	h.Set("X-Auth-Key", c.key.reveal())
	h.Set("X-Auth-Email", c.email.reveal())
}

// redact removes the secret from s, if an API message echoes it.
func (c Credential) redact(s string) string {
	for _, h := range []hidden{c.token, c.key, c.email} {
		s = without(s, h.reveal())
	}
	return s
}

// redactError returns err, or an error with its redacted text if the text of err shows the
// secret: a decoder may quote what it cannot read.
func redactError(err error, redact func(string) string) error {
	if said := err.Error(); redact(said) != said {
		return errors.New(redact(said))
	}
	return err
}
