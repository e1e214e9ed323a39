// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// A command is written behind a prompt, and what is shown below it.
type command struct {
	line  int
	text  string
	shown []string
}

const prompt = "$ "

// commandsOf takes a console block apart. A command goes on over lines until bash
// finds it whole. narrated are lines that tell of something else; nil is none.
func commandsOf(t *testing.T, b block, narrated *regexp.Regexp) ([]command, error) {
	t.Helper()
	var out []command
	for i := 0; i < len(b.lines); i++ {
		text, ok := strings.CutPrefix(b.lines[i], prompt)
		switch {
		case ok:
			c := command{line: b.line + 1 + i, text: text}
			for !whole(t, c.text) {
				i++
				if i == len(b.lines) {
					return nil, fmt.Errorf("line %d: the command has no end", c.line)
				}
				c.text += "\n" + b.lines[i]
			}
			out = append(out, c)
		case narrated != nil && narrated.MatchString(b.lines[i]):
		case len(out) == 0 && strings.TrimSpace(b.lines[i]) != "":
			return nil, fmt.Errorf("line %d: output of no command; a command begins with %q", b.line+1+i, prompt)
		case len(out) > 0:
			out[len(out)-1].shown = append(out[len(out)-1].shown, b.lines[i])
		}
	}
	return out, nil
}

// whole reports whether bash takes the text for something that is not to go on.
func whole(t *testing.T, text string) bool {
	t.Helper()
	if strings.HasSuffix(text, `\`) {
		return false
	}
	out, err := tool(t.Context(), "", nil, strings.NewReader(text+"\n"), "/bin/bash", "-n")
	return err == nil && out == "" // It only warns of a here-document that is open.
}

// shows reports whether anything is shown below the command.
func (c command) shows() bool { return strings.TrimSpace(strings.Join(c.shown, "")) != "" }

var failure = regexp.MustCompile(`(?i)^\s*(error|the .* is invalid:)`)

// fails reports whether the page shows that the command does.
func (c command) fails() bool {
	for _, l := range c.shown {
		if failure.MatchString(l) {
			return true
		}
	}
	return false
}

func TestCommandsOf(t *testing.T) {
	t.Parallel()
	b := block{line: 10, lines: strings.Split("$ a 'b\nc' \\\n  d\n\nout\n$ cat <<END\n$ no command\nEND\nerror: so\n=== comment\n$ e # f", "\n")}
	got, err := commandsOf(t, b, regexp.MustCompile(`^===`))
	if err != nil || len(got) != 3 {
		t.Fatalf("%d commands (%v): %+v", len(got), err, got)
	}
	if got[0].text != "a 'b\nc' \\\n  d" || !got[0].shows() || got[0].fails() || got[0].line != 11 {
		t.Errorf("the first is %+v", got[0])
	}
	if !strings.HasSuffix(got[1].text, "\nEND") || !got[1].fails() || len(got[1].shown) != 1 {
		t.Errorf("the second is %+v", got[1])
	}
	if got[2].text != "e # f" || got[2].shows() {
		t.Errorf("the third is %+v", got[2])
	}
	for _, text := range []string{"no prompt", "$ open 'quote"} {
		if _, err := commandsOf(t, block{lines: []string{text}}, nil); err == nil {
			t.Errorf("%s: taken", text)
		}
	}
}
