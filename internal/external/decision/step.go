// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package decision

// An Action is the kind of a step.
type Action string

// Questions add to the facts. None of them writes to the object.
const (
	// AskID looks for the resource that the external name names.
	AskID Action = "AskID"
	// AskStatus looks for the resource that the status shows as the object's own.
	AskStatus Action = "AskStatus"
	// AskAttempt looks for what an earlier attempt made.
	AskAttempt Action = "AskAttempt"
	// AskKey looks for the resources that match the natural key.
	AskKey Action = "AskKey"
	// AskTaken asks which of the resources that match are managed by other objects.
	AskTaken Action = "AskTaken"
	// AskMark asks whether another controller marks the resource that matches.
	AskMark Action = "AskMark"
	// Confirm reads, by its ID, a resource that a list showed.
	Confirm Action = "Confirm"
	// AskClaim claims the resource that was found.
	AskClaim Action = "AskClaim"
	// AskDeleted finds out whether the object's own deletion was carried out.
	AskDeleted Action = "AskDeleted"
)

// Writes to the object, each under the version that it was decided on.
const (
	// Adopt makes the resource that was found the object's own.
	Adopt Action = "Adopt"
	// BeginToManage takes over the resource that the external name names.
	BeginToManage Action = "BeginToManage"
	// Fill persists the fields that the spec leaves unset and the API has set.
	Fill Action = "Fill"
)

// Ends of an observation.
const (
	// Create means that there is no resource, and the object creates it.
	Create Action = "Create"
	// Update means that the resource differs, and the object changes it.
	Update Action = "Update"
	// Delete means that the object is being deleted, and deletes the resource.
	Delete Action = "Delete"
	// Keep means that the resource exists, and the object leaves it as it is.
	Keep Action = "Keep"
	// None means that there is no resource, and the object creates none.
	None Action = "None"
	// Gone means that the object is being deleted, and nothing of its own is left.
	Gone Action = "Gone"
	// Leave means that the object is being deleted, and the resource that it names is not its own.
	Leave Action = "Leave"
	// Refuse means that an obstacle prevents any other step. Err names it.
	Refuse Action = "Refuse"
)

// A Step is the next step for an object.
type Step struct {
	Do Action
	// Live is the resource that the step is about.
	Live ResourceFacts
	// Why is the reason of an adoption, for its event.
	Why string
	// Err is the obstacle, or why the object leaves the external resource.
	Err error
	// Vanished is the ID of the object's resource that was deleted outside the provider. It is ""
	// if there is none.
	Vanished string
	// TriesAgain is true for a creation that an earlier attempt may have carried out already.
	TriesAgain bool
}
