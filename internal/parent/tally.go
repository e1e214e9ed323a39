// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import "fmt"

// listAttempts is how often a list is made at most until it adds up. A list does not add
// up if the parent changed during it, or if the answer was not the API's. The last
// attempt is accepted if it has at least as many rows as were counted. At worst a row is
// missing that is then asked for by its ID, or that the API refuses to create again.
const listAttempts = 3

// shifted is how many rows beyond twice the count a list may have, because rows were
// created while it went on.
const shifted = 10_000

// An IncompleteError says that a list has fewer rows than the API counts, or that the API
// does not count them at all. Such a list proves no absence.
type IncompleteError struct {
	// What is the name of the rows: "records of the zone".
	What            string
	Listed, Counted int
}

func (e *IncompleteError) Error() string {
	if e.Counted == 0 {
		return fmt.Sprintf("the Cloudflare API's list does not come to an end, or does not say that it is empty (%d %s so far)", e.Listed, e.What)
	}
	return fmt.Sprintf("the Cloudflare API lists %d %s but counts %d", e.Listed, e.What, e.Counted)
}

// A PageCount counts the pages of one list, to tell whether it is whole. The zero value is
// ready.
type PageCount struct {
	// Calls is how many calls the list took.
	Calls int
	// silent is true if the last page had no count.
	silent bool
	// unsteady is true if the API did not count the same on each page. counted is the
	// lowest count.
	unsteady bool
	counted  int
	// leftOut is how many of the counted rows are left out on purpose.
	leftOut int
}

// Page notes a page. total is how many rows the API counts in all; said is false if it
// does not count them.
func (t *PageCount) Page(total int, said bool) {
	t.Calls++
	t.unsteady = t.unsteady || (t.Calls > 1 && total != t.counted)
	if t.Calls == 1 || total < t.counted {
		t.counted = total
	}
	t.silent = !said
}

// Endless reports whether a list with so many rows so far will not come to an end: they
// are far more than twice the count.
func (t *PageCount) Endless(rows int) bool { return t.counted > 0 && rows > 2*t.counted+shifted }

// whole reports whether a list of so many different rows has all of them. The last page
// of an empty list has to say that it is empty.
func (t *PageCount) whole(rows int) bool {
	return rows+t.leftOut >= t.counted && (rows > 0 || !t.silent)
}

// Whole calls pages, which makes one list and returns its number of different rows, until
// a list adds up. It returns the error of a list that failed, or an *IncompleteError.
func Whole(what string, pages func() (*PageCount, int, error)) (calls int, err error) {
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
