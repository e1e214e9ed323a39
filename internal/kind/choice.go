// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"fmt"
	"slices"
)

// A Choice says that a resource has exactly one of some members, and whether what it is in says
// which one.
type Choice struct {
	// Members of the body.
	Members []string
	// Optional is true where a spec may have none of them: Cloudflare chooses then.
	Optional bool
	// With are members that go with one of Members, and mean nothing without it.
	With map[string][]string
	// Parents is the operation that lists what resources may be in. The one whose ID is the
	// parameter Parameter of the paths has at By the name of the member. "" is that the spec
	// alone says which one.
	Parents, Parameter, By string
	// Noun is such a one in messages, such as "list".
	Noun string
}

// A MisfitError says that a resource has a member that does not fit what it is in.
type MisfitError struct {
	// Given and Allowed are the fields of the spec, Of is what the parent has at By.
	Given, Allowed, Noun, By, Of string
}

func (e *MisfitError) Error() string {
	return fmt.Sprintf("spec.forProvider.%s does not fit the %s, whose %s is %s: name another %s; "+
		"or, to keep what is live, set spec.deletionPolicy to Orphan first, then delete this object and create another with %s",
		e.Given, e.Noun, e.By, e.Of, e.Noun, e.Allowed)
}

// NamedByChoice reports whether the natural key is the member that is chosen, whichever that is.
func (d Description) NamedByChoice() bool {
	return d.Choice != nil && slices.ContainsFunc(d.Natural, func(path string) bool { return slices.Contains(d.Choice.Members, path) })
}

// only removes from doc what excludes the member that is declared: answers have the others, too,
// without a value.
func (c Choice) only(want, doc Document) {
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

// first removes from doc all members behind the first that is there: where an answer shows the
// same as each of them, one says it all.
func (c Choice) first(doc Document) {
	i := slices.IndexFunc(c.Members, func(member string) bool { return has(doc, member) })
	for _, member := range c.Members[i+1:] {
		if i >= 0 {
			Without(doc, member)
		}
	}
}

// Fits is a *MisfitError where a document does not fit what it is in. names are those that
// Names gives. Of a parent of which nothing is known, or only that it is of another kind than
// all of Members, everything fits: the API says more.
func (c Choice) Fits(doc Document, parents []any, id string, names map[string]string) error {
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
			return &MisfitError{Given: names[member], Allowed: names[of], Noun: c.Noun, By: c.By, Of: of}
		}
	}
	return nil
}
