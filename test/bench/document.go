// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// document is the result with everything that is needed to read and to repeat it.
func (b *bench) document() string {
	m, s := b.machine, b.size
	var d strings.Builder
	fmt.Fprintf(&d, `# Benchmarks

This file is written by `+"`%s`"+`. Every figure in it was measured in that run; a case that failed or was cut says so.

| | |
|---|---|
| date | %s |
| revision | %s |
| machine | %s, %d cores, %s of memory, %s |
| Go | %s |

%s%s`, b.command(), m.began.UTC().Format("2006-01-02 15:04 UTC"), m.revision, m.cpu, m.cores, m.memory, m.system, m.goVersion, b.scale(), b.table.markdown())
	fmt.Fprintf(&d, `
Everything shares the machine: etcd and kube-apiserver, the simulator of the Cloudflare API, the provider, and the driver, which applies the
Records and watches them. The simulator answers after %s, half of it before it carries a request out, and allows
each credential 1,200 requests in five minutes. Calls to Cloudflare are counted by the simulator, requests to the Kubernetes API by the provider's own client
(totals) and by the API server (kinds). MB are millions of bytes.

The Records: %s.

The baseline is a plain connector on a stock crossplane-runtime reconciler: one GET for each observation, one POST for each creation, a poll each
minute, 100 workers (test/bench/baseline). It has the same Records, control plane, latency and limit, and is cut after %s.

The fewest requests are those of a program that sends for each of the same Records the three writes that no crash-safe Crossplane controller can
do without, and nothing else (test/bench/minimal says why three). It has the provider's client and watch, as many workers as one provider config has there, and writes objects of the
same size. It makes no call to Cloudflare and so waits for none: the simulator's latency is the provider's alone. What it asks for beyond three
requests is its watch, again, where the API server ended it. CPU of kube-apiserver includes what the applies and the watches cost.

## Details
`, span(latency), mix, span(s.baselineLimit))
	for _, c := range caseNames() {
		first := true
		for _, n := range b.table.notes {
			if n.kind != c {
				continue
			}
			if first {
				fmt.Fprintf(&d, "\n### %s\n\n", c)
				first = false
			}
			fmt.Fprintf(&d, "- %s\n", n.text)
		}
	}
	d.WriteString("\n## Go benchmarks\n\n`make bench-go` runs those of the packages, in the form that benchstat reads.\n")
	return d.String()
}

// scale says what is smaller than in the full run, nothing of a full run.
func (b *bench) scale() string {
	if !b.flags.Quick {
		return ""
	}
	s, f := b.size, fullSize()
	return fmt.Sprintf("This is the quick run, of the same cases, small: %d Records to create (not %d) in batches of at most %d (%d), %d Records in %d zones (%d in %d), "+
		"%s of steady state (%s), sweeps each %s (%s), %d edits (%d) during %d creations (%d). The targets are those of the full run.\n\n",
		s.create, f.create, s.maxBatch, f.maxBatch, s.records(), s.zones, f.records(), f.zones,
		span(s.steady), span(f.steady), span(s.interval), span(f.interval), s.edits, f.edits, s.burst, f.burst)
}

// command is how to run the same again.
func (b *bench) command() string {
	command := "make bench"
	if b.flags.Quick {
		command = "make bench-quick"
	}
	var args []string
	if len(b.flags.Cases) > 0 {
		args = append(args, "--cases "+strings.Join(b.flags.Cases, ","))
	}
	if b.flags.ProviderArgs != "" {
		args = append(args, fmt.Sprintf("--provider-args=%q", b.flags.ProviderArgs))
	}
	if len(args) > 0 {
		command += fmt.Sprintf(" BENCHARGS='%s'", strings.Join(args, " "))
	}
	return command
}

func writeDocument(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return fmt.Errorf("cannot write the results: %w", err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil { //nolint:gosec // Documentation is for everybody.
		return fmt.Errorf("cannot write the results: %w", err)
	}
	return nil
}

// has reports whether a case has a row.
func (t *table) has(kind string) bool {
	return slices.ContainsFunc(t.rows, func(r row) bool { return r.kind == kind })
}
