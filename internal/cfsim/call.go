// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
)

// call is one request being carried out, under the server's lock.
type call struct {
	s      *Server
	r      *http.Request
	body   []byte
	now    time.Time
	cred   *credential
	zone   *zone // of zone routes
	faults faultSet
	sprung string // kind of a trap that has changed the answer
}

// reply is what a successful call answers.
type reply struct {
	result any
	info   any    // result_info; nil is none
	text   string // instead of an envelope
	status int    // 0 is 200; 204 has no body at all
	bare   bool   // no body with another status, either
}

// resultInfo describes a page of a list.
type resultInfo struct {
	Page       int `json:"page"`
	PerPage    int `json:"per_page"`
	Count      int `json:"count"`
	TotalCount int `json:"total_count"`
	TotalPages int `json:"total_pages"`
}

// envelope is the frame of every JSON answer.
type envelope struct {
	Result     any     `json:"result"`
	Success    bool    `json:"success"`
	Errors     []Cause `json:"errors"`
	Messages   []any   `json:"messages"`
	ResultInfo any     `json:"result_info,omitempty"`
}

// answer is an HTTP answer before it is written.
type answer struct {
	status  int
	header  http.Header
	body    []byte
	refused *Error // what a failure is made of
}

func encode(status int, v any) answer {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("cfsim: answer is not JSON: " + err.Error())
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

// decode reads the request's body as a JSON object.
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

// path is the request's path below BasePath.
func (c *call) path() string { return strings.TrimPrefix(c.r.URL.Path, BasePath) }

// run carries a call out: credential, route, permission, zone, then the handler.
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

// enterAccount is enterZone for what belongs to an account.
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

// enterZone checks the permission before it looks whether there is such a zone,
// so that nobody can probe for zones. A malformed ID, which no permission can
// name, is no route.
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

// recordID is the record of the path.
func (c *call) recordID() (string, *Error) {
	id := c.r.PathValue("dns_record_id")
	if !validID(id) {
		return "", errNoRoute(c.path())
	}
	return id, nil
}
