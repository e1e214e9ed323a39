// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A row is a line of the table. If the row has a target, reached ends with whether it is
// met.
type row struct {
	kind, measure, target, reached, baseline string
}

// table is the output of the benchmark.
type table struct {
	rows []row
	// notes are details of a case, in the order of the cases.
	notes []note
}

type note struct{ kind, text string }

// add adds a measure that has no target.
func (t *table) add(kind, measure, reached string) {
	t.rows = append(t.rows, row{kind, measure, "", reached, ""})
}

// judge adds a measure with a target, and whether the target is met.
func (t *table) judge(kind, measure, target, reached string, met bool) {
	verdict := "missed"
	if met {
		verdict = "met"
	}
	t.rows = append(t.rows, row{kind, measure, target, reached + ", " + verdict, ""})
}

// compare adds the result of the baseline to a measure of [create].
func (t *table) compare(measure, reached string) { t.beside(caseCreate, measure, reached) }

// beside adds the result of the baseline to a measure of a case.
func (t *table) beside(kind, measure, reached string) {
	for i, r := range t.rows {
		if r.kind == kind && r.measure == measure {
			t.rows[i].baseline = reached
			return
		}
	}
	t.rows = append(t.rows, row{kind, measure, "", "", reached})
}

// fail adds a case that could not be run.
func (t *table) fail(kind string, err error) {
	t.rows = append(t.rows, row{kind, "could not be run", "runs", strings.ReplaceAll(err.Error(), "\n", "; "), ""})
}

func (t *table) note(kind, format string, args ...any) {
	t.notes = append(t.notes, note{kind, fmt.Sprintf(format, args...)})
}

// sentence returns the row as an item of a list.
func (r row) sentence() string {
	out := r.measure + ": " + cmp.Or(r.reached, "-")
	if r.baseline != "" {
		out += " (baseline: " + r.baseline + ")"
	}
	return out
}

// cells returns the rows below a head. An empty cell is "-".
func cells(rows []row) [][]string {
	out := [][]string{{"case", "measure", "target", "reached", "baseline"}}
	for _, r := range rows {
		line := []string{r.kind, r.measure, r.target, r.reached, r.baseline}
		for i, c := range line {
			if c == "" {
				line[i] = "-"
			}
		}
		out = append(out, line)
	}
	return out
}

// text formats the table for a terminal.
func (t *table) text() string {
	cells := cells(t.rows)
	width := make([]int, len(cells[0]))
	for _, line := range cells {
		for i, c := range line {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	var b strings.Builder
	for n, line := range cells {
		writeLine(&b, line, width, " ")
		if n == 0 {
			writeLine(&b, make([]string, len(line)), width, "-")
		}
	}
	return b.String()
}

func writeLine(b *strings.Builder, cells []string, width []int, fill string) {
	for i, c := range cells {
		pad := width[i] - utf8.RuneCountInString(c)
		if i == len(cells)-1 && fill == " " {
			pad = 0
		}
		b.WriteString("| " + c + strings.Repeat(fill, pad) + " ")
	}
	b.WriteString("|\n")
}

// judged returns the rows that have a target. others returns the rows of a case that have
// none.
func (t *table) judged() []row {
	return slices.DeleteFunc(slices.Clone(t.rows), func(r row) bool { return r.target == "" })
}

func (t *table) others(kind string) []row {
	return slices.DeleteFunc(slices.Clone(t.rows), func(r row) bool { return r.target != "" || r.kind != kind })
}

// markdown formats the rows with a target as a table for a document. The other rows are
// details.
func (t *table) markdown() string {
	var b strings.Builder
	for n, line := range cells(t.judged()) {
		for i, c := range line {
			line[i] = strings.ReplaceAll(c, "|", `\|`)
		}
		b.WriteString("| " + strings.Join(line, " | ") + " |\n")
		if n == 0 {
			b.WriteString(strings.Repeat("|---", len(line)) + "|\n")
		}
	}
	return b.String()
}
