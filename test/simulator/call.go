// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
)

// A call is one request in progress. The server's lock is held.
type call struct {
	s      *Server
	r      *http.Request
	body   []byte
	now    time.Time
	cred   *credential
	zone   *zone // Of routes below a zone.
	faults faultSet
	sprung string // The kind of a trap that has changed the response.
}

// A reply is the result of a successful call.
type reply struct {
	result any
	info   any    // result_info; nil for none.
	text   string // Replaces the envelope.
	status int    // 0 means 200; 204 has no body.
	bare   bool   // Sends no body with any status.
}

// A resultInfo describes a page of a list.
type resultInfo struct {
	Page       int `json:"page"`
	PerPage    int `json:"per_page"`
	Count      int `json:"count"`
	TotalCount int `json:"total_count"`
	TotalPages int `json:"total_pages"`
}

// An envelope is the frame of every JSON response.
type envelope struct {
	Result     any     `json:"result"`
	Success    bool    `json:"success"`
	Errors     []Cause `json:"errors"`
	Messages   []any   `json:"messages"`
	ResultInfo any     `json:"result_info,omitempty"`
}

// An answer is an HTTP response before it is written.
type answer struct {
	status  int
	header  http.Header
	body    []byte
	refused *Error // The cause of a failure.
}

func encode(status int, v any) answer {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("simulator: answer is not JSON: " + err.Error())
	}
	return answer{status: status, header: http.Header{"Content-Type": {"application/json"}}, body: bytes.TrimSpace(b.Bytes())}
}

func (p reply) answer() answer {
	if p.text != "" {
		return answer{status: http.StatusOK, header: http.Header{"Content-Type": {"text/plain; charset=utf-8"}}, body: []byte(p.text)}
	}
	if p.bare || p.status == http.StatusNoContent {
		return answer{status: cmp.Or(p.status, http.StatusOK), header: http.Header{}}
	}
	if info, ok := p.info.(*resultInfo); ok && info == nil {
		p.info = nil
	}
	return encode(cmp.Or(p.status, http.StatusOK), envelope{Result: p.result, Success: true, Errors: []Cause{}, Messages: []any{}, ResultInfo: p.info})
}

func (e *Error) answer() answer {
	a := encode(e.Status, envelope{Errors: e.Causes, Messages: []any{}})
	a.refused = e
	return a
}

// decode decodes the body of the request as a JSON object.
func (c *call) decode() (fields, *Error) {
	if kind := c.r.Header.Get("Content-Type"); kind != "" && !strings.HasPrefix(kind, "application/json") {
		return nil, invalid(CodeMalformedJSON, "Content-Type must be application/json.")
	}
	return decodeObject(c.body)
}

func decodeObject(raw []byte) (fields, *Error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var object fields
	if err := dec.Decode(&object); err != nil || object == nil || dec.More() {
		return nil, invalid(CodeMalformedJSON, "Malformed JSON in request body.")
	}
	return object, nil
}

// path returns the path of the request below BasePath.
func (c *call) path() string { return strings.TrimPrefix(c.r.URL.Path, BasePath) }

// run executes a call. It checks the credential, the route, the permission and the
// zone, then calls the handler.
func (c *call) run() (reply, *Error) {
	route, found := c.s.find(c.r)
	cred, err := c.s.authenticate(c.r, route.verifies())
	if err != nil {
		return reply{}, err
	}
	c.cred = cred
	if err := cred.comesFrom(c.r); err != nil {
		return reply{}, err
	}
	if !route.verifies() {
		if err := cred.usable(c.now); err != nil {
			return reply{}, err
		}
	}
	if !found {
		return reply{}, errNoRoute(c.path())
	}
	if err := c.enter(route); err != nil {
		return reply{}, err
	}
	return c.handle(route)
}

// enter checks that the credential may use a route.
func (c *call) enter(r route) *Error {
	switch r.scope {
	case scopeZone:
		return c.enterZone(r.wants()...)
	case scopeAccount:
		return c.enterAccount(r.wants()...)
	case scopeUser:
		return c.enterUser(r.wants())
	case scopeNone:
		if len(r.groups) > 0 && !slices.ContainsFunc(r.groups, c.cred.has) {
			return errAuthentication()
		}
	}
	return nil
}

// enterAccount is enterZone for the routes below an account.
func (c *call) enterAccount(wants ...Permission) *Error {
	id := c.r.PathValue("account_id")
	if !validID(id) {
		return errNoRoute(c.path())
	}
	switch c.cred.reachAccount(id, wants) {
	case nowhere:
		return errUnauthorized()
	case elsewhere:
		return errAuthentication()
	}
	if c.s.accounts[id] == nil {
		return errNoRoute(c.path())
	}
	return nil
}

// enterZone checks the permission before it checks that the zone exists, so that a
// client cannot probe for zones. No permission can name a malformed ID, and so it is
// not a route.
func (c *call) enterZone(wants ...Permission) *Error {
	id := c.r.PathValue("zone_id")
	if !validID(id) {
		return errNoRoute(c.path())
	}
	z := c.s.zones[id]
	switch c.cred.reach(z, id, wants...) {
	case nowhere:
		return errUnauthorized()
	case elsewhere:
		return errAuthentication()
	}
	if z == nil {
		return errNoRoute(c.path())
	}
	c.zone = z
	return nil
}

// recordID returns the ID of the record in the path.
func (c *call) recordID() (string, *Error) {
	id := c.r.PathValue("dns_record_id")
	if !validID(id) {
		return "", errNoRoute(c.path())
	}
	return id, nil
}
