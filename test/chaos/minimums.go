// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"time"
)

// amounts are the stress of a run: killed processes, faults of calls, steps of users, and wrong
// answers about one resource, which are faults, too.
type amounts struct {
	Kills      float64 `json:"kills"`
	Faults     float64 `json:"faults"`
	Operations float64 `json:"operations"`
	Wrong      float64 `json:"wrongAnswers"`
}

// promised returns the least amounts of a minute of a whole run.
func promised() amounts { return amounts{Kills: 12, Faults: 500, Operations: 100, Wrong: 30} }

func (a amounts) String() string {
	return fmt.Sprintf("%.0f kills, %.0f faults, %.0f operations, %.0f wrong answers", a.Kills, a.Faults, a.Operations, a.Wrong)
}

func (a amounts) minus(b amounts) amounts {
	return amounts{a.Kills - b.Kills, a.Faults - b.Faults, a.Operations - b.Operations, a.Wrong - b.Wrong}
}

// reach reports whether a is at least b in every amount.
func (a amounts) reach(b amounts) bool {
	return a.Kills >= b.Kills && a.Faults >= b.Faults && a.Operations >= b.Operations && a.Wrong >= b.Wrong
}

// during returns the amounts of a duration, if a is those of a minute.
func (a amounts) during(d time.Duration) amounts {
	of := func(perMinute float64) float64 { return math.Floor(perMinute * d.Minutes()) }
	return amounts{of(a.Kills), of(a.Faults), of(a.Operations), of(a.Wrong)}
}

// A phaseResult is what a phase did, and its minimum.
type phaseResult struct {
	Name   string        `json:"name"`
	Lasted time.Duration `json:"lastedNs"`
	Did    amounts       `json:"did"`
	Least  amounts       `json:"least"`
}

// whole returns the sum of all phases of a run, and the minimum of the run.
func whole(phasesRun []phaseResult, length time.Duration) phaseResult {
	out := phaseResult{Name: "the run", Least: promised().during(length)}
	for _, p := range phasesRun {
		d := p.Did
		out.Did = amounts{out.Did.Kills + d.Kills, out.Did.Faults + d.Faults, out.Did.Operations + d.Operations, out.Did.Wrong + d.Wrong}
		out.Lasted += p.Lasted
	}
	return out
}

// shortfalls returns the minimums that phases missed. A run that breaks little proves little,
// however well it ends.
func shortfalls(phasesRun []phaseResult) []string {
	var out []string
	for _, p := range phasesRun {
		for _, m := range []struct {
			name       string
			did, least float64
		}{
			{"kills", p.Did.Kills, p.Least.Kills},
			{"faults", p.Did.Faults, p.Least.Faults},
			{"operations", p.Did.Operations, p.Least.Operations},
			{"wrong answers", p.Did.Wrong, p.Least.Wrong},
		} {
			if m.did < m.least {
				out = append(out, fmt.Sprintf("%s: %.0f %s, want %.0f at least", p.Name, m.did, m.name, m.least))
			}
		}
	}
	return out
}
