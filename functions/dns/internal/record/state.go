// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"fmt"
	"strings"
)

// A Condition of a Record that exists. Generation is that of the Record which the
// condition is about, and 0 where the condition does not say.
type Condition struct {
	Type, Status, Message string
	Generation            int64
}

// An Observed is a Record that exists: its generation, what it declares, and what the
// provider says about it.
type Observed struct {
	Generation  int64
	ForProvider map[string]any
	Conditions  []Condition
}

// A State is what has become of a Record.
type State struct {
	Type    string `json:"type"`
	FQDN    string `json:"fqdn"`
	Content string `json:"content"`
	Ready   bool   `json:"ready"`
	Message string `json:"message,omitempty"`
}

// Judge tells the state of a Record; nil is that it does not exist yet. A Record is ready
// when the provider says so of what the composite resource wants now. One that Cloudflare
// or the provider refuses is not, although it still serves what it had before.
func Judge(r Record, o *Observed) State {
	s := State{Type: r.Type, FQDN: r.FQDN(), Content: r.Content}
	if o == nil {
		s.Message = "not created yet"
		return s
	}
	ready, synced := o.condition("Ready"), o.condition("Synced")
	declared := o.declares(r)
	s.Ready = declared && o.current(ready) && ready.Status == "True" && synced.Status != "False"
	if s.Ready {
		return s
	}
	for _, c := range []Condition{synced, ready} {
		if c.Status == "False" && c.Message != "" {
			s.Message = c.Message
			return s
		}
	}
	s.Message = "not ready yet"
	if !declared {
		s.Message = "the change is not applied yet"
	}
	return s
}

// condition of a type, empty where there is none.
func (o *Observed) condition(typ string) Condition {
	for _, c := range o.Conditions {
		if c.Type == typ {
			return c
		}
	}
	return Condition{}
}

// current tells whether a condition is about what the Record declares now.
func (o *Observed) current(c Condition) bool {
	return c.Generation == 0 || c.Generation >= o.Generation
}

// declares tells whether the Record has every field of r. It may have more: the provider
// fills in what nobody declared.
func (o *Observed) declares(r Record) bool {
	for field, want := range r.forProvider() {
		// As text, for a number has another type when it comes from the API server.
		if fmt.Sprint(o.ForProvider[field]) != fmt.Sprint(want) {
			return false
		}
	}
	return true
}

// Count says how many of the states are ready, as "2/3".
func Count(states []State) string {
	return fmt.Sprintf("%d/%d", len(states)-len(unready(states)), len(states))
}

// Unready says which of the states are not ready and why, empty where all are.
func Unready(states []State) string {
	var said []string
	for _, s := range unready(states) {
		said = append(said, fmt.Sprintf("%s record of %s: %s", s.Type, s.FQDN, cmp.Or(s.Message, "not ready yet")))
	}
	return strings.Join(said, "; ")
}

func unready(states []State) []State {
	var out []State
	for _, s := range states {
		if !s.Ready {
			out = append(out, s)
		}
	}
	return out
}
