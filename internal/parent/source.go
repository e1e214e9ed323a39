// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrNotFound says that a row is proven not to exist. A Source's error for which
// errors.Is finds it is such a proof.
var ErrNotFound = errors.New("does not exist in Cloudflare")

// ErrNoList says that there is no list which could show what was asked for.
var ErrNoList = errors.New("the Cloudflare API has no list of these")

// An UnlikelyError says that the API answered with another row than the one asked for.
type UnlikelyError struct{ Asked, Got string }

func (e *UnlikelyError) Error() string {
	return fmt.Sprintf("the Cloudflare API was asked for %q and answered with %q", e.Asked, e.Got)
}

// A DisputedError says that one answer contradicts what is known, or says alone that something does not exist. It is not
// believed yet: a copy that is behind may have given it.
type DisputedError struct {
	// Says is what the answer says.
	Says string
	// Listed is true where a list shows the contrary.
	Listed bool
	// Wait is how long it is of no use to look again.
	Wait time.Duration
}

func (e *DisputedError) Error() string {
	but := "one answer alone proves nothing"
	if e.Listed {
		but = "its list shows it"
	}
	return fmt.Sprintf("the Cloudflare API says that %s, and %s: looking again in %s", e.Says, but, e.Wait.Round(time.Second))
}

// RetryAfter is how long it is of no use to look again.
func (e *DisputedError) RetryAfter() time.Duration { return e.Wait }

// A Source makes the calls of one collection with one credential. It makes each once:
// who waits for whom, and for how long, is the collection's part.
type Source[R any] interface {
	// Fingerprint of the credential.
	Fingerprint() string
	// SweepRate is how many calls a second sweeps may make in the long run.
	SweepRate() float64
	// List gives a page of all rows: the first one for the cursor "", then what the page
	// before names as its Next.
	List(ctx context.Context, cursor string) (Page[R], error)
	// Get gives one row. That the row does not exist is an error that wraps
	// ErrNotFound; anything else proves nothing.
	Get(ctx context.Context, id string) (R, error)
}

// A Rounder is a Source whose GETs share calls: a row is not all in one answer. A round of
// GETs makes these calls once.
type Rounder[R any] interface {
	// Round makes the calls that the GETs of a round share, and gives what makes one. known gives
	// a row as it is known: where the shared calls show that it did not change, it needs no GET.
	Round(ctx context.Context, known func(id string) (R, bool)) (func(ctx context.Context, id string) (R, error), error)
}

// A Page is a part of a list.
type Page[R any] struct {
	Rows []R
	// Next is the cursor of the next page, "" where this is the last.
	Next string
	// LeftOut is how many rows of the page are none of Rows, and counted.
	LeftOut int
	// Total is how many rows the API counts on all pages, below 0 where it does not.
	Total int
}

// A Listing is what the API's list of a collection shows.
type Listing int

const (
	// Complete is that a list shows every row as a GET would.
	Complete Listing = iota
	// Partial is that a list shows which rows there are, but not all of each.
	Partial
	// None is that there is no list: the collection is a singleton, or one whose rows can
	// only be asked for by name.
	None
)

// Terms are what a collection's description says of it.
type Terms struct {
	// What the rows are, in the plural, for errors: "Access applications". "" is "objects".
	What string
	// Interval between two sweeps. 0 is ten minutes.
	Interval time.Duration
	Listing  Listing
	// Names is true where IDs are names, which may come back after a deletion.
	Names bool
	// NoGet is true where there is no call for one row: a Complete list proves that it is gone.
	NoGet bool
}

// defaultInterval is how often a collection is swept whose terms do not say.
const defaultInterval = 10 * time.Minute

// maxHold is the longest time for which a call is not made because it failed.
const maxHold = 30 * time.Second

func (t Terms) withDefaults() Terms {
	if t.Interval == 0 {
		t.Interval = defaultInterval
	}
	if t.What == "" {
		t.What = "objects"
	}
	return t
}
