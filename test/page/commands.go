// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package page

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
)

// A Command is a command behind a prompt, with the output below it.
type Command struct {
	Line  int
	Text  string
	Shown []string
}

// Prompt is the beginning of a command.
const Prompt = "$ "

// Commands parses a console block. A command continues on the next lines until bash accepts it
// as complete.
func (b Block) Commands(ctx context.Context) ([]Command, error) {
	var out []Command
	for i := 0; i < len(b.Lines); i++ {
		text, ok := strings.CutPrefix(b.Lines[i], Prompt)
		switch {
		case ok:
			c := Command{Line: b.Line + 1 + i, Text: text}
			for !whole(ctx, c.Text) {
				i++
				if i == len(b.Lines) {
					return nil, fmt.Errorf("line %d: the command has no end", c.Line)
				}
				c.Text += "\n" + b.Lines[i]
			}
			out = append(out, c)
		case len(out) == 0 && strings.TrimSpace(b.Lines[i]) != "":
			return nil, fmt.Errorf("line %d: output of no command; a command begins with %q", b.Line+1+i, Prompt)
		case len(out) > 0:
			out[len(out)-1].Shown = append(out[len(out)-1].Shown, b.Lines[i])
		}
	}
	return out, nil
}

// whole reports whether bash accepts the text as a complete command.
func whole(ctx context.Context, text string) bool {
	if strings.HasSuffix(text, `\`) {
		return false
	}
	cmd := exec.CommandContext(ctx, "/bin/bash", "-n")
	cmd.Stdin = strings.NewReader(text + "\n")
	out, err := cmd.CombinedOutput()
	return err == nil && len(out) == 0 // bash only warns of an open here-document.
}

// Shows reports whether the page shows output below the command.
func (c *Command) Shows() bool { return strings.TrimSpace(strings.Join(c.Shown, "")) != "" }

var failure = regexp.MustCompile(`(?i)^\s*(error|the .* is invalid:)`)

// Fails reports whether the page shows that the command fails.
func (c *Command) Fails() bool {
	for _, l := range c.Shown {
		if failure.MatchString(l) {
			return true
		}
	}
	return false
}

// Fits reports whether the output and the error of a command are as the page shows.
func (c *Command) Fits(printed string, err error) bool {
	return (err != nil) == c.Fails() && (!c.Shows() || Alike(c.Shown, printed))
}
