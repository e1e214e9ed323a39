// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	defaultPerPage    = 100
	documentedPerPage = 5_000_000 // The largest per_page that a request may ask for.
)

func listRecords(c *call) (reply, *Error) {
	query := c.r.URL.Query()
	page, perPage, err := paging(query, 1, documentedPerPage, defaultPerPage)
	if err != nil {
		return reply{}, err
	}
	less, err := recordOrder(query, c.faults.rendering())
	if err != nil {
		return reply{}, err
	}
	keep, err := recordFilter(query, c.faults.rendering())
	if err != nil {
		return reply{}, err
	}
	listed := c.listed()
	shadow, err := shadowOf(query, c.zone, listed)
	if err != nil {
		return reply{}, err
	}
	list := slices.DeleteFunc(listed, func(r *record) bool { return !keep(r) || !shadow.keeps(r) })
	if less != nil {
		slices.SortStableFunc(list, less)
	}
	shown, info := c.page(list, page, min(perPage, c.s.options.MaxPerPage))
	result := make([]any, 0, len(shown))
	for _, r := range shown {
		result = append(result, shadow.annotate(r, c.shown(r)))
	}
	return reply{result: result, info: info}, nil
}

// page returns a page of a list. Faults may return the first page instead.
func (c *call) page(list []*record, page, perPage int) ([]*record, *resultInfo) {
	if c.faults.has(FaultSamePage) {
		perPage = 1
	}
	if page > 1 && (c.faults.fire(FaultSamePage) || c.faults.has(FaultEndless)) {
		page = 1
	}
	shown, info := paginate(list, page, perPage)
	if c.faults.fire(FaultEndless) {
		info = nil
	}
	return shown, info
}

// listed returns the records of a list. Faults may return those of the past, or add
// records that clients do not know.
func (c *call) listed() []*record {
	var list []*record
	kind := FaultStaleList
	if c.faults.has(FaultBehind) {
		kind = FaultBehind
	}
	if stale, ok := c.faults.find(kind); ok {
		if kind == FaultBehind {
			stale.Delay = 0
		}
		since := c.now.Add(-stale.Delay)
		list = c.zone.past(func(rev revision) bool {
			return (stale.Delay > 0 && rev.at.After(since)) || (stale.Delay == 0 && rev.seq == c.zone.lastSeq())
		})
		if !slices.Equal(list, c.zone.sorted()) {
			c.faults.fire(kind)
		}
	} else {
		list = c.zone.sorted()
	}
	if c.faults.fire(FaultUnknownType) {
		list = append(list, &record{
			id: strings.Repeat("f", 32), typ: "ZONEMD", name: c.zone.name, content: "2018031500 1 1 FEBE3D4C", ttl: 1,
			createdOn: c.zone.createdOn, modifiedOn: c.zone.createdOn,
		})
	}
	if c.faults.fire(FaultOddRecord) {
		list = append(list, &record{
			id: OddRecordID, typ: "A", name: "odd." + c.zone.name, content: "203.0.113.9", ttl: 1,
			createdOn: c.zone.createdOn, modifiedOn: c.zone.createdOn,
		})
	}
	return list
}

// paging returns the parameters page and per_page.
func paging(query url.Values, least, most, standard int) (page, perPage int, err *Error) {
	page, ok := intParameter(query, "page", 1)
	if !ok || page < 1 {
		return 0, 0, invalid(CodeBadParameter, "Invalid value for parameter page.")
	}
	perPage, ok = intParameter(query, "per_page", standard)
	if !ok || perPage < least || perPage > most {
		return 0, 0, invalid(CodeBadParameter, "Invalid value for parameter per_page: must be between %d and %d.", least, most)
	}
	return page, perPage, nil
}

func intParameter(query url.Values, name string, standard int) (int, bool) {
	if !query.Has(name) {
		return standard, true
	}
	n, err := strconv.Atoi(query.Get(name))
	return n, err == nil
}

// paginate returns one page of a list. A page beyond the end is empty.
func paginate[T any](list []T, page, perPage int) ([]T, *resultInfo) {
	from := len(list)
	if page-1 <= len(list)/perPage {
		from = min((page-1)*perPage, len(list))
	}
	shown := list[from:min(from+perPage, len(list))]
	return shown, &resultInfo{
		Page: page, PerPage: perPage, Count: len(shown), TotalCount: len(list),
		TotalPages: (len(list) + perPage - 1) / perPage,
	}
}

// recordOrder returns the order of a list, or nil if the request asks for none.
func recordOrder(query url.Values, how rendering) (func(a, b *record) int, *Error) {
	direction, err := oneOf(query, "direction", "asc", "asc", "desc")
	if err != nil {
		return nil, err
	}
	field, err := oneOf(query, "order", "type", "type", "name", "content", "ttl", "proxied")
	if err != nil {
		return nil, err
	}
	if !query.Has("order") && direction == "asc" {
		return nil, nil
	}
	sign := 1
	if direction == "desc" {
		sign = -1
	}
	return func(a, b *record) int { return sign * compareField(field, a, b, how) }, nil
}

func compareField(field string, a, b *record, how rendering) int {
	switch field {
	case "name":
		return strings.Compare(a.name, b.name)
	case "content":
		return strings.Compare(a.rendered(how), b.rendered(how))
	case "ttl":
		return cmp.Compare(a.ttl, b.ttl)
	case "proxied":
		return cmp.Compare(strconv.FormatBool(a.proxied), strconv.FormatBool(b.proxied))
	default:
		return strings.Compare(a.typ, b.typ)
	}
}

// oneOf returns the value of a parameter with an enumeration.
func oneOf(query url.Values, name, standard string, allowed ...string) (string, *Error) {
	value := query.Get(name)
	switch {
	case !query.Has(name):
		return standard, nil
	case !slices.Contains(allowed, value):
		return "", invalid(CodeBadParameter, "Invalid value for parameter %s: must be one of %s.", name, strings.Join(allowed, ", "))
	}
	return value, nil
}
