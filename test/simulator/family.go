// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// An idShape is the form of a collection's IDs.
type idShape int

const (
	idHex    idShape = iota // 32 hexadecimal digits.
	idUUID                  // 8-4-4-4-12 hexadecimal digits.
	idNumber                // A whole number.
	idName                  // A member of the body names the resource.
)

// A family is what the official document does not say about one collection of resources.
// Everything else (required members, bounds, defaults, read-only members, pages and filters of
// lists) comes from package apidoc.
type family struct {
	list string // The template of the collection; an item is one segment below it.
	// parameter is the name of the item's segment.
	parameter string
	shape     idShape
	// member is the member of documents with the ID; "" means id.
	member string
	// listAt is the member of result with the array; "" means result itself.
	listAt string
	// single reports whether list is the path of one document. The document exists from the
	// start, and seed creates it.
	single bool
	// soft reports whether a deletion only sets deleted_at.
	soft bool
	// unique has the sets of members that existing resources may not share.
	unique []uniqueness
	// missing returns the refusal of an unknown ID; nil means a 404 with an own number.
	missing func() *Error
	// groups has the permission groups of operations for which the document names none.
	groups []string
	// usersOnly reports whether tokens of accounts are refused.
	usersOnly bool
	// partition divides a collection by a part of the request other than its path.
	partition func(*http.Request) (string, *Error)
	// seed adds the resources that exist from the start.
	seed func(*Server, *shelf)
	// adapt changes a body before it is checked and stored, such as its names and forms.
	adapt func(c *resourceCall, body map[string]any) *Error
	// prepare completes a document before it is stored. It refuses a document that conflicts
	// with other resources. before is nil for a creation.
	prepare func(c *resourceCall, before *resource, doc map[string]any) *Error
	// created runs after a creation. It may add to the response.
	created func(c *resourceCall, r *resource, shown map[string]any)
	// busy refuses the deletion of a resource in use.
	busy func(c *resourceCall, r *resource) *Error
	// removed runs after a deletion.
	removed func(c *resourceCall, r *resource)
	// show changes the members of a resource in a response.
	show func(c *resourceCall, r *resource, shown map[string]any)
	// deletion returns the result of a DELETE; nil means an object with the ID.
	deletion func(c *resourceCall, r *resource) any
	// filters has the filters of lists by parameter, for parameters that are not the name of a
	// member.
	filters map[string]filter
	// more has operations below an item or beside the items, by method and template. They
	// replace operations that are derived from the document.
	more map[string]handler
	// first has operations like more. Their paths may also match the templates of other
	// routes, and they are tried before those.
	first map[string]handler
}

type handler func(*resourceCall) (reply, *Error)

// A filter reports whether a list contains a resource.
type filter func(r *resource, value string) bool

// A uniqueness is a set of members that no two resources may share. refusal answers the
// request for the second one.
type uniqueness struct {
	members []string
	refusal func() *Error
}

func (f *family) item() string { return f.list + "/{" + f.parameter + "}" }

func (f *family) idMember() string {
	if f.member != "" {
		return f.member
	}
	return "id"
}

// families returns all generic collections.
func families() []*family {
	return slices.Concat(
		tunnelFamilies(), developerFamilies(), loadBalancerFamilies(), accessFamilies(),
		credentialFamilies(), rulesetFamilies(), emailFamilies(), pagesFamilies(), gatewayFamilies(), plainFamilies(),
		[]*family{accessRuleFamily(), botFamily(), bucketCORSFamily(), bucketLifecycleFamily(), cronFamily(), deviceProfileFamily(), fallbackOriginFamily(), gatewayListFamily(), healthcheckFamily(), logpushFamily(), managedTransformsFamily(), mtlsFamily(), normalizationFamily(), notificationFamily(), originPullFamily(), originPullSettingFamily(), packFamily(), regionalFamily(), scriptSecretFamily(), spectrumFamily(), tieringFamily(), universalFamily(), waitingRoomFamily(), webhookFamily()},
	)
}

const eitherParent = "/{accounts_or_zones}/{account_or_zone_id}"

// resourceRoutes returns the routes of the generic collections.
func resourceRoutes(all []*family) []route {
	doc := apidoc.Load()
	var list []route
	for _, f := range all {
		handlers := f.derived(doc)
		maps.Copy(handlers, f.more)
		maps.Copy(handlers, f.first)
		for pattern, handle := range handlers {
			method, path, _ := strings.Cut(pattern, " ")
			op := doc.Operation(method, path)
			if op == nil {
				panic("simulator: the document has no operation " + pattern)
			}
			for _, concrete := range parents(path) {
				r := f.route(method, concrete, op, handle)
				_, r.first = f.first[pattern]
				list = append(list, r)
			}
		}
	}
	return list
}

// derived returns the operations of the document on a collection and its items.
func (f *family) derived(doc *apidoc.Document) map[string]handler {
	handlers := map[string]handler{}
	add := func(method, path string, handle handler) {
		if doc.Operation(method, path) != nil {
			handlers[method+" "+path] = handle
		}
	}
	if f.single {
		add(http.MethodGet, f.list, (*resourceCall).get)
		add(http.MethodPut, f.list, (*resourceCall).replace)
		add(http.MethodPatch, f.list, (*resourceCall).merge)
		return handlers
	}
	add(http.MethodGet, f.list, (*resourceCall).listAll)
	add(http.MethodPost, f.list, (*resourceCall).create)
	add(http.MethodGet, f.item(), (*resourceCall).get)
	add(http.MethodPut, f.item(), (*resourceCall).replace)
	add(http.MethodPatch, f.item(), (*resourceCall).merge)
	add(http.MethodDelete, f.item(), (*resourceCall).delete)
	return handlers
}

// parents returns the concrete templates of a path that accounts and zones share.
func parents(path string) []string {
	rest, shared := strings.CutPrefix(path, eitherParent)
	if !shared {
		return []string{path}
	}
	return []string{"/accounts/{account_id}" + rest, "/zones/{zone_id}" + rest}
}

func (f *family) route(method, path string, op *apidoc.Operation, handle handler) route {
	r := route{pattern: method + " " + path, groups: f.permissions(method, op)}
	switch {
	case strings.HasPrefix(path, "/zones/"):
		r.scope = scopeZone
	case strings.HasPrefix(path, "/accounts/"):
		r.scope = scopeAccount
	case strings.HasPrefix(path, "/user/"):
		r.scope = scopeUser
	}
	r.handle = func(c *call) (reply, *Error) {
		if f.usersOnly && c.cred.account != "" {
			return reply{}, errAuthentication()
		}
		sh, err := f.shelfOf(c)
		if err != nil {
			return reply{}, err
		}
		result, err := (&resourceCall{call: c, f: f, op: op, shelf: sh, id: c.r.PathValue(f.parameter)}).seen(handle)
		result.status = op.Status
		return result, err
	}
	return r
}

// permissions returns the permission groups of an operation. If the document names none, it
// returns those of the collection's operations of the same kind, or else the groups of the
// family.
func (f *family) permissions(method string, op *apidoc.Operation) []Permission {
	groups := op.Groups
	doc := apidoc.Load()
	for _, path := range []string{f.list, f.item()} {
		if sibling := doc.Operation(http.MethodGet, path); len(groups) == 0 && method == http.MethodGet && sibling != nil {
			groups = sibling.Groups
		}
	}
	if sibling := doc.Operation(http.MethodPost, f.list); len(groups) == 0 && sibling != nil {
		groups = sibling.Groups
	}
	if len(groups) == 0 {
		groups = f.groups
	}
	all := make([]Permission, 0, len(groups))
	for _, g := range groups {
		all = append(all, Permission(g))
	}
	return all
}

// shelfOf returns the collection of a request. Its path has as many segments as the family's
// template.
func (f *family) shelfOf(c *call) (*shelf, *Error) {
	segments := strings.Split(c.path(), "/")
	path := strings.Join(segments[:strings.Count(f.list, "/")+1], "/")
	if user := c.cred.actsFor(); user != "" && strings.HasPrefix(path, "/user/") {
		path += ";user=" + user
	}
	if f.partition != nil {
		part, err := f.partition(c.r)
		if err != nil {
			return nil, err
		}
		path += part
	}
	return c.s.shelf(path, f), nil
}
