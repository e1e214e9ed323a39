// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import "fmt"

// listAttempts is how often a list is begun again because it did not add up: the
// parent changed under it, or the answer was not the API's. After that one which
// has at least as many rows as were counted is taken as it is: at worst a row is
// missing that is then asked for by its ID, or that the API refuses to make again.
const listAttempts = 3

// shifted is how many rows more than twice what is counted a list may have
// because rows came while it went on.
const shifted = 10_000

// An IncompleteError says that a list has fewer rows than the API counts, or
// does not count them at all. It proves nothing about what it lacks.
type IncompleteError struct {
	// What is listed: "records of the zone".
	What            string
	Listed, Counted int
}

func (e *IncompleteError) Error() string {
	if e.Counted == 0 {
		return fmt.Sprintf("the Cloudflare API's list does not come to an end, or does not say that it is empty (%d %s so far)", e.Listed, e.What)
	}
	return fmt.Sprintf("the Cloudflare API lists %d %s but counts %d", e.Listed, e.What, e.Counted)
}

// A Tally is what the pages of one list came to, whole or not. The zero value is ready.
type Tally struct {
	// Calls that it took.
	Calls int
	// silent is true when the last page did not count.
	silent bool
	// unsteady is true where the API did not count the same each time, and counted is
	// what it counted least.
	unsteady bool
	counted  int
	// leftOut is how many rows are counted that are of no concern.
	leftOut int
}

// Page notes a page, on which the API counts total rows in all; said is false where it
// does not say so.
func (t *Tally) Page(total int, said bool) {
	t.Calls++
	t.unsteady = t.unsteady || (t.Calls > 1 && total != t.counted)
	if t.Calls == 1 || total < t.counted {
		t.counted = total
	}
	t.silent = !said
}

// Endless reports whether a list with so many rows so far will not come to an end: they
// are more than twice what is counted.
func (t *Tally) Endless(rows int) bool { return t.counted > 0 && rows > 2*t.counted+shifted }

// whole reports whether a list of so many different rows has all of them. An empty
// one has to say that it is.
func (t *Tally) whole(rows int) bool { return rows+t.leftOut >= t.counted && (rows > 0 || !t.silent) }

// Whole makes lists, by pages, until one adds up. Pages gives how many different rows
// it came to. The error is of a list that failed, or an *IncompleteError.
func Whole(what string, pages func() (*Tally, int, error)) (calls int, err error) {
	for attempt := 1; ; attempt++ {
		t, rows, err := pages()
		whole := err == nil && t.whole(rows)
		switch {
		case err != nil:
			return t.Calls, err
		case whole && (!t.unsteady || attempt == listAttempts):
			return t.Calls, nil
		case attempt == listAttempts:
			return t.Calls, &IncompleteError{What: what, Listed: rows, Counted: t.counted}
		}
	}
}
