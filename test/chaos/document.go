// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// writeDocument writes the results as a page.
func writeDocument(path string, results []*result) error {
	if err := os.WriteFile(path, []byte(document(results)), 0o644); err != nil { //nolint:gosec // a page for everybody
		return fmt.Errorf("cannot write the page: %w", err)
	}
	return nil
}

// document returns a page with the results of runs.
func document(results []*result) string {
	var b strings.Builder
	b.WriteString(`# Chaos

` + "`make chaos`" + ` writes this page. It runs the provider, the API server and the simulated Cloudflare API as processes,
breaks them on purpose while users work, and then compares what is declared with what is live ([how](../../CONTRIBUTING.md#break-it)).
`)
	for _, r := range results {
		r.write(&b)
	}
	return b.String()
}

func (r *result) write(b *strings.Builder) {
	verdict := "passed"
	if len(r.Violations)+len(r.Shortfalls) > 0 {
		verdict = "FAILED"
	}
	revision := ""
	if r.Revision != "" {
		revision = ", revision " + r.Revision
	}
	fmt.Fprintf(b, "\n## Seed %d%s: %s\n\n", r.Seed, revision, verdict)
	table(b, [2]string{"what", "how much"}, [][2]string{
		{"things were broken for", r.Duration + " (" + r.Havoc + " until the last user had ended)"},
		{"the provider was killed", fmt.Sprintf("%d times, %d of them the leader of two replicas", r.Kills, r.LeaderKills)},
		{"the API server was killed, asked to end", fmt.Sprintf("%d times, %d times", r.APIKilled, r.APIStopped)},
		{"faults of the Cloudflare API that happened to a call", fmt.Sprint(sum(r.Faults))},
		{"of these, wrong answers about one thing, by a copy that is behind", fmt.Sprint(r.Wrong)},
		{"operations of users", fmt.Sprint(sum(r.Operations))},
		{"calls to Cloudflare", fmt.Sprintf("%d, of which %d writes; the limit is %d in five minutes for each credential", r.Calls, r.Writes, requestsAllowed)},
		{"calls while every call failed", fmt.Sprintf("%d in %s, of %d at most", r.OutageCalls, r.OutageLasted.Round(time.Second), r.OutageBound)},
		{"what was there in the end", fmt.Sprintf("%d Records, %d Zones, %d objects of described kinds, %d live records, %d of them foreign", r.Objects, r.Zones, r.Resources, r.Live, r.Foreign)},
		{"all was well", r.Converged + " after the last fault"},
		{"calls at rest", fmt.Sprintf("%d in %s", r.QuietCalls, quietTime)},
	})
	b.WriteString("\nWhat was lost:\n\n")
	var lost [][2]string
	for _, kind := range losses() {
		lost = append(lost, [2]string{kind, fmt.Sprint(r.Counts[kind])})
	}
	table(b, [2]string{"violation", "number"}, append(lost, [2]string{"all kinds", fmt.Sprint(len(r.Violations))}))
	b.WriteString("\nEach phase, and what it has to reach at least (after the stroke):\n\n")
	b.WriteString("| phase | lasted | kills | faults | operations | wrong answers |\n|---|---|---|---|---|---|\n")
	for _, p := range r.Phases {
		fmt.Fprintf(b, "| %s | %s | %.0f/%.0f | %.0f/%.0f | %.0f/%.0f | %.0f/%.0f |\n", p.Name, p.Lasted.Round(time.Second),
			p.Did.Kills, p.Least.Kills, p.Did.Faults, p.Least.Faults, p.Did.Operations, p.Least.Operations, p.Did.Wrong, p.Least.Wrong)
	}
	for _, s := range r.Shortfalls {
		fmt.Fprintf(b, "\nToo little: %s.\n", s)
	}
	fmt.Fprintf(b, "\n```text\nfaults: %s\n\noperations: %s\n```\n", counted(r.Faults), counted(r.Operations))
}

func table(b *strings.Builder, head [2]string, rows [][2]string) {
	fmt.Fprintf(b, "| %s | %s |\n|---|---|\n", head[0], head[1])
	for _, row := range rows {
		fmt.Fprintf(b, "| %s | %s |\n", row[0], row[1])
	}
}
