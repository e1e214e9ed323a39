// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package drift

import "strings"

// A Difference is one field that differs. It never holds a secret, because it is shown in
// conditions, events and logs.
type Difference struct {
	// Field is the name of the field as the spec has it.
	Field string `json:"field"`
	// Live is the value at Cloudflare. Desired is the value that the object declares.
	Live    string `json:"live,omitempty"`
	Desired string `json:"desired,omitempty"`
	// Says describes a difference that two values do not show, such as a Secret whose value
	// changed. Live and Desired are empty then.
	Says string `json:"says,omitempty"`
}

// text returns a text like "content: live 1.0.0.1, desired 1.1.1.1". It is not named String,
// because some loggers would log that in place of the value.
func (d Difference) text() string {
	if d.Says != "" {
		return d.Field + ": " + d.Says
	}
	return d.Field + ": live " + d.Live + ", desired " + d.Desired
}

// Differences are the fields that differ.
type Differences []Difference

func (d Differences) String() string {
	out := make([]string, len(d))
	for i := range d {
		out[i] = d[i].text()
	}
	return strings.Join(out, "; ")
}
