// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package ownership

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const template = "%{record_type}"

// externalDNS are the options of one external-dns.
type externalDNS struct {
	owner, prefix, suffix, wildcard string
	// old is true if it writes the format of before 0.18 as well.
	old bool
}

// marks returns the names of the marks that it makes for a record, the new format last.
func (o externalDNS) marks(r record) []string {
	label, rest, _ := strings.Cut(r.name, ".")
	if label == "*" && o.wildcard != "" {
		label = o.wildcard
	}
	with := func(typ, label string) string {
		return strings.ReplaceAll(o.prefix, template, typ) + label + strings.ReplaceAll(o.suffix, template, typ) + "." + rest
	}
	var out []string
	if o.old && r.typ != "AAAA" {
		out = append(out, with("", label))
	}
	typ := strings.ToLower(r.typ)
	if !strings.Contains(o.prefix+o.suffix, template) {
		label = typ + "-" + label
	}
	return append(out, with(typ, label))
}

type record struct{ name, typ string }

// drawAffix draws a prefix or a suffix in which no type is a word.
func drawAffix(t *rapid.T, what string) string {
	parts := rapid.SliceOfN(rapid.SampledFrom([]string{"b", "d", "bd", "-", ".", "txt", "dns"}), 0, 4)
	affix := strings.Join(parts.Draw(t, what), "")
	if rapid.Bool().Draw(t, what+" has a template") {
		affix += template + rapid.SampledFrom([]string{"", "-", ".", "-b-", "-d.", "d"}).Draw(t, what+"'s end")
	}
	return affix
}

func drawExternalDNS(t *rapid.T, owner string) externalDNS {
	o := externalDNS{owner: owner, old: rapid.Bool().Draw(t, "old format")}
	switch rapid.IntRange(0, 2).Draw(t, "affix") {
	case 1:
		o.prefix = drawAffix(t, "prefix")
	case 2:
		o.suffix = drawAffix(t, "suffix")
	}
	o.wildcard = rapid.SampledFrom([]string{"", "w", "wild-w"}).Draw(t, "wildcard replacement")
	return o
}

func drawRecord(t *rapid.T) record {
	label := rapid.SampledFrom([]string{"b", "d", "bd", "db", "b-d", "shop", "my-shop"})
	labels := append(rapid.SliceOfN(label, 0, 2).Draw(t, "labels"), "example.com")
	if rapid.IntRange(0, 5).Draw(t, "wildcard") == 0 {
		labels = append([]string{"*"}, labels...)
	}
	types := rapid.SampledFrom([]string{"A", "AAAA", "CNAME", "MX", "SRV", "TXT", "CAA"})
	return record{strings.Join(labels, "."), types.Draw(t, "type")}
}

func drawRecords(t *rapid.T, what string) []record {
	return rapid.SliceOfN(rapid.Custom(drawRecord), 0, 6).Draw(t, what)
}

// zoneOf returns a zone of the records and marks that each external-dns has made, and of
// other records. A mark that would lie outside the zone is left out.
func zoneOf(owned map[externalDNS][]record, others []record) Zone {
	types := map[string][]string{}
	z := Zone{Types: func(name string) []string { return types[name] }}
	for o, rs := range owned {
		for _, r := range rs {
			types[r.name] = append(types[r.name], r.typ)
			for _, name := range o.marks(r) {
				if strings.HasSuffix(name, ".example.com") {
					z.Marks = append(z.Marks, Mark{Name: name, Owner: o.owner})
				}
			}
		}
	}
	for _, r := range others {
		types[r.name] = append(types[r.name], r.typ)
	}
	return z
}

// unclear reports whether the mark of r is the mark that another record would have without
// prefix and suffix. The package's documentation lets the other record have such a mark.
func unclear(o externalDNS, r record, all []record) bool {
	if !strings.Contains(o.prefix+o.suffix, ".") && !strings.HasPrefix(r.name, "*.") {
		return false
	}
	return slices.ContainsFunc(all, func(other record) bool {
		return other.name != r.name && slices.ContainsFunc(o.marks(r), func(mark string) bool {
			return mark == other.name || mark == strings.ToLower(other.typ)+"-"+other.name || other.typ == "A" && mark == "cname-"+other.name
		})
	})
}

// TestOwnedIsRecognised checks that the records that external-dns owns are recognised, with
// any options of external-dns and beside any other records, except in the cases that the
// package's documentation names.
func TestOwnedIsRecognised(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, second := drawExternalDNS(t, "first"), drawExternalDNS(t, "second")
		owned := map[externalDNS][]record{first: drawRecords(t, "of the first"), second: drawRecords(t, "of the second")}
		others := drawRecords(t, "of nobody")
		z := zoneOf(owned, others)
		all := slices.Concat(owned[first], owned[second], others)
		for o, rs := range owned {
			for _, r := range rs {
				marks := o.marks(r)
				mark := marks[len(marks)-1]
				if !strings.HasSuffix(mark, ".example.com") || unclear(o, r, all) {
					continue
				}
				if z.owner(r.name, r.typ, "") == "" {
					t.Fatalf("%+v is not recognised by its mark %s, of %+v", r, mark, o)
				}
			}
		}
	})
}

// TestUnownedIsLeft checks that a record is left alone beside an external-dns without prefix
// and suffix that does not have the record's name. The exception is a name that differs from
// the mark's in the first label only, if all of the owner's marks have that difference.
func TestUnownedIsLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := externalDNS{owner: "first", old: rapid.Bool().Draw(t, "old format")}
		owned := slices.DeleteFunc(drawRecords(t, "owned"), func(r record) bool { return strings.HasPrefix(r.name, "*.") })
		r := drawRecord(t)
		if slices.ContainsFunc(owned, func(own record) bool { return own.name == r.name }) {
			return
		}
		z := zoneOf(map[externalDNS][]record{o: owned}, []record{r})
		if got := z.owner(r.name, r.typ, ""); got != "" && !shared(z, r) {
			t.Fatalf("%+v is refused for %s, of %+v", r, got, z.Marks)
		}
	})
}

// shared reports whether all marks have the text by which a mark beside r differs from r.
func shared(z Zone, r record) bool {
	label, rest, _ := strings.Cut(r.name, ".")
	return slices.ContainsFunc(z.Marks, func(m Mark) bool {
		first, parent, _ := strings.Cut(m.Name, ".")
		_, bare, _ := strings.Cut(first, "-")
		return parent == rest && slices.ContainsFunc([]string{first, bare}, func(first string) bool {
			more := strings.Replace(first, label, "", 1)
			return len(more) < len(first) && !slices.ContainsFunc(z.Marks, func(m Mark) bool { return !strings.Contains(m.Name, more) })
		})
	})
}

// TestSealedIsRecognised checks that the records of an external-dns that encrypts its marks,
// without prefix and suffix, are recognised beside any other records. Of the other records
// it expects only those to be taken for owned whose type the mark's name has in front of a
// longer name.
func TestSealedIsRecognised(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		owned, others := drawRecords(t, "owned"), drawRecords(t, "of nobody")
		notHere := func(r record) bool { return strings.HasPrefix(r.name, "*.") || r.name == "example.com" } // Its mark is outside of the zone.
		owned, others = slices.DeleteFunc(owned, notHere), slices.DeleteFunc(others, notHere)
		z := zoneOf(map[externalDNS][]record{{owner: "first"}: owned}, others)
		for i := range z.Marks {
			z.Marks[i] = Mark{Name: z.Marks[i].Name, Sealed: true}
		}
		for _, r := range owned {
			if slices.Contains(typeNames(), strings.ToLower(r.typ)) && r.typ != "TXT" && z.owner(r.name, r.typ, "") == "" {
				t.Fatalf("%+v is not recognised among %+v", r, z.Marks)
			}
		}
		for _, r := range others {
			front := strings.ToLower(r.typ) + "-"
			mark := func(m Mark) bool {
				return strings.Contains(m.Name, front) || r.typ == "A" && strings.Contains(m.Name, "cname-")
			}
			if got := z.owner(r.name, r.typ, ""); got != "" && !slices.ContainsFunc(z.Marks, mark) {
				t.Fatalf("%+v is refused for %s", r, got)
			}
		}
	})
}
