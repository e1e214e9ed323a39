// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package decision

import (
	"fmt"
	"strings"
)

// annotation is the annotation that has the external name of an object.
const annotation = "crossplane.io/external-name"

// An AdoptionDeniedError says that an external resource exists which the adoption policy does not allow the
// object to take over.
type AdoptionDeniedError struct {
	// Existing describes the resource to users.
	Existing, ID, Policy string
	// Allow says what to do.
	Allow string
}

func (e *AdoptionDeniedError) Error() string {
	return fmt.Sprintf("%s exists with ID %s, and spec.adoptionPolicy is %s: %s", e.Existing, e.ID, e.Policy, e.Allow)
}

// An AmbiguousError says that more than one external resource matches.
type AmbiguousError struct {
	// What matches, such as "records www.example.com of type A".
	What string
	IDs  []string
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("there are %d %s (%s): set the annotation %s to the ID of one", len(e.IDs), e.What, strings.Join(e.IDs, ", "), annotation)
}

// A ManagedByProductError says that an external resource belongs to another product of Cloudflare.
type ManagedByProductError struct{ Name, ID, Owner string }

func (e *ManagedByProductError) Error() string {
	return fmt.Sprintf("%s %s belongs to %s and cannot be managed here: change it there, "+
		"or set spec.managementPolicies to [\"Observe\"]", e.Name, e.ID, e.Owner)
}

// An AdoptionMismatchError says that the resource that the external name names is not as the object declares,
// so that the object does not take it over.
type AdoptionMismatchError struct {
	Name, ID string
	// Change says what lets the object change it. It is "" if nothing does.
	Change string
}

func (e *AdoptionMismatchError) Error() string {
	change := e.Change
	if change != "" {
		change += ", or "
	}
	return fmt.Sprintf("annotation %s names the %s %s, which this object has not taken over, and which is not as declared: "+
		"%sdeclare what it is, or correct the annotation", annotation, e.Name, e.ID, change)
}

// A NameMismatchError says that the resource that the external name names has another name than the
// object declares, so that the object never takes it over.
type NameMismatchError struct{ Name, ID, Label string }

func (e *NameMismatchError) Error() string {
	return fmt.Sprintf("annotation %s names the %s %s (%s), and spec.forProvider declares another one: correct the annotation, or declare that one",
		annotation, e.Name, e.ID, e.Label)
}

// A NotOwnedError says that an object which is being deleted has neither created nor taken over
// the resource that its external name names.
type NotOwnedError struct{ Name, ID string }

func (e *NotOwnedError) Error() string {
	return fmt.Sprintf("annotation %s names the %s %s, which this object has neither created nor taken over", annotation, e.Name, e.ID)
}

// A MissingError says that an external resource seems to be gone, and that the provider does not
// create another one by itself.
type MissingError struct {
	Noun Noun
	ID   string
	// Hidden is the API's answer if it is the same for a resource that is gone and for one that the
	// credential may not read. It is nil if the API knows no such ID.
	Hidden error
}

func (e *MissingError) Error() string {
	if e.Hidden != nil {
		return fmt.Sprintf("cannot read %s %s: %v: the %[1]s was deleted, or the credential may not read it. It is not created again by itself: "+
			"%[4]s. If it was deleted, remove the annotation %[5]s to create it again, "+
			"or set spec.deletionPolicy to Orphan to let a deleted object go", e.Noun.Name, e.ID, e.Hidden, e.Noun.Loss, annotation)
	}
	return fmt.Sprintf("%s %s does not exist any more. It is not created again by itself: "+
		"%s. To create it again, remove the annotation %s; "+
		"to let an object go that is being deleted, set spec.deletionPolicy to Orphan", e.Noun.Name, e.ID, e.Noun.Loss, annotation)
}

// Unwrap returns the API's answer.
func (e *MissingError) Unwrap() error { return e.Hidden }

// Says returns the text for a condition.
func (e *MissingError) Says() string {
	says := fmt.Sprintf("the %s does not exist any more", e.Noun.Name)
	if e.Hidden != nil {
		says += ", or the credential may not read it"
	}
	return says
}
