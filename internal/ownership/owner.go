// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ownership

import (
	"iter"
	"strings"
)

// A Zone is what is known of the zone that a record is in.
type Zone struct {
	// Marks are all marks of the zone.
	Marks []Mark
	// Types gives the types of the records of that name, marks left out.
	Types func(name string) []string
}

// Owner names the controller that marks the record of that name and type as its own,
// "" if none does. The text is a TXT record's, see Parse.
func (z Zone) Owner(name, typ, text string) string {
	if typ == "TXT" {
		if m, ok := Parse(name, text); ok {
			return m.String()
		}
		if isChallenge(name) {
			return acmeClient
		}
	}
	for _, m := range z.Marks {
		for _, r := range readings(m.Name, name, typ) {
			if !z.anothers(m, name, typ, r) {
				return m.String()
			}
		}
	}
	return ""
}

// anothers reports whether a mark that may be that of a record is certain enough to
// be another's.
func (z Zone) anothers(m Mark, name, typ string, r reading) bool {
	for other, o := range closer(m.Name, name) {
		for _, t := range z.Types(other) {
			if o.fits(t) && z.outweighs(m, o, t, r, typ) {
				return true
			}
		}
	}
	return false
}

// outweighs reports whether reading o of a mark, for a record of type t, leaves no
// room for reading r, for one of type typ and a shorter name.
func (z Zone) outweighs(m Mark, o reading, t string, r reading, typ string) bool {
	if (r.dotted() || r.wild) && (o.typed(t) || o.bare() && !r.names(typ)) {
		return true
	}
	if r.wild {
		all, some := z.allowed(m, o, t)
		return all && some && o.ownWord()
	}
	all, _ := z.allowed(m, r, typ)
	return !all
}

// allowed reports whether the options behind a reading of m can have made all other
// marks of its owner, and whether there are some.
func (z Zone) allowed(m Mark, r reading, typ string) (all, some bool) {
	for _, other := range z.Marks {
		if other.Owner != m.Owner || other.Name == m.Name {
			continue
		}
		if some = true; !r.allows(typ, other.Name) {
			return false, true
		}
	}
	return true, some
}

// closer gives the names longer than that one from which the name of a mark may be
// made, and how. Of wildcards any other name with as many labels counts as longer.
func closer(mark, name string) iter.Seq2[string, reading] {
	least := len(name) + 1
	if strings.HasPrefix(name, "*.") {
		least--
	}
	return func(yield func(string, reading) bool) {
		try := func(other string, r reading) bool {
			return len(other) < least || other == name || yield(other, r)
		}
		for i := range len(mark) {
			if mark[i] != '.' && !try(mark[i:], reading{before: mark[:i]}) {
				return
			}
			if i > 0 && mark[i] == '.' && !try("*"+mark[i:], reading{before: mark[:i], wild: true}) {
				return
			}
		}
		suffixed(mark, least, try)
	}
}

// suffixed tries the names, of that length at least, from which the name of a mark may
// be made with a suffix.
func suffixed(mark string, least int, try func(string, reading) bool) {
	for _, before := range append(typeNames(), "") {
		if before != "" {
			before += "-"
		}
		tail, ok := strings.CutPrefix(mark, before)
		label, _, _ := strings.Cut(tail, ".")
		for i := 0; ok && i < len(tail); i++ {
			if tail[i] != '.' {
				continue
			}
			rest := tail[i:]
			for n := min(len(label), i); n > 0 && n+len(rest) >= least; n-- {
				if !try(tail[:n]+rest, reading{before: before, after: tail[n:i]}) {
					return
				}
			}
		}
	}
}
