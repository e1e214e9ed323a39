// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ownership

import (
	"iter"
	"slices"
	"strings"
)

// A Zone is what is known of the zone that a record is in.
type Zone struct {
	// Marks are all marks of the zone.
	Marks []Mark
	// Types gives the types of the records of that name, marks that can be read left out.
	Types func(name string) []string
}

// A Controller is what marks records as its own.
type Controller string

// Controllers, as spec.adoptFrom of a Record names them.
const (
	ExternalDNS Controller = "ExternalDNS"
	ACME        Controller = "ACME"
	Tunnel      Controller = "Tunnel"
)

// An Owner is a controller that marks a record as its own.
type Owner struct {
	Controller Controller
	// Text names it, and by what it marks the record, for people.
	Text string
	// Itself is true where nothing but the record's own name or content says so, and not
	// another record beside it.
	Itself bool
}

// Owners are the controllers that mark the record of that name and type as their own, one
// of each kind at most. The content is that of a CNAME, or a TXT record's text, see Parse.
func (z Zone) Owners(name, typ, content string) []Owner {
	var out []Owner
	if m, itself, ok := z.mark(name, typ, content); ok {
		out = append(out, Owner{ExternalDNS, m.String(), itself})
	}
	if typ == "TXT" && isChallenge(name) {
		out = append(out, Owner{ACME, acmeClient, true})
	}
	if id := tunnelOf(content); typ == "CNAME" && id != "" {
		out = append(out, Owner{Tunnel, "Cloudflare Tunnel (tunnel " + id + ", to which the record leads)", true})
	}
	return out
}

// mark gives the mark by which external-dns has a record, and whether that is the record
// itself.
func (z Zone) mark(name, typ, content string) (m Mark, itself, ok bool) {
	c := comparison{Zone: z, subject: newSubject(name, typ), allowed: map[options]bool{}}
	if typ == "TXT" {
		if m, ok := Parse(name, content); ok && (!m.Sealed || c.explained(name)) {
			return m, true, true
		}
	}
	for _, m := range z.Marks {
		for _, r := range c.readings(m.Name) {
			if !c.anothers(m, r) {
				return m, false, true
			}
		}
	}
	return Mark{}, false, false
}

// A comparison is of one record with the marks of its zone.
type comparison struct {
	Zone
	subject

	// allowed is what fit found.
	allowed map[options]bool
}

// explained reports whether a record exists whose encrypted mark a TXT record of that name
// may be.
func (c *comparison) explained(mark string) bool {
	for other, o := range closer(mark, "") {
		if slices.ContainsFunc(c.Types(other), o.namesAndFits) {
			return true
		}
	}
	return false
}

// options are what is behind a reading of a mark.
type options struct {
	owner, typ string
	reading    reading
}

// anothers reports whether a mark that may be the subject's is certain enough to be
// another record's.
func (c *comparison) anothers(m Mark, r reading) bool {
	if m.Sealed && !r.namesAndFits(c.typ) {
		return true // Any text in base64 looks like it.
	}
	for other, o := range closer(m.Name, c.name) {
		for _, t := range c.Types(other) {
			if o.fits(t) && (m.Sealed && o.names(t) || c.outweighs(m, o, t, r)) {
				return true
			}
		}
	}
	return false
}

// outweighs reports whether reading o of a mark, for a record of type t and a longer
// name, leaves no room for reading r, which is for the subject.
func (c *comparison) outweighs(m Mark, o reading, t string, r reading) bool {
	switch {
	case (r.dotted() || r.wild) && (o.typed(t) || o.bare() && !r.names(c.typ)):
		return true
	case r.wild:
		return o.ownWord() && c.hasMore(m) && c.fit(options{m.Owner, t, o})
	}
	return !c.fit(options{m.Owner, c.typ, r})
}

// hasMore reports whether the owner of m has other marks.
func (c *comparison) hasMore(m Mark) bool {
	return slices.ContainsFunc(c.Marks, func(other Mark) bool { return other.Owner == m.Owner && other.Name != m.Name })
}

// fit reports whether all marks of an owner can have been made with its options. The one
// that they were read from can.
func (c *comparison) fit(o options) bool {
	known, ok := c.allowed[o]
	if !ok {
		known = !slices.ContainsFunc(c.Marks, func(m Mark) bool { return !m.Sealed && m.Owner == o.owner && !o.reading.allows(o.typ, m.Name) })
		c.allowed[o] = known
	}
	return known
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

// typeNames are what external-dns puts into the names of marks for a type.
func typeNames() []string {
	return []string{"a", "aaaa", "cname", "ns", "mx", "srv", "ptr", "naptr", "dname", "txt"}
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
