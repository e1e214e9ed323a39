// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// A job of a workflow, as far as its rights and its programs go.
type job struct {
	// Uses is the workflow that it calls, and Needs what comes before it: a name or several.
	Uses        string            `json:"uses"`
	Needs       any               `json:"needs"`
	Environment string            `json:"environment"`
	Permissions map[string]string `json:"permissions"`
	Env         map[string]string `json:"env"`
	Steps       []action          `json:"steps"`
}

// An action is a step of a job.
type action struct {
	Uses string            `json:"uses"`
	Run  string            `json:"run"`
	Env  map[string]string `json:"env"`
}

// TestReleaseJobs: a job of the release that can sign or publish builds nothing, and runs nothing that another job has built.
func TestReleaseJobs(t *testing.T) {
	t.Parallel()
	builds, signs := 0, 0
	for name, j := range jobsOf(t, "release.yaml") {
		if j.Permissions["id-token"] == "write" {
			signs++
		}
		text := j.runs()
		if regexp.MustCompile(`\bmake\b`).MatchString(text) {
			builds++
			if j.Permissions["id-token"] != "" || strings.Contains(text, "actions/download-artifact") {
				t.Errorf("the job %s builds, and it can sign or takes what another job has built", name)
			}
			continue
		}
		for _, runs := range []string{`actions/setup-go`, `\bgo (run|build|install|tool)\b`, `\bchmod\b`, `\bPACKAGER\b`, `_output/package\b`, `\b(bash|sh|source) _output\b`} {
			if found := regexp.MustCompile(runs).FindString(text); found != "" {
				t.Errorf("the job %s builds nothing, and has %q", name, found)
			}
		}
	}
	if builds != 1 || signs != 1 {
		t.Errorf("%d jobs build and push, and %d can sign, want one of each", builds, signs)
	}
}

// TestStepsOfARelease: known vulnerabilities are looked for each night and for each release, and what pushes a release comes after
// that, after all that a change has to pass, and after approval.
func TestStepsOfARelease(t *testing.T) {
	t.Parallel()
	nightly := fileOf(t, ".github", "workflows", "nightly.yaml")
	if !regexp.MustCompile(`cron: "\d+ \d+ \* \* \*"`).MatchString(nightly) {
		t.Error("nightly.yaml does not run each night")
	}
	if got := jobsOf(t, "nightly.yaml")["scan"].Uses; got != "./.github/workflows/scan.yaml" {
		t.Errorf("the job scan of each night calls %q", got)
	}
	if !strings.Contains(jobsOf(t, "scan.yaml")["scan"].runs(), "make scan\n") {
		t.Error("scan.yaml looks for no known vulnerabilities")
	}
	release := jobsOf(t, "release.yaml")
	for name, calls := range map[string]string{"test": "ci.yaml", "nightly": "nightly.yaml"} {
		if got := release[name].Uses; got != "./.github/workflows/"+calls {
			t.Errorf("the job %s of a release calls %q", name, got)
		}
		if needs := fmt.Sprintf(" %v ", release["push"].Needs); !regexp.MustCompile(`\b` + name + `\b`).MatchString(needs) {
			t.Errorf("what pushes a release does not wait for %s, but for%s", name, needs)
		}
	}
	if got := release["push"].Environment; got != "release" {
		t.Errorf("what pushes a release is in the environment %q, which needs no approval", got)
	}
}

// TestStepsOfAChange: a change passes tests, linters and the check of licences, and the actions that do this are pinned.
func TestStepsOfAChange(t *testing.T) {
	t.Parallel()
	steps := stepsIn(t, ciSteps, ".ci", "run")
	for _, want := range []string{"verify", "lint", "test"} {
		if !slices.Contains(steps, want) {
			t.Errorf(".ci/run makes %q, and not %s", steps, want)
		}
	}
	verify := regexp.MustCompile(`(?ms)^verify:.*?\n\n`).FindString(fileOf(t, "Makefile"))
	if !strings.Contains(verify, " licences-check\n") {
		t.Errorf("make verify checks no licences:\n%s", verify)
	}
	if !strings.Contains(fileOf(t, "hack", "test.sh"), "detector=(-race)\n") {
		t.Error("hack/test.sh does without the race detector")
	}
	pinned := regexp.MustCompile(`^(\./|[^@ ]+@[0-9a-f]{40}$)`)
	for _, workflow := range []string{"ci.yaml", "nightly.yaml", "release.yaml", "scan.yaml"} {
		for name, j := range jobsOf(t, workflow) {
			for _, s := range append(j.Steps, action{Uses: j.Uses}) {
				if s.Uses != "" && !pinned.MatchString(s.Uses) {
					t.Errorf("%s, job %s: %s is not pinned by commit", workflow, name, s.Uses)
				}
			}
		}
	}
}

// jobsOf are the jobs of a workflow.
func jobsOf(t *testing.T, workflow string) map[string]job {
	t.Helper()
	var w struct {
		Jobs map[string]job `json:"jobs"`
	}
	if err := yaml.Unmarshal([]byte(fileOf(t, ".github", "workflows", workflow)), &w); err != nil {
		t.Fatal(err)
	}
	return w.Jobs
}

// fileOf is a file of the repository.
func fileOf(t *testing.T, path ...string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(append([]string{root}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// runs is what a job does, in one text.
func (j job) runs() string {
	var b strings.Builder
	for name := range j.Env {
		b.WriteString(name + "\n")
	}
	for _, s := range j.Steps {
		b.WriteString(s.Uses + "\n" + s.Run + "\n")
		for name := range s.Env {
			b.WriteString(name + "\n")
		}
	}
	return b.String()
}
