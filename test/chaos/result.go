// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A result is what one run found and did.
type result struct {
	Seed      uint64 `json:"seed"`
	Revision  string `json:"revision,omitempty"`
	Duration  string `json:"duration"`
	Havoc     string `json:"havoc"`     // the time in which the phases broke the system
	Converged string `json:"converged"` // the time until the system was at rest without violations

	Kills       int `json:"kills"` // of providers
	LeaderKills int `json:"leaderKills"`
	Exits       int `json:"exits"`  // of providers by themselves
	Starts      int `json:"starts"` // of providers
	APIKilled   int `json:"apiServerKilled"`
	APIStopped  int `json:"apiServerStopped"`

	Operations map[deed]int   `json:"operations"`
	Missed     map[deed]int   `json:"missed"`       // steps about an object that did not exist
	Faults     map[string]int `json:"faults"`       // how often each hit a call
	Wrong      int            `json:"wrongAnswers"` // faults in which an outdated copy answered about one resource
	Phases     []phaseResult  `json:"phases"`
	Shortfalls []string       `json:"shortfalls"` // missed minimums

	Outages      map[string]int `json:"outageCalls"` // calls by the only kind of failure at that time
	OutageCalls  int            `json:"outageCallsInAll"`
	OutageLasted time.Duration  `json:"outageLastedNs"`
	OutageBound  int            `json:"outageCallsAtMost"`

	Calls         int            `json:"calls"`
	Writes        int            `json:"writes"`
	Statuses      map[string]int `json:"statuses"`
	MostPerMinute int            `json:"mostCallsInAMinute"`
	QuietCalls    int            `json:"callsAtRest"`

	Objects int `json:"objects"`
	Zones   int `json:"zoneObjects"`
	// Resources counts the objects of described kinds, and LiveResources their resources at
	// Cloudflare.
	Resources     int `json:"resourceObjects"`
	LiveResources int `json:"liveResources"`
	Live          int `json:"liveRecords"`
	Foreign       int `json:"foreignRecords"`
	Orphaned      int `json:"orphanedOnPurpose"`

	Counts     map[string]int `json:"violationsByKind"`
	Violations []violation    `json:"violations"`
	Logs       string         `json:"logs,omitempty"`
}

// finish fills in the counts of other parts.
func (r *result) finish(c *chaos, f facts, found []violation) {
	r.Kills, r.LeaderKills, r.Exits, r.Starts = c.fleet.kills, c.fleet.leaders, c.fleet.exits, c.fleet.starts
	r.APIKilled, r.APIStopped = c.outages[0], c.outages[1]
	r.Operations, r.Missed = c.users.done, c.users.missed
	r.Calls, r.Writes, r.MostPerMinute, r.Faults, r.Statuses = c.world.watch.figures()
	r.Objects, r.Zones, r.Foreign, r.Orphaned = len(f.Objects), len(f.ZoneObjects), len(f.Foreign), len(f.Grants)
	r.Resources, r.LiveResources = len(f.ResourceObjects), len(f.LiveResources)
	_, r.Wrong = c.world.watch.fires()
	r.Shortfalls = shortfalls(r.Phases)
	if len(c.Phases) == 0 {
		r.Shortfalls = shortfalls(append(slices.Clone(r.Phases), whole(r.Phases, c.Duration)))
	}
	for _, all := range f.Live {
		r.Live += len(all)
	}
	r.Violations, r.Counts = found, kinds(found)
}

// counted formats numbers by name, the largest first.
func counted[K ~string](n map[K]int) string {
	keys := slices.Sorted(maps.Keys(n))
	slices.SortStableFunc(keys, func(a, b K) int { return n[b] - n[a] })
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = fmt.Sprintf("%d %s", n[k], k)
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

func sum[K ~string](n map[K]int) int {
	total := 0
	for _, v := range n {
		total += v
	}
	return total
}

// text formats r for a reader.
func (r *result) text() string {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-22s %s\n", name, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(&b, "\nchaos: seed %d, %s of havoc\n", r.Seed, r.Havoc)
	row("provider", "%d killed (%d of them leaders), %d ended by themselves, %d starts", r.Kills, r.LeaderKills, r.Exits, r.Starts)
	row("API server", "%d killed, %d asked to end", r.APIKilled, r.APIStopped)
	row("faults", "%d, of which %d wrong answers about one thing: %s", sum(r.Faults), r.Wrong, counted(r.Faults))
	row("operations", "%d: %s", sum(r.Operations), counted(r.Operations))
	row("without effect", "%d: %s", sum(r.Missed), counted(r.Missed))
	row("Cloudflare calls", "%d, of which %d writes: %s", r.Calls, r.Writes, counted(r.Statuses))
	row("most in a minute", "%d", r.MostPerMinute)
	row("in the outage", "%d calls in %s, of %d at most: %s", r.OutageCalls, r.OutageLasted.Round(time.Second), r.OutageBound, counted(r.Outages))
	for _, p := range r.Phases {
		row(p.Name, "%s (at least %s)", p.Did, p.Least)
	}
	row("in the end", "%d Records, %d Zones, %d live records, %d of them foreign, %d orphaned on purpose at most", r.Objects, r.Zones, r.Live, r.Foreign, r.Orphaned)
	row("converged", "%s after the last fault; %d calls in %s at rest", r.Converged, r.QuietCalls, quietTime)
	for _, kind := range losses() {
		row(kind, "%d", r.Counts[kind])
	}
	for _, s := range r.Shortfalls {
		row("TOO LITTLE", "%s", s)
	}
	if len(r.Violations) == 0 {
		row("violations", "0")
		return b.String()
	}
	row("violations", "%d: %s", len(r.Violations), counted(r.Counts))
	for _, v := range r.Violations {
		fmt.Fprintf(&b, "\n%s: object %q, record %q: %s\n", strings.ToUpper(v.Kind), v.Object, v.Record, v.Detail)
		if v.Conditions != "" {
			fmt.Fprintf(&b, "%s\n", v.Conditions)
		}
		for _, l := range v.History {
			fmt.Fprintf(&b, "  object %s\n", l)
		}
		for _, l := range v.Log {
			fmt.Fprintf(&b, "  call   %s\n", l)
		}
	}
	fmt.Fprintf(&b, "\nagain: make chaos SEED=%d CHAOS_DURATION=%s (logs of this run: %s)\n", r.Seed, r.Duration, r.Logs)
	return b.String()
}

// losses returns the kinds of violations for which every report has a line.
func losses() []string {
	return []string{vDuplicate, vLost, vOrphan, vForeign, vStuck, vHuman, vNotReady, vLocked}
}

// writeResults writes the results as JSON.
func writeResults(path string, results []*result) error {
	raw, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return fmt.Errorf("cannot write the results: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return fmt.Errorf("cannot write the results: %w", err)
	}
	if err := os.WriteFile(path, append(raw, '\n'), 0o600); err != nil {
		return fmt.Errorf("cannot write the results: %w", err)
	}
	return nil
}
