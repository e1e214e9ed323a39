// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"errors"
	"fmt"
	"strings"
)

// maxShownValue is how much of a refused value an error repeats, in bytes. Errors end up
// in conditions and events.
const maxShownValue = 120

// FieldError says which declared field is wrong, how, and what to write instead.
type FieldError struct {
	// Field is the name in spec.forProvider: "content", "data.keyTag", "ttl".
	Field string
	// Value is the declared value, "" if there is none.
	Value string
	// Reason completes the sentence that begins with the value: "is not an IPv4 address".
	Reason string
	// Fix is how to correct it: "use four decimal numbers like 192.0.2.1".
	Fix string
}

// Error returns a message like `content: "300.1.1.1" is not an IPv4 address: use four
// decimal numbers like 192.0.2.1`.
func (e *FieldError) Error() string {
	var b strings.Builder
	b.WriteString(e.Field)
	if e.Value != "" {
		value := e.Value
		if len(value) > maxShownValue {
			value = strings.ToValidUTF8(value[:maxShownValue], "") + "..."
		}
		fmt.Fprintf(&b, ": %q", value)
	}
	b.WriteByte(' ')
	b.WriteString(e.Reason)
	if e.Fix != "" {
		b.WriteString(": ")
		b.WriteString(e.Fix)
	}
	return b.String()
}

// A problem is a FieldError without its field, which only the caller knows.
type problem struct {
	value, reason, fix string
}

func (p *problem) at(field string) *FieldError {
	return &FieldError{Field: field, Value: p.value, Reason: p.reason, Fix: p.fix}
}

// fieldErrors collects all faults of a declaration, so that a user can fix them at once.
type fieldErrors []error

func (e *fieldErrors) add(err error) {
	if err != nil {
		*e = append(*e, err)
	}
}

// report adds p, if there is one, as an error of field.
func (e *fieldErrors) report(field string, p *problem) {
	if p != nil {
		*e = append(*e, p.at(field))
	}
}

func (e *fieldErrors) err() error { return errors.Join(*e...) }
