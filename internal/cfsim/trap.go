// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A TrapKind is one way in which the API answers right, and clients get it wrong.
// Numbers with # are issues and pull requests of the Terraform provider, where clients
// did.
type TrapKind string

const (
	// TrapConcealedSecret answers Field as asterisks, which must be neither compared
	// nor sent back: #5532, #5748, #6526.
	TrapConcealedSecret TrapKind = "concealed-secret"
	// TrapReorderedSet answers the array at Field in the reverse order: #5548, #6140,
	// #6316.
	TrapReorderedSet TrapKind = "reordered-set"
	// TrapOmittedFalse leaves Field out where it is false, zero, empty or null: #5650,
	// #5495, #7338.
	TrapOmittedFalse TrapKind = "omitted-false"
	// TrapExpandedReference answers the IDs at Field as the resources of the
	// collection Value, such as "/access/policies", in full: #5499, #5495.
	TrapExpandedReference TrapKind = "expanded-reference"
	// TrapEmptyObject answers an object at Field that nobody sent, empty or with Value as
	// its one member, null: the selectors of Access that are not set, commits f18d0a8c0
	// and 7bcee4b36.
	TrapEmptyObject TrapKind = "empty-object"
	// TrapReformattedText answers the text at Field, or those of an array, in another form. Value names it:
	// html, upper, lower or newline: commit b717f4deb, #5714, #5839.
	TrapReformattedText TrapKind = "reformatted-text"
	// TrapBusyDeletion refuses deletions, with Code and Status where they are given:
	// #5255, #66, #7306, #7284.
	TrapBusyDeletion TrapKind = "busy-deletion"
	// TrapSoftDeletion keeps what is deleted, with deleted_at: what tunnels do without
	// it, too.
	TrapSoftDeletion TrapKind = "soft-deletion"
	// TrapDegradedRead answers Field as Value, "unknown" where there is none, and
	// leaves out the members in Without: commit c8d0e0f96.
	TrapDegradedRead TrapKind = "degraded-read"
	// TrapConvergingStatus answers Field as one of Values after another, each for For
	// after the last write; the last one stays: commit d55a74a78.
	TrapConvergingStatus TrapKind = "converging-status"
	// TrapLag has lists answer as of For ago. Single reads do not lag: #1466 and commit
	// d55a74a78 show that reads after writes can be old.
	TrapLag TrapKind = "lag"
	// TrapEntitlementRefusal refuses writes that have Field, all writes where Field is
	// "", with Code and Status where they are given: #7192, #3093, commit 267abd584.
	TrapEntitlementRefusal TrapKind = "entitlement-refusal"
	// TrapFailedOperation has an operation on the items of a list fail, after it was
	// accepted, as a whole: each that has the item Value, all where that is "".
	TrapFailedOperation TrapKind = "failed-operation"
)

// TrapKinds are all kinds.
func TrapKinds() []TrapKind {
	return []TrapKind{
		TrapConcealedSecret, TrapReorderedSet, TrapOmittedFalse, TrapExpandedReference, TrapEmptyObject, TrapReformattedText, TrapBusyDeletion,
		TrapSoftDeletion, TrapDegradedRead, TrapConvergingStatus, TrapLag, TrapEntitlementRefusal, TrapFailedOperation,
	}
}

// A Trap is a switch of the generic resources. It is off after Times requests.
type Trap struct {
	Kind TrapKind `json:"kind"`
	// Path is that of a collection: a template such as
	// "/accounts/{account_id}/cfd_tunnel", or the path of one account or zone.
	Path string `json:"path"`
	// Token restricts it to requests with this API token.
	Token string `json:"token,omitempty"`
	// Field is a member, dots between names; "*" stands for each element of an array.
	Field   string        `json:"field,omitempty"`
	Value   string        `json:"value,omitempty"`
	Values  []string      `json:"values,omitempty"`
	Without []string      `json:"without,omitempty"`
	Code    int           `json:"code,omitempty"`
	Status  int           `json:"status,omitempty"`
	For     time.Duration `json:"for_ns,omitempty"`
	// Times is how often a refusal happens; 0 is always. Other kinds have no end.
	Times int `json:"times,omitempty"`
}

type activeTrap struct {
	Trap
	id    int
	fired int
}

// Check says what is wrong with a trap.
func (t Trap) Check() error {
	if !slices.Contains(TrapKinds(), t.Kind) {
		return fmt.Errorf("there is no trap %q", t.Kind)
	}
	known := slices.ContainsFunc(theAPI().families, func(f *family) bool {
		return f.list == t.Path || slices.ContainsFunc(parents(f.list), func(template string) bool { return fits(template, t.Path) })
	})
	if !known && !isZoneDocument(t.Path) {
		return fmt.Errorf("neither a generic collection nor a setting of a zone has the path %q", t.Path)
	}
	return nil
}

// AddTrap switches a trap on and returns its ID. It panics for a kind or a path that
// does not exist: such a trap would never show anything.
func (s *Server) AddTrap(t Trap) int {
	if err := t.Check(); err != nil {
		panic("cfsim: " + err.Error())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trapSeq++
	s.traps = append(s.traps, &activeTrap{Trap: t, id: s.trapSeq})
	return s.trapSeq
}

// RemoveTrap switches one trap off and reports whether it was on.
func (s *Server) RemoveTrap(id int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.traps)
	s.traps = slices.DeleteFunc(s.traps, func(t *activeTrap) bool { return t.id == id })
	return len(s.traps) < n
}

// ClearTraps switches all traps off.
func (s *Server) ClearTraps() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.traps = nil
}

// Traps are those that are on, by ID.
func (s *Server) Traps() map[int]Trap {
	s.mu.Lock()
	defer s.mu.Unlock()
	on := map[int]Trap{}
	for _, t := range s.traps {
		on[t.id] = t.Trap
	}
	return on
}

// Sprung is how often the trap of that ID has changed an answer.
func (s *Server) Sprung(id int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.traps {
		if t.id == id {
			return t.fired
		}
	}
	return 0
}

// on are the traps of a kind that concern the call's collection.
func (c *resourceCall) on(kind TrapKind) []*activeTrap {
	return c.onAt(kind, append(parents(c.f.list), c.f.list, c.shelf.path)...)
}

// onAt are the traps of a kind that are on at one of those paths.
func (c *call) onAt(kind TrapKind, paths ...string) []*activeTrap {
	var list []*activeTrap
	for _, t := range c.s.traps {
		if t.Kind == kind && slices.Contains(paths, t.Path) && (t.Token == "" || t.Token == presented(c.r)) && (t.Times == 0 || t.fired < t.Times) {
			list = append(list, t)
		}
	}
	return list
}

// trapped reports whether a trap without a field is on, and counts it.
func (c *resourceCall) trapped(kind TrapKind) bool {
	list := c.on(kind)
	for _, t := range list {
		t.fired++
	}
	return len(list) > 0
}

// refusal is that of a trap, or the standard.
func (t *activeTrap) refusal(status, code int, message string) *Error {
	t.fired++
	if t.Status != 0 {
		status = t.Status
	}
	if t.Code != 0 {
		code = t.Code
	}
	return refuse(status, code, "%s", message)
}

// field is the path of the member that the trap is about.
func (t *activeTrap) field() []string { return strings.Split(t.Field, ".") }
