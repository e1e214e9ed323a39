// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/url"
	"slices"
	"strings"
)

func listZones(c *call) (reply, *Error) {
	if !c.cred.has(ZoneRead) {
		return reply{}, errUnauthorized()
	}
	query := c.r.URL.Query()
	page, perPage, err := paging(query, 5, 50, 20)
	if err != nil {
		return reply{}, err
	}
	keep, err := zoneFilter(c.s, query)
	if err != nil {
		return reply{}, err
	}
	less, err := zoneOrder(c.s, query)
	if err != nil {
		return reply{}, err
	}
	var list []*zone
	for _, z := range c.s.zones {
		if c.cred.reach(z, z.id, ZoneRead) == here && keep(z) {
			list = append(list, z)
		}
	}
	slices.SortFunc(list, less)
	shown, info := paginate(list, page, perPage)
	result := make([]any, 0, len(shown))
	for _, z := range shown {
		result = append(result, z.body(c.s))
	}
	return reply{result: result, info: info}, nil
}

// zoneOperators returns the operators that the value of a name filter may begin with.
func zoneOperators() map[string]func(have, want string) bool {
	folded := func(holds func(have, want string) bool) func(have, want string) bool {
		return func(have, want string) bool { return holds(strings.ToLower(have), strings.ToLower(want)) }
	}
	return map[string]func(have, want string) bool{
		"equal":       strings.EqualFold,
		"not_equal":   func(have, want string) bool { return !strings.EqualFold(have, want) },
		"starts_with": folded(strings.HasPrefix), "starts_with_case_sensitive": strings.HasPrefix,
		"ends_with": folded(strings.HasSuffix), "ends_with_case_sensitive": strings.HasSuffix,
		"contains": folded(strings.Contains), "contains_case_sensitive": strings.Contains,
	}
}

// nameFilter returns the filter for "value" or "operator:value".
func nameFilter(filter string) func(have string) bool {
	operator, want, found := strings.Cut(filter, ":")
	holds, known := zoneOperators()[operator]
	if !found || !known {
		holds, want = strings.EqualFold, filter
	}
	return func(have string) bool { return holds(have, want) }
}

func zoneFilter(s *Server, query url.Values) (func(*zone) bool, *Error) {
	match, err := oneOf(query, "match", "all", "any", "all")
	if err != nil {
		return nil, err
	}
	var filters []func(*zone) bool
	if query.Has("name") {
		// Clients in production ask with and without the trailing dot.
		named := nameFilter(strings.TrimSuffix(query.Get("name"), "."))
		filters = append(filters, func(z *zone) bool { return named(z.name) })
	}
	if query.Has("account.name") {
		named := nameFilter(query.Get("account.name"))
		filters = append(filters, func(z *zone) bool { return named(s.accountName(z)) })
	}
	if query.Has("account.id") {
		filters = append(filters, func(z *zone) bool { return z.accountID == query.Get("account.id") })
	}
	if query.Has("status") {
		status, err := oneOf(query, "status", "", "initializing", "pending", "active", "moved")
		if err != nil {
			return nil, err
		}
		filters = append(filters, func(z *zone) bool { return string(z.status) == status })
	}
	kinds := []string{"full", "partial", "secondary"} // Internal zones only if the request asks for them.
	if query.Has("type") {
		kinds = strings.Split(query.Get("type"), ",")
	}
	return func(z *zone) bool {
		holds := func(f func(*zone) bool) bool { return f(z) }
		if !slices.Contains(kinds, z.kind) {
			return false
		}
		if match == "any" && len(filters) > 0 {
			return slices.ContainsFunc(filters, holds)
		}
		return !slices.ContainsFunc(filters, func(f func(*zone) bool) bool { return !f(z) })
	}, nil
}

func zoneOrder(s *Server, query url.Values) (func(a, b *zone) int, *Error) {
	order, err := oneOf(query, "order", "name", "name", "status", "account.id", "account.name", "plan.id")
	if err != nil {
		return nil, err
	}
	direction, err := oneOf(query, "direction", "asc", "asc", "desc")
	if err != nil {
		return nil, err
	}
	key := map[string]func(*zone) string{
		"name": func(z *zone) string { return z.name }, "status": func(z *zone) string { return string(z.status) },
		"account.id": func(z *zone) string { return z.accountID }, "account.name": s.accountName,
		"plan.id": func(z *zone) string { return planID(z.plan) },
	}[order]
	return func(a, b *zone) int {
		n := strings.Compare(key(a), key(b))
		if direction == "desc" {
			n = -n
		}
		if n == 0 {
			n = strings.Compare(a.name+a.id, b.name+b.id)
		}
		return n
	}, nil
}

func (s *Server) accountName(z *zone) string {
	if a := s.accounts[z.accountID]; a != nil {
		return a.Name
	}
	return ""
}
