// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package decision

// Adoption policies. The empty policy is AdoptIdentical.
const (
	// AdoptIdentical takes over a resource that is as declared.
	AdoptIdentical = "Identical"
	// AdoptNameAndType takes over the only resource of the same name and type, also if it differs
	// in other fields.
	AdoptNameAndType = "NameAndType"
	// AdoptNever takes over nothing.
	AdoptNever = "Never"
)

// Facts are what is known when Decide decides.
type Facts struct {
	Noun    Noun
	Object  Object
	Attempt Attempt
	// ByID, ByStatus, ByAttempt and ByKey are what the looks found: by the external name, by the ID
	// in the status, as the result of an earlier attempt to create it, and by the natural key.
	ByID, ByStatus, ByAttempt, ByKey Answer
	// Deleted is Absent if lists prove that a deletion of this object was carried out.
	Deleted Answer
	// Confirmed is the result of the read by ID that confirms what a list showed.
	Confirmed Confirmation
	// Marks and Claims are what is known about resources, by ID. There may be two of them: one that
	// an attempt made, and another one that matches the natural key.
	Marks  map[string]Mark
	Claims map[string]Claim
	// Taken are the resources found by the natural key that other objects manage.
	Taken Taken
	// ParentGone is true if the external resource went with its parent.
	ParentGone bool
	// Paused is why no creation is possible at the moment.
	Paused error
	// Refused is what the API answered when the object sent the very same before. It is nil once
	// the object may send it again.
	Refused error
	// Alone is true if each look for the natural key is a call of its own, which no other object
	// shares.
	Alone bool
}

// An Object has the facts about the object itself.
type Object struct {
	Deleting bool
	// Manages is true unless the object only observes. Creates, Updates, Deletes and Fills are true
	// if its policies include them. Fills is late initialization.
	Manages, Creates, Updates, Deletes, Fills bool
	// Adoption is the adoption policy.
	Adoption string
	// Declared is true if the spec has all that a creation needs.
	Declared bool
	// ExternalName is the ID that the object names. SeenID is the ID that its status shows.
	ExternalName, SeenID string
	// OwnIDs are the IDs of what the object has created or taken over, by its status or the
	// journal. Users cannot write either. Any other external name is only a user's request.
	OwnIDs []string
	// DeletionSent is true once the object has asked for the deletion of the resource that its
	// external name names. DeletionConfirmed is true once the API has confirmed it.
	DeletionSent, DeletionConfirmed bool
	// Confirms is true for a kind that reads a resource by its ID once before an object keeps the
	// ID.
	Confirms bool
}

// An Attempt is an earlier attempt to create the external resource. The object does not know its
// outcome.
type Attempt struct {
	Pending bool
	// Same is true if the object would create the very same.
	Same bool
	// Open is true while the attempt may still show what it made. Err says until when.
	Open bool
	Err  error
	// Lost says that the object has a note of an attempt, and that the journal which records the
	// attempt is lost. Nothing else records the outcome.
	Lost error
}

// A LookupResult is the outcome of a look.
type LookupResult int

// Results. The zero value means that there was no look.
const (
	Unasked LookupResult = iota
	// Found means that the resource exists.
	Found
	// Absent means that it is proven not to exist.
	Absent
	// NoID means that the value to look for cannot be an ID.
	NoID
	// Unproven means that it seems to be gone, without proof.
	Unproven
	// Failed means that the look failed.
	Failed
)

// An Answer is the outcome of a look, and what it found.
type Answer struct {
	Result LookupResult
	// Live is what was found.
	Live []ResourceFacts
	// Err is why LookupResult is NoID, Unproven or Failed.
	Err error
}

// A ResourceFacts is an external resource that was found.
type ResourceFacts struct {
	ID string
	// Label is the name that users know it by.
	Label string
	// Existing is its description in a refusal, such as "an identical record". Several describes
	// all resources of the same natural key, such as "records a.example of type A".
	Existing, Several string
	// Alike is true if it is as the object declares. Named is true if it has the name that the
	// object declares: the object can change the rest.
	Alike, Named bool
	// Foreign says that it belongs to another product of Cloudflare.
	Foreign error
	// Mismatch says that it can never be what the object declares.
	Mismatch error
	// Empty is true if nothing of it is set: an object that takes it takes over nothing.
	Empty bool
	// Open is true if the spec leaves a field unset that the resource has. Differs is true if it is
	// not as declared.
	Open, Differs bool
}

// A Confirmation is the result of a read by an ID that a list showed. Err is nil if both show the
// same resource.
type Confirmation struct {
	ID  string
	Err error
}

// A Mark says in Err that another controller marks an external resource as its own. Err is nil if
// none does.
type Mark struct{ Err error }

// A Holder says who has the claim on an external resource.
type Holder int

// Holders. The zero value means that the claim is not known.
const (
	HolderUnasked Holder = iota
	HolderOurs
	HolderOther
	HolderUnknown
)

// A Claim says which object manages an external resource.
type Claim struct {
	Holder Holder
	// Err names the other object, or says why the holder is unknown.
	Err error
}

// Taken are the IDs of resources that other objects manage.
type Taken struct {
	Asked bool
	IDs   map[string]bool
	Err   error
}
