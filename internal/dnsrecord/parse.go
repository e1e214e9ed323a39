// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
)

// Parse validates a declared record and returns it in canonical form. zone is the name of
// its zone, "" if that is not known. The error joins a *FieldError for each fault.
func Parse(zone string, in Input) (Record, error) {
	var errs fieldErrors
	name, err := FQDN(zone, in.Name)
	errs.add(err)
	r := Record{Name: name, Type: strings.ToUpper(strings.TrimSpace(in.Type))}
	t, ok := lookup(r.Type)
	if !ok {
		errs.add(&FieldError{Field: "type", Value: in.Type, Reason: "is not a record type of the API", Fix: "use one of " + strings.Join(Types(), ", ")})
		return Record{}, errs.err()
	}
	errs.add(r.setRdata(t, in))
	errs.add(r.setAttributes(t, in))
	if err := errs.err(); err != nil {
		return Record{}, err
	}
	return r, nil
}

// setRdata sets Content, Data and Priority.
func (r *Record) setRdata(t *rrtype, in Input) error {
	if err := checkPriority(t, in.Priority); err != nil {
		return err
	}
	if err := checkForm(t, in); err != nil {
		return err
	}
	switch {
	case in.Data != nil:
		return r.setData(t, in)
	case t.structured():
		return r.setSplitContent(t, in)
	case t.name == "MX":
		return r.setMX(t, in)
	}
	content, p := t.content(strings.TrimSpace(*in.Content))
	if p != nil {
		return p.at("content")
	}
	if t.name == "CNAME" && content == r.Name {
		return &FieldError{Field: "content", Value: *in.Content, Reason: "is the record's own name", Fix: "point it to another name"}
	}
	r.Content = content
	return nil
}

func checkPriority(t *rrtype, priority *int64) error {
	if priority == nil {
		return nil
	}
	value := strconv.FormatInt(*priority, 10)
	switch {
	case t.priority == noPriority:
		return &FieldError{Field: "priority", Value: value, Reason: "is not part of type " + t.name, Fix: "leave it out"}
	case *priority < 0 || *priority > math.MaxUint16:
		return &FieldError{Field: "priority", Value: value, Reason: "is out of range", Fix: "use a whole number from 0 to 65535"}
	}
	return nil
}

// checkForm returns an error unless exactly one of content and data is set. data is for
// structured types only.
func checkForm(t *rrtype, in Input) error {
	switch {
	case in.Content != nil && in.Data != nil:
		return &FieldError{Field: "content", Value: *in.Content, Reason: "is set together with data", Fix: "set only one of the two"}
	case in.Content == nil && in.Data == nil:
		return &FieldError{Field: "content", Reason: "is required", Fix: "set content" + t.orData() + ", for example " + t.example}
	case in.Data != nil && !t.structured():
		return &FieldError{Field: "data", Reason: "is not part of type " + t.name, Fix: "use content, for example " + t.example}
	case in.Content != nil && strings.TrimSpace(*in.Content) == "":
		return &FieldError{Field: "content", Reason: "is empty", Fix: "write for example " + t.example}
	}
	return nil
}

func (t *rrtype) orData() string {
	if t.structured() {
		return " or data"
	}
	return ""
}

func (r *Record) setData(t *rrtype, in Input) error {
	if err := t.unknownMembers(in.Data); err != nil {
		return err
	}
	return r.setMembers(t, maps.Clone(in.Data), in, func(f *field, p *problem) *FieldError {
		name := "data." + camel(f.key)
		if p != nil {
			return p.at(name)
		}
		return &FieldError{Field: name, Reason: "is required", Fix: "set it; the whole is, in presentation format, for example " + t.example}
	})
}

func (r *Record) setSplitContent(t *rrtype, in Input) error {
	raw, p := t.split(*in.Content, in.Priority != nil)
	if p != nil {
		return p.at("content")
	}
	return r.setMembers(t, raw, in, func(f *field, p *problem) *FieldError {
		member := strings.ReplaceAll(f.key, "_", " ")
		if p == nil {
			return &FieldError{
				Field: "content", Value: *in.Content, Reason: "has no " + member,
				Fix: "write it as " + strconv.Quote(t.form) + ", for example " + t.example,
			}
		}
		fe := p.at("content")
		fe.Reason += " as the " + member + " of type " + t.name
		return fe
	})
}

// setMembers sets Data and Priority from the raw members and in.Priority.
func (r *Record) setMembers(t *rrtype, raw Data, in Input, at blame) error {
	if t.priority != noPriority {
		given, both := raw["priority"]
		switch {
		case in.Priority != nil && both && given != nil:
			if n, ok := toNumber(given); ok && n != float64(*in.Priority) {
				return twoPriorities(*in.Priority, show(given))
			}
		case in.Priority != nil:
			raw["priority"] = *in.Priority
		case !both || given == nil:
			return noPriorityError(t)
		}
	}
	data, err := t.validData(raw, at)
	if err != nil {
		return err
	}
	r.setCanonical(t, data)
	return nil
}

// setCanonical sets Content, Data and Priority from canonical data. If the type has a
// priority, it is a member of data.
func (r *Record) setCanonical(t *rrtype, data Data) {
	switch t.priority {
	case priorityOutside:
		if n, ok := data["priority"].(int64); ok {
			r.Priority = priorityOf(n)
		}
		r.Content = t.render(data, "priority", false)
		delete(data, "priority")
	default:
		// The API leaves the priority out of an SRV record's content.
		skip := ""
		if t.name == "SRV" {
			skip = "priority"
		}
		r.Content = t.render(data, skip, false)
	}
	r.Data = data
}

func noPriorityError(t *rrtype) error {
	return &FieldError{Field: "priority", Reason: "is required", Fix: "set it, or write content as " + strconv.Quote(t.form) + ", for example " + t.example}
}

func twoPriorities(beside int64, inside string) error {
	return &FieldError{
		Field: "priority", Value: strconv.FormatInt(beside, 10), Reason: "is not the " + inside + " of the content or data",
		Fix: "write the priority in one place only",
	}
}

// setMX accepts "10 mail.example.com.", or the host alone with a priority beside it.
func (r *Record) setMX(t *rrtype, in Input) error {
	parts := strings.Fields(*in.Content)
	if len(parts) > 2 {
		return t.wrongForm(*in.Content).at("content")
	}
	priority := in.Priority
	if len(parts) == 2 {
		n, err := strconv.ParseUint(parts[0], 10, 16)
		if err != nil {
			return &FieldError{Field: "content", Value: parts[0], Reason: "is not a priority", Fix: "use a whole number from 0 to 65535"}
		}
		inside := int64(n)
		if priority != nil && *priority != inside {
			return twoPriorities(*priority, parts[0])
		}
		priority = &inside
	}
	host, p := targetOrRoot(parts[len(parts)-1])
	switch {
	case p != nil:
		return p.at("content")
	case priority == nil:
		return noPriorityError(t)
	case host == "." && *priority != 0:
		return &FieldError{Field: "priority", Value: strconv.FormatInt(*priority, 10), Reason: `is not 0 although the host is "."`, Fix: "use priority 0 to say that there is no mail server (RFC 7505)"}
	}
	r.Content, r.Priority = host, priorityOf(*priority)
	return nil
}

// priorityOf returns a pointer to n, or nil if n is out of range.
func priorityOf(n int64) *uint16 {
	if n < 0 || n > math.MaxUint16 {
		return nil
	}
	p := uint16(n)
	return &p
}

// setAttributes sets the fields that are not rdata.
func (r *Record) setAttributes(t *rrtype, in Input) error {
	var errs fieldErrors
	errs.add(r.setTTL(in.TTL))
	errs.add(r.setProxied(t, in.Proxied))
	errs.add(r.setComment(in.Comment))
	errs.add(r.setTags(in.Tags))
	errs.add(r.setSettings(in.Settings))
	return errs.err()
}

const (
	automaticTTL = 1
	minTTL       = 30 // of an Enterprise zone; others begin at 60, and only the API knows which zone it is
	maxTTL       = 86400
)

// setTTL keeps the ttl of a proxied record as it is. Comparisons ignore it.
func (r *Record) setTTL(ttl *int64) error {
	if ttl == nil {
		return nil
	}
	if n := *ttl; n != automaticTTL && (n < minTTL || n > maxTTL) {
		return &FieldError{Field: "ttl", Value: strconv.FormatInt(n, 10), Reason: "is out of range", Fix: "use 1 (automatic) or 60 to 86400 seconds (30 on an Enterprise zone)"}
	}
	n := *ttl
	r.TTL = &n
	return nil
}

func (r *Record) setProxied(t *rrtype, proxied *bool) error {
	if proxied == nil {
		return nil
	}
	if *proxied && !t.proxiable {
		return &FieldError{Field: "proxied", Value: "true", Reason: "is not possible for type " + t.name, Fix: "only A, AAAA and CNAME can be proxied; set it to false or leave it out"}
	}
	if *proxied && !reachableByProxy(r.Content) {
		return &FieldError{Field: "proxied", Value: "true", Reason: fmt.Sprintf("is not possible towards %s, which is not a public address", r.Content), Fix: "use a public address or set proxied to false"}
	}
	b := *proxied
	r.Proxied = &b
	return nil
}
