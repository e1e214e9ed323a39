// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"slices"
	"time"
)

// A Description describes the resources of one kind at Cloudflare. The zero value of a field is what most kinds need.
type Description struct {
	// Group is the first label of the API group, Name is the kind, and Short is its short name.
	Group, Name, Short string
	// Doc is the first sentence of the kind's documentation, and what else a reader must know.
	Doc string
	// Terraform is the name of the resource in Cloudflare's Terraform provider v5, "" if it has none.
	Terraform string
	// Noun is the name of the kind in messages, such as "tunnel".
	Noun string

	// Scope is what the paths begin with.
	Scope Scope
	// Shape is how resources of the kind are created.
	Shape Shape
	// The operations, each a verb and a path of the document, such as
	// "POST /accounts/{account_id}/cfd_tunnel". The last parameter of Read, Update and Delete is
	// the identity of the resource. account_id and zone_id come from the scope, and any other
	// parameter comes from the field of spec.forProvider with its name.
	List, Create, Read, Update, Delete string
	Page                               Page
	// Mode is what an update sends.
	Mode UpdateMode
	// ReadLacks are paths of an answer that List, Create and Update show, but not Read. The
	// identity is among them. An observation uses both Read and List.
	ReadLacks []string
	// WriteLacks are paths of an answer that List and Read show, but not Create and Update. After
	// a write the resource is read.
	WriteLacks []string
	// Apart are the operations that list a member of a resource, by the path of the member. No other
	// answer is used for that member, and each observation of a resource makes these calls, too.
	Apart map[string]SubList
	// Upload says how a body with files is sent, nil if the kind has no files.
	Upload *Upload

	// Part is the path of a Fragment's list in the document, such as config.ingress[]. Paths of
	// fields begin there. "" means that the fragment is the whole body of Create or Update.
	Part string
	// Bare is the member whose value is the whole body of Update and OnDelete, if that body is not an object, or "".
	Bare string
	// Mark is the path of the field that holds the key of a Fragment of this provider, if the
	// spec has no field that could be the key. The provider sets it.
	Mark string
	// Before reports whether one Fragment has to come before another in the document. Nil means
	// that the order has no meaning, or that only the user can know it.
	Before func(a, b map[string]any) bool
	// Last is the element that the document must end with. It is added if it is missing. It is
	// the only element without a key.
	Last map[string]any
	// Editable says why a document must not be changed, "" if it may. Nil means that it may.
	Editable func(document map[string]any) string
	// Make creates a missing document with its first Fragment, if there is an operation that does so and
	// refuses an existing document. Nil means that the document is written as a whole.
	Make *DocumentCreate
	// Bulk is for Fragments that List returns one by one, and that asynchronous operations write
	// in groups. An account can have one such operation at a time. Bulk is the operation that
	// reports the progress of one, by operation_id. Create and Update take a list of fragments,
	// each of which replaces the one with its key. Delete takes their IDs, as items[].id.
	Bulk string
	// Choice is for kinds of which a resource has exactly one of several members, nil for all others.
	Choice *OneOf

	// Fields says what the document does not say of a field, by path.
	Fields map[string]Field
	// VariantBy is the path parameter whose value decides the types of the body's members, "" if
	// there is none. The document describes an answer for each value. The member "id" of that
	// answer is the value.
	VariantBy string
	// Hide lists paths of request bodies that the spec does not offer.
	Hide []string
	// Observe lists the paths of answers that status.atProvider shows.
	Observe []string
	// Columns are the columns of kubectl get, as "TITLE=path" of status.atProvider. A title that
	// begins with "-" is printed with -o wide only. A path may have the position of an element.
	Columns []string

	// ID is the path of the identity in an answer. "" means "id".
	ID string
	// Natural lists the paths that together name a resource for people, under one parent.
	// Adoption and the search for an unrecorded creation use it. A path may lead into an element
	// of a list, by its position.
	Natural []string
	// NaturalOf is for a kind whose resources are not all named by the same paths. It returns the
	// paths for a body. Nil means Natural.
	NaturalOf func(body Document) []string
	// Hosted is for a kind of an account whose resources are in the zone of a host name. Cloudflare finds the zone by
	// the name. Nil means that a body names its zone, or that there is none.
	Hosted *ZoneByHostname
	// Contents is the path of a list that may have elements of other owners: an existing resource
	// is adopted by its natural key only if all elements are declared. "" means none.
	Contents string
	// Shared is for a Collection whose resources may be documents that Fragments of the same group
	// share. It returns the path of the document below List, "" for a document that they cannot share.
	Shared func(body Document) string
	// Parts returns the paths below List of the parts that a body declares and that may also be resources of another
	// kind of the group, such as a secret of a Worker. Nil means that there are none.
	Parts func(body Document) []string
	// Skip reports whether an entry of a list is not a resource of the kind, such as the default one of
	// a zone that has a kind of its own. Nil means that all entries are. For a Singleton it reports
	// whether the answer of Read counts as not set.
	Skip func(listed Document) bool
	// ListQuery holds the query parameters of each list call.
	ListQuery map[string]string
	// ListOmits lists paths that a list leaves out. An object that declares one of them is read by its ID.
	ListOmits []string
	// Revision is the path of a value that Cloudflare changes with each change of a resource, or
	// "". List, Read and the answers to Create and Update show it. If a list leaves something
	// out, a resource is read only if its revision has changed.
	Revision string
	// Gone are the answers that prove that the resource does not exist.
	Gone []Code
	// SoftDeleted is the path of a time that shows, when set, that the resource is deleted.
	SoftDeleted string
	// Leaving reports whether an answer is about a resource that is shown while it is being deleted.
	// Such a resource counts as deleted. Nil means that there is none.
	Leaving func(answer Document) bool
	// Busy are the answers to a deletion which say that another resource still uses this one.
	Busy []Code
	// BeforeDelete are operations to carry out if a deletion is refused as Busy with one of the codes FreedBy.
	BeforeDelete []string
	FreedBy      []int
	// Holders is the operation that lists which resources use this one, or "". Its elements have
	// resource_type, resource_name and resource_id. Those whose reference_type is "referral" are
	// resources that this one uses.
	Holders string
	// Exists are the answers to a creation which say that a resource with that natural key
	// exists. With them, a creation whose outcome is unknown may be repeated. Without them, it is
	// repeated only after a list has proven that it created nothing.
	Exists []Code
	// Undated is true for resources without a natural key if no answer says when they were created.
	// They are listed before a creation. If the answer of the creation is lost, that list tells the
	// new resource from the others.
	Undated bool
	// Refused are answers that stay the same until a user acts, with what the user must do.
	Refused []Refusal

	// ReadOnly lists paths of an answer that only Cloudflare writes. A full update does not send them back.
	ReadOnly []string
	// Status maps values of an answer to readiness. The first one that is not ready decides.
	Status []Status
	// OnDelete is what the deletion of a Singleton does.
	OnDelete Deletion
	// Unset are the answers to Read which say that a Singleton is not set: it does not exist
	// until a user sets it, and after its deletion.
	Unset []Code
	// Headers are request headers and the fields that provide their values, by the document's
	// names. They are part of the identity, so every call has them.
	Headers map[string]string
	// HeaderDefaults are the values of such headers that have the same meaning as no header, by the
	// header's name in lower case.
	HeaderDefaults map[string]string
	// UpdateHeaders are request headers of an update.
	UpdateHeaders map[string]string

	// Details are the keys of the connection secret.
	Details []Detail
	// SecretType is the type of the connection secret. "" means Crossplane's own.
	SecretType string
	// Roll is the operation that creates a new value of a secret that is shown once.
	Roll string
	// Refresh is for resources that expire, nil for all others.
	Refresh *Refresh
	// Options are fields of the spec that Cloudflare does not have.
	Options []ProviderField
	// Issue is for certificates, nil for all others.
	Issue *Issue
	// Credential is true if resources are API tokens of an account or a user. The token that the
	// provider itself uses is neither deleted nor rolled.
	Credential bool

	// Permissions lists the API token permissions that change the resource. Plan says which plans
	// include it. Both are in the documentation, and are checked against the document.
	Permissions []string
	Plan        string
	// Sweep is how often drift is looked for. 0 means the provider's default of 10 minutes.
	Sweep time.Duration
	// Excused maps a row of the conformance suite to the reason why it does not apply.
	Excused map[string]string
}

// A Scope is the owner of the resources of a kind.
type Scope string

// The scopes.
const (
	Account Scope = "Account"
	Zone    Scope = "Zone"
	// Either is an account or a zone: {accounts_or_zones}/{account_or_zone_id} in paths.
	Either Scope = "Either"
	// User is the user that the credential acts for. No path names that user.
	User Scope = "User"
)

// InAccount reports whether resources can belong to an account as a whole.
func (s Scope) InAccount() bool { return s == Account || s == Either }

// InZone reports whether resources can belong to a zone.
func (s Scope) InZone() bool { return s == Zone || s == Either }

// A Shape is how resources are created.
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
	// Merge sends the raw answer of a GET with the declared fields put into it, without ReadOnly.
	// It is for a PUT that replaces.
	Merge UpdateMode = ""
	// DeclaredOnly sends the declared fields that differ. It is for a PATCH.
	DeclaredOnly UpdateMode = "DeclaredOnly"
	// MergePatch sends what differs, at any depth, and null for an undeclared name of a map. It
	// is for a PATCH that merges objects (RFC 7396).
	MergePatch UpdateMode = "MergePatch"
	// Replace sends all declared fields and nothing else.
	Replace UpdateMode = "Replace"
)

// ZoneByHostname holds the path of a host name in a body, and the path of the ID of its zone in an answer. That ID is empty if
// the name is in no zone.
type ZoneByHostname struct{ Host, Zone string }

// A Page says how an API splits a list. The zero value is a list in one answer.
type Page struct {
	// Max is the size of the largest page. 0 means a list without pages.
	Max int
	// Cursor is true if pages are requested by cursor rather than by number.
	Cursor bool
	// At is the path of the array in the answer's result, "" if the result is the array.
	At string
}

// DocumentCreate is an operation that creates a document, and refuses to if the document exists.
type DocumentCreate struct {
	Operation string
	// Body returns the document without its Fragments, for the parameters of paths.
	Body func(params map[string]string) Document
	// Exists are the answers which say that the document exists.
	Exists []Code
}

// SubList is an operation that lists a member of a resource, and how that list is split.
type SubList struct {
	Operation string
	Page      Page
}

// A Code is an answer of the API. A zero field stands for any value.
type Code struct {
	Status, Code int
}

// A Refusal is an answer that stays the same until a user acts.
type Refusal struct {
	Code
	// Reason is a word for a condition, such as NotEntitled. Remedy says what to do.
	Reason, Remedy string
}

// A Status maps a value of an answer to readiness. A value that is in no list is ready.
type Status struct {
	Path string
	// Unknown is the value of a partial answer: a part of what Cloudflare has is not available to
	// it. A missing value then is no difference, and the readiness of the resource stays as it
	// was. "" means none.
	Unknown string
	// Converging values pass by themselves. Failed values need a change of the spec. Human maps
	// values that wait for a person to what this person must do.
	Converging, Failed []string
	Human              map[string]string
}

// A Deletion is what deleting the object of a Singleton does at Cloudflare.
type Deletion struct {
	// Verb is an operation, "" for none. Body is the body of its call. A DELETE sends none.
	Verb string
	Body map[string]any
	// By is the option by which the user chooses Leave, Restore or Reset, "" for none. The call
	// then sends the state from before, or the initial state that the document states.
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
	// Path is the path of the value in the answer. From is an operation whose result is the
	// value, or the part of it at Path.
	Path, From string
	// Once is true if only the answer to the creation has the value.
	Once bool
	// Public is true for a value that is visible to all users who may see the resource. All other values are
	// secret: an object that only observes the resource does not get them.
	Public bool
	// Where selects the resources that have a value of this key, by values of the answer, such as
	// auth_type: oidc. Other resources have no such value, and need none.
	Where map[string]string
	// Remedy says what to do if a value that is shown once is lost, and no Roll or Issue creates another one.
	Remedy string
	// Value derives the value of the key. Nil means the value itself. An empty result leaves the key out.
	Value func(from DetailInput) ([]byte, error)
	// Doc says what the value is, and what it is for.
	Doc string
}

// Of reports whether the resource of an answer has a value of this key.
func (d Detail) Of(answer Document) bool {
	for path, want := range d.Where {
		if Text(answer, path) != want {
			return false
		}
	}
	return true
}

// ShowsOnce reports whether a value of the connection secret is shown only once.
func (d Description) ShowsOnce() bool {
	return slices.ContainsFunc(d.Details, func(d Detail) bool { return d.Once })
}

// SecretsShown returns the keys of the connection secret whose secrets every read of the resource shows. It leaves out
// values that only the creation shows, values that are derived from them, and private keys that the provider makes.
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

// Rolls reports whether a value that is shown once, or a private key, can be created again.
func (d Description) Rolls() bool { return d.Roll != "" || d.Issue != nil }
