// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A TrapKind is a valid behaviour of the API that clients have handled wrongly. Numbers with # are issues
// and pull requests of the Terraform provider about it.
type TrapKind string

const (
	// TrapConcealedSecret replaces Field with asterisks, which a client must neither compare nor send back:
	// #5532, #5748, #6526.
	TrapConcealedSecret TrapKind = "concealed-secret"
	// TrapReorderedSet reverses the array at Field: #5548, #6140, #6316.
	TrapReorderedSet TrapKind = "reordered-set"
	// TrapOmittedFalse leaves out Field if it is false, zero, empty or null: #5650, #5495, #7338.
	TrapOmittedFalse TrapKind = "omitted-false"
	// TrapExpandedReference replaces the IDs at Field with the whole resources of the collection Value,
	// such as "/access/policies": #5499, #5495.
	TrapExpandedReference TrapKind = "expanded-reference"
	// TrapEmptyObject adds an object at Field that no request had. It is empty, or has Value as its only
	// member, which is null. Examples are the selectors of Access that are not set: commits f18d0a8c0 and
	// 7bcee4b36.
	TrapEmptyObject TrapKind = "empty-object"
	// TrapReformattedText changes the form of the text at Field, or of the texts of an array. Value names
	// the form (html, upper, lower or newline): commit b717f4deb, #5714, #5839.
	TrapReformattedText TrapKind = "reformatted-text"
	// TrapBusyDeletion refuses deletions, with Code and Status if they are set: #5255, #66, #7306, #7284.
	TrapBusyDeletion TrapKind = "busy-deletion"
	// TrapSoftDeletion keeps deleted resources, with deleted_at. Tunnels are kept without the trap, too.
	TrapSoftDeletion TrapKind = "soft-deletion"
	// TrapDegradedRead replaces Field with Value, or with "unknown" if there is none, and leaves out the
	// members in Without: commit c8d0e0f96.
	TrapDegradedRead TrapKind = "degraded-read"
	// TrapConvergingStatus replaces Field with one of Values after another, each for For after the last
	// write. The last one stays: commit d55a74a78.
	TrapConvergingStatus TrapKind = "converging-status"
	// TrapLag answers lists as of For ago. Single reads do not lag. #1466 and commit d55a74a78 show that
	// reads after writes can be old.
	TrapLag TrapKind = "lag"
	// TrapEntitlementRefusal refuses writes with Field, or all writes if Field is "", with Code and Status
	// if they are set: #7192, #3093, commit 267abd584.
	TrapEntitlementRefusal TrapKind = "entitlement-refusal"
	// TrapFailedOperation makes an accepted operation on the items of a list fail as a whole. It applies to
	// operations with the item Value, or to all if Value is "".
	TrapFailedOperation TrapKind = "failed-operation"
)

// TrapKinds returns all kinds.
func TrapKinds() []TrapKind {
	return []TrapKind{
		TrapConcealedSecret, TrapReorderedSet, TrapOmittedFalse, TrapExpandedReference, TrapEmptyObject, TrapReformattedText, TrapBusyDeletion,
		TrapSoftDeletion, TrapDegradedRead, TrapConvergingStatus, TrapLag, TrapEntitlementRefusal, TrapFailedOperation,
	}
}

// A Trap is a switch of the generic resources.
type Trap struct {
	Kind TrapKind `json:"kind"`
	// Path is the path of a collection: a template such as "/accounts/{account_id}/cfd_tunnel", or the path
	// in one account or zone.
	Path string `json:"path"`
	// Token restricts it to requests with this API token.
	Token string `json:"token,omitempty"`
	// Field is the path of a member, with dots between names. "*" stands for each element of an array.
	Field   string        `json:"field,omitempty"`
	Value   string        `json:"value,omitempty"`
	Values  []string      `json:"values,omitempty"`
	Without []string      `json:"without,omitempty"`
	Code    int           `json:"code,omitempty"`
	Status  int           `json:"status,omitempty"`
	For     time.Duration `json:"for_ns,omitempty"`
	// Times is how often the trap springs before it has no more effect; 0 means always.
	Times int `json:"times,omitempty"`
}

type activeTrap struct {
	Trap
	id    int
	fired int
}

// Check returns an error if the kind or the path of the trap does not exist.
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

// AddTrap enables a trap and returns its ID. It panics if the kind or the path does not exist, because such
// a trap would never have an effect.
func (s *Server) AddTrap(t Trap) int {
	if err := t.Check(); err != nil {
		panic("simulator: " + err.Error())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trapSeq++
	s.traps = append(s.traps, &activeTrap{Trap: t, id: s.trapSeq})
	return s.trapSeq
}

// RemoveTrap disables one trap. It reports whether the trap was enabled.
func (s *Server) RemoveTrap(id int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.traps)
	s.traps = slices.DeleteFunc(s.traps, func(t *activeTrap) bool { return t.id == id })
	return len(s.traps) < n
}

// ClearTraps disables all traps.
func (s *Server) ClearTraps() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.traps = nil
}

// Traps returns the enabled traps by ID.
func (s *Server) Traps() map[int]Trap {
	s.mu.Lock()
	defer s.mu.Unlock()
	on := map[int]Trap{}
	for _, t := range s.traps {
		on[t.id] = t.Trap
	}
	return on
}

// Sprung returns how often the trap with an ID has refused a request or changed a response.
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

// on returns the traps of a kind that concern the call's collection.
func (c *resourceCall) on(kind TrapKind) []*activeTrap {
	return c.onAt(kind, append(parents(c.f.list), c.f.list, c.shelf.path)...)
}

// onAt returns the traps of a kind that are enabled at one of the paths.
func (c *call) onAt(kind TrapKind, paths ...string) []*activeTrap {
	var list []*activeTrap
	for _, t := range c.s.traps {
		if t.Kind == kind && slices.Contains(paths, t.Path) && (t.Token == "" || t.Token == presented(c.r)) && (t.Times == 0 || t.fired < t.Times) {
			list = append(list, t)
		}
	}
	return list
}

// trapped reports whether a trap without a field is enabled, and counts it.
func (c *resourceCall) trapped(kind TrapKind) bool {
	list := c.on(kind)
	for _, t := range list {
		t.fired++
	}
	return len(list) > 0
}

// refusal returns the refusal of a trap, with the given status and code as defaults.
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

// field returns the path of the member that the trap is about.
func (t *activeTrap) field() []string { return strings.Split(t.Field, ".") }
