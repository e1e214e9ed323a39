// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// A recorder records when each line of the demo's output was complete. One goroutine at a time
// writes to it.
type recorder struct {
	began time.Time
	now   func() time.Time
	open  strings.Builder // the incomplete line
	lines []line
}

// A line is a line of output, and the time of its end.
type line struct {
	at   time.Duration
	text string
}

func newRecorder(now func() time.Time) *recorder { return &recorder{began: now(), now: now} }

func (r *recorder) Write(p []byte) (int, error) {
	at := r.now().Sub(r.began)
	r.open.Write(p)
	text := r.open.String()
	for {
		complete, rest, ok := strings.Cut(text, "\n")
		if !ok {
			break
		}
		r.lines = append(r.lines, line{at, complete})
		text = rest
	}
	r.open.Reset()
	r.open.WriteString(text)
	return len(p), nil
}

// save writes the recording as an animated SVG. It first replaces secrets and what differs
// between machines.
func (r *recorder) save(path string, hide *strings.Replacer) error {
	lines := make([]line, len(r.lines))
	for i, l := range r.lines {
		lines[i] = line{l.at, hide.Replace(l.text)}
	}
	if err := os.WriteFile(path, []byte(animate(lines)), 0o644); err != nil { //nolint:gosec // Documentation is for everybody.
		return fmt.Errorf("cannot write the recording: %w", err)
	}
	return nil
}
