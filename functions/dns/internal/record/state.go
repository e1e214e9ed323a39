// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import "fmt"

// A Condition of a Record that exists.
type Condition struct {
	Type, Status, Message string
}

// A State is what has become of a Record.
type State struct {
	Type    string `json:"type"`
	FQDN    string `json:"fqdn"`
	Content string `json:"content"`
	Ready   bool   `json:"ready"`
	Message string `json:"message,omitempty"`
}

// Judge tells the state of a Record that has these conditions; nil is none, for it
// does not exist yet.
func Judge(r Record, conditions []Condition) State {
	s := State{Type: r.Type, FQDN: r.FQDN(), Content: r.Content}
	if conditions == nil {
		s.Message = "not created yet"
		return s
	}
	by := map[string]Condition{}
	for _, c := range conditions {
		by[c.Type] = c
	}
	s.Ready = by["Ready"].Status == "True"
	for _, t := range []string{"Synced", "Ready"} {
		if c := by[t]; c.Status == "False" && c.Message != "" {
			s.Message = c.Message
			break
		}
	}
	if !s.Ready && s.Message == "" {
		s.Message = "not ready yet"
	}
	return s
}

// Count says how many of the states are ready, as "2/3".
func Count(states []State) string {
	ready := 0
	for _, s := range states {
		if s.Ready {
			ready++
		}
	}
	return fmt.Sprintf("%d/%d", ready, len(states))
}
