// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// A job is a workflow's job, with its permissions and its programs.
type job struct {
	// Uses is the workflow that the job calls. Needs are the jobs before it, one name or
	// several.
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

// TestReleaseJobs checks that a release job that can sign or publish builds nothing, and runs
// nothing that another job has built.
func TestReleaseJobs(t *testing.T) {
	t.Parallel()
	builds, signs := 0, 0
	for name, j := range jobsOf(t, "release.yaml") {
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

// TestStepsOfARelease checks that each night and each release looks for known vulnerabilities.
// The job that pushes a release runs after that, after all checks of a change, and after
// approval.
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

// TestStepsOfAChange checks that a change runs tests, linters and the check of licences, and
// that their actions are pinned.
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

// jobsOf returns the jobs of a workflow.
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

// fileOf returns the content of a file of the repository.
func fileOf(t *testing.T, path ...string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(append([]string{root}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestSigning runs hack/sign.sh with a cosign that only records its arguments. If the bills of
// materials cannot be read from the package, nothing is signed.
func TestSigning(t *testing.T) {
	t.Parallel()
	const digest = "sha256:1111"
	index := `{"manifests":[{"platform":{"os":"linux","architecture":"amd64"},"digest":"sha256:2222"},` +
		`{"platform":{"os":"linux","architecture":"arm64"},"digest":"sha256:3333"},{"platform":{"os":"unknown"},"digest":"sha256:4444"}]}`
	for _, row := range []struct {
		reason, name string
		blobs        map[string]string // nil for no package
		fine         bool
		attests      int
	}{
		{"two architectures", "provider-cloudflare", map[string]string{"blobs/sha256/1111": index}, true, 2},
		{"a Configuration, which runs nothing", "configuration-cloudflare", nil, true, 0},
		{"no package", "provider-cloudflare", nil, false, 0},
		{"another package", "provider-cloudflare", map[string]string{"blobs/sha256/5555": index}, false, 0},
		{"an index that is none", "function-cloudflare-dns", map[string]string{"blobs/sha256/1111": "{"}, false, 0},
		{"an index of nothing for Linux", "provider-cloudflare", map[string]string{"blobs/sha256/1111": `{"manifests":[]}`}, false, 0},
	} {
		t.Run(row.reason, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			raw, err := os.ReadFile(filepath.Join(root, "hack", "sign.sh"))
			if err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(dir, "hack", "sign.sh"), raw)
			put(t, filepath.Join(dir, "bin", "cosign"), []byte("#!/bin/bash\necho \"$*\" >>\"$ASKED\"\n"))
			if row.blobs != nil {
				put(t, filepath.Join(dir, "_output", "xpkg", row.name+"-v1.0.0.oci.tar"), archive(t, row.blobs))
			}
			asked := filepath.Join(dir, "asked")
			put(t, asked, nil)
			cmd := exec.CommandContext(t.Context(), "/bin/bash", filepath.Join(dir, "hack", "sign.sh"), digest, "registry.test")
			cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "ASKED="+asked, "NAME="+row.name, "VERSION=v1.0.0", "SIGNER=workflow")
			out, err := cmd.CombinedOutput()
			if fine := err == nil; fine != row.fine {
				t.Errorf("it ends with %v, want it to succeed: %t\n%s", err, row.fine, out)
			}
			said, err := os.ReadFile(asked)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(said), "attest --yes"); n != row.attests || (len(said) > 0) != row.fine {
				t.Errorf("cosign was asked to attest %d times, want %d:\n%s", n, row.attests, said)
			}
		})
	}
}

// put writes an executable file, and creates its folder.
func put(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, content, 0o700)); err != nil {
		t.Fatal(err)
	}
}

// archive returns a tar archive of files.
func archive(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for name, content := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(content))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// runs returns all commands and actions of a job in one text.
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
