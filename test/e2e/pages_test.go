// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// leftToUs matches the blocks of the documentation that need a Crossplane. test/docs, which
// runs the others, does not run them.
var leftToUs = regexp.MustCompile("(?ms)^```console e2e\n(.*?)^```") //nolint:gochecknoglobals // A constant but for its type.

// root returns a path in the repository.
func root(path ...string) string {
	return filepath.Join(append([]string{*bin, "..", "..", ".."}, path...)...)
}

// follow runs the commands of a page that need this suite. Each has to succeed. It runs them as
// they are written, except for the replacements in instead.
func (c *cluster) follow(page string, instead ...string) {
	c.t.Helper()
	raw, err := os.ReadFile(root(page))
	c.must(err)
	blocks := leftToUs.FindAllStringSubmatch(string(raw), -1)
	if len(blocks) == 0 {
		c.t.Fatalf("%s has no commands for this suite", page)
	}
	for i := 0; i < len(instead); i += 2 {
		if !strings.Contains(string(raw), instead[i]) {
			c.t.Fatalf("%s does not name %s", page, instead[i])
		}
	}
	for _, b := range blocks {
		for line := range strings.SplitSeq(b[1], "\n") {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				if strings.HasSuffix(command, `\`) {
					c.t.Fatalf("%s: %q goes on in another line, which nothing here reads", page, command)
				}
				c.shell(strings.NewReplacer(instead...).Replace(command))
			}
		}
	}
	c.followed = append(c.followed, page)
}

// shell runs a command, as a user types it.
func (c *cluster) shell(command string) {
	c.t.Helper()
	out, err := c.bash(command)
	c.t.Logf("$ %s\n%s", command, out)
	c.must(err)
	if strings.Contains(out, "No resources found") {
		c.t.Errorf("%s shows nothing", command)
	}
}

// bash runs a command in the folder of the walkthroughs, if there is one, and returns its
// output.
func (c *cluster) bash(command string) (string, error) {
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	bin, err := filepath.Abs(*bin)
	c.must(err)
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", command) //nolint:gosec // Our own pages.
	cmd.Dir = c.work
	cmd.Env = append(os.Environ(), "KUBECONFIG="+c.kubeconfig, "HOME="+c.dir, "PATH="+bin+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// everyPage checks that each page with commands for this suite was followed, or is part of a
// walkthrough.
func everyPage(c *cluster) {
	for _, w := range c.walkthroughs() {
		c.followed = append(c.followed, w.Pages...)
	}
	for _, at := range []string{"README.md", "CONTRIBUTING.md", "docs", "examples", "functions"} {
		c.must(filepath.WalkDir(root(at), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
				return err
			}
			raw, err := os.ReadFile(path) //nolint:gosec // Our own pages.
			if err != nil || !leftToUs.Match(raw) {
				return err
			}
			page, err := filepath.Rel(root(), path)
			if !slices.Contains(c.followed, page) {
				c.t.Errorf("%s has commands that were not run", page)
			}
			return err
		}))
	}
}

func TestLeftToUs(t *testing.T) {
	text := "```console\n$ no\n```\n\n```console e2e\n$ yes\nout\n```\n"
	if got := leftToUs.FindAllStringSubmatch(text, -1); len(got) != 1 || got[0][1] != "$ yes\nout\n" {
		t.Errorf("found %q", got)
	}
}
