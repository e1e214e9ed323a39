// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

// A Field says what the OpenAPI document does not say of one path, or says wrongly.
type Field struct {
	// Doc replaces the text of the document.
	Doc string
	// Required makes the field required if the management policies create or update. Optional
	// makes it optional although the document requires it.
	Required, Optional bool
	// Immutable refuses a change. A field that only a creation sends is always immutable.
	Immutable bool
	// Ref is the kind whose ID the field takes, "Name" in the same group or "group.Name". It adds
	// a reference and a selector to the spec.
	Ref string
	// Secret takes the value from a key of a Secret. It is not needed for fields that the document marks as sensitive.
	Secret bool
	// NotSecret says why a field that the document marks as sensitive is not a secret.
	NotSecret string
	// PlainToo are the variants of an object in which a string that the document marks as
	// sensitive is not a secret, by the value of the member that decides the variant. The spec
	// takes the plain value in these variants, and a key of a Secret in all others.
	PlainToo []string
	// OneOf says that the members of the object exclude each other. An update keeps no member that is not declared.
	OneOf bool
	// Exact says that the object and all objects in it have only the declared members. Other
	// members in an answer differ, and an update does not keep them.
	Exact bool
	// Ordinal says that a number means only the order of the elements of its list. An undeclared
	// ordinal is the position of its element, so it is not kept from an answer. Two lists of the
	// same order are equal.
	Ordinal bool
	// By is the path of the string that decides which members an object has. If it changes,
	// nothing of the object is kept. If both are in a list, they are in the same element. The
	// document sets By for variants that it tells apart.
	By string
	// Needs are the members that the object must have, by the value of that string.
	Needs map[string]string
	// Open says why values outside of the document's enum are accepted.
	Open string
	// Partitions are values of a field in a header. Each of them has a list of its own, as has a
	// request without the header.
	Partitions []string
	// Without are values of the document's enum that the spec does not offer.
	Without []string
	// Members are the members of an object that the spec offers. Empty means all.
	Members []string
	// Reference is true for an object that names another resource, which an answer shows with all
	// its members. Only Members are sent of it.
	Reference bool
	// Variant chooses one of the types that the document allows.
	Variant string
	// Name replaces the name of the field in the spec (lowerCamelCase).
	Name string
	// Min and Max bound a number that the document does not bound. MaxLen bounds a string, and MinItems
	// and MaxItems bound a list.
	Min, Max                   *int64
	MaxLen, MinItems, MaxItems int
	Pattern                    string
	// Because says why the document is overruled. It is required with Variant, Optional, NotSecret and Pattern.
	Because string

	// Set is true for a list whose order has no meaning. Key is the member by which elements that
	// are objects are matched, "" if the whole element is the key.
	Set bool
	Key string
	// KeepZero is true if false, 0, "" or an empty list differs from an absent field.
	KeepZero bool
	// Whole makes an update in the mode MergePatch send all of an object in which something
	// differs, because the document requires some of its members.
	Whole bool
	// Clear is what an update sends to empty the field, if the API ignores null or absence.
	Clear any
	// Canonical returns the form of a string in which values are compared. Nil means the string itself.
	Canonical func(string) string
	// On and Off are the operations that set a boolean member of the body to true and to false.
	// Update, whose Mode is DeclaredOnly, does not set it.
	On, Off string
	// Alone is the only operation that changes a member of the body. The member's value is the whole body
	// of that call. Update, whose Mode is DeclaredOnly, does not change it.
	Alone string
	// Answer is the path of the field in an answer, if it differs. If an answer has no value
	// there, the field is at its own path.
	Answer string
	// Expanded is a member of the object that an answer has in the place of the plain value.
	Expanded string
	// Wrapped makes an update send such objects, with the member Expanded only. A creation sends the plain values.
	Wrapped bool
	// WriteOnly values are in no answer. Concealed values are masked in answers: they are never
	// compared and never sent back.
	WriteOnly, Concealed bool
	// Lookup allows the spec to name the object by something other than its ID.
	Lookup *Lookup
	// Others are elements of a set that may belong to other owners.
	Others *UnmanagedElements
	// Entitled is true if the plan of an account may lack the field: an undeclared value that
	// equals Default is not sent back.
	Entitled bool
	// Default is the value that Cloudflare sets if the field is left out, if that is not the document's default.
	Default any
}
