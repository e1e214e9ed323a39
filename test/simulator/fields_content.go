// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import "math"

// applyContent sets content, data, priority and private_routing.
func applyContent(_ *zone, r *record, body fields) *Error {
	t, _ := recordType(r.typ)
	if err := applyPriority(t, r, body); err != nil {
		return err
	}
	if err := applyPrivateRouting(r, body); err != nil {
		return err
	}
	if t.structured() {
		return applyData(t, r, body)
	}
	value, given := body["content"]
	if !given && (r.content != "" || r.txt.strings != nil) {
		return checkNullMX(r)
	}
	text, ok := value.(string)
	if !ok || text == "" {
		return invalid(CodeContent, "Content for %s record is required.", r.typ)
	}
	var err *Error
	if r.typ == "TXT" {
		r.txt, err = parseTXT(text)
		return err
	}
	if r.content, err = t.content(text); err != nil {
		return err
	}
	return checkNullMX(r)
}

// checkNullMX applies RFC 7505: a domain without mail has priority 0.
func checkNullMX(r *record) *Error {
	if r.typ == "MX" && r.content == "." && r.priority != 0 {
		return invalid(CodeMXContent, "A null MX record must have priority 0.")
	}
	return nil
}

// applyData sets data. The API renders the content of structured types, and refuses it
// in requests.
func applyData(t rrtype, r *record, body fields) *Error {
	if content, given := body["content"]; given && content != nil {
		return invalid(CodeDataMissing, "content is read-only for %s records: set data instead.", r.typ)
	}
	value, given := body["data"]
	if !given && r.data != nil {
		return nil
	}
	object, ok := value.(map[string]any)
	if !ok && value != nil {
		return invalid(CodeDataInvalid, "data is invalid for %s records.", r.typ)
	}
	data, err := t.canonicalData(r.typ, object)
	if err != nil {
		return err
	}
	r.data = data
	return nil
}

// applyPriority sets the priority of MX and URI. It is at the top level of a request,
// or inside of data, where the API is moving it. Other types ignore it.
func applyPriority(t rrtype, r *record, body fields) *Error {
	if !t.priority {
		return nil
	}
	value, given := body["priority"]
	if data, ok := body["data"].(map[string]any); ok && (!given || value == nil) {
		value, given = data["priority"], data["priority"] != nil
	}
	blank := r.content == "" && r.data == nil
	if !given && !blank {
		return nil
	}
	if value == nil {
		return invalid(CodeDataInvalid, "priority is a required field.")
	}
	n, ok := number(value)
	if !ok || n != math.Trunc(n) || n < 0 || n > math.MaxUint16 {
		return invalid(CodeDataInvalid, "priority must be a number between 0 and 65535.")
	}
	r.priority = int(n)
	return nil
}

func applyPrivateRouting(r *record, body fields) *Error {
	value, given := body["private_routing"]
	if !given || (r.typ != "A" && r.typ != "AAAA") {
		return nil
	}
	private, ok := value.(bool)
	if !ok {
		return invalid(CodeContent, "private_routing must be a boolean.")
	}
	r.private = private
	return nil
}
