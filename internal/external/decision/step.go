// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package decision

// An Action is what a step does.
type Action string

// Questions add to the facts. None of them writes.
const (
	// AskID looks for what the external name says.
	AskID Action = "AskID"
	// AskStatus looks for what the status shows as the object's own.
	AskStatus Action = "AskStatus"
	// AskAttempt looks for what an earlier attempt made.
	AskAttempt Action = "AskAttempt"
	// AskKey looks for what the natural key says.
	AskKey Action = "AskKey"
	// AskTaken asks which of those found other objects manage.
	AskTaken Action = "AskTaken"
	// AskMark asks whether another controller marks the one that fits.
	AskMark Action = "AskMark"
	// Confirm reads the one that a list gave, by its ID.
	Confirm Action = "Confirm"
	// AskClaim claims the one that was found.
	AskClaim Action = "AskClaim"
	// AskDeleted looks whether the object's own deletion was carried out.
	AskDeleted Action = "AskDeleted"
)

// Writes to the object, each under the version that it was decided on.
const (
	// Adopt makes what was found the object's.
	Adopt Action = "Adopt"
	// BeginToManage takes over what the object's external name says.
	BeginToManage Action = "BeginToManage"
	// Fill persists what the spec leaves open and the API has decided.
	Fill Action = "Fill"
)

// Ends of an observation.
const (
	// Create: there is none, and the object creates it.
	Create Action = "Create"
	// Update: it differs, and the object changes it.
	Update Action = "Update"
	// Delete: the object is being deleted, and deletes it.
	Delete Action = "Delete"
	// Keep: it is there, and nothing is done with it.
	Keep Action = "Keep"
	// None: there is none, and the object creates none.
	None Action = "None"
	// Gone: the object is being deleted, and nothing of it is left.
	Gone Action = "Gone"
	// Leave: the object is being deleted, and what it names is not its own.
	Leave Action = "Leave"
	// Refuse: something stands in the way.
	Refuse Action = "Refuse"
)

// A Step is what is done next.
type Step struct {
	Do Action
	// Live is what it is done with.
	Live Live
	// Why says, on the event of an adoption, why it is the object's.
	Why string
	// Err is what stands in the way, or why the external resource is left.
	Err error
	// Vanished is the ID of what the object had and somebody else deleted, "" for none.
	Vanished string
	// TriesAgain is true for a creation that an earlier attempt may have carried out.
	TriesAgain bool
}
