// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"slices"
	"time"
)

// A Description says how the resources of one kind live at Cloudflare. The zero value of
// a field is what most kinds need.
type Description struct {
	// Group is the first label of the API group, Name the kind, Short its short name.
	Group, Name, Short string
	// Doc is the first sentence of the kind, and what else a reader must know.
	Doc string
	// Terraform is the name of the resource in Cloudflare's Terraform provider v5, "" where it has none.
	Terraform string
	// Noun is the kind in messages, such as "tunnel".
	Noun string

	// Scope is what the paths begin with.
	Scope Scope
	// Shape is how resources of the kind come to exist.
	Shape Shape
	// The operations, each a verb and a path of the document, such as
	// "POST /accounts/{account_id}/cfd_tunnel". The last parameter of Read, Update and
	// Delete is the resource's identity; account_id and zone_id come from the scope, and
	// any other parameter from the field of spec.forProvider of that name.
	List, Create, Read, Update, Delete string
	Page                               Page
	// Mode is what an update sends.
	Mode UpdateMode
	// ReadLacks are paths of an answer that List shows, and the answers to Create and Update,
	// but not Read: the identity is among them. A look reads both.
	ReadLacks []string
	// WriteLacks are paths of an answer that List and Read show, but not the answers to Create
	// and Update: after a write the resource is read.
	WriteLacks []string
	// Apart are the operations that list a member of a resource, by its path: no other answer is
	// relied on for that member, and each look at a resource makes these calls, too.
	Apart map[string]Apart
	// Upload says how a body is sent that has files in it, nil where none has.
	Upload *Upload

	// Part is where a Fragment is within the document's body, such as config.ingress[].
	// Paths of fields begin there. "" is the whole body of Create or Update.
	Part string
	// Bare is the member whose value is the whole body of Update and of OnDelete, where that is no
	// object, or "".
	Bare string
	// Mark is the path of the field that holds the key of a Fragment of ours, where its spec
	// has nothing that could be one: the provider sets it.
	Mark string
	// Before reports whether one Fragment has to come before another in the document. Nil is
	// that order means nothing, or that nobody but the user can know.
	Before func(a, b map[string]any) bool
	// Last is the element that the document must end with, put there if it is missing. It is
	// the one with no key.
	Last map[string]any
	// Editable says why a document must not be changed, "" if it may. Nil is that it may.
	Editable func(document map[string]any) string
	// Make is how a document that does not exist is made with its first Fragment, where an operation does that
	// and refuses what exists. Nil is that the document is written as a whole.
	Make *Making
	// Bulk is for Fragments that List gives one by one, and that are written in groups by
	// asynchronous operations, of which an account has one at a time: it is the operation that
	// says how far one is, by operation_id. Create and Update take a list of fragments, each of
	// which is put in the place of the one of its key, and Delete takes their IDs, as
	// items[].id.
	Bulk string
	// Choice is for kinds of which a resource has exactly one of some members, nil for all
	// else.
	Choice *Choice

	// Fields says what the document does not say of a field, by path.
	Fields map[string]Field
	// VariantBy is the path parameter whose value decides of what types the members of the
	// body are, "" where none does. The document describes an answer for each value, whose
	// member "id" is that value.
	VariantBy string
	// Hide lists paths of request bodies that the spec does not offer.
	Hide []string
	// Observe lists the paths of answers that status.atProvider shows.
	Observe []string
	// Columns are what kubectl get prints, "TITLE=path" of status.atProvider; a title that
	// begins with "-" is printed with -o wide only. A path may have the position of an element.
	Columns []string

	// ID is the path of the identity in an answer; "" is "id".
	ID string
	// Natural lists the paths that together name a resource for people, under one parent.
	// Adoption and the search for an unrecorded creation go by it. A path may lead into an
	// element of a list, by its position.
	Natural []string
	// NaturalOf is for a kind whose resources are not all named by the same of those paths: it
	// gives the ones for a body. Nil is Natural.
	NaturalOf func(body Document) []string
	// Hosted is for a kind of an account whose resources are in the zone of a host name, which Cloudflare finds by the name. Nil is
	// that a body says which zone it is, or that there is none.
	Hosted *Hosted
	// Contents is the path of a list whose elements others may have put there: what exists is
	// taken over by its natural key only where all elements are declared. "" is none.
	Contents string
	// Shared is for a Collection whose resources may be documents that Fragments of the same
	// group share. It gives the path of the document below List, "" for one that they cannot
	// share.
	Shared func(body Document) string
	// Parts are the paths below List of what a body declares as a part of the resource and what may be a resource of another kind
	// of the group as well, such as a secret of a Worker. Nil is that there is nothing like it.
	Parts func(body Document) []string
	// Skip reports whether what a list shows is no resource of the kind, such as the default
	// one of a zone that a kind of its own has. Nil is that all are. Of a Singleton it says whether what
	// Read shows is as good as not set.
	Skip func(listed Document) bool
	// ListQuery are parameters that each list call has.
	ListQuery map[string]string
	// ListOmits lists paths that a list leaves out: an object that declares one is read by
	// its ID.
	ListOmits []string
	// Revision is the path of what Cloudflare gives another value with each change of a resource,
	// and shows in List, Read and the answers to Create and Update, or "": a resource whose list
	// leaves something out is read only where that moved.
	Revision string
	// Gone are the answers that prove that the resource does not exist.
	Gone []Code
	// SoftDeleted is the path of a time that shows, when set, that the resource is deleted.
	SoftDeleted string
	// Leaving reports whether an answer is about a resource that is being deleted, and is shown until
	// then: it counts as deleted. Nil is that none is.
	Leaving func(answer Document) bool
	// Busy are the answers to a deletion that another resource still uses this one.
	Busy []Code
	// BeforeDelete are operations to carry out when a deletion is refused as Busy with one of
	// the codes FreedBy.
	BeforeDelete []string
	FreedBy      []int
	// Holders is the operation that lists which resources use this one, or "": elements have
	// resource_type, resource_name and resource_id, and those whose reference_type is
	// "referral" are what this one uses.
	Holders string
	// Exists are the answers to a creation that a resource of that natural key exists: so a
	// creation whose outcome is unknown may be tried again. Where there are none, it is only when
	// a list has proven that it made nothing.
	Exists []Code
	// Undated is true for resources without a natural key of which no answer says when they were
	// made: they are listed before a creation, which separates its work from them where its answer is
	// lost.
	Undated bool
	// Refused are answers that mean the same until somebody acts, and what must be done.
	Refused []Refusal

	// ReadOnly lists paths of an answer that Cloudflare alone writes: a full update does not
	// send them back.
	ReadOnly []string
	// Status maps values of an answer to readiness: the first that is not ready decides.
	Status []Status
	// OnDelete is what the deletion of a Singleton does.
	OnDelete Deletion
	// Unset are the answers to Read that a Singleton is not set: there is nothing of it until
	// somebody sets it, and after its deletion.
	Unset []Code
	// Headers are request headers and the fields that give their values, by the document's
	// names: they are part of the identity, so every call has them.
	Headers map[string]string
	// HeaderDefaults are the values of such headers that say the same as no header, by the header's
	// name in lower case.
	HeaderDefaults map[string]string
	// UpdateHeaders are those of an update.
	UpdateHeaders map[string]string

	// Details are the keys of the connection secret.
	Details []Detail
	// SecretType is the type of the connection secret; "" is Crossplane's own.
	SecretType string
	// Roll is the operation that makes a new value of a secret that is shown once.
	Roll string
	// Refresh is for resources that end at a time, nil for all else.
	Refresh *Refresh
	// Options are fields of the spec that Cloudflare does not have.
	Options []Option
	// Issue is for certificates, nil for all else.
	Issue *Issue
	// Credential is true where resources are API tokens, of an account or of a user: the one
	// that the provider itself uses is neither deleted nor rolled.
	Credential bool

	// Permissions lists the API token permissions that change the resource; Plan says who
	// may use it. Both stand in the documentation, and are held against the document.
	Permissions []string
	Plan        string
	// Sweep is how often drift is looked for; 0 is the provider's default of 10 minutes.
	Sweep time.Duration
	// Excused maps a row of the conformance suite to the reason why it does not apply.
	Excused map[string]string
}

// A Scope is what owns the resources of a kind.
type Scope string

// The scopes.
const (
	Account Scope = "Account"
	Zone    Scope = "Zone"
	// Either is an account or a zone: {accounts_or_zones}/{account_or_zone_id} in paths.
	Either Scope = "Either"
	// User is the user that the credential acts for: no path has who that is.
	User Scope = "User"
)

// InAccount reports whether resources can belong to an account as a whole.
func (s Scope) InAccount() bool { return s == Account || s == Either }

// InZone reports whether resources can belong to a zone.
func (s Scope) InZone() bool { return s == Zone || s == Either }

// A Shape is how a resource comes to exist.
type Shape string

// The shapes.
const (
	// Collection resources are created under a parent, which lists them.
	Collection Shape = ""
	// Singleton resources exist with their parent. Their identity is known before any call.
	Singleton Shape = "Singleton"
	// Fragment resources are parts of a document that many objects share.
	Fragment Shape = "Fragment"
)

// An UpdateMode is what an update sends.
type UpdateMode string

// The update modes.
const (
	// Merge sends the raw answer of a GET with the declared fields put into it, without
	// ReadOnly: for a PUT that replaces.
	Merge UpdateMode = ""
	// DeclaredOnly sends the declared fields that differ: for a PATCH.
	DeclaredOnly UpdateMode = "DeclaredOnly"
	// MergePatch sends what differs, at any depth, and null for a name of a map that nobody
	// declares: for a PATCH that merges objects (RFC 7396).
	MergePatch UpdateMode = "MergePatch"
	// Replace sends the declared fields and nothing else, all of them.
	Replace UpdateMode = "Replace"
)

// Hosted are the paths of a host name in a body and of the ID of its zone in an answer, which is empty where the name is in no zone.
type Hosted struct{ Host, Zone string }

// A Page says how an API splits a list. The zero value is a list in one answer.
type Page struct {
	// Max is the largest page; 0 is a list without pages.
	Max int
	// Cursor is true where pages are asked for by cursor rather than by number.
	Cursor bool
	// At is the path of the array in the answer's result, "" where the result is the array.
	At string
}

// Making is the operation that makes a document, and refuses to where it exists.
type Making struct {
	Operation string
	// Body is the document but for its Fragments, by the parameters of paths.
	Body func(params map[string]string) Document
	// Exists are the answers that the document exists.
	Exists []Code
}

// Apart is an operation that lists a member of a resource, and how that list is split.
type Apart struct {
	Operation string
	Page      Page
}

// A Code is an answer of the API. A zero field stands for any value.
type Code struct {
	Status, Code int
}

// A Refusal is an answer that means the same until somebody acts.
type Refusal struct {
	Code
	// Reason is a word for a condition, such as NotEntitled; Remedy says what to do.
	Reason, Remedy string
}

// A Status maps a value of an answer to readiness. A value that is in no list is ready.
type Status struct {
	Path string
	// Unknown is the value of an answer in which Cloudflare does not say all that it has, for a
	// part of it is out of reach: what the answer lacks is no difference, and whether the resource
	// is ready stays as it was. "" is none.
	Unknown string
	// Converging values pass by themselves; Failed ones need a change of the spec; Human
	// maps values that wait for a person to what this person must do.
	Converging, Failed []string
	Human              map[string]string
}

// A Deletion is what deleting the object of a Singleton does at Cloudflare.
type Deletion struct {
	// Verb is an operation, "" for none. Body is what it sends; a DELETE sends nothing.
	Verb string
	Body map[string]any
	// By is the option by which the user chooses Leave, Restore or Reset, "" for none: what is
	// sent is then what the resource was, or what the document says that it is at first.
	By string
}

// The values of the option that Deletion.By names.
const (
	Leave   = "Leave"
	Restore = "Restore"
	Reset   = "Reset"
)

// A Detail is a key of the connection secret.
type Detail struct {
	Key string
	// Path of the value in the answer, or From an operation whose result it is: with Path, that
	// part of the result.
	Path, From string
	// Once is true where only the answer to the creation has it.
	Once bool
	// Public is true of what everybody may see who may see the resource. All else is secret: an object that only
	// observes the resource does not get it.
	Public bool
	// Where are the values that the answer has, by path, of each resource that has a value
	// of this key, such as auth_type: oidc. Of all others none is missed.
	Where map[string]string
	// Remedy says what to do where a value is lost that is shown once, and no Roll or Issue
	// makes another one.
	Remedy string
	// Value derives it; nil is the value itself. A result without bytes leaves the key out.
	Value func(from Source) ([]byte, error)
	// Doc says what the value is, and for whom.
	Doc string
}

// Of reports whether the resource of an answer has such a value.
func (d Detail) Of(answer Document) bool {
	for path, want := range d.Where {
		if Text(answer, path) != want {
			return false
		}
	}
	return true
}

// ShowsOnce reports whether a value of the connection secret is shown once.
func (d Description) ShowsOnce() bool {
	return slices.ContainsFunc(d.Details, func(d Detail) bool { return d.Once })
}

// SecretsShown are the keys of the connection secret whose secrets a look at the resource shows, whoever looks. What is shown once
// to whoever creates the resource is not among them, nor what is made of that, nor a private key that the provider makes.
func (d Description) SecretsShown() []string {
	var out []string
	for _, detail := range d.Details {
		ofOnce := detail.Once || detail.Value != nil && d.ShowsOnce()
		if !detail.Public && !ofOnce && d.Issue == nil {
			out = append(out, detail.Key)
		}
	}
	return out
}

// Rolls reports whether a value that is shown once, or a private key, can be made again.
func (d Description) Rolls() bool { return d.Roll != "" || d.Issue != nil }
