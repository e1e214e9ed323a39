// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/page"
)

// ranElsewhere are targets that pages show and that are no steps of .ci/run, with the reason.
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

// stepsIn returns the targets that an expression matches in a file.
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

// TestMakesOfPagesAreRun checks that CI runs each target that pages show, for each change or
// each night. test/docs itself runs none.
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

// makesOf returns the targets of the make commands in a page's blocks.
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

// helpTime matches a target, its time when everything is built, and the rest of its help behind
// the time.
var helpTime = regexp.MustCompile(`(?m)^([a-z0-9-]+):.*## .*\((half an? (?:minute|hour)|an hour|\d+ (?:s|min|h))(?:; ([^();]*))?[^()]*\)`)

// timesOfMake returns the time of each target of a Makefile, and the text behind it.
func timesOfMake(makefile string) map[string][2]string {
	times := map[string][2]string{}
	for _, m := range helpTime.FindAllStringSubmatch(makefile, -1) {
		if !strings.Contains(m[0], m[2]+" the first time") { // This is the time when nothing is built.
			times[m[1]] = [2]string{m[2], m[3]}
		}
	}
	return times
}

// TestTimesAgree compares the times of targets in CONTRIBUTING, the README and hack/test.sh
// with those in the help of make.
func TestTimesAgree(t *testing.T) {
	t.Parallel()
	times := timesOfMake(fileOf(t, "Makefile"))
	short := strings.NewReplacer("half a minute", "30 s", "an hour", "1 h")
	compared := 0
	for _, row := range regexp.MustCompile("(?m)^\\| (`make .*`) \\|.*\\| ([^|]*[a-z]) \\|$").FindAllStringSubmatch(fileOf(t, "CONTRIBUTING.md"), -1) {
		targets, said := strings.Split(row[1], ", "), strings.Split(row[2], ", ")
		for i, target := range targets {
			want, known := times[strings.Trim(strings.TrimPrefix(target, "`make "), "`")]
			if !known {
				continue
			}
			compared++
			if got := said[min(i, len(said)-1)]; short.Replace(got) != short.Replace(want[0]) {
				t.Errorf("CONTRIBUTING.md says that %s takes %s, and make %s", target, got, want[0])
			}
		}
	}
	if compared < 10 {
		t.Errorf("%d times of CONTRIBUTING.md were compared: that are too few", compared)
	}
	readme, script := strings.Join(strings.Fields(readPage(t, "README.md").Prose), " "), fileOf(t, "hack", "test.sh")
	minutes := strings.Fields(times["test"][0])[0]
	for _, want := range []struct{ where, text, says string }{
		{"the README", readme, times["demo"][0]},
		{"the README", readme, times["demo"][1]},
		{"the README", readme, minutes + " minutes"},
		{"the README", readme, times["test"][1]},
		{"hack/test.sh", script, "minutes=" + minutes + "\n"},
		{"hack/test.sh", script, times["test"][1]},
	} {
		if want.says == "" || !strings.Contains(want.text, want.says) {
			t.Errorf("%s does not say %q", want.where, want.says)
		}
	}
}

func TestTimesOfMake(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, line string
		want         map[string][2]string
	}{
		{"a time, and what it takes at first", "test: ## run (25 min; some 20 more the first time)", map[string][2]string{"test": {"25 min", "some 20 more the first time"}}},
		{"words behind it", "bench-quick: build ## small (10 min), into a file", map[string][2]string{"bench-quick": {"10 min", ""}}},
		{"a time and a flag", "bench: build ## measure (an hour; BENCHARGS=)", map[string][2]string{"bench": {"an hour", "BENCHARGS="}}},
		{"of the first time alone", "lint: ## run (3 min the first time)", map[string][2]string{}},
		{"no time", "push: ## push (VERSION= ARCHS=)", map[string][2]string{}},
	} {
		if got := timesOfMake(tc.line); !maps.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.reason, got, tc.want)
		}
	}
}

// TestRaceDetectorHasCgo checks that the targets with the race detector enable cgo, which the
// Makefile disables.
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
