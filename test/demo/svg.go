// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/xml"
	"fmt"
	"strings"
	"time"
)

// The size of the terminal in a recording, in characters and pixels.
const (
	cols, rowsShown  = 132, 30
	charWide         = 843 // hundredths of a pixel, in the font below
	rowTall          = 19
	padding, barTall = 16, 32
)

// The speed of a recording: long waits are shortened, lines at the same time are spread so that
// they can be read, and the end stays for a while.
const (
	longestWait  = 1500 * time.Millisecond
	shortestWait = 60 * time.Millisecond
	beforeTitle  = 1200 * time.Millisecond
	atTheEnd     = 8 * time.Second
)

// animate draws lines as a terminal that shows them one after the other, repeatedly. It needs
// no script, so that pages can show it as a picture. Without animation it shows the first
// lines.
func animate(lines []line) string {
	shown := paced(wrapped(lines))
	total := atTheEnd
	if n := len(shown); n > 0 {
		total += shown[n-1].at
	}
	wide, tall := cols*charWide/100+2*padding, rowsShown*rowTall+2*padding+barTall
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" xml:space="preserve">
<title>A recording of make demo</title>
<style>
text{font:14px/1 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;fill:#c6d0db}
.t{fill:#7ed3b2;font-weight:bold}.c{fill:#fff;font-weight:bold}.k{fill:#7ed3b2}.d{fill:#f2c97d}
#s,text{animation-duration:%.2fs;animation-iteration-count:infinite;animation-timing-function:step-end}
`, wide, tall, total.Seconds())
	keyframes(&b, shown, total)
	fmt.Fprintf(&b, `@media (prefers-reduced-motion:reduce){#s,text{animation:none!important}}
</style>
<rect width="%d" height="%d" rx="10" fill="#16202c"/>
<g><circle cx="22" cy="16" r="5" fill="#e0695f"/><circle cx="40" cy="16" r="5" fill="#f2c97d"/><circle cx="58" cy="16" r="5" fill="#7ed3b2"/></g>
<svg x="%d" y="%d" width="%d" height="%d"><g id="s">
`, wide, tall, padding, barTall+padding, wide-2*padding, rowsShown*rowTall)
	for i, l := range shown {
		fmt.Fprintf(&b, `<text y="%d"%s style="animation-name:r%d">%s</text>`+"\n", i*rowTall+14, class(l.text), i, escaped(l.text))
	}
	b.WriteString("</g></svg>\n</svg>\n")
	return b.String()
}

// keyframes makes each row appear at its time, and moves the rows up when there is no room.
func keyframes(b *strings.Builder, shown []line, total time.Duration) {
	var scroll strings.Builder
	for i, l := range shown {
		at := 100 * l.at.Seconds() / total.Seconds()
		fmt.Fprintf(b, "@keyframes r%d{0%%{visibility:hidden}%.2f%%,100%%{visibility:visible}}\n", i, at)
		if i >= rowsShown {
			fmt.Fprintf(&scroll, "%.2f%%{transform:translateY(%dpx)}", at, (rowsShown-1-i)*rowTall)
		}
	}
	last := max(len(shown)-rowsShown, 0)
	fmt.Fprintf(b, "#s{animation-name:scroll}@keyframes scroll{0%%{transform:none}%s100%%{transform:translateY(%dpx)}}\n", scroll.String(), -last*rowTall)
}

// wrapped breaks lines that are longer than the terminal's width.
func wrapped(lines []line) []line {
	var out []line
	for _, l := range lines {
		rest := []rune(l.text)
		for len(rest) > cols {
			out = append(out, line{l.at, string(rest[:cols])})
			rest = rest[cols:]
		}
		out = append(out, line{l.at, string(rest)})
	}
	return out
}

// paced returns the lines with the times at which a recording shows them.
func paced(lines []line) []line {
	out := make([]line, len(lines))
	var at, was time.Duration
	for i, l := range lines {
		wait := min(max(l.at-was, shortestWait), longestWait)
		if i > 0 && strings.HasPrefix(l.text, titleMark) {
			wait = max(wait, beforeTitle)
		}
		at, was = at+wait, l.at
		out[i] = line{at, l.text}
	}
	return out
}

// class returns the style of a line.
func class(text string) string {
	for _, c := range []struct{ prefix, class string }{{titleMark, "t"}, {prompt, "c"}, {more, "c"}, {"ok ", "k"}, {"after ", "d"}, {"In the dashboard", "d"}} {
		if strings.HasPrefix(text, c.prefix) {
			return fmt.Sprintf(" class=%q", c.class)
		}
	}
	return ""
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // A strings.Builder returns no error.
	return b.String()
}
