// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/url"
	"slices"
	"strings"
)

// A recordPredicate reports whether a list contains a record.
type recordPredicate func(*record) bool

// recordFilter returns the filter of a record list. tag_match combines the filters on
// tags, and match combines the result with the other filters. search applies in
// addition to both.
func recordFilter(query url.Values, how rendering) (recordPredicate, *Error) {
	match, err := oneOf(query, "match", "all", "any", "all")
	if err != nil {
		return nil, err
	}
	tagMatch, err := oneOf(query, "tag_match", "all", "any", "all")
	if err != nil {
		return nil, err
	}
	filters, err := plainFilters(query)
	if err != nil {
		return nil, err
	}
	texts := map[string]func(*record) string{
		"name":    func(r *record) string { return r.name },
		"content": func(r *record) string { return r.rendered(how) },
		"comment": func(r *record) string { return r.comment },
	}
	for _, field := range []string{"name", "content", "comment"} {
		filters = append(filters, textFilters(query, field, texts[field])...)
	}
	filters = append(filters, presenceFilters(query)...)
	if tags := tagFilters(query); len(tags) > 0 {
		filters = append(filters, combine(tagMatch, tags))
	}
	combined := combine(match, filters)
	search := strings.ToLower(query.Get("search"))
	return func(r *record) bool { return combined(r) && (search == "" || found(r, search, how)) }, nil
}

// plainFilters returns the filters on type and proxied.
func plainFilters(query url.Values) ([]recordPredicate, *Error) {
	var filters []recordPredicate
	if query.Has("type") {
		typ := query.Get("type")
		if _, ok := recordType(typ); !ok {
			return nil, invalid(CodeBadParameter, "Invalid value for parameter type.")
		}
		filters = append(filters, func(r *record) bool { return r.typ == typ })
	}
	if query.Has("proxied") {
		value, err := oneOf(query, "proxied", "", "true", "false")
		if err != nil {
			return nil, err
		}
		filters = append(filters, func(r *record) bool { return r.proxied == (value == "true") })
	}
	return filters, nil
}

// combine returns the logical AND ("all") or OR ("any") of filters. Without filters the
// result is true.
func combine(match string, filters []recordPredicate) recordPredicate {
	return func(r *record) bool {
		holds := func(f recordPredicate) bool { return f(r) }
		if match == "any" && len(filters) > 0 {
			return slices.ContainsFunc(filters, holds)
		}
		return !slices.ContainsFunc(filters, func(f recordPredicate) bool { return !holds(f) })
	}
}

// textOperators returns the filter operators for texts in lower case.
func textOperators() map[string]func(have, want string) bool {
	equal := func(have, want string) bool { return have == want }
	return map[string]func(have, want string) bool{
		"": equal, ".exact": equal, ".contains": strings.Contains, ".startswith": strings.HasPrefix, ".endswith": strings.HasSuffix,
	}
}

func textFilters(query url.Values, field string, of func(*record) string) []recordPredicate {
	var filters []recordPredicate
	for suffix, holds := range textOperators() {
		if !query.Has(field + suffix) {
			continue
		}
		want := strings.ToLower(query.Get(field + suffix))
		filters = append(filters, func(r *record) bool { return holds(strings.ToLower(of(r)), want) })
	}
	return filters
}

// presenceFilters returns the filters comment.present and comment.absent. Their values
// have no effect.
func presenceFilters(query url.Values) []recordPredicate {
	var filters []recordPredicate
	if query.Has("comment.present") {
		filters = append(filters, func(r *record) bool { return r.comment != "" })
	}
	if query.Has("comment.absent") {
		filters = append(filters, func(r *record) bool { return r.comment == "" })
	}
	return filters
}

// tagFilters returns the filters on tags. tag.present and tag.absent name a tag.
// tag.exact, .contains, .startswith and .endswith name a tag and compare its value. tag
// compares the value if it has a colon, and otherwise requires the tag. Each may be
// repeated.
func tagFilters(query url.Values) []recordPredicate {
	var filters []recordPredicate
	for suffix, holds := range textOperators() {
		for _, want := range query["tag"+suffix] {
			name, value, valued := strings.Cut(strings.ToLower(want), ":")
			if suffix == "" && !valued {
				filters = append(filters, tagged(name))
				continue
			}
			filters = append(filters, func(r *record) bool {
				return hasTag(r, name, func(have string) bool { return holds(have, value) })
			})
		}
	}
	for _, name := range query["tag.present"] {
		filters = append(filters, tagged(strings.ToLower(name)))
	}
	for _, name := range query["tag.absent"] {
		present := tagged(strings.ToLower(name))
		filters = append(filters, func(r *record) bool { return !present(r) })
	}
	return filters
}

func tagged(name string) recordPredicate {
	return func(r *record) bool { return hasTag(r, name, func(string) bool { return true }) }
}

func hasTag(r *record, name string, value func(string) bool) bool {
	return slices.ContainsFunc(r.tags, func(tag string) bool {
		haveName, haveValue, _ := strings.Cut(strings.ToLower(tag), ":")
		return haveName == name && value(haveValue)
	})
}

// found implements the search of the dashboard, in all texts of a record.
func found(r *record, want string, how rendering) bool {
	texts := append([]string{r.name, r.typ, r.rendered(how), r.comment}, r.tags...)
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(strings.ToLower(text), want) })
}
