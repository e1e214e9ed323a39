// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"
)

// TokenStatus is whether a token can be used.
type TokenStatus string

// Statuses of tokens.
const (
	TokenActive   TokenStatus = "active"
	TokenDisabled TokenStatus = "disabled"
	TokenExpired  TokenStatus = "expired"
)

// credential is a token or a global key.
type credential struct {
	id    string
	name  string // of a token
	owner string // the ID of the user that a token belongs to
	// ownerEmail is that user's; a token of an account has none.
	ownerEmail string
	account    string // owner of an account token
	user       string // what shares a rate limit and a block
	email      string // of a global key
	status     TokenStatus
	notBefore  time.Time
	expiresOn  time.Time
	from       []netip.Prefix // addresses it may be used from; none: from all
	grants     []Grant
}

func (c *credential) statusAt(now time.Time) TokenStatus {
	if c.status == TokenActive && !c.expiresOn.IsZero() && !now.Before(c.expiresOn) {
		return TokenExpired
	}
	return c.status
}

// usable reports whether the credential may be used for anything but to be verified.
// What is not is answered as what nobody knows.
func (c *credential) usable(now time.Time) *Error {
	if c.statusAt(now) != TokenActive || now.Before(c.notBefore) {
		return errInvalidAccess()
	}
	return nil
}

// comesFrom reports whether the credential may be used from the address of a request.
func (c *credential) comesFrom(r *http.Request) *Error {
	if len(c.from) == 0 {
		return nil
	}
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err == nil && slices.ContainsFunc(c.from, func(p netip.Prefix) bool { return p.Contains(at.Addr().Unmap()) }) {
		return nil
	}
	return refuse(http.StatusForbidden, CodeUnauthorized, "Cannot use the access token from location: %s", at.Addr().Unmap())
}

// errInvalidToken is what the routes that verify tokens say of one that they do not
// know.
func errInvalidToken() *Error {
	return refuse(http.StatusUnauthorized, CodeInvalidToken, "Invalid API Token")
}

// errInvalidAccess is what every other route says of such a token (and of one that is
// disabled, expired or not valid yet), with the code of a permission that is missing:
// https://github.com/home-assistant/addons/issues/3243.
func errInvalidAccess() *Error {
	return refuse(http.StatusForbidden, CodeUnauthorized, "Invalid access token")
}

// presented is what a request brings as its credential: a key of Server.creds.
func presented(r *http.Request) string {
	if auth := r.Header.Get("Authorization"); auth != "" {
		return strings.TrimPrefix(auth, "Bearer ")
	}
	return globalKey(r.Header.Get("X-Auth-Email"), r.Header.Get("X-Auth-Key"))
}

func globalKey(email, key string) string { return email + " " + key }

// authenticate finds the credential of a request: its form first, then whether
// it is known. verifies is true on the routes that are there to find out.
func (s *Server) authenticate(r *http.Request, verifies bool) (*credential, *Error) {
	auth, email, key := r.Header.Get("Authorization"), r.Header.Get("X-Auth-Email"), r.Header.Get("X-Auth-Key")
	if auth == "" && email == "" && key == "" {
		return nil, invalid(CodeMissingHeaders, "Missing X-Auth-Key, X-Auth-Email or Authorization headers")
	}
	cred := s.creds[presented(r)]
	if auth != "" {
		return authenticateToken(auth, cred, verifies)
	}
	switch {
	case !strings.Contains(email, "@"):
		return nil, errBadHeader(CodeBadEmailHeader, "X-Auth-Email")
	case !regexp.MustCompile(`^[0-9a-zA-Z_-]{32,}$`).MatchString(key):
		return nil, errBadHeader(CodeBadKeyHeader, "X-Auth-Key")
	case cred == nil:
		return nil, refuse(http.StatusForbidden, CodeUnknownKey, "Unknown X-Auth-Key or X-Auth-Email")
	}
	return cred, nil
}

func authenticateToken(auth string, cred *credential, verifies bool) (*credential, *Error) {
	token, bearer := strings.CutPrefix(auth, "Bearer ")
	switch {
	case bearer && cred != nil:
		return cred, nil
	// Tokens have had several lengths; none has been shorter than 40.
	case !bearer || !regexp.MustCompile(`^[0-9a-zA-Z_-]{40,}$`).MatchString(token):
		return nil, errBadHeader(CodeBadAuthHeader, "Authorization")
	case verifies:
		return nil, errInvalidToken()
	}
	return nil, errInvalidAccess()
}

func errBadHeader(code int, header string) *Error {
	return &Error{Status: http.StatusBadRequest, Causes: []Cause{{
		Code: CodeBadHeaders, Message: "Invalid request headers",
		Chain: []Cause{{Code: code, Message: "Invalid format for " + header + " header"}},
	}}}
}

// fingerprint names a credential without telling it.
func fingerprint(secret string) string {
	if strings.TrimSpace(secret) == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:6])
}

// userID is the ID of the user of an email address, "" for none.
func userID(email string) string {
	if email == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(email))
	return hex.EncodeToString(sum[:16])
}

// newTokenValue has the form of today's tokens: a prefix for users or accounts,
// 40 characters, and a checksum of eight.
func (s *Server) newTokenValue(account bool) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	value := []byte("cfut_")
	if account {
		value = []byte("cfat_")
	}
	for range 40 {
		value = append(value, alphabet[s.rng.IntN(len(alphabet))])
	}
	return fmt.Sprintf("%s%08x", value, crc32.ChecksumIEEE(value))
}

func getUser(c *call) (reply, *Error) {
	if c.cred.email == "" {
		return reply{}, errAuthentication() // our tokens have no user permissions
	}
	return reply{result: map[string]any{
		"id": c.cred.id, "email": c.cred.email, "first_name": nil, "last_name": nil, "suspended": false,
		"two_factor_authentication_enabled": true, "two_factor_authentication_locked": false,
		"has_pro_zones": false, "has_business_zones": false, "has_enterprise_zones": false,
	}}, nil
}

// verifyUserToken knows tokens of users only, verifyAccountToken those of the
// account only: to the other, a token is invalid.
func verifyUserToken(c *call) (reply, *Error) { return c.verify("") }

func verifyAccountToken(c *call) (reply, *Error) {
	id := c.r.PathValue("account_id")
	if !validID(id) {
		return reply{}, errNoRoute(c.path())
	}
	return c.verify(id)
}

func (c *call) verify(account string) (reply, *Error) {
	if c.cred.email != "" || c.cred.account != account {
		return reply{}, errInvalidToken()
	}
	result := map[string]any{"id": c.cred.id, "status": c.cred.statusAt(c.now)}
	if !c.cred.expiresOn.IsZero() {
		result["expires_on"] = c.cred.expiresOn.UTC().Format(time.RFC3339)
	}
	if !c.cred.notBefore.IsZero() {
		result["not_before"] = c.cred.notBefore.UTC().Format(time.RFC3339)
	}
	return reply{result: result}, nil
}
