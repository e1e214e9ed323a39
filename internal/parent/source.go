// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrNotFound says that a row is proven not to exist. An error of a Source for which errors.Is finds it is such a
// proof.
var ErrNotFound = errors.New("does not exist in Cloudflare")

// ErrNoList says that there is no list that could show the rows asked for.
var ErrNoList = errors.New("the Cloudflare API has no list of these")

// A WrongRowError says that the API answered with another row than the one asked for.
type WrongRowError struct{ Asked, Got string }

func (e *WrongRowError) Error() string {
	return fmt.Sprintf("the Cloudflare API was asked for %q and answered with %q", e.Asked, e.Got)
}

// A DisputedError says that one answer contradicts what is known, or that one answer alone says that a row does not
// exist. The answer is not believed yet, because it may come from a copy that is behind.
type DisputedError struct {
	// Says is what the answer says.
	Says string
	// Listed is true if a list shows the contrary.
	Listed bool
	// Wait is how long another look is of no use.
	Wait time.Duration
}

func (e *DisputedError) Error() string {
	but := "one answer alone proves nothing"
	if e.Listed {
		but = "its list shows it"
	}
	return fmt.Sprintf("the Cloudflare API says that %s, and %s: looking again in %s", e.Says, but, e.Wait.Round(time.Second))
}

// RetryAfter returns how long another look is of no use.
func (e *DisputedError) RetryAfter() time.Duration { return e.Wait }

// A Source makes the calls of one collection with one credential. It makes each call once. The collection decides
// which callers wait for a call, and for how long.
type Source[R any] interface {
	// Fingerprint returns the fingerprint of the credential.
	Fingerprint() string
	// SweepRate returns how many calls a second sweeps may make in the long run.
	SweepRate() float64
	// List returns a page of all rows. The cursor of the first page is ""; each page names the cursor of the next one
	// as Next.
	List(ctx context.Context, cursor string) (Page[R], error)
	// Get returns one row. If the row does not exist, the error wraps ErrNotFound. Any other error proves nothing.
	Get(ctx context.Context, id string) (R, error)
}

// A BatchGetter is a Source whose GETs share calls, because one answer does not hold all of a row. A round of GETs makes
// the shared calls once.
type BatchGetter[R any] interface {
	// Round makes the calls that the GETs of a round share, and returns a function that makes one GET. known returns
	// a row as it is known: if the shared calls show that the row did not change, it needs no GET.
	Round(ctx context.Context, known func(id string) (R, bool)) (func(ctx context.Context, id string) (R, error), error)
}

// A Page is a part of a list.
type Page[R any] struct {
	Rows []R
	// Next is the cursor of the next page, "" if this is the last.
	Next string
	// LeftOut is how many rows of the page are not in Rows, although the API counts them.
	LeftOut int
	// Total is how many rows the API counts on all pages, below 0 if it does not count them.
	Total int
}

// A ListDetail is what the API's list of a collection shows.
type ListDetail int

const (
	// Complete means that a list shows every row as a GET would.
	Complete ListDetail = iota
	// Partial means that a list shows which rows there are, but not all of each.
	Partial
	// None means that there is no list: the collection is a singleton, or its rows can only be asked for by name.
	None
)

// CollectionOptions are what the description of a collection says of it.
type CollectionOptions struct {
	// What is the name of the rows, in the plural, for errors: "Access applications". "" is "objects".
	What string
	// Interval is the time between two sweeps. 0 is ten minutes.
	Interval time.Duration
	Listing  ListDetail
	// Names is true if IDs are names, which may come back after a deletion.
	Names bool
	// NoGet is true if there is no call for one row: a Complete list proves that a row is gone.
	NoGet bool
}

// defaultInterval is the interval of a collection whose terms do not name one.
const defaultInterval = 10 * time.Minute

// maxHold is the longest time for which a call is not made because it failed.
const maxHold = 30 * time.Second

func (t CollectionOptions) withDefaults() CollectionOptions {
	if t.Interval == 0 {
		t.Interval = defaultInterval
	}
	if t.What == "" {
		t.What = "objects"
	}
	return t
}
