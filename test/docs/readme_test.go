// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/provider-cloudflare/provider-cloudflare/test/page"
)

// The limits of the README.
const (
	readmeColumns     = 120
	readmeWords       = 900
	readmeFirstScreen = 30
)

// TestComparisonCountsKinds compares the number of kinds in the comparison with the CRDs.
func TestComparisonCountsKinds(t *testing.T) {
	t.Parallel()
	crds, err := filepath.Glob(filepath.Join(root, "package", "crds", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	managed := slices.DeleteFunc(crds, func(file string) bool {
		return strings.HasPrefix(filepath.Base(file), "cloudflare.m.crossplane.io_") // provider configs, and their usages
	})
	if want := fmt.Sprintf("has [%d kinds]", len(managed)); !strings.Contains(readPage(t, "docs/explanation/comparison.md").Prose, want) {
		t.Errorf("docs/explanation/comparison.md does not say that this provider %s", want)
	}
}

// TestReadme checks that the README is short, names the limits of the project, and shows a
// manifest early.
func TestReadme(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	p := readPage(t, "README.md")
	for i, l := range strings.Split(string(raw), "\n") {
		if n := utf8.RuneCountInString(l); n > readmeColumns {
			t.Errorf("line %d has %d columns, want %d at most", i+1, n, readmeColumns)
		}
	}
	if n := len(strings.Fields(string(raw))); n > readmeWords {
		t.Errorf("it has %d words, want %d at most", n, readmeWords)
	}
	first := slices.IndexFunc(p.Blocks, func(b page.Block) bool { return b.Lang() == "yaml" })
	if first < 0 || p.Blocks[first].Line+len(p.Blocks[first].Lines)+1 > readmeFirstScreen {
		t.Errorf("the first manifest does not end within %d lines", readmeFirstScreen)
	}
	maturity := strings.Index(p.Prose, "Alpha, not released yet")
	if maturity < 0 || maturity > strings.Index(p.Prose, "\n## ") || !strings.Contains(p.Prose, "not against a live account") {
		t.Error("its first screen does not say how mature this is")
	}
	for _, picture := range []string{"docs/assets/architecture.svg", "docs/assets/demo.svg", "docs/assets/benchmark-calls.svg"} {
		if !slices.ContainsFunc(p.Links, func(l page.Link) bool { return l.Target == picture }) {
			t.Errorf("it does not show %s", picture)
		}
	}
	if made := makesOf(p); !slices.Equal(made, []string{"demo", "test"}) {
		t.Errorf("its commands are make %v, want demo and test", made)
	}
}

// TestReadmeFigures compares the figures in the README with the pages and files that a run
// wrote.
func TestReadmeFigures(t *testing.T) {
	t.Parallel()
	prose := strings.Join(strings.Fields(readPage(t, "README.md").Prose), " ")
	chaos := readPage(t, "docs/reference/chaos.md").Prose
	claim := regexp.MustCompile("After ([0-9,]+) kills and ([0-9,]+) injected faults at revision `([0-9a-f]+)`").FindStringSubmatch(prose)
	if claim == nil {
		t.Fatal("the README does not say how many kills and faults a run of chaos had, and at which revision")
	}
	for _, want := range []string{"| the provider was killed | " + claim[1] + " times", "| " + strings.ReplaceAll(claim[2], ",", "") + " |", "revision " + claim[3] + ": passed"} {
		if !strings.Contains(chaos, want) {
			t.Errorf("docs/reference/chaos.md does not have %q", want)
		}
	}
	for _, want := range benchmarkClaims(t) {
		if !strings.Contains(prose, want) {
			t.Errorf("the README does not say %q, which was measured", want)
		}
	}
}

// benchmarkClaims returns the sentences that the README must have about
// docs/assets/benchmarks.json.
func benchmarkClaims(t *testing.T) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, "docs", "assets", "benchmarks.json"))
	if err != nil {
		t.Fatal(err)
	}
	var run struct {
		Revision string
		Points   []struct {
			Connector                                        string
			Records                                          int
			SecondsToReady, CallsPerMinute, RefusedPerMinute float64
		}
	}
	if err := json.Unmarshal(raw, &run); err != nil || len(run.Revision) < 7 {
		t.Fatalf("revision %q: %v", run.Revision, err)
	}
	first, last, refused := math.Inf(1), 0.0, math.MaxInt
	for _, p := range run.Points {
		switch {
		case p.Connector != "provider":
			if p.RefusedPerMinute > 0 {
				refused = min(refused, p.Records)
			}
		case p.CallsPerMinute != 1:
			t.Errorf("%d Records cost %v calls a minute, and the README says one", p.Records, p.CallsPerMinute)
		default:
			first, last = min(first, p.SecondsToReady), max(last, p.SecondsToReady)
		}
	}
	return []string{
		"`" + run.Revision[:7] + "`",
		fmt.Sprintf("was %.0f to %.0f seconds", first, last),
		fmt.Sprintf("exceeded the rate limit at %d Records", refused),
	}
}
