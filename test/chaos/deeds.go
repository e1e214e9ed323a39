// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "time"

// A role is the state that an object has to reach in the end.
type role string

const (
	roleReady   role = "ready"   // manages a record
	roleContend role = "contend" // claims the record of another object: one of them manages it, the others are refused
	roleRefuse  role = "refuse"  // may not adopt the existing foreign record
	roleObserve role = "observe" // shows a foreign record
)

// A thing is an object in its user's desired state.
type thing struct {
	Namespace string `json:"namespace"`
	Object    string `json:"object"`
	Zone      string `json:"zone"`
	Name      string `json:"name"` // the record's, relative to the zone
	Value     value  `json:"value"`
	Role      role   `json:"role"`
	ByName    bool   `json:"byName,omitempty"` // sets zoneName, not zoneId
	Adoption  string `json:"adoption"`
	TTL       int64  `json:"ttl,omitempty"` // 0 is left out
	Comment   string `json:"comment,omitempty"`
	Proxied   bool   `json:"proxied,omitempty"`
	// Earlier are the previous names of its record.
	Earlier []string `json:"earlier,omitempty"`
	// Predecessor is the object that managed its record before, "" for none.
	Predecessor string `json:"predecessor,omitempty"`
}

// A deed is a kind of action of a user.
type deed string

const (
	doCreate      deed = "create"
	doBurst       deed = "create-burst"
	doEdit        deed = "edit"
	doEditBurst   deed = "edit-burst"
	doRename      deed = "rename"
	doEarlyEdit   deed = "create-and-edit-at-once"
	doDelete      deed = "delete"
	doDeleteBurst deed = "delete-burst"
	doLateDelete  deed = "create-and-delete-at-once"
	doReplace     deed = "delete-and-create-again"
	doHandOver    deed = "delete-and-hand-over"
	doOrphan      deed = "orphan"
	doAdopt       deed = "adopt-identical"
	doTakeOver    deed = "adopt-name-and-type"
	doRefuse      deed = "never-adopt-foreign"
	doObserve     deed = "observe-foreign"
	doContend     deed = "contend"
	doDashEdit    deed = "dashboard-edit"
	doDashDelete  deed = "dashboard-delete"
	doPrepare     deed = "dashboard-create"
	doLateBurst   deed = "create-burst-and-delete-at-once"

	doVisit     deed = "namespace-create"
	doVisitEdit deed = "namespace-edit"
	doLeave     deed = "namespace-delete"
	doLateLeave deed = "namespace-create-and-delete-at-once"

	doZone       deed = "zone-create"
	doZoneAdopt  deed = "zone-adopt"
	doZonePause  deed = "zone-edit"
	doZoneDelete deed = "zone-delete"
	doZoneHold   deed = "zone-delete-paused-then-resumed"
	doZoneOrphan deed = "zone-orphan"
	doZoneLate   deed = "zone-create-and-delete-at-once"
	doZoneAgain  deed = "zone-delete-and-create-again"

	doKind           deed = "kind-create"
	doKindLate       deed = "kind-create-and-delete-at-once"
	doKindEdit       deed = "kind-edit"
	doKindAgain      deed = "kind-delete-and-create-again"
	doKindDelete     deed = "kind-delete"
	doKindOrphan     deed = "kind-orphan"
	doKindDashEdit   deed = "kind-dashboard-edit"
	doKindDashDelete deed = "kind-dashboard-delete"
	doStranger       deed = "foreign-edit"
)

// A step is one deed of one user, with all that is needed to carry it out.
type step struct {
	After  time.Duration `json:"after"` // the user's pause before it
	Do     deed          `json:"do"`
	Things []thing       `json:"things,omitempty"` // the desired states
	Domain *domain       `json:"domain,omitempty"` // the desired state
	// Resource is the desired state of a resource of a described kind, or what the dashboard
	// writes.
	Resource *resource     `json:"resource,omitempty"`
	Before   *thing        `json:"before,omitzero"` // the object that hands its record over
	Value    value         `json:"value,omitzero"`  // what the dashboard writes, or wrote before
	Patch    bool          `json:"patch,omitempty"` // edit with a patch, not with get and update
	Pause    time.Duration `json:"pause,omitempty"` // between the halves of a deed
}

// objects returns the names of the objects of the step.
func (s step) objects() []string {
	if s.Domain != nil {
		return []string{s.Domain.Namespace + "/" + s.Domain.Object}
	}
	if s.Resource != nil {
		return []string{s.Resource.Namespace + "/" + s.Resource.Object}
	}
	var out []string
	for _, t := range s.Things {
		out = append(out, t.Namespace+"/"+t.Object)
	}
	if s.Before != nil {
		out = append(out, s.Before.Namespace+"/"+s.Before.Object)
	}
	return out
}
