// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// A Decimal is a JSON number, kept as it is written: 0.1 stays 0.1. The zero value is 0.
// It is a struct, because a text would be a JSON string to Kubernetes' converters.
// +kubebuilder:validation:Type=number
type Decimal struct {
	// Text is exported because Kubernetes compares objects by their exported fields.
	Text string `json:"-"`
}

// errNoNumber is all that can be wrong with a Decimal.
var errNoNumber = errors.New("not a number")

// ParseDecimal reads a JSON number.
func ParseDecimal(s string) (Decimal, error) {
	var d Decimal
	err := d.UnmarshalJSON([]byte(s))
	return d, err
}

// String is the number as it was written.
func (d Decimal) String() string {
	if d.Text == "" {
		return "0"
	}
	return d.Text
}

// MarshalJSON implements json.Marshaler.
func (d Decimal) MarshalJSON() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalJSON implements json.Unmarshaler.
func (d *Decimal) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	if !json.Valid(raw) || (raw[0] != '-' && (raw[0] < '0' || raw[0] > '9')) {
		return fmt.Errorf("%w: %d bytes", errNoNumber, len(raw))
	}
	d.Text = string(raw)
	return nil
}
