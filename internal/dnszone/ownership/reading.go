// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ownership

import (
	"slices"
	"strings"
)

// A reading is one way to make a mark's name from that of a record: with before in front
// of the record's name, and after behind its first label.
type reading struct {
	before, after string
	// wild is true if some part of before replaces the record's "*".
	wild bool
}

// A subject is the record whose owner is to be found.
type subject struct {
	name, typ string
	// label is the first label of the name, and rest the others with the dot before them.
	label, rest string
	// front is the prefix by which external-dns names the type.
	front string
}

func newSubject(name, typ string) subject {
	label, _, _ := strings.Cut(name, ".")
	return subject{name: name, typ: typ, label: label, rest: name[len(label):], front: strings.ToLower(typ) + "-"}
}

// readings returns each way in which the name of a mark may be made from the subject's.
func (s subject) readings(mark string) []reading {
	// Every way keeps the part behind the first label.
	head, ok := strings.CutSuffix(mark, s.rest)
	if !ok || head == "" {
		return nil
	}
	var out []reading
	add := func(r reading) {
		if r.fits(s.typ) && !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	if before, ok := strings.CutSuffix(head, s.label); ok {
		add(reading{before: before})
	}
	for _, before := range [...]string{"", s.front, "cname-"} {
		if tail, ok := strings.CutPrefix(head, before); ok && strings.HasPrefix(tail, s.label) {
			add(reading{before: before, after: tail[len(s.label):]})
		}
	}
	if s.label == "*" {
		add(reading{before: head, wild: true})
	}
	return out
}

// isType reports whether a word stands for a type. The word txt does not, because many
// have it in their prefix.
func isType(word string) bool {
	switch word {
	case "a", "aaaa", "cname", "ns", "mx", "srv", "ptr", "naptr", "dname":
		return true
	}
	return false
}

// hasWord reports whether the affix has a word of its own for which f returns true.
func (r reading) hasWord(f func(word string) bool) bool {
	for _, affix := range [...]string{r.before, r.after} {
		for word := range strings.FieldsFuncSeq(affix, func(c rune) bool { return !isWord(c) }) {
			if f(word) {
				return true
			}
		}
	}
	return false
}

// names reports whether the affix has the type as a word of its own.
func (r reading) names(typ string) bool {
	return r.hasWord(func(word string) bool { return slices.Contains(called(typ), word) })
}

// called returns the names of a type in the names of external-dns' marks.
func called(typ string) []string {
	if typ == "A" {
		return []string{"a", "cname"} // The latter if it is an alias.
	}
	return []string{strings.ToLower(typ)}
}

// fits reports whether a mark with that affix may be for that type.
func (r reading) fits(typ string) bool {
	if typ == "AAAA" {
		return strings.Contains(r.before, "aaaa") || strings.Contains(r.after, "aaaa")
	}
	return r.names(typ) || !r.hasWord(isType)
}

// namesAndFits reports whether a mark with that affix is, by the affix, for that type.
func (r reading) namesAndFits(typ string) bool { return r.names(typ) && r.fits(typ) }

// bare reports whether the mark is made without a prefix, a suffix or a type. typed
// reports whether it is made with only the type.
func (r reading) bare() bool { return r == reading{} }

func (r reading) typed(typ string) bool {
	return r.after == "" && !r.wild && slices.Contains(called(typ), strings.TrimSuffix(r.before, "-")) && strings.HasSuffix(r.before, "-")
}

// ownWord reports whether the affix is a prefix that does not run into the name.
func (r reading) ownWord() bool {
	return r.after == "" && r.before != "" && !isWord(rune(r.before[len(r.before)-1]))
}

// dotted reports whether the affix has a dot, so that the mark has more labels than the
// record.
func (r reading) dotted() bool { return strings.Contains(r.before+r.after, ".") }

// allows reports whether the options implied by a reading for a record of that type can
// have made another mark's name as well.
func (r reading) allows(typ, mark string) bool {
	affix, fixed := r.before, strings.HasPrefix
	if r.after != "" {
		labels := strings.Split(mark, ".")
		mark = strings.Join(labels[:min(1+strings.Count(r.after, "."), len(labels))], ".")
		affix, fixed = r.after, strings.HasSuffix
	}
	if fixed(mark, affix) {
		return true
	}
	for _, t := range called(typ) {
		// A literal prefix with the type behind it; the old format is without the type.
		if literal, ok := strings.CutSuffix(affix, t+"-"); ok && fixed(mark, literal) {
			return true
		}
		for i := range affix {
			if strings.HasPrefix(affix[i:], t) && holds(mark, affix[:i], affix[i+len(t):], r.after != "") {
				return true
			}
		}
	}
	return false
}

// holds reports whether a text begins, or if ends is true ends, with the result of a
// template: before, any type, behind.
func holds(text, before, behind string, ends bool) bool {
	for i := range text {
		rest, ok := strings.CutPrefix(text[i:], before)
		for n := 0; ok && n <= len(rest); n++ {
			if strings.HasPrefix(rest[n:], behind) && (!ends || rest[n:] == behind) {
				return true
			}
			if n < len(rest) && !isWord(rune(rest[n])) {
				break
			}
		}
		if !ends {
			return false
		}
	}
	return false
}

func isWord(c rune) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }
