// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package page parses the Markdown of the documentation: its fenced blocks, the commands in
// them, and their output. test/docs defines the words behind a fence.
package page

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A Page is a Markdown file.
type Page struct {
	Path     string // from the repository's root
	Blocks   []Block
	Headings []Heading
	Links    []Link
	Prose    string // the text outside of fenced blocks
}

// A Block is a fenced block.
type Block struct {
	Line  int    // the fence's
	Info  string // the text behind the fence
	Lines []string
}

// A Heading begins a section.
type Heading struct {
	Line, Level int
	Anchor      string
}

// A Link is a link, with the line on which it is.
type Link struct {
	Line   int
	Target string
}

// Text returns the text between the fences.
func (b Block) Text() string { return strings.Join(b.Lines, "\n") + "\n" }

// Lang returns the first word behind the fence.
func (b Block) Lang() string {
	w, _, _ := strings.Cut(b.Info, " ")
	return w
}

// Word reports whether a word follows the language behind the fence, and returns its value
// behind "=".
func (b Block) Word(name string) (value string, ok bool) {
	for _, w := range strings.Fields(b.Info)[min(1, len(strings.Fields(b.Info))):] {
		if key, value, _ := strings.Cut(w, "="); key == name {
			return value, true
		}
	}
	return "", false
}

var (
	fence      = regexp.MustCompile("^( *)(```+|~~~+) *(.*)$")
	heading    = regexp.MustCompile(`^(#{1,6}) +(.*?) *#*$`)
	inlineLink = regexp.MustCompile(`\]\(([^()\s]+(?:\([^()]*\))?[^()\s]*)\)`)
	inlineCode = regexp.MustCompile("`[^`]*`")
	linkedText = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// Code returns the inline code of a text, with its marks.
func Code(text string) []string { return inlineCode.FindAllString(text, -1) }

// WithoutCode returns a text without its inline code.
func WithoutCode(text string) string { return inlineCode.ReplaceAllString(text, "") }

// Parse parses the text of a page.
func Parse(path, text string) (Page, error) {
	p := Page{Path: path}
	var open *Block
	var indent, marker string
	var prose []string
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case open != nil && m != nil && strings.HasPrefix(m[2], marker) && m[3] == "":
			p.Blocks = append(p.Blocks, *open)
			open = nil
		case open != nil:
			open.Lines = append(open.Lines, strings.TrimPrefix(line, indent))
		case m != nil:
			open, indent, marker = &Block{Line: i + 1, Info: m[3]}, m[1], m[2]
		default:
			prose = append(prose, line)
			p.read(i+1, line)
		}
	}
	if open != nil {
		return p, fmt.Errorf("%s:%d: the block is not closed", path, open.Line)
	}
	p.Prose = strings.Join(prose, "\n")
	return p, nil
}

// read parses a line outside of blocks.
func (p *Page) read(n int, line string) {
	if m := heading.FindStringSubmatch(line); m != nil {
		p.Headings = append(p.Headings, Heading{n, len(m[1]), p.newAnchor(anchorOf(m[2]))})
	}
	for _, m := range inlineLink.FindAllStringSubmatch(WithoutCode(line), -1) {
		p.Links = append(p.Links, Link{n, m[1]})
	}
}

// newAnchor returns the anchor of a new heading. It numbers anchors that exist already, as
// GitHub does.
func (p *Page) newAnchor(a string) string {
	name := a
	for n := 1; p.HasAnchor(name); n++ {
		name = fmt.Sprintf("%s-%d", a, n)
	}
	return name
}

// HasAnchor reports whether a heading of the page has the anchor.
func (p *Page) HasAnchor(a string) bool {
	return slices.ContainsFunc(p.Headings, func(h Heading) bool { return h.Anchor == a })
}

// Before returns the page up to the first heading with one of these anchors.
func (p *Page) Before(anchors ...string) Page {
	i := slices.IndexFunc(p.Headings, func(h Heading) bool { return slices.Contains(anchors, h.Anchor) })
	if i < 0 {
		return *p
	}
	out, end := *p, p.Headings[i].Line
	out.Headings = p.Headings[:i]
	out.Blocks = slices.DeleteFunc(slices.Clone(p.Blocks), func(b Block) bool { return b.Line > end })
	out.Links = slices.DeleteFunc(slices.Clone(p.Links), func(l Link) bool { return l.Line > end })
	return out
}

// anchorOf returns GitHub's anchor of a heading.
func anchorOf(text string) string {
	text = linkedText.ReplaceAllString(text, "$1")
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}
