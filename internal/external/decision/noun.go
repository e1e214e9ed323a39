// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package decision

// A Noun has the words for the external resources of a kind.
type Noun struct {
	// Name is the name of a resource, as in "the DNS record does not exist".
	Name string
	// Short is the name where the context is clear, as in "record X is back".
	Short string
	// Alike and Only follow "it existed before" and say why the resource that was found is adopted:
	// Alike if it is as declared, Only if it may differ.
	Alike, Only string
	// Natural is the natural key that finds it without an ID, such as "name".
	Natural string
	// Allow says what to do if the adoption policy refuses an existing resource. Change says what
	// lets an object take over one that is not as declared. It is "" if nothing does.
	Allow, Change string
	// Stuck says what frees an object whose deletion cannot finish. "" adds nothing to the error.
	Stuck string
	// Loss is what a new resource would lack, for a kind that is not created again by itself.
	Loss string
}
