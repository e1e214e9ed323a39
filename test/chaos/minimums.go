// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"time"
)

// amounts are what a run does to the provider: processes killed, faults that happened
// to a call, and steps that users carried out.
type amounts struct {
	Kills      float64 `json:"kills"`
	Faults     float64 `json:"faults"`
	Operations float64 `json:"operations"`
}

func (a amounts) String() string {
	return fmt.Sprintf("%.0f kills, %.0f faults, %.0f operations", a.Kills, a.Faults, a.Operations)
}

func (a amounts) minus(b amounts) amounts {
	return amounts{a.Kills - b.Kills, a.Faults - b.Faults, a.Operations - b.Operations}
}

// during is what is asked of a phase of that length, where a is a minute's. What happens
// comes at random: three standard deviations less are let pass, but not nothing at all.
func (a amounts) during(d time.Duration) amounts {
	of := func(perMinute float64) float64 {
		mean := math.Floor(perMinute * d.Minutes())
		return max(min(mean, 1), math.Floor(mean-3*math.Sqrt(mean)))
	}
	return amounts{of(a.Kills), of(a.Faults), of(a.Operations)}
}

// A phaseResult is what a phase did, and what it had to do.
type phaseResult struct {
	Name   string        `json:"name"`
	Lasted time.Duration `json:"lastedNs"`
	Did    amounts       `json:"did"`
	Least  amounts       `json:"least"`
}

// A run of wholeDuration with all phases has to reach wholeLeast, others as much of it
// as they are long: a run that breaks little shows little, however well it ends.
const wholeDuration = 30 * time.Minute

func wholeLeast() amounts { return amounts{Kills: 500, Faults: 10_000, Operations: 3_000} }

// shortfalls are the minimums that a run missed. The whole is judged only where all
// phases were run.
func shortfalls(phasesRun []phaseResult, all bool) []string {
	var (
		out   []string
		did   amounts
		total time.Duration
	)
	for _, p := range phasesRun {
		out = append(out, short(p.Name, p.Did, p.Least)...)
		did = amounts{did.Kills + p.Did.Kills, did.Faults + p.Did.Faults, did.Operations + p.Did.Operations}
		total += p.Lasted
	}
	if !all {
		return out
	}
	scale := total.Minutes() / wholeDuration.Minutes()
	least := wholeLeast()
	return append(out, short("the whole run", did, amounts{
		math.Floor(least.Kills * scale), math.Floor(least.Faults * scale), math.Floor(least.Operations * scale),
	})...)
}

func short(what string, did, least amounts) []string {
	var out []string
	for _, m := range []struct {
		name       string
		did, least float64
	}{
		{"kills", did.Kills, least.Kills}, {"faults", did.Faults, least.Faults}, {"operations", did.Operations, least.Operations},
	} {
		if m.did < m.least {
			out = append(out, fmt.Sprintf("%s: %.0f %s, want %.0f at least", what, m.did, m.name, m.least))
		}
	}
	return out
}
