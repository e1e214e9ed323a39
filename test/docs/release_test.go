// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// A job of a workflow, as far as its rights and its programs go.
type job struct {
	Environment string            `json:"environment"`
	Permissions map[string]string `json:"permissions"`
	Env         map[string]string `json:"env"`
	Steps       []struct {
		Uses string            `json:"uses"`
		Run  string            `json:"run"`
		Env  map[string]string `json:"env"`
	} `json:"steps"`
}

// TestReleaseJobs: a job of the release that can sign or publish builds nothing, and runs nothing that another job has built.
func TestReleaseJobs(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join(root, ".github", "workflows", "release.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs map[string]job `json:"jobs"`
	}
	if err := yaml.Unmarshal(raw, &workflow); err != nil {
		t.Fatal(err)
	}
	builds, signs := 0, 0
	for name, j := range workflow.Jobs {
		if j.Permissions["id-token"] == "write" {
			signs++
			if j.Environment != "release" {
				t.Errorf("the job %s can sign, and nobody approves it: its environment is %q", name, j.Environment)
			}
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
