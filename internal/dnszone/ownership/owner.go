// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ownership

import (
	"iter"
	"slices"
	"strings"
)

// A Zone is the marks and the record types of the zone that a record is in.
type Zone struct {
	// Marks are all marks of the zone.
	Marks []Mark
	// Types returns the types of the records of that name, without marks that can be read.
	Types func(name string) []string
}

// A Controller is the kind of a controller that marks records as its own.
type Controller string

// These are the Controllers as spec.adoptFrom of a Record names them.
const (
	ExternalDNS Controller = "ExternalDNS"
	ACME        Controller = "ACME"
	Tunnel      Controller = "Tunnel"
)

// An Owner is a controller that marks a record as its own.
type Owner struct {
	Controller Controller
	// Text names the controller and its mark of the record, for people.
	Text string
	// Itself is true if the record's own name or content is the mark, and not another
	// record beside it.
	Itself bool
}

// Owners returns the controllers that mark the record of that name and type as their own,
// one of each kind at most. content is that of a CNAME, or the text of a TXT record (see
// Parse).
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

// mark returns the mark by which external-dns owns a record. itself is true if the record
// is that mark.
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

// A comparison compares one record with the marks of its zone.
type comparison struct {
	Zone
	subject

	// allowed holds the results of fit.
	allowed map[options]bool
}

// explained reports whether a record exists whose encrypted mark may have that name.
func (c *comparison) explained(mark string) bool {
	for other, o := range closer(mark, "") {
		if slices.ContainsFunc(c.Types(other), o.namesAndFits) {
			return true
		}
	}
	return false
}

// options are the options of external-dns that a reading of a mark implies.
type options struct {
	owner, typ string
	reading    reading
}

// anothers reports whether a mark that may be the subject's is, with enough certainty,
// another record's.
func (c *comparison) anothers(m Mark, r reading) bool {
	if m.Sealed && !r.namesAndFits(c.typ) {
		return true // Any text in base64 looks like a sealed mark.
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

// outweighs reports whether reading o of a mark rules out reading r. o is for a record of
// type t and a longer name, r is for the subject.
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

// fit reports whether all marks of o.owner can have been made with the options o. The mark
// that o was read from always can.
func (c *comparison) fit(o options) bool {
	known, ok := c.allowed[o]
	if !ok {
		known = !slices.ContainsFunc(c.Marks, func(m Mark) bool { return !m.Sealed && m.Owner == o.owner && !o.reading.allows(o.typ, m.Name) })
		c.allowed[o] = known
	}
	return known
}

// closer yields the names longer than name from which the name of a mark may be made, each
// with its reading. If name is a wildcard, any other name with as many labels counts as
// longer.
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

// typeNames returns the names that external-dns has for types in the names of marks.
func typeNames() []string {
	return []string{"a", "aaaa", "cname", "ns", "mx", "srv", "ptr", "naptr", "dname", "txt"}
}

// suffixed calls try with the names from which the name of a mark may be made with a
// suffix. The names have at least that length.
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
