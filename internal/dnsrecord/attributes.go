// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// These are the limits of the plan that allows most. Only the API knows the limits of the
// zone's own plan.
const (
	maxComment  = 500 // characters
	maxTags     = 20
	maxTagName  = 32  // characters
	maxTagValue = 100 // characters
)

func (r *Record) setComment(comment *string) error {
	if comment == nil {
		return nil
	}
	c := *comment
	switch {
	case strings.ContainsAny(c, "\r\n"):
		return &FieldError{Field: "comment", Value: c, Reason: "has a line break in it", Fix: "write it on one line"}
	case !utf8.ValidString(c):
		return &FieldError{Field: "comment", Value: c, Reason: "is not UTF-8", Fix: "write it in UTF-8"}
	case utf8.RuneCountInString(c) > maxComment:
		return &FieldError{Field: "comment", Value: c, Reason: fmt.Sprintf("has %d characters", utf8.RuneCountInString(c)), Fix: "use at most 500 (100 on a Free zone)"}
	}
	r.Comment = &c
	return nil
}

func (r *Record) setTags(tags []string) error {
	if tags == nil {
		return nil
	}
	var errs fieldErrors
	for _, tag := range tags {
		errs.report("tags", checkTag(tag))
	}
	set := canonicalTags(tags)
	if len(set) > maxTags {
		errs.add(&FieldError{Field: "tags", Reason: fmt.Sprintf("has %d different tags", len(set)), Fix: "use at most 20"})
	}
	if err := errs.err(); err != nil {
		return err
	}
	r.Tags = set
	return nil
}

func checkTag(tag string) *problem {
	name, value, _ := strings.Cut(tag, ":")
	switch {
	case strings.TrimSpace(name) == "":
		return &problem{tag, "has no name", `write tags as "name:value"`}
	case !utf8.ValidString(tag) || strings.ContainsFunc(tag, unicode.IsControl):
		return &problem{tag, "has control characters or bytes that are not UTF-8 in it", `write tags as "name:value"`}
	case utf8.RuneCountInString(name) > maxTagName:
		return &problem{tag, "has a name longer than 32 characters", "shorten what is before the colon"}
	case utf8.RuneCountInString(value) > maxTagValue:
		return &problem{tag, "has a value longer than 100 characters", "shorten what is behind the colon"}
	case strings.HasPrefix(strings.ToLower(name), "cf-"):
		return &problem{tag, "has a name that begins with cf-", "choose another: Cloudflare keeps these to itself"}
	}
	return nil
}

// canonicalTags returns the set of tags: names in lower case, sorted, each once. A tag
// without a value is the same with and without its colon. The result is not nil.
func canonicalTags(tags []string) []string {
	set := make([]string, 0, len(tags))
	for _, tag := range tags {
		name, value, _ := strings.Cut(tag, ":")
		tag = strings.ToLower(name)
		if value != "" {
			tag += ":" + value
		}
		set = append(set, tag)
	}
	slices.Sort(set)
	return slices.Compact(set)
}

func (r *Record) setSettings(settings *Settings) error {
	if settings == nil {
		return nil
	}
	if settings.FlattenCNAME && r.Type != "CNAME" {
		return &FieldError{Field: "settings.flattenCname", Value: "true", Reason: "is not possible for type " + r.Type, Fix: "only CNAME records can be flattened; leave it out"}
	}
	if settings.IPv4Only && settings.IPv6Only {
		return &FieldError{Field: "settings", Reason: "has both ipv4Only and ipv6Only", Fix: "they exclude each other; set at most one to true"}
	}
	s := *settings
	r.Settings = &s
	return nil
}
