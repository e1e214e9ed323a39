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

// knownLife is how long a document is remembered that nobody reads or writes. What is forgotten is believed from two
// reads again.
const knownLife = 24 * time.Hour

// What an answer says against what is known. The key of an element that it lacks follows the last.
const (
	saysAbsent = "absent"
	saysOlder  = "older"
	saysLacks  = "lacks "
	saysUnset  = "unset"
	saysNotSet = "not set"
	// What an element is follows, as it was before a write of ours and is after it.
	saysAsBefore = "as before "
)

// knowledge has documents by their canonical paths, whoever's credential read them: that a document exists, and
// how new it is, and nothing of what is in it. Only a call that succeeded adds to that. What a read does not show, it
// denies for its own credential, which may not see all. It is safe for concurrent use.
type knowledge struct {
	now func() time.Time

	mu sync.Mutex
	of map[string]*knownDocument
	// swept is when what is forgotten was last taken out.
	swept time.Time
}

// newKnowledge knows nothing. A nil clock is time.Now.
func newKnowledge(now func() time.Time) *knowledge {
	if now == nil {
		now = time.Now
	}
	return &knowledge{now: now, of: map[string]*knownDocument{}}
}

// A knownDocument is what is known of one document.
type knownDocument struct {
	// exists is that a call showed the document, and removed that a call of ours deleted it since.
	exists, removed bool
	// absent has the credentials for which two reads prove that it does not exist, until a call shows it.
	absent map[string]bool
	// version is the newest, where the document has versions.
	version   int
	versioned bool
	// replaced is the hash of what our last write replaced, for a document without versions, and wrote when that was.
	replaced string
	wrote    time.Time
	// doubts are since when reads have said something that is not believed, none of them the contrary.
	doubts map[doubt]time.Time
	used   time.Time
}

// A doubt is what reads with one credential say.
type doubt struct{ credential, says string }

// versionOf is the version in an answer, false where it has none.
func versionOf(doc kind.Document) (int, bool) {
	v, err := strconv.Atoi(kind.Text(doc, "version"))
	return v, err == nil
}

// sees notes what an answer shows that is believed.
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

// A documentAt is the document of one path, in what is known, as one credential sees it. The zero value knows nothing and
// believes everything.
type documentAt struct {
	known      *knowledge
	path       string
	d          kind.Description
	credential string
}

// at gives the document of that path, as a kind works on it with the credential of that fingerprint.
func (n *knowledge) at(path string, d kind.Description, credential string) documentAt {
	return documentAt{known: n, path: path, d: d, credential: credential}
}

// absent reports whether it is proven for the credential that there is no document.
func (p documentAt) absent(k *knownDocument) bool { return k.removed || k.absent[p.credential] }

// do calls f with what is known of the document at the moment. f makes no calls.
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

// sweep takes out what is forgotten, once in a while. n.mu is held.
func (n *knowledge) sweep(now time.Time) {
	if now.Sub(n.swept) < knownLife/24 {
		return
	}
	n.swept = now
	maps.DeleteFunc(n.of, func(_ string, k *knownDocument) bool { return now.Sub(k.used) > knownLife })
}

// A question is a read of a document that is about to be made. Its answer is judged by what was known then: a write that
// ends meanwhile makes it no older.
type question struct {
	documentAt

	began  time.Time
	before knownDocument
	// gone is that it was proven then that there is no document.
	gone bool
}

func (p documentAt) ask() question {
	q := question{documentAt: p}
	p.do(func(k *knownDocument, now time.Time) { q.began, q.before, q.gone = now, *k, p.absent(k) })
	return q
}

// answered is nil where the answer may be believed, nil being that there is no document, and a
// *parent.DisputedError where it contradicts what is known.
func (q question) answered(doc kind.Document) (err error) {
	q.do(func(k *knownDocument, now time.Time) {
		switch says, lag := q.contradicts(doc, now); {
		case says != "":
			err = q.doubt(k, says, lag, doc)
		case doc == nil && !q.absent(k):
			k.doubts[doubt{q.credential, saysAbsent}] = q.since(k, saysAbsent, now) // It is proven by the next read, after the lag.
		case doc != nil:
			k.sees(q.d, doc)
		}
	})
	return err
}

// proven is answered for whoever acts on the absence of the document: that is believed from two reads a lag apart only.
func (q question) proven(doc kind.Document) (err error) {
	if doc != nil || q.gone {
		return q.answered(doc)
	}
	q.do(func(k *knownDocument, _ time.Time) { err = q.doubt(k, saysAbsent, parent.Lag, doc) })
	return err
}

// listed is answered for a list of the elements of what has no document to read: gone is that it does not exist.
func (q question) listed(gone bool) error {
	if gone {
		return q.answered(nil)
	}
	return q.answered(kind.Document{})
}

// contradicts is what an answer says against what was known, "" for nothing, and how long that is not believed.
func (q question) contradicts(doc kind.Document, now time.Time) (says string, lag time.Duration) {
	v, versioned := versionOf(doc)
	switch b := q.before; {
	case doc == nil && b.exists && !q.gone:
		return saysAbsent, parent.Lag
	case doc == nil:
	case versioned && b.versioned && v < b.version:
		return saysOlder, parent.GoneDisputed // Versions go back only where the document was made again.
	case !versioned && b.replaced != "" && now.Sub(b.wrote) < parent.Lag && kind.Hash(doc) == b.replaced:
		return saysOlder, parent.Lag
	}
	return "", 0
}

// doubt is nil where an earlier read has said the same, a lag before this one began.
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
	k.versioned, k.replaced = false, "" // It was made again.
	k.sees(q.d, doc)
	return nil
}

// since is since when reads with the credential have said so, now where none has.
func (p documentAt) since(k *knownDocument, says string, now time.Time) time.Time {
	if at, doubted := k.doubts[doubt{p.credential, says}]; doubted {
		return at
	}
	return now
}

// disputed says of an answer that it is not believed before that long. Another answer may come once each copy has what is
// known.
func disputed(d kind.Description, says string, k *knownDocument, wait time.Duration) error {
	return &parent.DisputedError{Says: words(d, says, k), Wait: min(wait, parent.Lag)}
}

// lacks are the words for an answer that there is no element of that key.
func lacks(d kind.Description, key string) string {
	return fmt.Sprintf("there is no %s %q", d.Noun, key)
}

// words say what an answer says.
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

// lacks is nil where it is proven that the document lacks an element which an object knows to be its own: what the
// answer to q lacks, an earlier one lacked as well, a lag before.
func (q question) lacks(key string) error { return q.again(saysLacks + key) }

// again is nil where what the answer to q says was said by an earlier one, too, a lag before.
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

// stands reports whether what the answer to q says was said by an earlier one, too, that long before, and by all since:
// whoever learns the contrary says so by denies. Else it says for how long it is not believed.
func (q question) stands(says string, lag time.Duration) (yes bool, wait time.Duration) {
	q.do(func(k *knownDocument, now time.Time) {
		at := q.since(k, says, now)
		k.doubts[doubt{q.credential, says}] = at
		yes, wait = q.began.Sub(at) >= lag, at.Add(lag).Sub(now)
	})
	return yes, wait
}

// missed notes that an element which an object knows to be its own was not found. It gives when a list has to begin
// that proves it, zero where it is proven because there is no document.
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

// found notes that an element is there, or that its absence is of no more interest.
func (p documentAt) found(key string) { p.denies(saysLacks + key) }

// denies notes that an answer says the contrary of what one or none has said.
func (p documentAt) denies(says string) {
	p.do(func(k *knownDocument, _ time.Time) { delete(k.doubts, doubt{p.credential, says}) })
}

// wrote notes what the answer to a write shows, and what the write replaced; nil is unknown.
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

// removed notes that the document was deleted by a call of ours.
func (p documentAt) removed() {
	p.do(func(k *knownDocument, _ time.Time) {
		clear(k.doubts)
		k.exists, k.removed, k.versioned, k.replaced = false, true, false, ""
	})
}

// exists notes that the API says that the document exists, though a read has not shown it.
func (p documentAt) exists() {
	p.do(func(k *knownDocument, _ time.Time) {
		k.exists, k.removed = true, false
		clear(k.absent)
	})
}
