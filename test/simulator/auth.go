// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

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

// A TokenStatus says whether a token can be used.
type TokenStatus string

// Statuses of tokens.
const (
	TokenActive   TokenStatus = "active"
	TokenDisabled TokenStatus = "disabled"
	TokenExpired  TokenStatus = "expired"
)

// A credential is a token or a global key.
type credential struct {
	id    string
	name  string // Of a token.
	owner string // The ID of the user that a token belongs to.
	// ownerEmail is the address of that user. It is "" for a token of an account.
	ownerEmail string
	account    string // The account that owns an account token.
	user       string // The user who shares a rate limit and a block.
	email      string // Of a global key.
	status     TokenStatus
	notBefore  time.Time
	expiresOn  time.Time
	from       []netip.Prefix // The addresses it may be used from; empty allows all.
	grants     []Grant
}

func (c *credential) statusAt(now time.Time) TokenStatus {
	if c.status == TokenActive && !c.expiresOn.IsZero() && !now.Before(c.expiresOn) {
		return TokenExpired
	}
	return c.status
}

// usable returns an error if the credential is not active or not valid yet. Such a
// credential may only be verified. Every other route refuses it like an unknown token.
func (c *credential) usable(now time.Time) *Error {
	if c.statusAt(now) != TokenActive || now.Before(c.notBefore) {
		return errInvalidAccess()
	}
	return nil
}

// comesFrom returns an error if the credential may not be used from the address of the
// request.
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

// errInvalidToken is the refusal of an unknown token by the routes that verify tokens.
func errInvalidToken() *Error {
	return refuse(http.StatusUnauthorized, CodeInvalidToken, "Invalid API Token")
}

// errInvalidAccess is the refusal of an unknown token by every other route, and of a
// token that is disabled, expired or not valid yet. It has the code of a missing
// permission: https://github.com/home-assistant/addons/issues/3243.
func errInvalidAccess() *Error {
	return refuse(http.StatusForbidden, CodeUnauthorized, "Invalid access token")
}

// presented returns the credential of a request as a key of Server.creds.
func presented(r *http.Request) string {
	if auth := r.Header.Get("Authorization"); auth != "" {
		return strings.TrimPrefix(auth, "Bearer ")
	}
	return globalKey(r.Header.Get("X-Auth-Email"), r.Header.Get("X-Auth-Key"))
}

func globalKey(email, key string) string { return email + " " + key }

// authenticate returns the credential of a request. It checks the form of the headers
// first, then whether the credential is known. verifies is true on the routes that
// verify tokens.
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

// fingerprint identifies a credential without revealing it. It returns "" if secret is
// blank.
func fingerprint(secret string) string {
	if strings.TrimSpace(secret) == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:6])
}

// userID returns the ID of the user with an email address, or "" if email is empty.
func userID(email string) string {
	if email == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(email))
	return hex.EncodeToString(sum[:16])
}

// newTokenValue returns a token in today's form: a prefix for users or accounts, 40
// characters, and a checksum of eight.
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
		return reply{}, errAuthentication() // The simulator's tokens have no user permissions.
	}
	return reply{result: map[string]any{
		"id": c.cred.id, "email": c.cred.email, "first_name": nil, "last_name": nil, "suspended": false,
		"two_factor_authentication_enabled": true, "two_factor_authentication_locked": false,
		"has_pro_zones": false, "has_business_zones": false, "has_enterprise_zones": false,
	}}, nil
}

// verifyUserToken knows only tokens of users, and verifyAccountToken only those of the
// account. For either one, the tokens of the other are invalid.
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
