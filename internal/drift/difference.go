// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package drift

import "strings"

// A Difference is one field that differs. It never holds a secret: what it says is in
// conditions, events and logs.
type Difference struct {
	// Field is the name of the field, in the words of the spec.
	Field string `json:"field"`
	// Live is the value at Cloudflare, and Desired the value that the object declares.
	Live    string `json:"live,omitempty"`
	Desired string `json:"desired,omitempty"`
	// Says is what is wrong where two values do not show it, such as with a Secret whose value
	// changed. Live and Desired are empty then.
	Says string `json:"says,omitempty"`
}

// text reads like "content: live 1.0.0.1, desired 1.1.1.1". It is no String method, which some
// loggers would take for the value.
func (d Difference) text() string {
	if d.Says != "" {
		return d.Field + ": " + d.Says
	}
	return d.Field + ": live " + d.Live + ", desired " + d.Desired
}

// Differences are what differs, one field each.
type Differences []Difference

func (d Differences) String() string {
	out := make([]string, len(d))
	for i := range d {
		out[i] = d[i].text()
	}
	return strings.Join(out, "; ")
}
