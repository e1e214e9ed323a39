// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// A resourceCall is a call about a generic resource.
type resourceCall struct {
	*call
	f     *family
	op    *apidoc.Operation
	shelf *shelf
	id    string // The ID in the path; "" for the collection.
}

// parent returns the path of the account or zone, such as "/accounts/{id}".
func (c *resourceCall) parent() string {
	segments := strings.SplitN(c.path(), "/", 4)
	return strings.Join(segments[:min(3, len(segments))], "/")
}

// beside returns another collection of the same account or zone.
func (c *resourceCall) beside(below string) *shelf {
	return c.s.known(c.parent() + below)
}

// known returns a collection of a family. It creates the collection at its first use.
func (s *Server) known(path string) *shelf {
	if found := s.shelves[path]; found != nil {
		return found
	}
	for _, f := range s.api.families {
		for _, template := range parents(f.list) {
			if fits(template, path) {
				return s.shelf(path, f)
			}
		}
	}
	panic("simulator: no generic collection has the path " + path)
}

// fits reports whether a path matches a template.
func fits(template, path string) bool {
	have, want := strings.Split(path, "/"), strings.Split(template, "/")
	if len(have) != len(want) {
		return false
	}
	for i := range want {
		if !strings.HasPrefix(want[i], "{") && want[i] != have[i] {
			return false
		}
	}
	return true
}

// find returns the resource of the path.
func (c *resourceCall) find() (*resource, *Error) {
	if c.f.single {
		return c.shelf.sorted()[0], nil
	}
	if !c.f.shape.valid(c.id) {
		return nil, errNoRoute(c.path())
	}
	r := c.shelf.items[c.id]
	if r == nil {
		return nil, c.f.unknown()
	}
	return r, nil
}

func (f *family) unknown() *Error {
	if f.missing != nil {
		return f.missing()
	}
	return refuse(http.StatusNotFound, CodeResourceNotFound, "The requested resource does not exist.")
}

func (shape idShape) valid(id string) bool {
	switch shape {
	case idHex:
		return validID(id)
	case idUUID:
		return regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(id)
	case idNumber:
		return regexp.MustCompile(`^[1-9]\d*$`).MatchString(id)
	default:
		return id != ""
	}
}

// newUUID returns a UUID of version 4.
func (s *Server) newUUID() string {
	hex := s.newID()
	return fmt.Sprintf("%s-%s-4%s-%x%s-%s", hex[:8], hex[8:12], hex[13:16], 8+s.rng.IntN(4), hex[17:20], hex[20:])
}

// firstNumber is the base of IDs that are numbers. IDs are so large that a client which formats one as a
// floating-point number gets an exponent.
const firstNumber = 12_000_000

func (s *Server) newResourceID(f *family, doc map[string]any) string {
	switch f.shape {
	case idHex:
		return s.newID()
	case idUUID:
		return s.newUUID()
	case idNumber:
		return strconv.Itoa(firstNumber + s.resourceSeq)
	default:
		name, _ := doc[f.idMember()].(string)
		return name
	}
}

// decodeBody decodes the request's body. It may be empty if the document marks it as optional.
func (c *resourceCall) decodeBody() (map[string]any, *Error) {
	if len(c.body) == 0 && c.op.BodyOptional {
		return map[string]any{}, nil
	}
	return c.decode()
}

// admit decodes a body and checks it against the official document. It returns the body without the members
// that belong to the server.
func (c *resourceCall) admit(whole bool) (map[string]any, *Error) {
	body, err := c.decodeBody()
	if err != nil {
		return nil, err
	}
	if c.f.adapt != nil {
		if err := c.f.adapt(c, body); err != nil {
			return nil, err
		}
	}
	if err := c.checkBody(body, whole); err != nil {
		return nil, err
	}
	maps.DeleteFunc(body, func(name string, _ any) bool { return c.serverOwned(name) })
	stripped, _ := c.op.Body.Strip(body).(map[string]any)
	return stripped, c.entitled(stripped)
}

// admitList is admit for a body that is a list: the value of a member.
func (c *resourceCall) admitList(member string) ([]any, *Error) {
	dec := json.NewDecoder(bytes.NewReader(c.body))
	dec.UseNumber()
	var body []any
	if err := dec.Decode(&body); err != nil || body == nil {
		return nil, invalid(CodeMalformedJSON, "Malformed JSON in request body.")
	}
	if wrong := c.op.Body.Check(body); wrong != nil {
		return nil, invalid(CodeResourceInvalid, "The request body is invalid: %s.", wrong)
	}
	return body, c.entitled(map[string]any{member: body})
}

func (c *resourceCall) checkBody(body map[string]any, whole bool) *Error {
	wrong := c.op.Body.CheckPart(body)
	if whole {
		wrong = c.op.Body.Check(body)
	}
	if wrong != nil {
		return invalid(CodeResourceInvalid, "The request body is invalid: %s.", wrong)
	}
	return nil
}

// serverOwned reports whether a member belongs to the server. Such a member is in responses, and in bodies only as
// read-only. A member that is in neither is kept as it was sent. A creation may also have the members of an
// update: in the document, only the bodies of PUT and PATCH have the regions of a pool's checks.
func (c *resourceCall) serverOwned(name string) bool {
	member, sent := c.op.Body.Members(nil)[name]
	if sent {
		return member.IsReadOnly()
	}
	if c.r.Method == http.MethodPost && c.id == "" {
		for _, method := range []string{http.MethodPut, http.MethodPatch} {
			update := apidoc.Load().Operation(method, c.f.item())
			if update == nil {
				continue
			}
			if member, sent := update.Body.Members(nil)[name]; sent && !member.IsReadOnly() {
				return false
			}
		}
	}
	_, answered := c.answered()[name]
	return answered
}

// answered returns the members of a response about one resource.
func (c *resourceCall) answered() map[string]*apidoc.Schema {
	doc := apidoc.Load()
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for _, path := range []string{c.f.item(), c.f.list} {
			op := doc.Operation(method, path)
			if op != nil && op.Result.Kind() != "array" && (path != c.f.list || method == http.MethodPost) {
				return op.Result.Members(nil)
			}
		}
	}
	return c.op.Result.Members(nil)
}

// identify sets the ID of a document.
func (f *family) identify(doc map[string]any, id string) {
	doc[f.idMember()] = id
	if n, err := strconv.Atoi(id); err == nil && f.shape == idNumber {
		doc[f.idMember()] = n
	}
}

// stamp sets the ID and the times of a resource, if the document has them.
func (c *resourceCall) stamp(doc map[string]any, id string, created bool) {
	members := c.answered()
	c.f.identify(doc, id)
	for _, name := range []string{"created_at", "created_on", "issued_on"} {
		if _, has := members[name]; has && created {
			doc[name] = timestamp(c.now)
		}
	}
	for _, name := range []string{"updated_at", "modified_on", "modified_at"} {
		if _, has := members[name]; has {
			doc[name] = timestamp(c.now)
		}
	}
}

// collide refuses a document with the unique members of another resource.
func (c *resourceCall) collide(before *resource, doc map[string]any) *Error {
	for _, u := range c.f.unique {
		for _, other := range c.shelf.sorted() {
			if other != before && !other.deleted() && sameMembers(other.doc, doc, u.members) {
				return u.refusal()
			}
		}
	}
	return nil
}

// emptyResult is the result of deletions that return an empty object.
func emptyResult(*resourceCall, *resource) any { return map[string]any{} }

// takeDefault keeps a boolean member true in exactly one resource of a collection. A document that sets the member
// takes it from the former default. A document that unsets it is refused.
func (c *resourceCall) takeDefault(before *resource, doc map[string]any, member string) *Error {
	has, wants := before != nil && before.doc[member] == true, doc[member] == true
	switch {
	case has && !wants:
		return invalid(CodeResourceInvalid, "Make another one the default instead.")
	case has || !wants:
		return nil
	}
	if err := c.collide(before, doc); err != nil {
		return err
	}
	for _, r := range c.shelf.sorted() {
		if r.doc[member] == true {
			former := copyOf(r.doc)
			former[member] = false
			r.set(former, c.now)
		}
	}
	return nil
}

func sameMembers(a, b map[string]any, members []string) bool {
	for _, name := range members {
		if !apidoc.Equal(a[name], b[name]) {
			return false
		}
	}
	return true
}
