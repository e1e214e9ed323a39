// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"reflect"
	"slices"
)

// An AddedFault is a fault that was enabled at some time, and how often it fired.
type AddedFault struct {
	ID int `json:"id"`
	Fault
	// Fired counts the requests that the fault delayed, or whose response it made or
	// changed. For a rendering, it counts the changed records. A request without an
	// effect does not count, such as a stale list that equals the current one.
	Fired int `json:"fired"`
}

// AddedFaults returns all faults in the order of their addition, also spent and
// disabled ones.
func (s *Server) AddedFaults() []AddedFault {
	s.mu.Lock()
	defer s.mu.Unlock()
	added := make([]AddedFault, 0, len(s.added))
	for _, f := range s.added {
		added = append(added, AddedFault{ID: f.id, Fault: f.Fault, Fired: f.fired})
	}
	return added
}

// Fired returns how often the fault with an ID has fired, also if it is disabled by
// now.
func (s *Server) Fired(id int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.added, func(f *activeFault) bool { return f.id == id })
	if i < 0 {
		return 0
	}
	return s.added[i].fired
}

// fire records that the request's faults of a kind had an effect, and reports whether
// there are any. The caller holds the server's lock.
func (s faultSet) fire(kind FaultKind) bool {
	fired := false
	for _, f := range s.drawn {
		if f.Kind == kind {
			f.fire()
			fired = true
		}
	}
	return fired
}

// shown returns a record as the response to the call.
func (c *call) shown(r *record) map[string]any {
	for kind, how := range map[FaultKind]rendering{
		FaultTXTQuoted: {txtQuoted: true}, FaultLOCRendering: {locPlain: true}, FaultPriorityInData: {priorityInData: true},
		FaultLooseNumbers: {looseNumbers: true}, FaultUnknownFields: {unknownFields: true},
		FaultFloatNumbers: {floatNumbers: true},
	} {
		if c.faults.has(kind) && !reflect.DeepEqual(r.body(how), r.body(rendering{})) {
			c.faults.fire(kind)
		}
	}
	body := r.body(c.faults.rendering())
	if r.id == OddRecordID {
		body["ttl"] = []any{r.ttl}
	}
	return body
}
