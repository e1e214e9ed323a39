// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package decision

// Adoption policies. No policy is AdoptIdentical.
const (
	// AdoptIdentical takes over what is as declared.
	AdoptIdentical = "Identical"
	// AdoptNameAndType takes over the only one of the same name and type, whatever else
	// it has.
	AdoptNameAndType = "NameAndType"
	// AdoptNever takes over nothing.
	AdoptNever = "Never"
)

// Facts are what is known when a step is decided.
type Facts struct {
	Noun    Noun
	Object  Object
	Attempt Attempt
	// ByID, ByStatus, ByAttempt and ByKey are what was found by the external name, by the ID in the
	// status, as the work of an earlier attempt to create it, and by the natural key.
	ByID, ByStatus, ByAttempt, ByKey Answer
	// Deleted is Absent where lists prove that a deletion of this object was carried out.
	Deleted Answer
	// Confirmed is the ID that was read once more after a list gave it.
	Confirmed Confirmation
	// Marks and Claims are what was asked about external resources, by ID: there may be one that
	// an attempt made and another one that the natural key fits.
	Marks  map[string]Mark
	Claims map[string]Claim
	// Taken tells which of those found by the natural key other objects manage.
	Taken Taken
	// ParentGone is true where the external resource went with what it was part of.
	ParentGone bool
	// Paused is why nothing can be created at the moment.
	Paused error
	// Refused is what the API answered when the object sent the very same before, if it is too early to send it again.
	Refused error
	// Alone is true where each look for the natural key is a call of its own, which no other object shares.
	Alone bool
}

// An Object is what an object says about itself.
type Object struct {
	Deleting bool
	// Manages is true unless the object only observes. Creates, Updates, Deletes and
	// Fills are what its policies include; Fills is late initialisation.
	Manages, Creates, Updates, Deletes, Fills bool
	// Adoption is the adoption policy.
	Adoption string
	// Declared is true where the spec has all that a creation needs.
	Declared bool
	// ExternalName is the ID that the object names, and SeenID the one its status shows.
	ExternalName, SeenID string
	// OwnIDs are those of what the object has created or taken over. Its status or the journal
	// says so, which no user writes. Any other external name is no more than a user's request.
	OwnIDs []string
	// DeletionSent is true once the object has asked for the deletion of what its
	// external name says, and DeletionConfirmed once the API has confirmed that.
	DeletionSent, DeletionConfirmed bool
	// Confirms is true for a kind whose IDs are read once before an object keeps them.
	Confirms bool
}

// An Attempt is an earlier attempt to create the external resource, of which the object
// does not know what came of it.
type Attempt struct {
	Pending bool
	// Same is true where the object would create the very same.
	Same bool
	// Open is true while it may still show what it made; Err says until when.
	Open bool
	Err  error
	// Lost says that the object has a note of an attempt, and that the journal which would say
	// what was attempted is lost. What came of it, nothing tells.
	Lost error
}

// A Result is what came of a look.
type Result int

// Results. The zero value is that nobody looked.
const (
	Unasked Result = iota
	// Found: it is there.
	Found
	// Absent: it is proven not to be there.
	Absent
	// NoID: what was to be looked for cannot be an ID.
	NoID
	// Unproven: it seems to be gone, and that is no proof.
	Unproven
	// Failed: nobody could look.
	Failed
)

// An Answer is what a look gave.
type Answer struct {
	Result Result
	// Live is what was found.
	Live []Live
	// Err is why it was not looked at, or what would prove it.
	Err error
}

// A Live is an external resource that was found.
type Live struct {
	ID string
	// Label is what people know it by.
	Label string
	// Existing is how a refusal calls it, such as "an identical record", and Several how
	// it calls all that have the same natural key, such as "records a.example of type A".
	Existing, Several string
	// Alike is true where it is the very one that the object declares, and Named where it has
	// the name of that one: whatever else it has, the object can become it.
	Alike, Named bool
	// Foreign says that it belongs to another product.
	Foreign error
	// Mismatch says that it can never be what the object declares.
	Mismatch error
	// Empty is true where nothing of it is set: who takes it takes over nothing.
	Empty bool
	// Open is true where the spec leaves open what it has, and Differs where it is not
	// as declared.
	Open, Differs bool
}

// A Confirmation is what a read by an ID gave that a list gave: no error where both are
// about the same.
type Confirmation struct {
	ID  string
	Err error
}

// A Mark says whether another controller marks an external resource as its own: Err says so.
type Mark struct{ Err error }

// A Holder is who has the claim on an external resource.
type Holder int

// Holders. The zero value is that nobody asked.
const (
	HolderUnasked Holder = iota
	HolderOurs
	HolderOther
	HolderUnknown
)

// A Claim is who manages an external resource.
type Claim struct {
	Holder Holder
	// Err names the other, or why nobody knows.
	Err error
}

// Taken are the IDs that other objects manage.
type Taken struct {
	Asked bool
	IDs   map[string]bool
	Err   error
}
