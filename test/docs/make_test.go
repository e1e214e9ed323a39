// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/page"
)

// ranElsewhere are targets that pages show and that are no steps of .ci/run, with the
// reason.
var ranElsewhere = map[string]string{
	"generate": "make verify runs it",
	"build":    "make demo builds with it",
	"xpkg":     "make e2e builds the package with it",
	"push":     "make e2e pushes the package with it",
}

var (
	ciSteps      = regexp.MustCompile(`\$\{CI_STEPS:-([a-z0-9 -]+)\}`)
	nightlySteps = regexp.MustCompile(`(?m)^NIGHTLY_STEPS = ([a-z0-9 -]+)$`)
)

// stepsIn are the targets that an expression finds in a file.
func stepsIn(t *testing.T, expression *regexp.Regexp, path ...string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(append([]string{root}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	m := expression.FindStringSubmatch(string(raw))
	if m == nil {
		t.Fatalf("%v has nothing like %s", path, expression)
	}
	return strings.Fields(m[1])
}

// TestMakesOfPagesAreRun holds the targets that pages tell people to make against
// those that CI makes for each change or each night: test/docs itself runs none.
func TestMakesOfPagesAreRun(t *testing.T) {
	t.Parallel()
	steps := append(stepsIn(t, ciSteps, ".ci", "run"), stepsIn(t, nightlySteps, "Makefile")...)
	shown := map[string]bool{}
	for _, p := range pages(t) {
		for _, target := range makesOf(p) {
			shown[target] = true
			if !slices.Contains(steps, target) && ranElsewhere[target] == "" {
				t.Errorf("%s: neither .ci/run nor make nightly makes %s: say in ranElsewhere what does", p.Path, target)
			}
		}
	}
	for target := range ranElsewhere {
		if !shown[target] || slices.Contains(steps, target) {
			t.Errorf("%s needs no excuse: no page shows it, or .ci/run makes it", target)
		}
	}
}

// makesOf are the targets of the make commands in a page's blocks.
func makesOf(p page.Page) []string {
	var out []string
	for _, b := range p.Blocks {
		if b.Lang() != "console" {
			continue
		}
		for _, l := range b.Lines {
			if m := makeTarget.FindStringSubmatch(l); m != nil && strings.HasPrefix(l, page.Prompt) {
				out = append(out, strings.Fields(m[1])...)
			}
		}
	}
	return out
}

func TestMakesOf(t *testing.T) {
	t.Parallel()
	p := page.Page{Blocks: []page.Block{
		{Info: "console", Lines: []string{"$ make verify lint   # and more", "make: it printed", "$ make xpkg VERSION=v1"}},
		{Info: "text", Lines: []string{"$ make nothing"}},
	}}
	if got := strings.Join(makesOf(p), " "); got != "verify lint xpkg" {
		t.Errorf("got %q", got)
	}
}

// TestRaceDetectorHasCgo: the Makefile turns cgo off for all, and the race detector needs it.
func TestRaceDetectorHasCgo(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	raced := regexp.MustCompile(`(?m)^.*\bgo test\b.* -race\b.*$`).FindAllString(string(raw), -1)
	if len(raced) == 0 {
		t.Error("no target uses the race detector any more: delete this test")
	}
	for _, line := range raced {
		if !strings.Contains(line, "CGO_ENABLED=1 ") {
			t.Errorf("it needs CGO_ENABLED=1: %s", strings.TrimSpace(line))
		}
	}
}
