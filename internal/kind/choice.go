// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"fmt"
	"slices"
)

// A OneOf says that a resource has exactly one of several members, and whether the parent of the
// resource decides which one.
type OneOf struct {
	// Members are the members of the body.
	Members []string
	// Optional is true if a spec may have none of them. Cloudflare then chooses.
	Optional bool
	// With lists members that belong to one of Members, and have no meaning without it.
	With map[string][]string
	// Parents is the operation that lists the possible parents. The parent whose ID is the path parameter
	// Parameter has the name of the member at the path By. If Parents is "", the spec alone decides.
	Parents, Parameter, By string
	// Noun is the parent in messages, such as "list".
	Noun string
}

// A OneOfMismatchError says that a resource has a member that does not fit its parent.
type OneOfMismatchError struct {
	// Given and Allowed are the fields of the spec. Of is the parent's value at By.
	Given, Allowed, Noun, By, Of string
}

func (e *OneOfMismatchError) Error() string {
	return fmt.Sprintf("spec.forProvider.%s does not fit the %s, whose %s is %s: name another %s; "+
		"or, to keep what is live, set spec.deletionPolicy to Orphan first, then delete this object and create another with %s",
		e.Given, e.Noun, e.By, e.Of, e.Noun, e.Allowed)
}

// NamedByChoice reports whether the natural key is the chosen member.
func (d Description) NamedByChoice() bool {
	return d.Choice != nil && slices.ContainsFunc(d.Natural, func(path string) bool { return slices.Contains(d.Choice.Members, path) })
}

// only removes from doc the members that the declared member excludes: answers have them, too, without a value.
func (c OneOf) only(want, doc Document) {
	declared := func(member string) bool { return has(want, member) }
	if !slices.ContainsFunc(c.Members, declared) {
		return
	}
	for _, member := range c.Members {
		if declared(member) {
			continue
		}
		for _, path := range append([]string{member}, c.With[member]...) {
			Without(doc, path)
		}
	}
}

// first removes all members behind the first one of doc: if an answer shows the same resource by
// each of them, one is enough.
func (c OneOf) first(doc Document) {
	i := slices.IndexFunc(c.Members, func(member string) bool { return has(doc, member) })
	for _, member := range c.Members[i+1:] {
		if i >= 0 {
			Without(doc, member)
		}
	}
}

// Fits returns a *OneOfMismatchError if a document does not fit its parent. names are the result of
// Names. If the parent is not known, or By has none of Members, every document fits: the API
// itself refuses a misfit.
func (c OneOf) Fits(doc Document, parents []any, id string, names map[string]string) error {
	i := slices.IndexFunc(parents, func(p any) bool { return Text(p, "id") == id })
	if i < 0 {
		return nil
	}
	of := Text(parents[i], c.By)
	if !slices.Contains(c.Members, of) {
		return nil
	}
	for _, member := range c.Members {
		if _, given := At(doc, member); given && member != of {
			return &OneOfMismatchError{Given: names[member], Allowed: names[of], Noun: c.Noun, By: c.By, Of: of}
		}
	}
	return nil
}
