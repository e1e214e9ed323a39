// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"reflect"
	"slices"
)

// An AddedFault is a fault that was on at some time, and how often it fired.
type AddedFault struct {
	ID int `json:"id"`
	Fault
	// Fired counts the requests that it delayed or whose answer it made or changed; of
	// a rendering, the records that it changed. A request that it matches without an
	// effect, such as a stale list that is like the current one, does not count.
	Fired int `json:"fired"`
}

// AddedFaults are all faults that were ever added, in that order, those too that are
// spent or off by now.
func (s *Server) AddedFaults() []AddedFault {
	s.mu.Lock()
	defer s.mu.Unlock()
	added := make([]AddedFault, 0, len(s.added))
	for _, f := range s.added {
		added = append(added, AddedFault{ID: f.id, Fault: f.Fault, Fired: f.fired})
	}
	return added
}

// Fired is how often the fault of that ID has fired, whether or not it is still on.
func (s *Server) Fired(id int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.added, func(f *activeFault) bool { return f.id == id })
	if i < 0 {
		return 0
	}
	return s.added[i].fired
}

// fire notes that the request's faults of that kind had an effect, with the server's
// lock held, and reports whether there are any.
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

// shown is a record as the call answers it.
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
