// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package decision

// A Noun has the words for the external resources of a kind.
type Noun struct {
	// Name is what it is called, as in "the DNS record does not exist".
	Name string
	// Short is what it is called where the context is clear, as in "record X is back".
	Short string
	// Alike and Only say, after "it existed before", why one that was found is the one
	// that is declared, or is taken although it differs.
	Alike, Only string
	// Natural is what it is found by without an ID, such as "name".
	Natural string
	// Allow says what to do where the adoption policy refuses one that exists, and Change what
	// lets an object take over one that is not as declared, "" where nothing does.
	Allow, Change string
	// Stuck says what frees an object whose deletion cannot end. "" says nothing.
	Stuck string
	// Loss is what a new one would lack, for a kind that is not created again by itself.
	Loss string
}
