// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// knownLife is how long a document is remembered after its last read or write. Once it is forgotten, its absence
// takes two reads again.
const knownLife = 24 * time.Hour

// The statements of an answer that contradict what is known. The key of the missing element follows saysLacks.
const (
	saysAbsent = "absent"
	saysOlder  = "older"
	saysLacks  = "lacks "
	saysUnset  = "unset"
	saysNotSet = "not set"
	// The key of an element, its digest before a write of ours, and the hash of what was sent follow saysAsBefore.
	saysAsBefore = "as before "
)

// knowledge holds documents by their canonical paths, for all credentials: whether a document exists and how new it
// is, and nothing of its contents. Only a successful call adds to it. An absence counts only for the credential of
// the read, which may not see everything. It is safe for concurrent use.
type knowledge struct {
	now func() time.Time

	mu sync.Mutex
	of map[string]*knownDocument
	// swept is when forgotten documents were last removed.
	swept time.Time
}

// newKnowledge returns empty knowledge. A nil clock means time.Now.
func newKnowledge(now func() time.Time) *knowledge {
	if now == nil {
		now = time.Now
	}
	return &knowledge{now: now, of: map[string]*knownDocument{}}
}

// A knownDocument is what is known of one document.
type knownDocument struct {
	// exists is true once a call showed the document. removed is true once a call of ours deleted it after that.
	exists, removed bool
	// absent has the credentials for which two reads prove that the document does not exist. A call that shows the
	// document clears it.
	absent map[string]bool
	// version is the newest known version, if the document has versions.
	version   int
	versioned bool
	// replaced is the hash of what our last write replaced, for a document without versions. wrote is the time of that
	// write.
	replaced string
	wrote    time.Time
	// doubts has, for each statement that is not believed yet, since when reads have made it without a contradiction.
	doubts map[doubt]time.Time
	used   time.Time
}

// A doubt is a statement of the reads with one credential.
type doubt struct{ credential, says string }

// versionOf returns the version in an answer, false if it has none.
func versionOf(doc kind.Document) (int, bool) {
	v, err := strconv.Atoi(kind.Text(doc, "version"))
	return v, err == nil
}

// sees records an answer that is believed.
func (k *knownDocument) sees(d kind.Description, doc kind.Document) {
	k.exists, k.removed = true, false
	clear(k.absent)
	maps.DeleteFunc(k.doubts, func(says doubt, _ time.Time) bool { return says.says == saysOlder || says.says == saysAbsent })
	if v, ok := versionOf(doc); ok && (!k.versioned || v > k.version) {
		k.version, k.versioned = v, true
	}
	if d.Shape == kind.Fragment {
		maps.DeleteFunc(k.doubts, func(says doubt, _ time.Time) bool {
			key, lacks := strings.CutPrefix(says.says, saysLacks)
			return lacks && elementOf(d, doc, key) != nil
		})
	}
}

// A documentAt is the document of one path, with what is known of it, as one credential sees it. The zero value knows
// nothing and believes everything.
type documentAt struct {
	known      *knowledge
	path       string
	d          kind.Description
	credential string
}

// at returns the document of that path, for a kind and for the credential of that fingerprint.
func (n *knowledge) at(path string, d kind.Description, credential string) documentAt {
	return documentAt{known: n, path: path, d: d, credential: credential}
}

// absent reports whether it is proven, for the credential, that there is no document.
func (p documentAt) absent(k *knownDocument) bool { return k.removed || k.absent[p.credential] }

// do calls f with what is known of the document now. f must not make calls: it runs under a lock.
func (p documentAt) do(f func(k *knownDocument, now time.Time)) {
	if p.known == nil || p.path == "" {
		return
	}
	n := p.known
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.now()
	k := n.of[p.path]
	if k == nil {
		n.sweep(now)
		k = &knownDocument{absent: map[string]bool{}, doubts: map[doubt]time.Time{}}
		n.of[p.path] = k
	}
	k.used = now
	f(k, now)
}

// sweep removes forgotten documents from time to time. n.mu is held.
func (n *knowledge) sweep(now time.Time) {
	if now.Sub(n.swept) < knownLife/24 {
		return
	}
	n.swept = now
	maps.DeleteFunc(n.of, func(_ string, k *knownDocument) bool { return now.Sub(k.used) > knownLife })
}

// A question is a read of a document that is about to be made. Its answer is compared with what was known when the
// read began: a write that ends in the meantime does not outdate the answer.
type question struct {
	documentAt

	began  time.Time
	before knownDocument
	// gone is true if it was proven then that there is no document.
	gone bool
}

func (p documentAt) ask() question {
	q := question{documentAt: p}
	p.do(func(k *knownDocument, now time.Time) { q.began, q.before, q.gone = now, *k, p.absent(k) })
	return q
}

// answered returns nil if the answer may be believed, and a *parent.DisputedError if it contradicts what is known. A
// nil document is the answer that there is none.
func (q question) answered(doc kind.Document) (err error) {
	q.do(func(k *knownDocument, now time.Time) {
		switch says, lag := q.contradicts(doc, now); {
		case says != "":
			err = q.doubt(k, says, lag, doc)
		case doc == nil && !q.absent(k):
			k.doubts[doubt{q.credential, saysAbsent}] = q.since(k, saysAbsent, now) // The next read proves it, after the lag.
		case doc != nil:
			k.sees(q.d, doc)
		}
	})
	return err
}

// proven is answered for a caller that acts on the absence of the document. That takes two reads a lag apart.
func (q question) proven(doc kind.Document) (err error) {
	if doc != nil || q.gone {
		return q.answered(doc)
	}
	q.do(func(k *knownDocument, _ time.Time) { err = q.doubt(k, saysAbsent, parent.Lag, doc) })
	return err
}

// listed is answered for a list of the elements of a document that cannot be read. gone is true if the document does
// not exist.
func (q question) listed(gone bool) error {
	if gone {
		return q.answered(nil)
	}
	return q.answered(kind.Document{})
}

// contradicts returns the statement of an answer that contradicts what was known, "" for none, and how long it is not
// believed.
func (q question) contradicts(doc kind.Document, now time.Time) (says string, lag time.Duration) {
	v, versioned := versionOf(doc)
	switch b := q.before; {
	case doc == nil && b.exists && !q.gone:
		return saysAbsent, parent.Lag
	case doc == nil:
	case versioned && b.versioned && v < b.version:
		return saysOlder, parent.GoneDisputed // Versions only decrease if the document was created again.
	case !versioned && b.replaced != "" && now.Sub(b.wrote) < parent.Lag && kind.Hash(doc) == b.replaced:
		return saysOlder, parent.Lag
	}
	return "", 0
}

// doubt returns nil if an earlier read made the same statement, a lag before this read began.
func (q question) doubt(k *knownDocument, says string, lag time.Duration, doc kind.Document) error {
	now := q.known.now()
	at := q.since(k, says, now)
	if q.began.Sub(at) < lag {
		k.doubts[doubt{q.credential, says}] = at
		return disputed(q.d, says, k, at.Add(lag).Sub(now))
	}
	delete(k.doubts, doubt{q.credential, says})
	if doc == nil {
		k.absent[q.credential] = true
		return nil
	}
	k.versioned, k.replaced = false, "" // It was created again.
	k.sees(q.d, doc)
	return nil
}

// since returns since when reads with the credential have made the statement, now if none has.
func (p documentAt) since(k *knownDocument, says string, now time.Time) time.Time {
	if at, doubted := k.doubts[doubt{p.credential, says}]; doubted {
		return at
	}
	return now
}

// disputed returns the error for an answer that is not believed yet. The wait is a lag at most: by then, each copy
// has what is known, and another answer may come.
func disputed(d kind.Description, says string, k *knownDocument, wait time.Duration) error {
	return &parent.DisputedError{Says: words(d, says, k), Wait: min(wait, parent.Lag)}
}

// lacks returns the words for the statement that there is no element of that key.
func lacks(d kind.Description, key string) string {
	return fmt.Sprintf("there is no %s %q", d.Noun, key)
}

// words returns the words for a statement.
func words(d kind.Description, says string, k *knownDocument) string {
	noun := d.Noun
	key, lacking := strings.CutPrefix(says, saysLacks)
	switch {
	case lacking:
		return lacks(d, key)
	case says == saysUnset:
		return fmt.Sprintf("there is no %s to set back", noun)
	case says == saysNotSet:
		return fmt.Sprintf("the %s is not set", noun)
	case says == saysAbsent && d.Shape == kind.Fragment:
		return fmt.Sprintf("there is no %s document", noun)
	case says == saysAbsent:
		return fmt.Sprintf("there is no %s", noun)
	case k.versioned:
		return fmt.Sprintf("the %s is older than %s", noun, "version "+strconv.Itoa(k.version))
	}
	return fmt.Sprintf("the %s is older than %s", noun, "the last write")
}

// lacks returns nil if it is proven that the document lacks an element that an object knows as its own: an earlier
// answer lacked it as well, a lag before the answer to q.
func (q question) lacks(key string) error { return q.again(saysLacks + key) }

// again returns nil if an earlier answer made the same statement as the answer to q, a lag before, or if it is proven
// that there is no document.
func (q question) again(says string) (err error) {
	q.do(func(k *knownDocument, now time.Time) {
		at := q.since(k, says, now)
		if q.absent(k) || q.began.Sub(at) >= parent.Lag {
			delete(k.doubts, doubt{q.credential, says})
			return
		}
		k.doubts[doubt{q.credential, says}] = at
		err = disputed(q.d, says, k, at.Add(parent.Lag).Sub(now))
	})
	return err
}

// stands reports whether an earlier answer made the same statement as the answer to q, that long before, and no
// answer has contradicted it since. Callers report a contradiction with denies. wait is how long the statement is not
// believed yet.
func (q question) stands(says string, lag time.Duration) (yes bool, wait time.Duration) {
	q.do(func(k *knownDocument, now time.Time) {
		at := q.since(k, says, now)
		k.doubts[doubt{q.credential, says}] = at
		yes, wait = q.began.Sub(at) >= lag, at.Add(lag).Sub(now)
	})
	return yes, wait
}

// missed records that an element that an object knows as its own was not found. It returns the earliest begin of a
// list that proves it, or zero if it is proven because there is no document.
func (p documentAt) missed(key string) (proof time.Time, err error) {
	p.do(func(k *knownDocument, now time.Time) {
		at := p.since(k, saysLacks+key, now)
		k.doubts[doubt{p.credential, saysLacks + key}] = at
		switch until := at.Add(parent.Lag); {
		case p.absent(k):
		case now.Before(until):
			err = disputed(p.d, saysLacks+key, k, until.Sub(now))
		default:
			proof = until
		}
	})
	return proof, err
}

// found records that an element exists, or that its absence does not matter any more.
func (p documentAt) found(key string) { p.denies(saysLacks + key) }

// denies records that an answer contradicts a statement of earlier answers, if there are any.
func (p documentAt) denies(says string) {
	p.do(func(k *knownDocument, _ time.Time) { delete(k.doubts, doubt{p.credential, says}) })
}

// wrote records what the answer to a write shows, and what the write replaced. A nil document is unknown.
func (p documentAt) wrote(before, after kind.Document) {
	if after == nil {
		return
	}
	p.do(func(k *knownDocument, now time.Time) {
		k.versioned = false // Nothing is newer than the answer.
		k.sees(p.d, after)
		if _, versioned := versionOf(after); before != nil && !versioned {
			k.replaced, k.wrote = kind.Hash(before), now
			if k.replaced == kind.Hash(after) {
				k.replaced = ""
			}
		}
	})
}

// removed records that a call of ours deleted the document.
func (p documentAt) removed() {
	p.do(func(k *knownDocument, _ time.Time) {
		clear(k.doubts)
		k.exists, k.removed, k.versioned, k.replaced = false, true, false, ""
	})
}

// exists records that the API says that the document exists, though a read has not shown it.
func (p documentAt) exists() {
	p.do(func(k *knownDocument, _ time.Time) {
		k.exists, k.removed = true, false
		clear(k.absent)
	})
}
