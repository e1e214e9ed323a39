// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package decision

import (
	"fmt"
	"strings"
)

// annotation is where an object has its external name.
const annotation = "crossplane.io/external-name"

// A RefusedError says that an external resource exists that the adoption policy forbids
// to take over.
type RefusedError struct {
	// Existing is how people call it.
	Existing, ID, Policy string
	// Allow says what to do.
	Allow string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s exists with ID %s, and spec.adoptionPolicy is %s: %s", e.Existing, e.ID, e.Policy, e.Allow)
}

// An AmbiguousError says that more than one external resource fits.
type AmbiguousError struct {
	// What fits, such as "records www.example.com of type A".
	What string
	IDs  []string
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("there are %d %s (%s): set the annotation %s to the ID of one", len(e.IDs), e.What, strings.Join(e.IDs, ", "), annotation)
}

// A ForeignError says that an external resource belongs to another product of Cloudflare.
type ForeignError struct{ Name, ID, Owner string }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s %s belongs to %s and cannot be managed here: change it there, "+
		"or set spec.managementPolicies to [\"Observe\"]", e.Name, e.ID, e.Owner)
}

// An UnlikeError says that what the external name of an object names is not as the object
// declares, so that the object does not take it over.
type UnlikeError struct {
	Name, ID string
	// Change says what lets the object change it, "" where nothing does.
	Change string
}

func (e *UnlikeError) Error() string {
	change := e.Change
	if change != "" {
		change += ", or "
	}
	return fmt.Sprintf("annotation %s names the %s %s, which this object has not taken over, and which is not as declared: "+
		"%sdeclare what it is, or correct the annotation", annotation, e.Name, e.ID, change)
}

// An UnnamedError says that what the external name of an object names has another name than
// the object declares, so that the object never takes it over.
type UnnamedError struct{ Name, ID, Label string }

func (e *UnnamedError) Error() string {
	return fmt.Sprintf("annotation %s names the %s %s (%s), and spec.forProvider declares another one: correct the annotation, or declare that one",
		annotation, e.Name, e.ID, e.Label)
}

// A NeverTakenError says that an object which is being deleted has never taken over what its
// external name says.
type NeverTakenError struct{ Name, ID string }

func (e *NeverTakenError) Error() string {
	return fmt.Sprintf("annotation %s names the %s %s, which this object has neither created nor taken over", annotation, e.Name, e.ID)
}

// A GoneError says that an external resource is gone for all anybody can see, and that
// another one is not created by itself.
type GoneError struct {
	Noun Noun
	ID   string
	// Hidden is the API's answer where that is the same for what is gone and for what
	// the credential may not read. It is nil where the API knows no such ID.
	Hidden error
}

func (e *GoneError) Error() string {
	if e.Hidden != nil {
		return fmt.Sprintf("cannot read %s %s: %v: the %[1]s was deleted, or the credential may not read it. It is not created again by itself: "+
			"%[4]s. If it was deleted, remove the annotation %[5]s to create it again, "+
			"or set spec.deletionPolicy to Orphan to let a deleted object go", e.Noun.Name, e.ID, e.Hidden, e.Noun.Loss, annotation)
	}
	return fmt.Sprintf("%s %s does not exist any more. It is not created again by itself: "+
		"%s. To create it again, remove the annotation %s; "+
		"to let an object go that is being deleted, set spec.deletionPolicy to Orphan", e.Noun.Name, e.ID, e.Noun.Loss, annotation)
}

// Unwrap gives the API's answer.
func (e *GoneError) Unwrap() error { return e.Hidden }

// Says is what a condition says of it.
func (e *GoneError) Says() string {
	says := fmt.Sprintf("the %s does not exist any more", e.Noun.Name)
	if e.Hidden != nil {
		says += ", or the credential may not read it"
	}
	return says
}
