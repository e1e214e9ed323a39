// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// fields is a JSON object of a request, with numbers as json.Number.
type fields = map[string]any

// change returns before with the changes of a request, and does not modify before.
// before has the values that the request may leave out: the record itself for a PATCH,
// a record with only the ID and the type for a PUT, and an empty record for a POST.
func (z *zone) change(before *record, body fields, now time.Time) (*record, *Error) {
	r := before.clone()
	for _, apply := range []func(*zone, *record, fields) *Error{
		applyType, applyName, applyTTL, applyProxied, applyContent, applyComment, applyTags, applySettings,
	} {
		if err := apply(z, r, body); err != nil {
			return nil, err
		}
	}
	if err := z.settleProxied(r); err != nil {
		return nil, err
	}
	r.touch(before, now)
	return r, nil
}

// touch sets the times of the changes.
func (r *record) touch(before *record, now time.Time) {
	if r.createdOn.IsZero() {
		r.createdOn = now
	}
	if r.comment != before.comment {
		r.commentModifiedOn = now
	}
	if strings.Join(r.tags, "\n") != strings.Join(before.tags, "\n") {
		r.tagsModifiedOn = now
	}
	r.modifiedOn = now
}

func applyType(_ *zone, r *record, body fields) *Error {
	value, given := body["type"]
	if !given && r.typ != "" && r.name != "" {
		return nil
	}
	name, ok := value.(string)
	if _, known := recordType(name); !ok || !known {
		return invalid(CodeRecordType, "DNS record type is invalid.")
	}
	if r.typ != "" && r.typ != name {
		return invalid(CodeRecordType, "The type of a DNS record cannot be changed: delete it and create another.")
	}
	r.typ = name
	return nil
}

func applyName(z *zone, r *record, body fields) *Error {
	value, given := body["name"]
	if !given && r.name != "" {
		return nil
	}
	text, ok := value.(string)
	if !ok {
		return invalid(CodeName, "DNS name is invalid.")
	}
	name, err := canonicalName(text, z.name)
	if err != nil {
		return err
	}
	r.name = name
	return nil
}

func applyTTL(z *zone, r *record, body fields) *Error {
	value, given := body["ttl"]
	if !given {
		if r.ttl == 0 {
			r.ttl = 1
		}
		return nil
	}
	least := z.plan.limits().minTTL
	n, ok := number(value)
	if !ok || n != float64(int(n)) || (n != 1 && (int(n) < least || n > maxTTL)) {
		return invalid(CodeTTL, "Invalid TTL. Must be between %d and 86,400 seconds, or 1 for Automatic.", least)
	}
	r.ttl = int(n)
	return nil
}

func applyProxied(_ *zone, r *record, body fields) *Error {
	value, given := body["proxied"]
	if !given {
		return nil
	}
	proxied, ok := value.(bool)
	if !ok {
		return invalid(CodeProxiedValue, "Invalid 'proxied' value, must be a boolean.")
	}
	if t, _ := recordType(r.typ); proxied && !t.proxiable {
		return invalid(CodeNotProxiable, "This record type cannot be proxied.")
	}
	r.proxied = proxied
	return nil
}

func applyComment(z *zone, r *record, body fields) *Error {
	value, given := body["comment"]
	if !given {
		return nil
	}
	comment, ok := value.(string)
	limit := z.plan.limits().comment
	switch {
	case !ok && value != nil:
		return invalid(CodeComment, "DNS record comment is invalid.")
	case strings.ContainsAny(comment, "\r\n") || !utf8.ValidString(comment):
		return invalid(CodeComment, "DNS record comment must not contain line breaks.")
	case utf8.RuneCountInString(comment) > limit:
		return invalid(CodeComment, "DNS record comment has %d characters, exceeding the limit of %d.", utf8.RuneCountInString(comment), limit)
	}
	r.comment = comment
	return nil
}

func applyTags(z *zone, r *record, body fields) *Error {
	value, given := body["tags"]
	if !given {
		return nil
	}
	list, ok := value.([]any)
	if !ok && value != nil {
		return invalid(CodeTag, "DNS record tags must be a list.")
	}
	var set []string
	seen := map[string]bool{}
	for _, element := range list {
		tag, ok := element.(string)
		if !ok || !validTag(tag) {
			return invalid(CodeTag, "DNS record tag %v is invalid.", element)
		}
		name, value, _ := strings.Cut(tag, ":")
		if key := strings.ToLower(name) + ":" + value; !seen[key] {
			seen[key] = true
			set = append(set, tag)
		}
	}
	if quota := z.plan.limits().tags; len(set) > quota {
		return invalid(CodeTagQuota, "DNS record has %d tags, exceeding the quota of %d.", len(set), quota)
	}
	sortTags(set)
	r.tags = set
	return nil
}

// validTag reports whether a tag has the form "name" or "name:value". Names that begin
// with cf- belong to Cloudflare.
func validTag(tag string) bool {
	name, value, _ := strings.Cut(tag, ":")
	if name == "" || len(name) > maxTagName || strings.HasPrefix(strings.ToLower(name), "cf-") {
		return false
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return utf8.ValidString(value) && utf8.RuneCountInString(value) <= maxTagValue && !strings.ContainsFunc(value, unicode.IsControl)
}

// applySettings replaces the settings.
func applySettings(z *zone, r *record, body fields) *Error {
	value, given := body["settings"]
	if !given {
		return nil
	}
	object, ok := value.(map[string]any)
	if !ok && value != nil {
		return invalid(CodeSettings, "DNS record settings are invalid.")
	}
	settings := map[string]bool{}
	for name, v := range object {
		on, ok := v.(bool)
		if !ok || (name != "flatten_cname" && name != "ipv4_only" && name != "ipv6_only") {
			return invalid(CodeSettings, "DNS record setting %s is unknown or not a boolean.", name)
		}
		settings[name] = on
	}
	switch {
	case settings["flatten_cname"] && r.typ != "CNAME":
		return invalid(CodeSettings, "DNS record setting flatten_cname is for CNAME records only.")
	case settings["flatten_cname"] && z.plan == PlanFree:
		return invalid(CodeSettings, "DNS record setting flatten_cname is not available on this plan.")
	case settings["ipv4_only"] && settings["ipv6_only"]:
		return invalid(CodeSettings, "DNS record settings ipv4_only and ipv6_only exclude each other.")
	}
	r.settings = settings
	return nil
}

// settleProxied applies the rules for other fields of a proxied record. It also refuses
// a CNAME record that points to itself.
func (z *zone) settleProxied(r *record) *Error {
	if r.typ == "CNAME" && r.content == r.name {
		return invalid(CodeTarget, "Content for CNAME record must not be its own name.")
	}
	if !r.proxied {
		return nil
	}
	if r.typ != "CNAME" && !r.private && !publicAddress(r.content) {
		return invalid(CodeProxiedValue, "Target %s is not allowed for a proxied record.", r.content)
	}
	r.ttl = 1
	delete(r.settings, "flatten_cname") // Proxied records are always flattened.
	return nil
}
