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
	command := "make bench"
	if b.flags.Quick {
		command = "make bench-quick"
	}
	if len(b.flags.Cases) > 0 {
		command += ", but for cases other than " + strings.Join(b.flags.Cases, ", ")
	}
	flags := "none but those that a case names"
	if b.flags.ProviderArgs != "" {
		flags = "`" + b.flags.ProviderArgs + "`"
	}
	var d strings.Builder
	fmt.Fprintf(&d, `# Benchmarks

This file is written by `+"`%s`"+`. Every figure in it was measured in that run; a case that failed or was cut says so.

| | |
|---|---|
| date | %s |
| revision | %s |
| machine | %s, %d cores, %s of memory, %s |
| Go | %s |
| flags of the provider | %s |

%s
`, command, m.began.UTC().Format("2006-01-02 15:04 UTC"), m.revision, m.cpu, m.cores, m.memory, m.system, m.goVersion, flags, b.table.markdown())
	fmt.Fprintf(&d, `
Everything shares the machine: etcd and kube-apiserver, the simulator of the Cloudflare API, the provider, and the driver, which applies the
Records and watches them. The simulator answers after %s, half of it before it carries a request out, and allows
each credential 1,200 requests in five minutes. Calls to Cloudflare are counted by the simulator, requests to the Kubernetes API by the provider's own client
(totals) and by the API server (kinds). MB are millions of bytes.

The Records: %s.

The baseline is a plain connector on a stock crossplane-runtime reconciler: one GET for each observation, one POST for each creation, a poll each
minute, 100 workers (test/bench/baseline). It has the same Records, control plane, latency and limit, and is cut after %s.

## Details
`, latency, mix, s.baselineLimit)
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
