// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kindapi

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// A Page is a part of a list.
type Page struct {
	Resources []kind.Document
	// Next is the cursor of the next page, "" if this is the last.
	Next string
	// LeftOut is how many entries of the page are not in Resources.
	LeftOut int
	// Total is how many entries the API counts on all pages, including those that are left out.
	// It is below 0 if the API does not count.
	Total int
}

// List returns a page of the resources of the parent. The cursor of the first page is "", and
// that of any other is Next of the page before. Deleted resources that are still listed are left
// out, and so are those that the description skips.
func (r Resources) List(ctx context.Context, cursor string) (Page, error) {
	req, err := r.request(r.d.List, "")
	if err != nil {
		return Page{}, err
	}
	for name, v := range r.d.ListQuery {
		req.Query.Set(name, r.filled(v))
	}
	number := 1
	switch p := r.d.Page; {
	case p.Max == 0:
	case p.Cursor:
		req.Query.Set("per_page", strconv.Itoa(p.Max))
		if cursor != "" {
			req.Query.Set("cursor", cursor)
		}
	default:
		if n, err := strconv.Atoi(cursor); err == nil {
			number = n
		}
		req.Query.Set("per_page", strconv.Itoa(p.Max))
		req.Query.Set("page", strconv.Itoa(number))
	}
	all, info, err := r.page(ctx, req)
	if err != nil {
		return Page{}, err
	}
	out := Page{Total: -1}
	if info.TotalCount > 0 {
		out.Total = info.TotalCount
	}
	for _, doc := range all {
		if r.d.Deleted(doc) || r.d.Skip != nil && r.d.Skip(doc) {
			out.LeftOut++
			continue
		}
		out.Resources = append(out.Resources, doc)
	}
	out.Next = next(r.d.Page, len(all), number, info)
	return out, nil
}

// page reads one page of a list.
func (r Resources) page(ctx context.Context, req cloudflare.Request) ([]kind.Document, cloudflare.ResultInfo, error) {
	a, err := r.client.Do(ctx, req)
	if err != nil {
		return nil, a.Info, r.explain(err, req.Method, "")
	}
	v, err := kind.Parse(a.Result)
	if err != nil {
		return nil, a.Info, req.Unreadable(err)
	}
	if at := r.d.Page.At; at != "" {
		v, _ = kind.At(v, at)
	}
	elements, ok := v.([]any)
	if !ok {
		return nil, a.Info, req.Unreadable(errors.New("it has no list"))
	}
	out := make([]kind.Document, len(elements))
	for i, e := range elements {
		if out[i], ok = e.(kind.Document); !ok || r.ID(out[i]) == "" {
			return nil, a.Info, req.Unreadable(fmt.Errorf("it lists %s without an ID", kind.WithArticle(r.d.Noun)))
		}
	}
	return out, a.Info, nil
}

// next returns the cursor of the page after one that has got elements, "" after the last.
func next(p kind.Page, got, number int, info cloudflare.ResultInfo) string {
	size := p.Max
	if info.PerPage > 0 {
		size = min(size, info.PerPage) // The API may return fewer than were requested.
	}
	more := got >= size
	switch {
	case p.Max == 0:
		return ""
	case p.Cursor && info.Cursor != "":
		return info.Cursor
	case p.Cursor:
		return info.Cursors.After
	case info.TotalPages > 0:
		more = number < info.TotalPages
	}
	if !more {
		return ""
	}
	return strconv.Itoa(number + 1)
}

// filled returns the value of a query with the parameters of paths, in braces, replaced.
func (r Resources) filled(v string) string {
	for name, p := range r.params {
		v = strings.ReplaceAll(v, "{"+name+"}", p)
	}
	return v
}
