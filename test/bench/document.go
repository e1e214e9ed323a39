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

// detailsFile is written beside the figures of the charts.
const detailsFile = "benchmark-details.txt"

// document returns the result, with everything that a reader needs to understand and to
// repeat it. charts shows a series, and details is the path of the calls of each case.
func (b *bench) document(charts, details string) string {
	m, s := b.machine, b.size
	var d strings.Builder
	fmt.Fprintf(&d, `# Benchmarks

This file is written by `+"`%s`"+`. The charts name the run that their figures are from.

| | |
|---|---|
| date | %s |
| revision | %s |
| machine | %s, %d cores, %s of memory, %s |
| Go | %s |

%s%s`, b.command(), m.began.UTC().Format("2006-01-02 15:04 UTC"), m.revision, m.cpu, m.cores, m.memory, m.system, m.goVersion, b.scale(), b.table.markdown())
	fmt.Fprintf(&d, `
All processes share the machine: etcd, kube-apiserver, the simulator, the provider, and the driver that applies and watches the objects.
The simulator answers after %s, half of it before it carries a request out. Each credential has 1,200 requests in five minutes.
MB are millions of bytes.

The Records: %s.

The baseline is a plain connector on crossplane-runtime: a GET for each observation, a POST for each creation, a poll each minute,
100 workers (test/bench/baseline). It ends after %s. That of [sets] compares each element with each.

The fewest requests are those of a program that sends only the three writes that a crash-safe creation needs (test/bench/minimal), and no
call to Cloudflare. CPU of kube-apiserver includes the applies and the watches.

The case %[4]s has the examples of all kinds in each of %[5]d namespaces, with an account, a zone and a token each. The calls that may look
for drift follow from the descriptions of the kinds and --resource-interval=%[6]s; zones are polled and listed each %[7]s. DNSSEC and
the tenants of custom hostnames take %[8]s.
%[9]s
## More figures

[The details](%[10]s) have what has no target, calls by route, requests to Kubernetes and CPU. `+"`make bench-go`"+` runs the benchmarks of the packages.
`, span(latency), mix, span(s.baselineLimit), caseMixed, s.mixed, span(s.intervals().resource), span(s.intervals().drift), span(mixedDelay), charts, details)
	return d.String()
}

// details returns the measures without a target and the notes of each case.
func (b *bench) details() string {
	var d strings.Builder
	fmt.Fprintf(&d, `Details of the benchmarks at revision %s, %s.
The simulator counts calls to Cloudflare. The provider's client (totals) and the API server (kinds) count requests to Kubernetes.
`, b.machine.revision, b.machine.began.UTC().Format("2006-01-02 15:04 UTC"))
	for _, c := range caseNames() {
		var lines []string
		for _, r := range b.table.others(c) {
			lines = append(lines, r.sentence())
		}
		for _, n := range b.table.notes {
			if n.kind == c {
				lines = append(lines, n.text)
			}
		}
		if len(lines) > 0 {
			fmt.Fprintf(&d, "\n%s\n\n- %s\n", c, strings.Join(lines, "\n- "))
		}
	}
	return d.String()
}

// write writes the document and its details, with the charts of the last run that had the
// case [scale].
func (b *bench) write() error {
	s, err := readSeries(b.flags.Data)
	if err != nil {
		return err
	}
	folder, err := filepath.Rel(filepath.Dir(b.flags.Out), filepath.Dir(b.flags.Data))
	if err != nil {
		return fmt.Errorf("cannot link the charts: %w", err)
	}
	if err := writeDocument(filepath.Join(filepath.Dir(b.flags.Data), detailsFile), b.details()); err != nil {
		return err
	}
	return writeDocument(b.flags.Out, b.document(s.charts(folder), filepath.ToSlash(filepath.Join(folder, detailsFile))))
}

// scale describes what is smaller than in the full run. It returns "" for a full run.
func (b *bench) scale() string {
	if !b.flags.Quick {
		return ""
	}
	s, f := b.size, fullSize()
	return fmt.Sprintf("This is the quick run, of the same cases, small: %d Records to create (not %d) in batches of at most %d (%d), %d Records in %d zones (%d in %d), "+
		"all kinds in %d namespaces (%d), %s of steady state (%s), sweeps each %s (%s), %d edits (%d) during %d creations (%d). The targets are those of the full run.\n\n",
		s.create, f.create, s.maxBatch, f.maxBatch, s.records(), s.zones, f.records(), f.zones,
		s.mixed, f.mixed, span(s.steady), span(f.steady), span(s.interval), span(f.interval), s.edits, f.edits, s.burst, f.burst)
}

// command returns the command that repeats this run.
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
