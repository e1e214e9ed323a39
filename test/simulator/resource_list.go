// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// largestPage is the default page size of lists that the document does not page.
const largestPage = 1_000_000

// listAll handles the GET of a collection, with the filters and pages of the document.
func (c *resourceCall) listAll() (reply, *Error) {
	query := c.r.URL.Query()
	list, err := c.filtered(query)
	if err != nil {
		return reply{}, err
	}
	c.order(list, query)
	page, info, err := c.cut(list, query)
	if err != nil {
		return reply{}, err
	}
	result := make([]any, 0, len(page))
	for _, r := range page {
		result = append(result, c.shown(r))
	}
	if c.f.listAt != "" {
		return reply{result: map[string]any{c.f.listAt: result}, info: info}, nil
	}
	return reply{result: result, info: info}, nil
}

// paged reports whether a parameter selects a page or an order, and not resources.
func paged(name string) bool {
	return slices.Contains([]string{"page", "per_page", "cursor", "order", "direction", "limit", "offset"}, name)
}

// filtered returns the resources that the query selects. It ignores parameters that the
// document does not have, as the API does, and checks the others.
func (c *resourceCall) filtered(query url.Values) ([]*resource, *Error) {
	list := c.listedResources()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		schema, known := c.op.Query[name]
		value := query.Get(name)
		if !known || paged(name) {
			continue
		}
		if wrong := schema.Check(parsed(schema.Kind(), value)); wrong != nil {
			return nil, invalid(CodeBadParameter, "Invalid value for parameter %s: %s.", name, wrong)
		}
		keep, err := c.filter(name)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(r *resource) bool { return !keep(r, value) })
	}
	return list, nil
}

// filter returns the filter of a parameter: that of the family, a common one, or the
// comparison with the member of that name.
func (c *resourceCall) filter(name string) (filter, *Error) {
	if keep, own := c.f.filters[name]; own {
		return keep, nil
	}
	switch name {
	case "is_deleted":
		return func(r *resource, value string) bool { return strconv.FormatBool(r.deleted()) == value }, nil
	case "search", "name_contains":
		return func(r *resource, value string) bool {
			return strings.Contains(strings.ToLower(r.text("name")), strings.ToLower(value))
		}, nil
	}
	if _, has := c.answered()[name]; !has {
		return nil, invalid(CodeBadParameter, "The simulator has no filter %s.", name)
	}
	return func(r *resource, value string) bool { return r.doc[name] != nil && fmt.Sprint(r.doc[name]) == value }, nil
}

// parsed returns the value of a parameter as its JSON type.
func parsed(kind, value string) any {
	switch kind {
	case "boolean":
		if b, err := strconv.ParseBool(value); err == nil {
			return b
		}
	case "integer", "number":
		if n, err := strconv.ParseFloat(value, 64); err == nil {
			return n
		}
	}
	return value
}

// order sorts by the member that the query names. Without one, the order is that of
// creation.
func (c *resourceCall) order(list []*resource, query url.Values) {
	if by := query.Get("order"); by != "" && c.op.Query["order"] != nil {
		slices.SortStableFunc(list, func(a, b *resource) int { return strings.Compare(a.text(by), b.text(by)) })
	}
	if query.Get("direction") == "desc" && c.op.Query["direction"] != nil {
		slices.Reverse(list)
	}
}

// cut returns the page of the query in the style of the path: with pages, with a
// cursor, or all at once.
func (c *resourceCall) cut(list []*resource, query url.Values) ([]*resource, any, *Error) {
	standard := largestPage
	if perPage := c.op.Query["per_page"]; perPage != nil {
		standard = 20
		if n, ok := number(first(perPage.Standard())); ok {
			standard = int(n)
		}
	}
	for _, name := range []string{"page", "per_page"} {
		schema := c.op.Query[name]
		if !query.Has(name) || schema == nil {
			continue
		}
		if wrong := schema.Check(parsed(schema.Kind(), query.Get(name))); wrong != nil {
			return nil, nil, invalid(CodeBadParameter, "Invalid value for parameter %s: %s.", name, wrong)
		}
	}
	if slices.Contains(c.op.Info, "cursor") || slices.Contains(c.op.Info, "cursors") {
		return c.cutByCursor(list, query, standard)
	}
	page, perPage, err := paging(query, 1, largestPage, standard)
	if err != nil {
		return nil, nil, err
	}
	shown, info := paginate(list, page, perPage)
	return shown, c.info(info), nil
}

func first(v any, _ bool) any { return v }

// info returns the members of result_info that the document has for the path, or nil if
// it has none.
func (c *resourceCall) info(info *resultInfo) any {
	if len(c.op.Info) == 0 {
		return nil
	}
	all := map[string]any{
		"page": info.Page, "per_page": info.PerPage, "count": info.Count,
		"total_count": info.TotalCount, "total_pages": info.TotalPages,
	}
	if c.op.Query["per_page"] == nil {
		all["per_page"] = max(info.Count, 1) // One page with all resources.
	}
	maps.DeleteFunc(all, func(name string, _ any) bool { return !slices.Contains(c.op.Info, name) })
	return all
}

// cutByCursor returns a page, with a cursor if there are more. The cursor is opaque to
// clients.
func (c *resourceCall) cutByCursor(list []*resource, query url.Values, standard int) ([]*resource, any, *Error) {
	_, perPage, err := paging(query, 1, largestPage, standard)
	if err != nil {
		return nil, nil, err
	}
	at := 0
	if cursor := query.Get("cursor"); cursor != "" {
		after, err := strconv.ParseInt(strings.TrimPrefix(cursor, "c"), 36, 32)
		if err != nil {
			return nil, nil, invalid(CodeBadParameter, "Invalid value for parameter cursor.")
		}
		at = slices.IndexFunc(list, func(r *resource) bool { return r.seq > int(after) })
		if at < 0 {
			at = len(list)
		}
	}
	shown := list[at:min(at+perPage, len(list))]
	next := ""
	if at+perPage < len(list) {
		next = "c" + strconv.FormatInt(int64(shown[len(shown)-1].seq), 36)
	}
	if slices.Contains(c.op.Info, "cursors") {
		if next == "" {
			return shown, map[string]any{}, nil
		}
		return shown, map[string]any{"cursors": map[string]any{"after": next}}, nil
	}
	info := map[string]any{"per_page": perPage}
	if next != "" {
		info["cursor"] = next
	}
	return shown, info, nil
}
