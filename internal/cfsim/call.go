// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"bytes"
	"encoding/json"
	"net/http"
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
}

// reply is what a successful call answers.
type reply struct {
	result any
	info   *resultInfo
	text   string // instead of an envelope
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
	Result     any         `json:"result"`
	Success    bool        `json:"success"`
	Errors     []Cause     `json:"errors"`
	Messages   []any       `json:"messages"`
	ResultInfo *resultInfo `json:"result_info,omitempty"`
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
	return encode(http.StatusOK, envelope{Result: p.result, Success: true, Errors: []Cause{}, Messages: []any{}, ResultInfo: p.info})
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
	if route.scope == scopeZone {
		if err := c.enterZone(route.permission); err != nil {
			return reply{}, err
		}
	}
	return route.handle(c)
}

// enterZone checks the permission before it looks whether there is such a zone,
// so that nobody can probe for zones. A malformed ID, which no permission can
// name, is no route.
func (c *call) enterZone(p Permission) *Error {
	id := c.r.PathValue("zone_id")
	if !validID(id) {
		return errNoRoute(c.path())
	}
	z := c.s.zones[id]
	switch c.cred.reach(z, id, p) {
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
