// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

// A Field says of one path what the document does not say, or says wrongly.
type Field struct {
	// Doc replaces the document's text.
	Doc string
	// Required makes the field required where the policies create or update; Optional takes
	// that back where the document requires it.
	Required, Optional bool
	// Immutable refuses a change. A field that only the creation takes is immutable anyway.
	Immutable bool
	// Ref is the kind whose ID the field takes, "Name" in the same group or "group.Name". It
	// adds a reference and a selector.
	Ref string
	// Secret takes the value from a key of a Secret. Fields that the document marks as
	// sensitive need not say so.
	Secret bool
	// NotSecret says why a field that the document marks as sensitive is none.
	NotSecret string
	// PlainToo are the variants of an object, by the member that decides them, in which a text
	// that the document marks as sensitive is none: the spec takes it as it is, and in all
	// others from a key of a Secret.
	PlainToo []string
	// OneOf makes an object whose members exclude each other: which one it has is what it
	// says, and nothing is kept beside what is declared of it.
	OneOf bool
	// Exact makes an object, with all objects in it, of which what nobody declares is nothing: it
	// differs where an answer has more, and an update keeps none of it.
	Exact bool
	// Ordinal makes a number that says no more than which elements of its list come before which
	// others. What is not declared is the position, so it is not kept from an answer, and two lists
	// of the same order are equal.
	Ordinal bool
	// By is the path of the text that decides which members an object has. Where that
	// changes, nothing is kept of the object. Both are in the same element where they are
	// within a list. The document says it of variants that it tells apart.
	By string
	// Needs are the members that the object has to have, by that text.
	Needs map[string]string
	// Open says why values outside of the document's enum are taken.
	Open string
	// Partitions are values of a field in a header, beside none, with each of which there is a
	// list of its own.
	Partitions []string
	// Without are values of the document's enum that the spec does not offer.
	Without []string
	// Members are the members of an object that the spec offers; empty is all of them.
	Members []string
	// Reference is true for an object that stands for another resource, which an answer shows
	// with all that it has: nothing but Members is sent of it.
	Reference bool
	// Variant chooses one of the types that the document allows.
	Variant string
	// Name replaces the name that the spec gives the field (lowerCamelCase).
	Name string
	// Min and Max bound a number where the document does not; MaxLen a text, MinItems and MaxItems a list.
	Min, Max                   *int64
	MaxLen, MinItems, MaxItems int
	Pattern                    string
	// Because says why the document is overruled. It is needed where Variant, Optional,
	// NotSecret or Pattern are used.
	Because string

	// Set is true for a list whose order means nothing; Key names the member by which
	// elements that are objects are matched, "" where the whole element is the key.
	Set bool
	Key string
	// KeepZero is true where false, 0, "" or an empty list differs from a field that is absent.
	KeepZero bool
	// Whole has an update in the mode MergePatch send all of an object in which something differs:
	// the document requires some of its members.
	Whole bool
	// Clear is what to send to empty the field, where the API ignores null or absence.
	Clear any
	// Canonical brings a text to the form in which values are compared; nil is the text itself.
	Canonical func(string) string
	// On and Off are the operations that alone set a member of the body that is true or false:
	// Update does not, whose Mode is DeclaredOnly.
	On, Off string
	// Alone is the operation that alone changes a member of the body, and that has its value as the whole
	// body: Update does not, whose Mode is DeclaredOnly.
	Alone string
	// Answer is the path of the field in an answer, where that differs. An answer that has
	// nothing there has the field at its own path.
	Answer string
	// Expanded is the member of an object that an answer has in place of the plain value.
	Expanded string
	// Wrapped has an update send such objects, with Expanded alone, where a creation sends the
	// plain values.
	Wrapped bool
	// WriteOnly values are never answered. Concealed ones are answered in disguise: never
	// compared and never sent back.
	WriteOnly, Concealed bool
	// Lookup lets the spec name the object by something else than its ID.
	Lookup *Lookup
	// Others are elements of a set that may belong to other people.
	Others *Others
	// Entitled is true where the plan of an account may lack the field: what nobody declares is
	// not sent back where it is Default.
	Entitled bool
	// Default is the value that Cloudflare gives the field if it is left out, where the
	// document says otherwise.
	Default any
}
